"""Speculation: the formula against rounds that are played, and what a draft brings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.llm import speculation

shares, PAIR = st.floats(0, 1), ("llama-3-70b", "llama-3-8b")


@given(shares, st.integers(1, 20))
def test_the_tokens_of_a_round_by_hand(acceptance, drafted):
    """The n-th drafted token counts if all up to it are accepted; one more comes in any case."""
    want = 1 + sum(acceptance**n for n in range(1, drafted + 1))
    assert speculation.tokens(acceptance, drafted) == pytest.approx(want)
    if acceptance < 0.999:
        assert want == pytest.approx((1 - acceptance ** (drafted + 1)) / (1 - acceptance))


@pytest.mark.parametrize("acceptance, drafted", [(0.8, 4), (0.5, 1), (0.95, 12)])
def test_the_formula_and_rounds_that_are_played(acceptance, drafted):
    good = np.random.default_rng(2).random((40_000, drafted)) < acceptance
    played = 1 + np.cumprod(good, axis=1).sum(1)
    assert speculation.tokens(acceptance, drafted) == pytest.approx(played.mean(), rel=0.01)


def test_arrays_of_either_and_equal_models_accept_everything():
    assert speculation.tokens(np.array([0.0, 1.0]), 4).tolist() == [1, 5]
    assert speculation.tokens(0.8, np.array([1, 4])) == pytest.approx([1.8, 3.3616])


@pytest.mark.parametrize("batch, want", [(1, 2.3430158484), (256, 0.9315955284)])
def test_the_published_pair(batch, want):
    pay = speculation.speedup(*PAIR, "h100-sxm5", batch, 1024, 0.8, 4, n_chips=8)
    assert pay == pytest.approx(want, rel=1e-8)


def test_small_models_add_up_as_often_as_large_ones():
    """By hand: 160 sums in a step of the large model, 64 in each of the four of the small one, 28 µs each."""
    large, small = (llm.decode_step(name, "h100-sxm5", 1, 1024, n_chips=8).seconds for name in PAIR)
    tokens = sum(0.8**n for n in range(5))
    by_hand = tokens * (large + 160 * 28e-6) / (4 * (small + 64 * 28e-6) + large + 160 * 28e-6)
    found = speculation.speedup(*PAIR, "h100-sxm5", 1, 1024, 0.8, 4, n_chips=8, sum_seconds=28e-6)
    assert found == pytest.approx(by_hand) == pytest.approx(1.70, abs=0.01)


@given(st.integers(1, 512), st.floats(0.3, 0.95), st.integers(1, 12))
def test_the_speed_by_hand(batch, acceptance, drafted):
    large, small = (llm.decode_step(name, "h100-sxm5", batch, 1024, n_chips=8) for name in PAIR)
    seconds = drafted * small.seconds + max(large.memory_seconds, (drafted + 1) * large.compute_seconds)
    rate = speculation.tokens(acceptance, drafted) / seconds
    pay = speculation.speedup(*PAIR, "h100-sxm5", batch, 1024, acceptance, drafted, n_chips=8)
    assert pay == pytest.approx(rate * large.seconds)
    assert pay <= drafted + 1
