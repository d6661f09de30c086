"""Kernel time of every panel of every notebook: random settings of all its controls, milliseconds from set to picture.

.venv/bin/python tests/benchmarks/panel_speed.py [01_workload ...]
"""

import contextlib
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import ipywidgets
import nbformat
import numpy as np

HOME = tempfile.TemporaryDirectory()  # removed when the process ends
os.environ["ACCELERATOR_COURSE_HOME"] = HOME.name
os.environ["ACCELERATOR_COURSE_SHORT"] = "1"
FOLDER = Path(__file__).parents[2] / "notebooks"
MOVES = 60


def main(names):
    from IPython.core.interactiveshell import InteractiveShell

    from accelerator_course.widgets import panel

    for path in sorted(FOLDER.glob("*.ipynb")):
        if names and path.stem not in names:
            continue
        shell = InteractiveShell.instance()
        shell.reset(new_session=True)
        panel.LIVE.clear()
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            for cell in nbformat.read(path, 4).cells:
                if cell.cell_type == "code":
                    shell.run_cell(cell.source)
        for each in sorted(panel.LIVE, key=lambda p: p.id or ""):
            times = [_one(each, random.Random(n)) for n in range(MOVES)] if each.controls else []
            if times:
                median, high = (1e3 * np.quantile(times, q) for q in (0.5, 0.95))
                print(
                    f"{path.stem:<14} {each.id or '-':<14} median {median:5.0f} ms   95 % {high:5.0f}   max {1e3 * max(times):5.0f}"
                )


def _one(panel, draw):
    values = {}
    for name, control in panel.controls.items():
        values[name] = (
            draw.random() < 0.5 if isinstance(control, ipywidgets.Checkbox) else draw.choice(control.options)[1]
        )
    begin = time.perf_counter()
    panel.set(**values)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main(sys.argv[1:])
