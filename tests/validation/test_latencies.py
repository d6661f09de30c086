from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.latencies import FREE, WORDS, estimate, level_of

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

START = Constants({name: start for name, (_, start, _) in FREE.items()})


def row(level, device="A100 80GB", unit="cycles", **conditions):
    return stated("memory_latency", device, "pointer chase", "latency", unit, level=level, **conditions)


@pytest.mark.parametrize(
    ("level", "cycles"), TABLE["levels_are_those_of_other_measurements_and_the_walk_beyond_the_near_partition"]
)
def test_levels_are_those_of_other_measurements_and_the_walk_beyond_the_near_partition(level, cycles):
    """Walk: 50 ns at 1.41 GHz are 70.5 cycles."""
    assert estimate(row(level, clock_mhz=1410), START).value == pytest.approx(cycles, rel=0.005)


LEVELS, DEVICES = ["L1", "L2", "L2 far partition", "HBM"], ["A100", "H100 PCIe", "GH200"]


@given(st.sampled_from(LEVELS), st.sampled_from(DEVICES), st.floats(500, 2500))
def test_nearer_is_never_slower_and_nanoseconds_are_cycles_by_the_clock(level, device, mhz):
    found = estimate(row(level, device, clock_mhz=mhz), START)
    assert 0 < found.bound <= found.value
    in_ns = estimate(row(level, device, "ns", clock_mhz=mhz), START)
    assert in_ns.value == pytest.approx(found.value * 1e3 / mhz)
    assert in_ns.bound == pytest.approx(found.bound * 1e3 / mhz)


def test_a_cache_keeps_its_cycles_and_a_memory_its_nanoseconds():
    slow, fast = (estimate(row("L2", clock_mhz=mhz), START).value for mhz in (700, 1400))
    assert slow == fast
    slow, fast = (estimate(row("HBM", unit="ns", clock_mhz=mhz), START).value for mhz in (700, 1400))
    assert slow == pytest.approx(fast)


@pytest.mark.parametrize("said", ["DRAM", "global memory", "HBM3", "GDDR6X"])
def test_a_memory_goes_by_many_names(said):
    assert level_of(row(said)) == "memory" and level_of(row("LDS")) == "shared memory"


def test_levels_have_their_words():
    assert set(WORDS) >= {"L1", "L2", "far L2", "memory"}
