"""Bits against signal: the vectorised choices one by one, the front, and what the plan names."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import numerics
from accelerator_lib.numerics import tradeoff

KIND = st.sampled_from(tradeoff.DISTRIBUTIONS)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(list(tradeoff.STORED)),
    st.sampled_from(tradeoff.BLOCKS),
    st.sampled_from(["e8m0", "e4m3", "fp16"]),
    KIND,
)
def test_one_choice_through_block_quantize(element, block, scale, kind):
    x, found = tradeoff.sample(kind), tradeoff.choice(element, block, scale, kind)
    y = numerics.block_quantize(x, element, block, scale)
    assert found.snr_db == pytest.approx(numerics.snr_db(x, y)) and found.zero_share == np.mean(y == 0)


@pytest.mark.parametrize("kind", tradeoff.DISTRIBUTIONS)
def test_the_front_is_what_no_choice_beats(kind):
    every, front = tradeoff.choices(kind), tradeoff.front(kind)
    assert not [one for one in front if any(other.beats(one) for other in every)]
    kept = {(one.bits, one.snr_db) for one in front}
    assert all((c.bits, c.snr_db) in kept or any(o.beats(c) for o in front) for c in every)


@pytest.mark.parametrize("kind", tradeoff.DISTRIBUTIONS)
def test_floats_in_range_lose_a_share_that_only_their_fraction_sets(kind):
    for element, fraction in (("e4m3", 3), ("e5m2", 2)):
        assert tradeoff.choice(element, 1024, "fp32", kind).snr_db == pytest.approx(13.5 + 6.02 * fraction, abs=1.3)


def test_four_bits_of_normal_numbers():
    at = tradeoff.choice
    assert at("e2m1", 32, "e8m0").snr_db == pytest.approx(18.9, abs=0.2)
    assert at("e2m1", 16, "e4m3").snr_db == pytest.approx(20.5, abs=0.2)
    assert at("e2m1", 8, "e8m0").snr_db < at("e2m1", 128, "e8m0").snr_db - 0.3  # smaller blocks are not always better
    assert at("int4", 8, "fp16").snr_db > at("int4", 128, "fp16").snr_db + 3


def test_integers_feel_the_tail():
    lost = [tradeoff.choice("int8", 1024, "fp32", kind).snr_db for kind in tradeoff.DISTRIBUTIONS]
    assert lost == sorted(lost, reverse=True) and lost[0] - lost[2] > 7


def _all_numbers(kind, size=2**20):
    draw = np.random.default_rng(17)
    if kind == "Laplace":
        return draw.laplace(size=size)
    if kind == "t3":
        return draw.standard_t(3, size)
    return draw.standard_normal(size) * (np.where(np.arange(size) % 32 == 0, 20.0, 1.0) if "out" in kind else 1.0)


def _tail_of_t3(edge):
    """What clipping costs, over the angle whose tangent a t3 number is: a million draws do not settle so heavy a tail."""
    start = np.arctan(edge / 3**0.5)
    angle = start + (np.arange(10**5) + 0.5) * (np.pi / 2 - start) / 10**5
    each = (3**0.5 * np.sin(angle) - edge * np.cos(angle)) ** 2
    return 4 / np.pi * each.mean() * (np.pi / 2 - start) / 3


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("kind", tradeoff.DISTRIBUTIONS)
def test_what_all_numbers_lose_is_what_a_million_lose(kind, bits):
    x, steps = _all_numbers(kind), 2 ** (bits - 1) - 1
    sigma = {"normal": 1, "Laplace": 2**0.5, "t3": 3**0.5, "outlier channels": (31 / 32 + 400 / 32) ** 0.5}[kind]
    for clip in (2.0, 5.0):
        lost, step, inside = tradeoff.clipped(clip, bits, kind), clip * sigma / steps, np.abs(x) <= clip * sigma
        noise = (x - np.clip(np.rint(x / step), -steps, steps) * step) ** 2 / sigma**2 / len(x)
        assert lost["rounding"] == pytest.approx(noise[inside].sum(), rel=0.02)
        beyond = _tail_of_t3(clip * sigma) if kind == "t3" else noise[~inside].sum()
        assert lost["clipping"] == pytest.approx(beyond, rel=0.05, abs=1e-6)
        assert lost["together"] == pytest.approx(lost["rounding"] + lost["clipping"])


def test_clipping_has_a_best_place():
    """2.5 and 3.9 standard deviations for the bell curve; the heavier the tail and the more bits, the further out."""
    best = {(kind, bits): tradeoff.best_clip(bits, kind) for kind in ("normal", "Laplace", "t3") for bits in (4, 8)}
    assert best["normal", 4] == pytest.approx(2.5, abs=0.05) and best["normal", 8] == pytest.approx(3.9, abs=0.05)
    assert best["t3", 4] == pytest.approx(5.0, abs=0.1) and 30 < best["t3", 8] < 38
    for (kind, bits), clip in best.items():
        nearby = [tradeoff.clipped(clip * by, bits, kind)["together"] for by in (0.8, 0.95, 1.05, 1.25)]
        assert min(nearby) > tradeoff.clipped(clip, bits, kind)["together"]
    assert tradeoff.sampled_clips(8, "t3")[-4] < best["t3", 8]  # samples of 1,024 lack the tail


def test_one_sample_is_among_many():
    drawn = tradeoff.drawn_db("e2m1", 32, "e8m0")
    assert drawn.mean() == pytest.approx(18.8, abs=0.05) and 0.05 < drawn.std() < 0.2
    x = np.random.default_rng(1).standard_normal((256, 1024))
    assert numerics.snr_db(x, numerics.block_quantize(x, "e2m1", 32, "e8m0")) == pytest.approx(drawn.mean(), abs=0.05)


def test_smoothing_moves_the_difficulty():
    curve = [tradeoff.smoothed_db(alpha) for alpha in np.linspace(0, 1, 11)]
    best = int(np.argmax(curve))
    assert 3 <= best <= 8 and curve[best] > curve[0] + 6 and curve[best] > curve[10] + 3
    assert tradeoff.smoothed_db(0.5, times=1.0) == pytest.approx(tradeoff.smoothed_db(0.0, times=1.0), abs=3)


def test_a_block_that_is_not_offered_is_refused():
    with pytest.raises(ValueError, match="block = 24 is not one of 8, 16"):
        tradeoff.choice("e2m1", 24, "e8m0")
