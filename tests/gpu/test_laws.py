"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law

from accelerator_lib import gpu


@pytest.mark.parametrize(("elements", "threads"), [(1, 16), (256, 256), (10_000, 48), (1_000_000, 1024)])
def test_a_launch(elements, threads):
    made, known = law("gpu", "launch-function", "launch")(elements, threads), gpu.launch(elements, threads)
    assert list(made.values()) == [elements, threads, known.blocks, known.idle_threads, known.empty_lanes]


@pytest.mark.parametrize("lanes", [0, 1, 16, 31, 32])
def test_divergence(lanes):
    found = law("gpu", "divergence-function", "divergence")(lanes, 100, 10)
    ways = [(lanes, 100), (32 - lanes, 10)]
    assert found["issued"] == gpu.simt_cycles(ways)
    assert found["lanes at work"] == pytest.approx(gpu.simt_efficiency(ways))
