"""Wrong solutions of the exercises, and their keys found again on another road."""

import pytest

from accelerator_lib.exercises import numerics as exercises
from accelerator_lib.exercises.slips import numerics as slips
from accelerator_lib.numerics import budget

# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "07.3": [
        (slips.counter_not_reset, "1,999 clean steps, an overflow, 1,999 clean, the scale"),
        (slips.doubles_ever_after, "5,999 clean steps, the scale"),
        (slips.one_step_late, "2,000 clean steps, an overflow, 2,000 clean, the scale"),
        (slips.skips_nothing, "2,000 clean steps, an overflow, 2,000 clean, the steps skipped"),
        (lambda overflows: (65536.0, sum(overflows)), "2,000 clean steps, an overflow, 2,000 clean, the scale"),
        (lambda overflows: 65536.0, "return (scale, skipped)"),
    ],
    "07.4": [
        (slips.one_format_for_all, "two parts of 8 numbers, 20 bytes"),
        (slips.noise_counted_once, "32 sequences, 71.8 GB"),
        (slips.least_bytes, "two parts of 8 numbers, 20 bytes"),
        (slips.bits_for_bytes, "two parts of 8 numbers, 20 bytes"),
        (slips.first_fit, "two parts of 8 numbers, 20 bytes"),
        (lambda parts, stored, limit: "nvfp4", "return a tuple of 2 names"),
        (lambda parts, stored, limit: (next(iter(stored)),) * len(parts), "needs 1.6 times the room"),
    ],
}

HARMLESS = {"07.4": ["noise <= best[0]"]}  # equal noise: either choice is right


def test_the_least_noise_that_is_searched_is_that_of_the_best_choice():
    for where, (parts, stored, limit) in exercises._decisions().items():
        least, fits = exercises.searched(parts, stored, limit)
        choice = slips.chosen(parts, stored, limit)
        assert (choice is not None) == fits, where
        assert not fits or slips.spent(choice, parts, stored)[1] == pytest.approx(least)


def test_the_decision_of_one_chip_is_the_budgets():
    parts, stored, limit = exercises._decisions()["32 sequences, 71.8 GB"]
    assert exercises.choose(parts, stored, limit) == budget.best().choice
