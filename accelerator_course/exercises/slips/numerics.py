"""Slips of the exercises of chapter 7."""

import math
from functools import partial

from accelerator_course.exercises.numerics import CODES
from accelerator_lib.numerics import quantize


def sign_forgotten(*code):
    return abs(_decoded(*code))


def _decoded(code, e, m, flavor, leading=0, low=1, ieee="ieee", fn="fn"):
    """The number of a code, with one thing changed; `ieee` and `fn`: how the top codes of either flavour are read."""
    flavor = ieee if flavor == "ieee" else fn
    sign, field, fraction = (-1.0 if code >> (e + m) else 1.0), (code >> m) % 2**e, code % 2**m
    if field == 2**e - 1 and flavor == "ieee":
        return math.nan if fraction else sign * math.inf
    if field == 2**e - 1 and flavor == "fn" and fraction == 2**m - 1:
        return math.nan
    one, power = (1, field) if field else (leading, low)
    return sign * (one + fraction / 2**m) * 2.0 ** (power - 2 ** (e - 1) + 1)


leading_one_always = partial(_decoded, leading=1)
no_subnormals = partial(_decoded, leading=1, low=0)
power_of_zero = partial(_decoded, low=0)
ieee_always = partial(_decoded, fn="ieee")
last_code_read = partial(_decoded, fn="all")
no_top = partial(_decoded, ieee="all", fn="all")


def power_always(values, element, rule):
    return _stored(values, element, "power of two")


def sign_lost(values, element, rule):
    return list(map(abs, _stored(values, element, rule)))


def _even(size, codes):
    return min(codes, key=lambda c: (abs(c - size), codes.index(c) % 2))


def _power(largest, last):
    return 2.0 ** math.ceil(math.log2(largest / last))


def _stored(values, element, rule, power=_power, stored=True, back=True, pick=_even):
    """The values of a block, with one thing changed."""
    codes, largest = CODES[element], max(map(abs, values))
    if not largest:
        return list(values)
    exact = largest / codes[-1]
    number = quantize(exact, "e4m3") if stored else exact
    scale = power(largest, codes[-1]) if rule == "power of two" else number
    return [math.copysign(pick(abs(v) / scale, codes) * (scale if back else 1), v) for v in values]


largest_is_clipped = partial(
    _stored, power=lambda largest, last: 2.0 ** (math.floor(math.log2(largest)) - math.floor(math.log2(last)))
)
scale_not_stored = partial(_stored, stored=False)
not_back = partial(_stored, back=False)
cut_off = partial(_stored, pick=lambda size, codes: max(c for c in codes if c <= size))
ties_up = partial(_stored, pick=lambda size, codes: min(codes, key=lambda c: (abs(c - size), -c)))
