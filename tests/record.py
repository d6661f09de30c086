"""make record: run the notebooks with JAX and keep what a machine without it will show, in accelerator_lib/data/recorded.

Every cell runs; panels of few positions go through all of them, and the tuner's choices are timed one by one. Give
names of chapters to record those alone (the others stay): python tests/record.py 12_codesign
"""

import json
import os
import sys
from datetime import UTC, datetime
from itertools import product
from math import prod
from pathlib import Path

os.environ.pop("ACCELERATOR_COURSE_SHORT", None)

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from accelerator_course.measure import device
from accelerator_lib import recorded

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
FEW = 48  # joint settings of a panel


def main(names):
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if (not names or path.stem in names) and "jax" in path.read_text(encoding="utf-8").lower():
            print(f"running {path.stem}", flush=True)
            recorded.book = {}
            chapter(path)
            for run in MORE.get(path.stem, ()):
                run()
            for topic, results in sorted(recorded.book.items()):
                write(topic, results)


def every_choice():
    """The tuner's kernels, each choice timed."""
    from accelerator_lib.codesign import kernels

    for name in kernels.NAMES:
        print(f"timing every choice of {name}", flush=True)
        kernels.times(name)


def session():
    """What the reader's own file would hold."""
    from accelerator_course.measure.yours import content

    content()


MORE = {"12_codesign": [every_choice], "14_validation": [session]}


def chapter(path):
    """Run a notebook's cells in this Python, then every position of its small panels."""
    from accelerator_course.widgets import panel as panels

    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    os.chdir(NOTEBOOKS)
    before = list(panels.LIVE)
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            with capture_output():
                ran = shell.run_cell("".join(cell["source"]))
            ran.raise_error()
    for panel in [one for one in panels.LIVE if one not in before]:
        options = {n: [o[1] for o in c.options] for n, c in panel.controls.items() if hasattr(c, "options")}
        if len(options) == len(panel.controls) and 1 < prod(map(len, options.values())) <= FEW:
            for values in product(*options.values()):
                panel.set(**dict(zip(options, values, strict=True)))


def told(value):
    return json.dumps(value, ensure_ascii=False)


def write(topic, results):
    """One topic's file: what, where and when, then one result a line."""
    import jax
    import numpy

    path, lines = recorded.FOLDER / f"{topic}.json", {}
    if path.exists():
        old = json.loads(path.read_text(encoding="utf-8"))
        results = {key: recorded.decoded(value, old["lines"]) for key, value in old["results"].items()} | results
    head = {"basis": "measured here", "machine": f"{device.cpu_name()}, {device.cores()} cores"}
    head |= {"date": f"{datetime.now(UTC):%-d %B %Y}", "versions": f"JAX {jax.__version__}, NumPy {numpy.__version__}"}
    body = {key: recorded.encoded(value, lines) for key, value in sorted(results.items())}
    top = "".join(f" {told(name)}: {told(value)},\n" for name, value in head.items())
    rows = (f"  {told(key)}: {told(value)}" for key, value in body.items())
    texts = (f"  {told(line)}" for line in lines)
    rows, texts = ",\n".join(rows), ",\n".join(texts)
    path.write_text(f'{{\n{top} "results": {{\n{rows}\n }},\n "lines": [\n{texts}\n ]\n}}\n', encoding="utf-8")
    print(f"{path.name}: {len(results)} results, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(set(sys.argv[1:]))
