"""Wrong solutions of the exercises, and their keys found again on another road."""

import pytest

from accelerator_course.exercises import codes
from accelerator_course.exercises import numerics as exercises
from accelerator_course.exercises.slips import numerics as slips
from accelerator_lib.numerics import Format, block_quantize, budget

# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "07.1": [
        (slips.leading_one_always, "E5M2, code 00000000: it stands for 0"),
        (slips.power_of_zero, "E5M2, code 00000001"),
        (slips.ieee_always, "E4M3, code 01111000: it stands for 256, not inf"),
        (slips.no_top, "E5M2, code 01111100: it stands for inf"),
        (slips.sign_forgotten, "E5M2, code 10000001"),
        (slips.no_subnormals, "E5M2, code 00000000: it stands for 0, not 3.05176e-05"),
        (slips.last_code_read, "E4M3, code 01111111: it stands for nan, not 480"),
        (lambda code, e, m, flavor: slips.no_top(code, e, m, flavor) * (flavor != "fn"), "E5M2, code 01111100"),
        (lambda code, e, m, flavor: str(code), "E5M2, code 00000000: it stands for 0, not '0'"),
    ],
    "07.2": [
        (slips.scale_that_fits, "ties: value 1 becomes 0"),
        (slips.next_power, "the codes themselves: value 4 becomes 1.5"),
        (slips.not_back, "negatives: value 0 becomes -96, not -6"),
        (slips.no_saturation, "largest 7.9: value 0 becomes 6, not 8"),
        (slips.cut_off, "ties: value 2 becomes 1, not 0.5"),
        (slips.ties_up, "ties: value 1 becomes 0, not 0.5"),
        (slips.ties_down, "ties: value 2 becomes 1, not 0.5"),
        (slips.exponent_alone, "the codes themselves: value 2 becomes 3, not 4"),
        (lambda block: [abs(value) for value in block], "ties: value 1 becomes 0"),
        (lambda block: slips.not_back(block)[:2], "return a list of 4 values"),
    ],
    "07.3": [
        (slips.counter_not_reset, "1,999 clean steps, an overflow, 1,999 clean, the scale"),
        (slips.doubles_ever_after, "6,000 clean steps, the scale"),
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
        (lambda parts, stored, limit: "nvfp4", "return (weights, cache): each out of wide, narrow"),
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


@pytest.mark.parametrize("name", codes.BLOCKS)
def test_blocks_that_are_searched_are_those_of_the_library(name):
    block = codes.BLOCKS[name]
    assert codes.nearest(block) == list(block_quantize(block, "e2m1", 32, "e8m0"))


def test_codes_that_are_decoded_are_those_of_the_library():
    for format, flavor in ((Format(5, 2), "ieee"), (Format(4, 3, 7, "fn"), "fn")):
        found = [exercises.decode(code, format.exponent_bits, format.mantissa_bits, flavor) for code in range(256)]
        assert sorted({value for value in found if abs(value) < float("inf")}) == list(format.values())
