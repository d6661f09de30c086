"""Blocks and sums step by step: the same as in one go."""

import numpy as np
import pytest

from accelerator_course.frames.numerics import BLOCK_STEPS, block_steps, shown, sum_steps
from accelerator_lib.numerics import (
    accumulate,
    block_quantize,
    lost_beside,
    outlier,
    snr_db,
    terms,
)
from accelerator_lib.numerics.scales import ODD
from accelerator_lib.numerics.sums import TERMS


def last(size, block, element, scale, count=32):
    *_, state = block_steps(outlier(size, count), element, block, scale)
    return state


@pytest.mark.parametrize("scale", ["e8m0", "e4m3", "fp32"])
@pytest.mark.parametrize("element", ["e2m1", "int4", "e4m3"])
@pytest.mark.parametrize("block", [8, 32])
def test_step_by_step_is_what_block_quantize_gives(element, scale, block):
    for size in (1.0, 16.0, 100.0, 1000.0):
        state = last(size, block, element, scale)
        assert state.back.ravel() == pytest.approx(
            block_quantize(state.values.ravel(), element, block, scale), rel=1e-15
        )
        assert set(np.abs(state.stored).ravel()) <= set(state.codes)
    if element == "int4":
        assert state.codes.tolist() == list(range(8))


def test_every_step_tells_of_one_block():
    states = list(block_steps(outlier(100.0, 32), "e2m1", 16, "e8m0"))
    assert tuple(state.step for state in states) == BLOCK_STEPS and states[0].hit == 0 and states[0].block == 16
    assert np.sum(np.abs(states[0].values) > 1) == 1 and states[0].values[0, ODD] == 100


def test_one_outlier_silences_its_block():
    assert not last(8.0, 32, "e2m1", "e8m0").lost.any()
    eight = last(8.0, 32, "e2m1", "e8m0")
    assert snr_db(eight.others(eight.values), eight.others(eight.back)) == pytest.approx(8, abs=0.2)
    for size in (16.0, 100.0, 1000.0):
        assert last(size, 32, "e2m1", "e8m0").lost.sum() == 31
    assert lost_beside(100.0, 32, "e2m1", "e8m0") == 31 and lost_beside(8.0, 32, "e2m1", "e8m0") == 0
    assert last(100.0, 8, "e2m1", "e8m0").lost.sum() == 7
    wide = last(1000.0, 32, "e4m3", "fp32")
    assert snr_db(wide.others(wide.values), wide.others(wide.back)) == pytest.approx(32, abs=0.5)


@pytest.mark.parametrize("chunk", [None, 8, 128])
@pytest.mark.parametrize("kind", TERMS)
def test_sums_step_by_step_are_those_of_accumulate(kind, chunk):
    given = terms(kind, 600)
    states, sums = list(sum_steps(given, "bf16", chunk)), list(accumulate(given, "bf16", chunk))
    assert [state.number for state in states] == shown(600)
    assert all(state.sum == sums[state.number - 1] for state in states)
    assert states[-1].exact == pytest.approx(given.sum(), rel=1e-12) and states[-1].most >= abs(states[-1].sum)
    assert states[-1].sums.tolist() == [state.sum for state in states]
    for state in states:
        assert abs(state.held - state.wanted) <= state.ulp / 2
        if chunk and state.number % chunk == 1:
            assert state.before == 0


def test_a_stuck_sum_is_shown():
    states = list(sum_steps(np.ones(600), "bf16"))
    assert not states[0].stuck and states[-1].stuck
    assert states[-1].before == states[-1].held == 256 and states[-1].ulp == 2
    assert next(s.number for s in states if s.stuck) == min(n for n in shown(600) if n > 256)


def test_errors_of_both_signs_grow_faster_than_the_sum():
    """Error over the square root of the number of terms, over 40 draws: about twice for four times the terms."""
    errors = {length: [] for length in (256, 1024, 4096)}
    for seed in range(40):
        given = terms("products of both signs", 4096, seed)
        error = np.abs(np.array(list(accumulate(given, "bf16"))) - np.cumsum(given))
        for length, found in errors.items():
            found.append(error[length - 1] / length**0.5)
    small, middle, large = (np.mean(np.square(found)) ** 0.5 for found in errors.values())
    assert middle / small == pytest.approx(2, rel=0.35) and large / middle == pytest.approx(2, rel=0.35)


def test_what_cannot_be_is_one_clear_line():
    with pytest.raises(ValueError, match="^33 values do not fill whole blocks of 32"):
        block_steps(outlier(1.0, 33), "e2m1", 32, "e8m0")
    with pytest.raises(KeyError, match="kind 'one' is unknown"):
        terms("one", 4)
    with pytest.raises(ValueError, match="^length = 0 is outside"):
        terms("ones", 0)
    with pytest.raises(ValueError, match="^size is not a number"):
        outlier(float("nan"), 8)
    with pytest.raises(ValueError, match="^terms is not a number"):
        sum_steps([float("nan")], "bf16")
