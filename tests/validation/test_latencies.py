import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data
from accelerator_lib.validation import NotAvailable, predict
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.latencies import FREE, WORDS, estimate, level_of

START = Constants({name: start for name, (_, start, _) in FREE.items()})


def row(level, device="A100 80GB", unit="cycles", workload="pointer chase", **conditions):
    return {"id": "", "kind": "memory_latency", "device": device, "n_devices": 1, "workload": workload, "unit": unit,
            "metric": "latency", "conditions": {"level": level, **conditions}}  # fmt: skip


@pytest.mark.parametrize(("level", "cycles"), [
    ("shared memory", 26), ("L1", 35.45), ("L2 near partition", 208), ("L2", 208), ("L2 far partition", 356.6 + 70.5),
    ("HBM", 466.3 + 70.5),
])  # fmt: skip
def test_levels_are_those_of_other_measurements_and_the_walk_beyond_the_near_partition(level, cycles):
    """Walk: 50 ns at 1.41 GHz are 70.5 cycles."""
    assert estimate(row(level, clock_mhz=1410), START).value == pytest.approx(cycles, rel=0.005)


@given(st.sampled_from(["L1", "L2", "L2 far partition", "HBM"]), st.sampled_from(["A100", "H100 PCIe", "GH200"]),
       st.floats(500, 2500))  # fmt: skip
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


@pytest.mark.parametrize("hostile", [
    row("attic"), row(None), row("L1", "MI300X"), row("L3"), row("L1", unit="W"), row("L1", "Abacus"),
    row("HBM", "TPU v5e"), row("L2 far partition", "V100"), row("L1", "H200 NVL"),
])  # fmt: skip
def test_what_is_not_published_is_said(hostile):
    with pytest.raises(NotAvailable) as error:
        predict(hostile)
    assert "\n" not in str(error.value)


def test_every_level_is_measured_later_than_its_bound():
    for published in data.published("memory_latency").values():
        assert not predict(published).beaten(published["value"]), published["id"]
    assert set(WORDS) >= {"L1", "L2", "far L2", "memory"}
