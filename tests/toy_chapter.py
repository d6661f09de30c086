"""A small chapter for tests in a browser, whatever the chapters of the course ask today: two guesses on one panel, a third on another."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from accelerator_course.start import copies

NAME = "toy.ipynb"
HIDDEN = {"jupyter": {"source_hidden": True}}
BUTTON = '<button class="jp-mod-styled jp-mod-accept" data-commandlinker-command="notebook:run-all-cells">▶ Run this chapter</button>'
INSTALL = f"""import sys
sys.path.append({str(Path(__file__).parent)!r})
import toy_guesses
toy_guesses.install()
from accelerator_course import exercises, views
from accelerator_course.widgets import chapter_bar, checkpoint, explain, explore, linear, log, predict, quiz
from accelerator_lib import hardware, roofline
from accelerator_lib.workload import Gemm
chapter_bar("roofline")"""
DOT = """def dot(m=1, n=8192, chip="h100-sxm5"):
    return roofline.place(Gemm(m, n, 8192), hardware.chip(chip))

predict("roofline", "batch-128", "upgrade",
        explore(dot, views.roofline.Roofline(intensity=(0.3, 3e4), flops_per_s=(1e11, 1e16)), id="dot",
                m=log(1, 16384, label="M, rows of inputs"), n=log(256, 32768, label="N, outputs"), chip=hardware.chips("bf16")))"""
WALL = """YEARS = {2018: "v100-sxm2-32gb", 2020: "a100-80gb-sxm", 2022: "h100-sxm5", 2023: "h200-sxm"}

def until(year=2022):
    chip = YEARS[max(known for known in YEARS if known <= max(year, 2018))]
    return {"ridge": roofline.ridge_of(chip, "fp16")}

predict("roofline", "next-ridge",
        explore(until, views.Lines(over="year", y="FLOP per byte", limits=(0, 500), say="In {year} the ridge is at {ridge:}."),
                id="wall", year=linear(2018, 2025, 1)))"""
LAUNCHES = """def launched(launch=5e-6, work=9.5e-3):
    return {"step": max(work, 300 * launch)}

explore(launched, views.Lines(over="work", y="time", unit="s", limits=(1e-5, 1), say="300 launches: a step takes {step:s}."),
        id="launches", launch=log(1e-6, 2e-4, unit="s", label="launch of one kernel"), work=log(1e-4, 0.1, unit="s"))"""

KERNEL = """def kernel_time(flops, bytes_moved, peak, bandwidth, overhead):
    ...

exercises.check("03.1", kernel_time)"""


def cells():
    seen = "**What you saw.** You added rows, and the dot rose along the roof. So more rows use the arithmetic better."
    ways = "Previous: [chapter 2, Memory](02_memory.ipynb) · Next: [chapter 4, Tiling](04_tiling.ipynb)"
    return [
        new_markdown_cell("# Roofline: which limit binds?\n\nA chapter for tests.", id="title"),
        new_markdown_cell(BUTTON, metadata={"tags": ["run"]}, id="run"),
        new_code_cell(INSTALL, metadata=HIDDEN, id="install"),
        new_markdown_cell("## One dot", id="dot-title"),
        new_code_cell(DOT, metadata=HIDDEN, id="dot-panel"),
        new_markdown_cell(seen, id="dot-seen"),
        new_markdown_cell("## The wall", id="wall-title"),
        new_code_cell(WALL, metadata=HIDDEN, id="wall-panel"),
        new_markdown_cell(seen, id="wall-seen"),
        new_markdown_cell("## Launches", id="launches-title"),
        new_code_cell(LAUNCHES, metadata=HIDDEN, id="launches-panel"),
        new_markdown_cell("## Quiz", id="quiz-title"),
        new_code_cell('quiz("roofline")', metadata=HIDDEN, id="quiz"),
        new_code_cell("checkpoint(3)", metadata=HIDDEN, id="checkpoint"),
        new_code_cell('explain("roofline")', metadata=HIDDEN, id="explain"),
        new_code_cell(KERNEL, metadata={"tags": ["exercise"]}, id="x31"),
        new_markdown_cell(ways, id="links"),
    ]


def write(folder):
    """The chapter as a notebook in a folder; its path."""
    kernel = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        copies.MARK: "a test",
    }
    path = Path(folder) / NAME
    nbformat.write(new_notebook(cells=cells(), metadata=kernel), path)
    copies.trust(path)
    return path
