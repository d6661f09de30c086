"""Laws that stand in a cell and in a tested model: both say the same."""

import inspect

import pytest
from laws import law

from accelerator_lib import gpu
from accelerator_lib.gpu import access, scheduler


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


def test_copies_overlap_with_arithmetic_whoever_makes_them():
    """A load does not block its warp: two under way bring twice as much (Ex5.3), with or without an engine."""
    pipeline = law("gpu", "tma-function", "pipeline")
    assert list(inspect.signature(pipeline).parameters) == ["stages", "copy", "maths"]
    one, two = pipeline(1, 2e-6, 3e-6).seconds, pipeline(2, 2e-6, 3e-6).seconds
    assert one == pytest.approx(12 * 5e-6) and two == pytest.approx(2e-6 + 12 * 3e-6)
    assert scheduler.utilization(1, 20, 2) == 2 * scheduler.utilization(1, 20, 1)
    run = [*scheduler.schedule(1, 20, 2, 4000)][-1]
    assert run.utilization == pytest.approx(scheduler.utilization(1, 20, 2), rel=0.01)


@pytest.mark.parametrize(("rows", "cols"), [(128, 32), (128, 64), (256, 64)])
def test_what_a_copy_through_registers_holds(rows, cols):
    """Two roads: bytes over 4 a register; and 32 lanes of 16 bytes, 4 registers each, for every load."""
    size = 2 * rows * cols
    assert access.copy_instructions(size, 16) * 32 * 4 == size / 4 == rows * cols // 2
