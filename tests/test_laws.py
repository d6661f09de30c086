"""Laws that stand in a cell and in a tested model: both say the same."""

import json
from pathlib import Path

import pytest

from accelerator_lib import gpu
from accelerator_lib.systolic import layers

FOLDER = Path(__file__).parents[1] / "notebooks"


def law(chapter, cell, name):
    """The function `name` of one cell, as a reader would define it."""
    cells = json.loads((FOLDER / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    names = {}
    exec("".join(next(c["source"] for c in cells if c["id"] == cell)), names)
    return names[name]


@pytest.mark.parametrize(("elements", "threads"), [(1, 16), (256, 256), (10_000, 48), (1_000_000, 1024)])
def test_a_launch(elements, threads):
    made, known = law("05_gpu", "launch-function", "launch")(elements, threads), gpu.launch(elements, threads)
    assert list(made.values()) == [elements, threads, known.blocks, known.idle_threads, known.empty_lanes]


@pytest.mark.parametrize("lanes", [0, 1, 16, 31, 32])
def test_divergence(lanes):
    found = law("05_gpu", "divergence-function", "divergence")(lanes, 100, 10)
    ways = [(lanes, 100), (32 - lanes, 10)]
    assert found["issued"] == gpu.simt_cycles(ways)
    assert found["lanes at work"] == pytest.approx(gpu.simt_efficiency(ways))


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("k", [16, 1024, 8192])
def test_the_vector_unit(k, overlap):
    shares = law("06_systolic", "vector-function", "vector")(k, 64, overlap).values()
    assert list(shares) == pytest.approx([layers.vector_share(k, count, 64, overlap) for count in (1, 8, 40)])
