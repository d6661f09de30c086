from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data
from accelerator_lib.validation import predict
from accelerator_lib.validation.collectives import FREE, estimate, message_bytes
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.door import KINDS
from accelerator_lib.validation.record import read

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

START = Constants({name: start for name, (_, start, _) in FREE.items()})
SWITCHES = ("H100 SXM", "H200", "B200")


def row(message="1 GB", device="H100 SXM", n=8, workload="all-reduce", unit="GB/s", metric="bus_bandwidth", **more):
    return stated("collective", device, workload, metric, unit, n, message=message, **more)


def told(*given, **more):
    return estimate(read(row(*given, **more), KINDS), START)


def test_a_large_ring_and_a_large_switch_by_hand():
    """0.8 of the link; the switch sends 9/8 of the message where the ring sends 14/8."""
    ring = told(message_bytes=2**40, in_switch_reduction=False)
    assert ring.value == pytest.approx(0.8 * 450, rel=1e-3) and ring.bound == pytest.approx(450)
    switch = told(message_bytes=2**40)
    assert switch.value == pytest.approx(0.8 * 450 * 14 / 9, rel=1e-3) and switch.bound == pytest.approx(700)
    assert ring.limit == switch.limit == "links"


def test_a_small_message_is_steps_alone():
    """Flags: 6.6 µs to start, then 2 x 7 steps of 3 µs."""
    found = told("1 KiB", "A100 80GB", unit="us", metric="latency")
    assert found.value == pytest.approx(6.6 + 14 * 3, rel=0.01) and found.limit == "latency of steps"
    assert found.bound == pytest.approx(14 / 8 * 1024 / 300e9 * 1e6)


@pytest.mark.parametrize(("printed", "size"), TABLE["a_printed_size_stands_for_the_power_of_two_behind_it"])
def test_a_printed_size_stands_for_the_power_of_two_behind_it(printed, size):
    assert message_bytes(read(row(printed), KINDS)) == pytest.approx(size)


@given(st.floats(1, 1e12), st.integers(2, 8), st.sampled_from(["A100", *SWITCHES, "MI300X"]))
def test_larger_messages_reach_more_and_nothing_passes_its_bound(size, n, device):
    small, large = (told(device=device, n=n, message_bytes=each) for each in (size, 2 * size))
    assert small.value <= large.value * (1 + 1e-9)
    assert large.value < large.bound


@pytest.mark.parametrize("device", SWITCHES)
def test_the_switch_adds_up_unless_the_row_says_otherwise(device):
    silent, ring = told(device=device), told(device=device, algorithm="ring")
    assert silent.bound > ring.bound
    assert told(device="A100", in_switch_reduction=True).bound == 300  # its switches cannot


def test_algorithm_bandwidth_and_seconds_are_of_the_same_time():
    bus, algorithm = told(), told(metric="algorithm_bandwidth")
    seconds = told(unit="us", metric="time").value / 1e6
    assert bus.value == pytest.approx(14 / 8 * algorithm.value)
    assert algorithm.value == pytest.approx(2**30 / seconds / 1e9)
    assert predict(row(unit="TB/s")).value == pytest.approx(predict(row()).value / 1000)


def test_several_nodes_share_the_ways_out():
    whole = told(n=64, in_switch_reduction=False, message_bytes=2**40)
    assert whole.bound == pytest.approx(400) and whole.value == pytest.approx(320, rel=1e-3)
    assert whole.limit == "links between nodes"
    node, each = told(n=64, network="3200 Gbit/s a node"), told(n=64, network="400 Gb/s InfiniBand")
    assert node.value == pytest.approx(each.value)
    assert told(n=64, network="200G").value < each.value
