import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.tiling import softmax


@given(st.lists(st.floats(-500, 500), min_size=1, max_size=60), st.integers(1, 70))
def test_the_stream_ends_where_softmax_is(scores, block):
    values = np.random.default_rng(len(scores)).standard_normal((len(scores), 3))
    full = softmax.reference(np.array(scores), values)
    *_, last = softmax.stream(scores, values, block)
    assert np.allclose(last.output, full, atol=1e-12)
    assert last.read == len(scores)


def test_two_scores_worked_by_hand():
    """Scores 1 and 3, one at a time: the first counts exp(-2) once the second is known."""
    first, second = softmax.stream([1.0, 3.0], [[1.0], [0.0]], block=1)
    assert (first.maximum, first.total, first.output.tolist()) == (1, 1, [1])
    assert second.scale == pytest.approx(np.exp(-2)) and second.total == pytest.approx(1 + np.exp(-2))
    assert second.output[0] == pytest.approx(np.exp(-2) / (1 + np.exp(-2)))


def test_every_state_is_the_softmax_of_what_was_read():
    draw = np.random.default_rng(1)
    scores, values = draw.normal(0, 3, 10), draw.standard_normal((10, 2))
    states = list(softmax.stream(scores, values, 4))
    assert [state.read for state in states] == [4, 8, 10] and [len(state.scores) for state in states] == [4, 4, 2]
    for state in states:
        assert np.allclose(state.output, softmax.reference(scores[: state.read], values[: state.read]))


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=40), st.integers(1, 45))
def test_half_a_block_is_read_and_scaled_then_it_is_added(scores, block):
    """The second half of each block is the stream's state; the first is the state before, times the stated factor."""
    values = np.random.default_rng(len(scores)).standard_normal((len(scores), 3))
    halves, states = list(softmax.watch(scores, values, block)), list(softmax.stream(scores, values, block))
    assert [half.added for half in halves] == [False, True] * len(states)
    total, sums = 0.0, np.zeros(3)
    for read, added, state in zip(halves[::2], halves[1::2], states, strict=True):
        assert read.state.read == added.state.read == state.read and read.first == state.read - len(state.scores)
        assert read.total == pytest.approx(total * state.scale) and np.allclose(read.sums, sums * state.scale)
        assert added.total == state.total and np.allclose(added.output, state.output)
        assert max(added.total, abs(added.sums).max()) <= added.most * (1 + 1e-9)
        total, sums = added.total, added.sums
    assert halves[-1].distance < 1e-11


def test_scaling_leaves_the_result_as_it_is():
    """Sum and output shrink alike, so their quotient stays."""
    _, first, second, _ = softmax.watch([0.0, np.log(4)], [[1.0], [0.0]], block=1)
    assert (first.total, second.total, second.sums.tolist()) == (1, 0.25, [0.25])
    assert first.output == second.output == 1 and second.weights.tolist() == [0.25, 1]
    assert second.final.tolist() == [0.25, 1] and second.distance == pytest.approx(0.8)


def test_nothing_is_kept_before_the_first_block_is_added():
    first = next(softmax.watch([3.0, 1.0], [[1.0], [2.0]], block=2))
    assert first.total == 0 and first.output.tolist() == [0] and first.before == -np.inf and first.state.maximum == 3


def test_scores_and_values_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match=r"belong together; got \(3,\) and \(2, 1\)"):
        softmax.stream([1, 2, 3], [[1], [2]])
    with pytest.raises(ValueError, match="belong together"):
        softmax.watch([1, 2, 3], [[1], [2]])


def test_a_block_holds_a_score():
    with pytest.raises(ValueError, match="block = 0 is outside the allowed range"):
        softmax.stream([1.0], [[1.0]], block=0)
