"""Small laws of chapter 7b: updates, loss scales, integer codes, drift, errors passed on, the cache."""

import numpy as np
import pytest

from accelerator_lib.numerics import amax, budget, gptq, lowbit, masters, scales


@pytest.mark.parametrize(("start", "update", "outcome"), [(3.0, 0.0008, "stands still"), (1.0, 0.0008, "moves")])
def test_an_update_below_half_a_code_is_lost(start, update, outcome):
    found, weight = masters.after(start, update, 50, "fp16"), np.float16(start)
    for _ in range(50):
        weight = np.float16(float(weight) + update)
    assert found.outcome == outcome and found.weight == float(weight)


def test_an_overflow_halves_the_loss_scale():
    over, fits = (masters.Scaled(exponent, 1.5, "fp16") for exponent in (16, 15))
    assert (over.outcome, over.next_scale) == ("skipped", 2.0**15)
    assert (fits.outcome, fits.next_scale) == ("made", 2.0**15)


@pytest.mark.parametrize(("low", "how", "codes"), [
    (0, "with a zero point", 256), (0, "with a scale alone", 128), (-3, "with a scale alone", 192), (-3, "with a zero point", 256),
])  # fmt: skip
def test_codes_in_use_by_hand(low, how, codes):
    assert scales.codes_in_reach(low, 6, 8, how) == codes


def test_a_scale_from_the_past_is_late():
    assert amax.drifted(4, 8, "halves") == pytest.approx(2.0 ** (-8 / 4))
    assert amax.drifted(4, 8, "doubles") == pytest.approx(2.0 ** (1 / 4))


def test_an_error_passed_on_is_undone():
    made = gptq.Pair(0.3, 0.4)
    assert (made.plain, made.passed, made.apart) == pytest.approx((0.7, 0.3, 0.7))


def test_the_cache_by_hand():
    assert budget.cache_bytes(16, 16384, 16) == 16 * 16384 * 2 * 80 * 8 * 128 * 2


def test_updates_of_copies_in_few_bits_are_mostly_too_small():
    last = list(lowbit.together())[-1]
    assert last["fp32"].standing < 0.1 < 0.9 < min(last["bf16"].standing, last["bf16 stochastic"].standing)
    assert last["bf16"].loss > last["fp32"].loss + 0.1 and last["fp32"].pulls.sum() < 9000
