"""A small book to test: two short chapters with everything that a chapter may hold, built once for a module of tests."""

import contextlib
import importlib.util
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from accelerator_course.pages.book import building
from accelerator_course.start import folders

NEEDS = "sphinx", "furo", "myst_parser"
MISSING = [name for name in NEEDS if importlib.util.find_spec(name) is None]
NEEDED = pytest.mark.skipif(
    bool(MISSING), reason=f"no {', '.join(MISSING)}: pip install -r binder/site-requirements.txt"
)
IMPORTS = """import numpy as np
from IPython.display import Markdown
from accelerator_course import exercises, views
from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_lib import hardware, roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_course.widgets import *
from accelerator_lib.workload import Gemm
import sys
sys.path.append(TESTS)
import toy_guesses
toy_guesses.install()""".replace("TESTS", repr(str(Path(__file__).parent)))
DOT = """def dot(m=1, n=8192, chip="h100-sxm5"):
    return roofline.place(Gemm(m, n, 8192), hardware.chip(chip))"""
PANEL = """predict("roofline", "batch-128", explore(
    dot, views.roofline.Roofline(intensity=(0.3, 3e4), flops_per_s=(1e11, 1e16)), id="dot", m=log(1, 16384, label="rows"),
    n=log(256, 32768), chip=hardware.chips("bf16")))"""
RUN = """def array(k=8):
    a, b = np.arange(4 * k).reshape(4, k) % 5 + 1, np.arange(4 * k).reshape(k, 4) % 3 + 1
    return cycle_by_cycle(a, b, 4, 4)"""
HALTED = """def halted(cycle=2):
    if cycle > 6:
        raise NotAvailable("nobody watched that long")
    return list(array())[cycle]"""
EXERCISE = """def kernel_time(gemm, chip):
    ...

exercises.check("03.1", kernel_time)"""


TITLE = """# 3 · Roofline: which limit binds?

After [the start](00_start_here.ipynb) and before [chapter 4](04_tiling.ipynb); it grows as $n^2$:

$$a_1 = \\frac{b}{c}$$"""


def hidden(source):
    return new_code_cell(source, metadata={"jupyter": {"source_hidden": True}})


def chapters():
    """{name: notebook} of the small book."""
    start = [
        new_markdown_cell("# Start here\n\nFirst words."),
        hidden(IMPORTS),
        new_code_cell(RUN),
        hidden('step(array, views.systolic.Wavefront(), id="array", k=linear(1, 12, label="length"))'),
        hidden("chapters()"),
    ]
    third = [
        new_markdown_cell(TITLE),
        new_markdown_cell("Run it", metadata={"tags": ["run"]}),
        hidden(IMPORTS),
        hidden('chapter_bar("roofline")'),
        new_code_cell('warm_up("roofline")', metadata={"slideshow": {"slide_type": "skip"}}),
        new_markdown_cell("## The panel\n\nDrag to 64 rows."),
        new_code_cell(DOT),
        hidden(PANEL),
        hidden('Markdown("**What you saw.** A quokkaword, $p_1$ times.")'),
        new_code_cell('print("printed", 1 + 1)'),
        new_markdown_cell("## A state\n\n| a | b |\n|---|---|\n| 1 | " + "wide " * 40 + "|"),
        new_code_cell(RUN + "\n\n" + HALTED),
        hidden('explore(halted, views.systolic.Wavefront(), id="halted", cycle=(0, 8))'),
        hidden('explore(dot, views.roofline.Roofline(), id="alone")'),
        new_markdown_cell("## Exercises"),
        new_code_cell(EXERCISE, metadata={"tags": ["exercise"]}),
        hidden('quick_check("critical-batch-cause")'),
        hidden('quiz("roofline")'),
        hidden('explain("roofline")'),
        hidden('decision("roofline")'),
        new_markdown_cell("## For instructors", metadata={"slideshow": {"slide_type": "notes"}}),
        new_markdown_cell("Previous: [one](01_workload.ipynb)"),
    ]
    return {"00_start_here": new_notebook(cells=start), "03_roofline": new_notebook(cells=third)}


@contextlib.contextmanager
def notebooks(folder):
    """The small book's notebooks stand where those of the course do."""
    folder.mkdir()
    for name in ("images", "TEACHING.md"):
        (folder / name).symlink_to(folders.NOTEBOOKS / name)
    for name, notebook in chapters().items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders, "NOTEBOOKS", folder)
        yield


def build(folder, live=False):
    """The folder of the small book, built below `folder`."""
    with notebooks(Path(folder) / "notebooks"):
        return building.build(Path(folder) / "site", tuple(chapters()), live=live)
