"""GPTQ: what it minimises, what it costs, and that without correlation it is plain rounding."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import numerics
from accelerator_lib.numerics import gptq


@pytest.fixture(scope="module")
def run():
    return list(numerics.gptq_steps(*gptq.example(0.7), 4))


def test_weights_get_worse_and_outputs_better(run):
    first, last = run[0], run[-1]
    assert first.weight_snr_db == float("inf") and len(run) == 65
    assert last.weight_snr_db < last.plain_weight_snr_db - 4
    assert last.output_snr_db > last.plain_output_snr_db + 1


@pytest.mark.parametrize("seed", range(3))
def test_more_correlation_more_gain(seed):
    gains = []
    for share in (0.0, 0.5, 0.9):
        *_, last = numerics.gptq_steps(*gptq.example(share, seed))
        gains.append(last.output_snr_db - last.plain_output_snr_db)
    assert gains == sorted(gains) and abs(gains[0]) < 0.4


def test_uncorrelated_inputs_are_rounded_plainly():
    x = np.repeat(np.eye(8), 4, axis=0) * np.arange(1, 9)  # X^T X is diagonal
    *_, last = numerics.gptq_steps(np.random.default_rng(0).standard_normal((8, 5)), x, 3)
    assert np.array_equal(last.weights, last.plain)


def test_the_output_error_from_x_itself(run):
    """The second road: X W, not X^T X."""
    w, x = gptq.example(0.7)
    last = run[-1]
    assert last.output_snr_db == pytest.approx(numerics.snr_db(x @ w, x @ last.weights), abs=1e-6)


def test_each_step_is_the_least_squares_answer():
    """The second road: what the others become is found by solving for them, not from a factor of the inverse."""
    w, x = gptq.example(0.7)
    w, x = w[:10, :4], x[:, :10]
    moment = x.T @ x
    damped = moment + np.eye(10) * 0.01 * np.trace(moment) / 10
    run = list(numerics.gptq_steps(w, x, 4))
    for before, after in pairwise(run):
        j = before.done
        error = after.weights[j] - before.weights[j]
        rest = slice(j + 1, None)
        wanted = before.weights[rest] - np.linalg.solve(damped[rest, rest], np.outer(damped[rest, j], error))
        assert np.allclose(after.weights[rest], wanted)


@settings(max_examples=25)
@given(st.integers(2, 8), st.integers(0, 2**31), st.integers(1, 12), st.integers(1, 6))
def test_every_weight_ends_on_its_grid(bits, seed, inputs, outputs):
    draw = np.random.default_rng(seed)
    w = draw.standard_normal((inputs, outputs))
    *_, last = numerics.gptq_steps(w, draw.standard_normal((20, inputs)), bits)
    steps = last.weights / last.steps
    assert np.allclose(steps, np.rint(steps)) and np.abs(steps).max() <= 2 ** (bits - 1) - 1 + 1e-9


def test_bad_shapes_are_refused():
    for w, x in ((np.ones((4, 2)), np.ones((9, 3))), (np.ones(4), np.ones((9, 4))), (np.ones((0, 2)), np.ones((9, 0)))):
        with pytest.raises(ValueError, match=r"\[inputs, outputs\]|is empty"):
            numerics.gptq_steps(w, x)
    with pytest.raises(ValueError, match="at most 1,024"):
        numerics.gptq_steps(np.ones((2000, 1)), np.ones((1, 2000)))
    with pytest.raises(ValueError, match="weights of all states are more .* lower the inputs or outputs of w"):
        numerics.gptq_steps(np.ones((1024, 1024)), np.ones((1, 1024)))
