import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, network
from accelerator_lib.network import protocols, published

SIZE, RATE, STEP = st.floats(1, 1e12), st.floats(1e8, 1e13), st.floats(0, 1e-4)


def test_two_protocols_by_hand():
    """8 ranks, 450 GB/s, 1 MiB: 14 steps and 1.75 MiB; with flags the bytes take twice as long."""
    sent = 1.75 * 2**20 / 450e9
    found = network.collective(2.0**20, 8, 450e9, 3e-6, 6e-6)
    assert found.flags == pytest.approx(42e-6 + 2 * sent) and found.bulk == pytest.approx(84e-6 + sent)
    assert found.seconds == found.flags and found.bus_bytes_per_s == pytest.approx(1.75 * 2**20 / found.flags)


@given(SIZE, st.integers(2, 100), RATE, STEP)
def test_without_flags_it_is_the_ring(size, n, rate, step):
    bulk = network.collective(size, n, rate, 1.0, step).bulk
    assert bulk == pytest.approx(network.ring_all_reduce_seconds(size, n, rate, step))
    half = network.collective(size, n, rate, 1.0, step, "all-gather").bulk
    assert half == pytest.approx(network.ring_all_gather_seconds(size, n, rate, step))


@given(SIZE, st.integers(2, 100), RATE, STEP, STEP, st.sampled_from(sorted(protocols.KINDS)))
def test_more_of_a_link_is_never_slower_and_no_bus_carries_more_than_the_link(size, n, rate, flag, bulk, kind):
    slow, fast = (network.collective(size, n, each, flag, bulk, kind) for each in (rate, 2 * rate))
    assert fast.seconds <= slow.seconds
    assert slow.bus_bytes_per_s <= rate * (1 + 1e-9)


@given(SIZE, st.integers(2, 100), RATE)
def test_the_switch_sends_less_from_four_ranks_on_and_never_more(size, n, rate):
    ring, switch = (network.collective(size, n, rate, switch=each).bulk for each in (False, True))
    assert switch <= ring and (switch < ring) == (n > 3)
    assert ring / switch == pytest.approx(max(2 * (n - 1) / (n + 1), 1))


def test_the_smallest_messages_of_eight_chips_of_another_source():
    """2 to 8 ranks: with the library's own start, 2 µs a step are within an eighth of each."""
    for n, seconds in published.ranks().items():
        found = network.collective(8, n, 300e9, 2e-6, 9e-6, start_seconds=protocols.start_seconds())
        assert found.seconds == pytest.approx(seconds, rel=0.12)


def test_nodes_share_their_ways_out_and_one_node_has_none():
    whole = protocols.over_nodes(2.0**30, 8, 8, 450e9, 50e9)
    assert whole.bulk == pytest.approx(2 * 63 / 64 * 2**30 / 400e9)
    assert protocols.over_nodes(2.0**30, 8, 1, 450e9, 60e9, 1e-6, 5e-6).bulk == pytest.approx(
        network.collective(2.0**30, 8, 450e9, 1e-6, 5e-6).bulk
    )
    small = [protocols.over_nodes(1e3, 8, nodes, 450e9, 50e9, 1e-6, 5e-6).seconds for nodes in (2, 4, 64)]
    assert small[1] - small[0] == pytest.approx(
        (small[2] - small[1]) / 4, rel=0.01
    )  # a tree: one step for twice as many


def test_who_adds_up_and_who_sits_together():
    assert protocols.adds_in_the_switch("h100-sxm5") and not protocols.adds_in_the_switch("a100-80gb-sxm")
    assert [protocols.chips_of_a_node(each) for each in ("h100-sxm5", "h100-pcie", "gb200")] == [8, 2, 72]
    assert protocols.chips_of_a_node("tpu-v4") > 4096
    assert protocols.way_out("h100-sxm5") == 2 * protocols.way_out("a100-80gb-sxm") == 400e9 / 8
    known = {each.id for each in hardware.chips().values()} | {"h800"}
    assert set(network.protocols.data.load("network")["protocols"]["adding_switches"]) <= known


def test_arrays_and_bad_input():
    many = network.collective(np.array([1e3, 1e9]), 8, 450e9, 3e-6, 6e-6)
    assert (many.seconds == [many.flags[0], many.bulk[1]]).all()
    assert network.collective(1e9, 1, 1e9, 1e-6, 1e-6, start_seconds=1e-6).seconds == 0
    with pytest.raises(ValueError, match="all-reduce"):
        network.collective(1e9, 8, 1e9, kind="all-gather", switch=True)
    with pytest.raises(KeyError, match="all-reduce"):
        network.collective(1e9, 8, 1e9, kind="all-reduced")
