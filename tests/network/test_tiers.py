import numpy as np
import pytest

from accelerator_lib import network
from accelerator_lib.network import tiers

SIZES = [(2, 2), (2, 8), (8, 2), (3, 5), (8, 8), (1, 4), (4, 1)]


@pytest.mark.parametrize("nodes, chips", SIZES)
def test_every_chip_ends_with_the_sum_and_the_steps_take_what_the_formula_says(nodes, chips):
    first, *rest = tiers.all_reduce(nodes, chips)
    last = rest[-1]
    assert (last.values == first.values.sum(0)).all() and (last.summed == nodes * chips).all()
    assert len(rest) == 2 * (chips - 1) + 2 * (nodes - 1) == last.steps
    formula = network.hierarchical_all_reduce_seconds(1e9, chips, nodes, 450e9, 50e9, 2e-6, 5e-6)
    assert sum(last.seconds) == pytest.approx(formula) == last.whole_seconds


@pytest.mark.parametrize("nodes, chips", SIZES)
def test_after_the_first_phase_a_node_holds_its_sum_once_in_parts(nodes, chips):
    states = list(tiers.all_reduce(nodes, chips))
    inside = states[chips - 1]
    parts = inside.summed.reshape(nodes, chips, chips, nodes) == chips
    assert (parts.all(axis=3).sum(axis=1) == 1).all() or chips == 1
    across = states[chips - 1 + 2 * (nodes - 1)]
    whole = (across.summed == nodes * chips).reshape(nodes, chips, chips, nodes).all(axis=3)
    assert (whole.sum(axis=(1, 2)) >= chips).all() and whole.any(axis=2).all()


@pytest.mark.parametrize("nodes, chips", SIZES)
def test_messages_stay_in_their_tier(nodes, chips):
    for state in tiers.all_reduce(nodes, chips):
        for source, target, start, stop in state.moved:
            same = source // chips == target // chips
            assert same == (state.phase != 2) and source != target
            assert stop - start == (nodes if same else 1)


def test_every_byte_across_is_sent_once_by_the_links_out():
    states = list(tiers.all_reduce(8, 8))
    sent = np.zeros(64)
    for state in states:
        if state.phase == 2:
            for source, _, start, stop in state.moved:
                sent[source] += (stop - start) / 64
    assert sent == pytest.approx(2 * 7 / 8 / 8)


def test_a_gigabyte_over_eight_nodes_of_eight():
    last = next(tiers.all_reduce())
    assert last.whole_seconds == pytest.approx(8.2639e-3 + 14 * 2e-6 + 14 * 5e-6, rel=1e-4)
    bare = [tiers.flat_ring_seconds(1e9, 8, 8, 450e9, 50e9, rings=rings) for rings in (1, 8)]
    assert bare == pytest.approx([39.375e-3, 4.921875e-3])
    assert last.one_ring_seconds - bare[0] == pytest.approx((110 * 2 + 16 * 5) * 1e-6)


def test_where_eight_rings_begin_to_win():
    def better(size):
        state = next(tiers.all_reduce(bytes_moved=size))
        return state.many_rings_seconds < state.whole_seconds

    assert not better(59e6) and better(62e6)


def test_one_node_is_one_ring():
    state = next(tiers.all_reduce(1, 8))
    ring = network.ring_all_reduce_seconds(1e9, 8, 450e9, 2e-6)
    assert state.one_ring_seconds == pytest.approx(ring) == state.whole_seconds


@pytest.mark.parametrize("how", [{"nodes": 0}, {"chips": 17}, {"bytes_moved": -1.0}, {"outer_bytes_per_s": 0.0}])
def test_no_nodes(how):
    with pytest.raises(ValueError, match=next(iter(how))):
        tiers.all_reduce(**how)
