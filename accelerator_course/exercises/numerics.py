"""Exercises of chapter 7."""

import math

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.codes import CODES, check_block, check_decode
from accelerator_course.exercises.slips import numerics as slips
from accelerator_lib.numerics import quantize


def decode(code, exponent_bits, mantissa_bits, flavor):
    """The number that a code stands for; flavor "ieee" or "fn"."""
    sign = -1.0 if code >> (exponent_bits + mantissa_bits) else 1.0
    field, fraction = (code >> mantissa_bits) % 2**exponent_bits, code % 2**mantissa_bits
    top, last = field == 2**exponent_bits - 1, fraction == 2**mantissa_bits - 1
    if top and flavor == "ieee":
        return math.nan if fraction else sign * math.inf
    if top and last:
        return math.nan
    bias = 2 ** (exponent_bits - 1) - 1
    leading, power = (1, field - bias) if field else (0, 1 - bias)
    return sign * (leading + fraction / 2**mantissa_bits) * 2.0**power


def stored_block(values, element, rule):
    """What the values of a block become: elements under one scale, a power of two or an E4M3 number."""
    codes, largest = CODES[element], max(abs(value) for value in values)
    if not largest:
        return [0.0 for value in values]
    scale = (
        quantize(largest / codes[-1], "e4m3") if rule == "E4M3" else 2.0 ** math.ceil(math.log2(largest / codes[-1]))
    )
    found = []
    for value in values:
        place = min(range(len(codes)), key=lambda i: (abs(codes[i] - abs(value) / scale), i % 2))
        found.append(math.copysign(codes[place] * scale, value))
    return found


EXERCISES = [
    Exercise(
        "07.1",
        "X7.1",
        "the number that a code stands for: sign, exponent field and fraction field, infinities and NaN included.",
        "Take the fields apart with // and %. Which power do codes with an exponent field of 0 have?",
        check_decode,
        decode,
        (
            slips.leading_one_always,
            slips.no_subnormals,
            slips.power_of_zero,
            slips.ieee_always,
            slips.last_code_read,
            slips.no_top,
            slips.sign_forgotten,
        ),
    ),
    Exercise(
        "07.5",
        "X7",
        "a list of what the values of one block become when they are stored with a shared scale.",
        "Find the scale first. math.log2 and math.ceil give the power of two; then try all codes for each value.",
        check_block,
        stored_block,
        (
            slips.largest_is_clipped,
            slips.scale_not_stored,
            slips.power_always,
            slips.not_back,
            slips.sign_lost,
            slips.cut_off,
            slips.ties_up,
        ),
    ),
]
