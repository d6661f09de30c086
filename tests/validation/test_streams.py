from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data
from accelerator_lib.validation import predict
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.streams import FREE, estimate, mix

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

START = Constants({name: start for name, (_, start, _) in FREE.items()})


def row(workload="BabelStream copy", device="H100 SXM", unit="GB/s", **conditions):
    return stated("memory_bandwidth", device, workload, "bandwidth", unit, **conditions)


@pytest.mark.parametrize(
    ("name", "mixed"), TABLE["a_kernel_turns_the_bus_as_often_as_it_changes_between_reads_and_writes"]
)
def test_a_kernel_turns_the_bus_as_often_as_it_changes_between_reads_and_writes(name, mixed):
    assert mix(row(f"BabelStream {name}")) == pytest.approx(mixed)
    assert mix(row("a kernel", kernel=name)) == pytest.approx(mixed)
    assert estimate(row(f"BabelStream {name}"), START).value == pytest.approx(0.9 * (1 - 0.06 * mixed) * 3350)


def test_what_a_row_states_of_its_accesses_counts_before_its_name():
    assert mix(row("BabelStream copy", access="1 write")) == 0
    assert mix(row("kernel", bytes_per_element="2 reads + 1 write")) == pytest.approx(2 / 3)


def test_caches_are_units_times_bytes_times_clock():
    l1 = estimate(row("read kernel, working set in L1, sum over all SMs", "V100", clock_mhz=1380), START)
    assert l1.bound == pytest.approx(80 * 128 * 1.38) and l1.value == pytest.approx(0.9 * l1.bound)
    l2 = estimate(row("read kernel, working set in L2", "A100 80GB"), START)
    assert l2.bound == pytest.approx(5120 * 1.41)
    hopper = estimate(row("read kernel, working set in L2", "H200"), START)
    assert hopper.value == pytest.approx(9800) and hopper.bound > hopper.value  # as others measured it
    beyond = estimate(row("read kernel, working set far above L2", "A100 80GB"), START)
    assert beyond.bound == pytest.approx(2039)


@given(st.floats(0.02, 0.98))
def test_fewer_warps_never_carry_more(part):
    whole = estimate(row(device="A100 80GB"), START).value
    some, more = (estimate(row(device="A100 80GB", occupancy=p), START).value for p in (part, min(1.0, part + 0.1)))
    assert 0 < some <= more <= whole
    assert estimate(row(device="A100 80GB", occupancy=f"{100 * part:.6f} %"), START).value == pytest.approx(
        some, rel=0.05
    )


def test_units_follow_the_row():
    assert predict(row(unit="TB/s")).value == pytest.approx(predict(row()).value / 1000)
