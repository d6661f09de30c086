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
    assert last.read == len(scores) and softmax.Compared(last, full).distance < 1e-11


def test_two_scores_worked_by_hand():
    """Scores 1 and 3, one at a time: the first counts exp(-2) once the second is known."""
    first, second = softmax.stream([1.0, 3.0], [[1.0], [0.0]], block=1)
    assert (first.maximum, first.total, first.output.tolist()) == (1, 1, [1])
    assert second.scale == pytest.approx(np.exp(-2)) and second.total == pytest.approx(1 + np.exp(-2))
    assert second.output[0] == pytest.approx(np.exp(-2) / (1 + np.exp(-2)))
    assert softmax.Compared(first, second.output).distance == pytest.approx(1 - second.output[0])


def test_every_state_is_the_softmax_of_what_was_read():
    draw = np.random.default_rng(1)
    scores, values = draw.normal(0, 3, 10), draw.standard_normal((10, 2))
    states = list(softmax.stream(scores, values, 4))
    assert [state.read for state in states] == [4, 8, 10] and [len(state.scores) for state in states] == [4, 4, 2]
    for state in states:
        assert np.allclose(state.output, softmax.reference(scores[: state.read], values[: state.read]))


def test_scores_and_values_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match=r"belong together; got \(3,\) and \(2, 1\)"):
        list(softmax.stream([1, 2, 3], [[1], [2]]))


def test_a_block_holds_a_score():
    with pytest.raises(ValueError, match="block = 0 is outside the allowed range"):
        softmax.stream([1.0], [[1.0]], block=0)
