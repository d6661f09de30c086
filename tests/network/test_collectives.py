import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import network
from accelerator_lib.network import collectives

RANKS = st.sampled_from([2, 4, 8, 16])
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


@settings(max_examples=60, deadline=None)
@given(RANKS, ANY, st.integers(1, 70), st.integers(0, 2**31))
def test_any_integers_end_as_their_sum_on_every_rank(ranks, algorithm, numbers, seed):
    arrays, states = run(ranks, numbers, algorithm, seed)
    assert (states[-1].buffers == arrays.sum(0)).all()
    assert states[-1].done == ranks * ranks and not states[-1].next


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 20), st.sampled_from(["ring", "direct", "switch"]), st.integers(1, 50))
def test_any_number_of_ranks(ranks, algorithm, numbers):
    arrays, states = run(ranks, numbers, algorithm)
    assert (states[-1].buffers == arrays.sum(0)).all()


@pytest.mark.parametrize("ranks", [2, 4, 8, 16])
@pytest.mark.parametrize("algorithm", network.ALGORITHMS)
def test_what_is_sent_and_how_often_is_the_closed_form(ranks, algorithm):
    _, states = run(ranks, 240 * 16, algorithm)
    seconds = network.all_reduce_seconds(240 * 16 * 4, ranks, 1e9, 1e-6, algorithm)
    assert set(states[-1].sent) == {states[-1].total}
    assert seconds == pytest.approx(states[-1].total * 4 / 1e9 + (len(states) - 1) * 1e-6)


@pytest.mark.parametrize("ranks", [2, 4, 8, 16])
@pytest.mark.parametrize("algorithm", network.ALGORITHMS)
def test_no_array_is_added_twice(ranks, algorithm):
    """Rank r holds 2^r: a sum tells whose arrays are in it, and as many as the state says."""
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


def test_floats_too():
    arrays = np.random.default_rng(0).normal(size=(4, 12))
    *_, last = collectives.all_reduce(arrays, "ring")
    assert np.allclose(last.buffers, arrays.sum(0)) and (last.buffers == last.buffers[0]).all()


@pytest.mark.parametrize(
    "arrays, algorithm, message",
    [
        ([[1, 2]], "ring", "need 2 to 64 ranks"),
        (np.ones((65, 2)), "ring", "need 2 to 64 ranks"),
        (np.ones((2, 0)), "ring", "need 2 to 64 ranks"),
        (np.ones((3, 2)), "halving", "power of two"),
        (np.full((2, 2), np.nan), "ring", "finite"),
        (np.ones((2, 2)), "rign", "did you mean 'ring'"),
    ],
)
def test_what_cannot_be_reduced(arrays, algorithm, message):
    with pytest.raises((ValueError, KeyError), match=message):
        collectives.all_reduce(arrays, algorithm)
    with pytest.raises(TypeError, match="one row a rank"):
        collectives.all_reduce(["a"], "ring")


def test_steps_that_would_flood_a_notebook_are_refused():
    with pytest.raises(ValueError, match="numbers of all steps are more .* lower the ranks or numbers of arrays"):
        collectives.all_reduce(np.ones((64, 2**17)), "ring")
    with pytest.raises(ValueError, match="134,217,728 numbers of all steps"):
        collectives.all_reduce(np.ones((64, 2**20)), "ring")
    assert next(collectives.all_reduce(np.ones((64, 4096)), "ring")).ranks == 64
