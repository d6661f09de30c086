"""Speculation: the formula against rounds that are played, and the large model's distribution, whatever the draft."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.llm import speculation
from accelerator_lib.llm.speculation import WORDS

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
    *_, end = speculation.speculate(4, 1.0, 12)
    assert set(end.rounds) == {5} and "replaced" not in end.origin


@pytest.mark.parametrize("quality", [0.0, 0.3, 0.7])
def test_the_words_of_the_stepper_follow_the_large_model_and_not_the_draft(quality):
    """The pairs of one long text, the rounds joined: after each word, the next ones are drawn from p."""
    *_, end = speculation.speculate(4, quality, 1000, seed=5)
    p, q, text = speculation.large_model(), speculation.draft_model(quality), list(map(WORDS.index, end.text))
    counts = np.zeros((8, 8))
    np.add.at(counts, (text[:-1], text[1:]), 1)
    off, usual = ((counts - one * counts.sum(1, keepdims=True)) ** 2 for one in (p, q)), p * counts.sum(1)[:, None] > 4
    from_p, from_q = ((each / (p * counts.sum(1, keepdims=True)))[usual].sum() / usual.sum() for each in off)
    assert from_p < 2.5 and (quality > 0.5 or from_q > 4 * from_p)


@given(st.integers(0, 7), shares)
def test_drawn_by_hand_over_all_words_it_is_p(last, quality):
    """q(x) min(1, p / q) + (rejected) x residual(x) = p(x), exactly."""
    p, q = speculation.large_model()[last], speculation.draft_model(quality)[last]
    kept = np.minimum(p, q)
    rejected = 1 - kept.sum()
    whole = kept + (rejected * speculation.residual(p, q) if rejected > 1e-9 else 0)
    assert whole == pytest.approx(p, abs=1e-9)
    assert speculation.acceptance(p, q) == pytest.approx(kept.sum())


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), shares, st.integers(0, 1000))
def test_a_run_is_made_of_rounds(drafted, quality, seed):
    before = None
    for state in speculation.speculate(drafted, quality, 12, seed):
        assert len(state.text) == len(state.origin) and len(state.draft) == drafted
        assert len(state.text) - 1 == sum(state.rounds) + len(state.verdicts) + (state.place == drafted)
        assert all(state.verdicts[:-1]) and (state.u is None or 0 <= state.u < 1)
        if state.place >= 0 and state.u is not None:
            assert state.verdicts[-1] == (state.u < state.ratio) == (state.word is None)
        assert state.acceptance == pytest.approx(sum(min(p, q) for p, q in zip(state.p, state.q, strict=True)))
        if before and state.number == before.number:
            assert state.text[: len(before.text)] == before.text
        before = state
    assert len(before.text) > 12 and set(before.origin) <= {"given", "accepted", "replaced", "one more"}


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
