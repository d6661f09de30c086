"""Collectives with numbers: in plans, in a ring and in tiers, of gradients."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import llm, network
from accelerator_lib.network import collectives, gradients, tiers
from accelerator_lib.network.links import ALGORITHMS, all_reduce_counts

ANY = st.sampled_from(network.ALGORITHMS)


def run(ranks, numbers=64, algorithm="ring", seed=0):
    arrays = np.random.default_rng(seed).integers(-99, 99, (ranks, numbers))
    return arrays, list(collectives.all_reduce(arrays, algorithm))


@pytest.mark.parametrize(
    "algorithm, steps, sent", [("ring", 14, 112), ("halving", 6, 112), ("direct", 1, 448), ("switch", 2, 72)]
)
def test_eight_ranks_with_64_numbers(algorithm, steps, sent):
    arrays, states = run(8, algorithm=algorithm)
    assert len(states) == steps + 1 == states[0].steps + 1
    assert (states[0].buffers == arrays).all() and (states[-1].buffers == arrays.sum(0)).all()
    assert set(states[-1].sent) == {sent} == {states[0].total} and set(states[0].sent) == {0}
    assert states[0].others[algorithm] == (sent, steps)
    assert next(collectives.all_reduce(np.ones((64, 4096)), algorithm)).ranks == 64  # as large as they may be


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 20), ANY, st.integers(1, 70), st.integers(0, 2**31))
def test_any_integers_end_as_their_sum_on_every_rank(ranks, algorithm, numbers, seed):
    if algorithm == "halving":
        ranks = 1 << ranks % 4 + 1
    arrays, states = run(ranks, numbers, algorithm, seed)
    assert (states[-1].buffers == arrays.sum(0)).all()
    assert states[-1].done == ranks * ranks and not states[-1].next


@pytest.mark.parametrize("ranks", [2, 4, 8, 16])
@pytest.mark.parametrize("algorithm", network.ALGORITHMS)
def test_what_is_sent_is_the_closed_form_and_no_array_is_added_twice(ranks, algorithm):
    _, states = run(ranks, 240 * 16, algorithm)
    seconds = network.all_reduce_seconds(240 * 16 * 4, ranks, 1e9, 1e-6, algorithm)
    assert set(states[-1].sent) == {states[-1].total}
    assert seconds == pytest.approx(states[-1].total * 4 / 1e9 + (len(states) - 1) * 1e-6)
    # Rank r holds 2^r: a sum tells whose arrays are in it, and as many as the state says.
    arrays = np.repeat(1 << np.arange(ranks), ranks).reshape(ranks, ranks)
    for state in collectives.all_reduce(arrays, algorithm):
        members = np.vectorize(lambda value: bin(value).count("1"))(state.buffers)
        assert (members == state.summed).all()
        assert state.buffers.max() < 1 << ranks


@pytest.mark.parametrize("ranks", [2, 4, 8, 16])
@pytest.mark.parametrize("algorithm", ["ring", "halving"])
def test_every_chunk_is_added_exactly_once_before_it_is_passed_on(ranks, algorithm):
    """Conservation: while sums travel, the partial sums that nobody has given away hold every array once."""
    arrays = np.random.default_rng(1).integers(-9, 9, (ranks, ranks))
    states = list(collectives.all_reduce(arrays, algorithm))
    half = states[len(states) // 2]
    assert all((half.summed[:, chunk] == ranks).sum() == 1 for chunk in range(ranks))
    kept = np.ones((ranks, ranks), bool)  # [rank, chunk]: still counts
    for state in states[1 : len(states) // 2 + 1]:
        for m in state.moved:
            kept[m.source, m.start : m.stop] = False
        assert (np.where(kept, state.buffers, 0).sum(0) == arrays.sum(0)).all()


@pytest.mark.parametrize("ranks", [4, 8])
def test_in_every_step_of_the_ring_each_rank_sends_one_chunk_to_its_neighbour(ranks):
    for state in run(ranks)[1][1:]:
        assert sorted(m.source for m in state.moved) == list(range(ranks))
        assert all(m.target == (m.source + 1) % ranks and m.stop - m.start == 1 for m in state.moved)
        assert sorted(m.start for m in state.moved) == list(range(ranks))


def test_what_moves_next_is_what_has_moved_in_the_state_after():
    for algorithm in network.ALGORITHMS:
        states = run(8, algorithm=algorithm)[1]
        assert [state.next for state in states[:-1]] == [state.moved for state in states[1:]]


def carried(ranks, algorithm):
    """Chunks that each rank sends in the whole plan, and what it gets."""
    sent, came = np.zeros(ranks, int), np.zeros(ranks, int)
    for step in collectives.PLANS[algorithm](ranks):
        for message in step:
            if message.source != collectives.SWITCH:
                sent[message.source] += message.stop - message.start
            if message.target != collectives.SWITCH:
                came[message.target] += message.stop - message.start
    return sent, came


@pytest.mark.parametrize("ranks", [2, 4, 8, 32])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_rank_sends_what_the_formula_says_and_gets_as_much(ranks, algorithm):
    share, steps = all_reduce_counts(ranks, algorithm)
    sent, came = carried(ranks, algorithm)
    assert len([*collectives.PLANS[algorithm](ranks)]) == steps
    assert (sent == sent[0]).all() and sent[0] / ranks == pytest.approx(share)
    assert (came == sent).all()


@pytest.mark.parametrize("ranks", [2, 4, 8, 32])
def test_partners_of_halving_send_each_other_different_halves(ranks):
    for step in collectives.halving(ranks):
        pairs = {(m.source, m.target): (m.start, m.stop) for m in step}
        for (a, b), part in pairs.items():
            assert pairs[b, a] != part and part[1] - part[0] == abs(a - b)


SIZES = [(2, 2), (2, 8), (8, 2), (3, 5), (8, 8), (1, 4), (4, 1)]


@pytest.mark.parametrize("nodes, chips", SIZES)
def test_tiers_end_with_the_sum_in_the_time_of_the_formula_and_messages_stay_in_theirs(nodes, chips):
    first, *rest = tiers.all_reduce(nodes, chips)
    last = rest[-1]
    assert (last.values == first.values.sum(0)).all() and (last.summed == nodes * chips).all()
    assert len(rest) == 2 * (chips - 1) + 2 * (nodes - 1) == last.steps
    formula = network.links.two_tiers(1e9, chips, nodes, 450e9, 50e9, 2e-6, 5e-6).seconds
    assert last.so_far_seconds == pytest.approx(formula) == last.whole_seconds
    assert last.inside_seconds + last.across_seconds == pytest.approx(formula)
    states = list(tiers.all_reduce(nodes, chips))
    inside = states[chips - 1]
    parts = inside.summed.reshape(nodes, chips, chips, nodes) == chips
    assert (parts.all(axis=3).sum(axis=1) == 1).all() or chips == 1
    across = states[chips - 1 + 2 * (nodes - 1)]
    whole = (across.summed == nodes * chips).reshape(nodes, chips, chips, nodes).all(axis=3)
    assert (whole.sum(axis=(1, 2)) >= chips).all() and whole.any(axis=2).all()
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


def test_a_gigabyte_over_eight_nodes_over_one_and_where_eight_rings_begin_to_win():
    last = next(tiers.all_reduce())
    assert last.whole_seconds == pytest.approx(8.2639e-3 + 14 * 2e-6 + 14 * 5e-6, rel=1e-4)
    bare = [tiers.flat_ring_seconds(1e9, 8, 8, 450e9, 50e9, rings=rings) for rings in (1, 8)]
    assert bare == pytest.approx([39.375e-3, 4.921875e-3])
    assert last.one_ring_seconds - bare[0] == pytest.approx((110 * 2 + 16 * 5) * 1e-6)

    def better(size):
        state = next(tiers.all_reduce(bytes_moved=size))
        return state.many_rings_seconds < state.whole_seconds

    assert not better(59e6) and better(62e6)
    state = next(tiers.all_reduce(1, 8))
    ring = network.ring_all_reduce_seconds(1e9, 8, 450e9, 2e-6)
    assert state.one_ring_seconds == pytest.approx(ring) == state.whole_seconds


WEIGHTS = llm.param_count("llama-2-7b") * 2


def last(**how):
    *_, state = gradients.reduce(**how)
    return state


def test_seven_billion_weights_on_eight_gpus():
    one, ring = (last(way=way, gpus=8, bytes_moved=WEIGHTS) for way in gradients.WAYS)
    assert one.busiest_bytes == 7 * WEIGHTS == pytest.approx(94.3e9, rel=1e-3)
    assert one.received[0] == one.sent[0] == one.busiest_bytes and one.sent[1] == one.received[1] == WEIGHTS
    assert ring.busiest_bytes == pytest.approx(23.6e9, rel=2e-3) and np.ptp(ring.sent) == 0
    assert one.busiest_bytes / ring.busiest_bytes == pytest.approx(8 / 2)


@given(st.integers(2, 64), st.floats(1e6, 1e11), st.floats(1e-3, 10), st.integers(1, 64))
def test_sums_of_both_ways(gpus, size, backward, buckets):
    for way in gradients.WAYS:
        state = last(way=way, gpus=gpus, bytes_moved=size, backward_seconds=backward, buckets=buckets)
        assert state.received.sum() == pytest.approx(state.sent.sum()) == pytest.approx(2 * (gpus - 1) * size)
        assert state.seconds >= backward + 1e-12 and state.now == state.seconds
        links = [span for span in state.spans if span.lane == "link"]
        assert all(a.end <= b.start + 1e-9 for a, b in pairwise(links))


@given(st.integers(2, 16), st.floats(1e-3, 10), st.integers(1, 32))
def test_buckets_wait_for_their_gradients_and_for_the_link(gpus, backward, buckets):
    """The finish of a queue: the latest of (gradients made) + (all buckets from that one on)."""
    state = last(gpus=gpus, bytes_moved=1e9, backward_seconds=backward, buckets=buckets)
    each = network.ring_all_reduce_seconds(1e9 / buckets, gpus, 450e9)
    made = [backward * (i + 1) / buckets + (buckets - i) * each for i in range(buckets)]
    assert state.seconds == pytest.approx(max(made))


def test_states_of_both_ways_follow_time_and_share_their_scales():
    for way in gradients.WAYS:
        states = list(gradients.reduce(way))
        assert states[0].now == 0 and not states[0].received.any() and not states[0].active
        assert all(a.now < b.now and b.active for a, b in pairwise(states))
    assert len(list(gradients.reduce("DataParallel"))) == 1 + 1 + 7 + 7
    one, ring = (last(way=way, bytes_moved=1e9) for way in gradients.WAYS)
    assert one.most_bytes == ring.most_bytes == one.busiest_bytes >= ring.busiest_bytes
    assert one.most_seconds == ring.most_seconds == max(one.seconds, ring.seconds)
    state = last(buckets=1, bytes_moved=1e9)
    assert state.exposed_seconds == pytest.approx(network.ring_all_reduce_seconds(1e9, 8, 450e9))
    assert last(buckets=8, bytes_moved=1e9).exposed_seconds == pytest.approx(state.exposed_seconds / 8)
