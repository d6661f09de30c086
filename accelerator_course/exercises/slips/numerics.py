"""Slips of the exercises of chapter 7."""

import math

from accelerator_course.exercises.codes import CODES
from accelerator_lib.numerics import quantize


def leading_one_always(code, exponent_bits, mantissa_bits, flavor):
    """You put a leading 1 before every fraction. Where the exponent field is 0, the leading bit is 0."""
    return _decoded(code, exponent_bits, mantissa_bits, flavor, leading=1)


def no_subnormals(code, exponent_bits, mantissa_bits, flavor):
    """You read all codes alike. Those with exponent field 0 have a leading 0, and the power 1 - bias."""
    return _decoded(code, exponent_bits, mantissa_bits, flavor, leading=1, low=0)


def power_of_zero(code, exponent_bits, mantissa_bits, flavor):
    """Your subnormal numbers have the power 0 - bias. They share that of the smallest normal ones, 1 - bias."""
    return _decoded(code, exponent_bits, mantissa_bits, flavor, low=0)


def ieee_always(code, exponent_bits, mantissa_bits, flavor):
    """You keep the whole top exponent for infinities and NaN. In the fn flavour only the last code is NaN."""
    return _decoded(code, exponent_bits, mantissa_bits, "ieee")


def last_code_read(code, exponent_bits, mantissa_bits, flavor):
    """You read the last code of the fn flavour, all ones, as a number. It is NaN, with either sign."""
    return _decoded(code, exponent_bits, mantissa_bits, "all" if flavor == "fn" else flavor)


def no_top(code, exponent_bits, mantissa_bits, flavor):
    """You read the top codes as numbers. E5M2's top exponent means infinity or NaN, E4M3's last code is NaN."""
    return _decoded(code, exponent_bits, mantissa_bits, "all")


def sign_forgotten(code, exponent_bits, mantissa_bits, flavor):
    """You leave out the first bit: it is the sign."""
    return abs(_decoded(code, exponent_bits, mantissa_bits, flavor))


def _decoded(code, e, m, flavor, leading=0, low=1):
    sign, field, fraction = (-1.0 if code >> (e + m) else 1.0), (code >> m) % 2**e, code % 2**m
    if field == 2**e - 1 and flavor == "ieee":
        return math.nan if fraction else sign * math.inf
    if field == 2**e - 1 and flavor == "fn" and fraction == 2**m - 1:
        return math.nan
    one, power = (1, field) if field else (leading, low)
    return sign * (one + fraction / 2**m) * 2.0 ** (power - 2 ** (e - 1) + 1)


def largest_is_clipped(values, element, rule):
    """Your power of two clips the largest number: it lies beyond the last code. Round the power up."""
    floor = lambda largest, last: 2.0 ** (math.floor(math.log2(largest)) - math.floor(math.log2(last)))  # noqa: E731
    return _stored(values, element, rule, power=floor)


def scale_not_stored(values, element, rule):
    """Under E4M3 you divide by the exact scale. The scale is itself stored in E4M3, so round it first."""
    return _stored(values, element, rule, number=lambda largest, last: largest / last)


def power_always(values, element, rule):
    """You take a power of two under both rules. NVFP4's scale is an E4M3 number, which also has fraction bits."""
    return _stored(values, element, "power of two")


def not_back(values, element, rule):
    """You return the elements. Multiplied by the scale, they are the values again."""
    return _stored(values, element, rule, back=False)


def sign_lost(values, element, rule):
    """You lose the signs: the codes are magnitudes, and each value keeps its sign."""
    return list(map(abs, _stored(values, element, rule)))


def cut_off(values, element, rule):
    """You round towards zero; the nearest code is wanted."""
    return _stored(values, element, rule, pick=lambda size, codes: max(c for c in codes if c <= size))


def ties_up(values, element, rule):
    """In a tie you go up. It goes to the code with the even place in the list."""
    return _stored(values, element, rule, pick=lambda size, codes: min(codes, key=lambda c: (abs(c - size), -c)))


def _even(size, codes):
    return min(codes, key=lambda c: (abs(c - size), codes.index(c) % 2))


def _power(largest, last):
    return 2.0 ** math.ceil(math.log2(largest / last))


def _number(largest, last):
    return quantize(largest / last, "e4m3")


def _stored(values, element, rule, power=_power, number=_number, back=True, pick=_even):
    codes, largest = CODES[element], max(map(abs, values))
    if not largest:
        return list(values)
    scale = (power if rule == "power of two" else number)(largest, codes[-1])
    return [math.copysign(pick(abs(v) / scale, codes) * (scale if back else 1), v) for v in values]
