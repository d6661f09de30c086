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


def test_clipping_has_a_best_place():
    found = {clip: tradeoff.clipped_db(clip) for clip in (1.0, 2.0, 2.5, 3.0, 4.0, 10.0)}
    assert max(found, key=found.get) == 2.5


def test_smoothing_moves_the_difficulty():
    curve = [tradeoff.smoothed_db(alpha) for alpha in np.linspace(0, 1, 11)]
    best = int(np.argmax(curve))
    assert 3 <= best <= 8 and curve[best] > curve[0] + 6 and curve[best] > curve[10] + 3
    assert tradeoff.smoothed_db(0.5, times=1.0) == pytest.approx(tradeoff.smoothed_db(0.0, times=1.0), abs=3)


def test_a_block_that_is_not_offered_is_refused():
    with pytest.raises(ValueError, match="block = 24 is not one of 8, 16"):
        tradeoff.choice("e2m1", 24, "e8m0")
