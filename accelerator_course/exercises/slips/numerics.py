"""Slips of the exercises of chapter 7."""

import math
from itertools import product


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


def scale_that_fits(block):
    """Your scale brings the largest number exactly to 6. In MXFP4 it is a power of two."""
    return _stored(block, scale=max(map(abs, block)) / 6)


def next_power(block):
    """Your scale is one power too high. It comes from the exponent of the largest number, rounded down."""
    return _stored(block, scale=2 * _power(block))


def exponent_alone(block):
    """Your scale is two powers too high. Take off the exponent of the largest code: 6 is 1.5 times 2 to the 2."""
    return _stored(block, scale=4 * _power(block))


def not_back(block):
    """You return the elements. Multiplied by the scale, they are the values again."""
    return _stored(block, back=False)


def no_saturation(block):
    """Your elements go beyond 6. What lies above the largest code becomes that code."""
    return _stored(block, most=8)


def cut_off(block):
    """You round towards zero; the nearest code is wanted."""
    return _stored(block, pick=lambda size, codes: max(c for c in codes if c <= size))


def ties_up(block):
    """In a tie you go up. It goes to the code whose last bit is 0: 0, 1, 2 or 4."""
    return _stored(block, pick=lambda size, codes: min(codes, key=lambda c: (abs(c - size), -c)))


def ties_down(block):
    """In a tie you go down. It goes to the code whose last bit is 0: 0, 1, 2 or 4."""
    return _stored(block, pick=lambda size, codes: min(codes, key=lambda c: (abs(c - size), c)))


def _power(block):
    return 2.0 ** (math.frexp(max(map(abs, block)))[1] - 3)


def _stored(block, scale=None, back=True, most=6, pick=None):
    codes = [0, 0.5, 1, 1.5, 2, 3, 4, 6, 8][: 8 + (most > 6)]
    if not any(block):
        return list(block)
    scale = scale or _power(block)
    pick = pick or (lambda size, codes: min(codes, key=lambda c: (abs(c - size), codes.index(c) % 2)))
    return [math.copysign(pick(abs(v) / scale, codes) * (scale if back else 1), v) for v in block]


def counter_not_reset(overflows):
    """Your count of clean steps goes on after an overflow. It begins again: 1,999 clean steps before it do not help."""
    return scaled(overflows, resets=False)


def doubles_ever_after(overflows):
    """After 2,000 clean steps you double in every further one. Doubling, too, begins the count anew."""
    return scaled(overflows, ever_after=True)


def one_step_late(overflows):
    """You double a step too late: the 2,000th clean step in a row doubles the scale."""
    return scaled(overflows, patience=2001)


def skips_nothing(overflows):
    """You count no step as skipped. In every step with an overflow the weights stay as they are."""
    return scaled(overflows)[0], 0


def scaled(overflows, patience=2000, resets=True, ever_after=False):
    """(scale, skipped), with one thing changed."""
    scale, clean, skipped = 65536.0, 0, 0
    for overflow in overflows:
        if overflow:
            scale, clean, skipped = scale / 2, 0 if resets else clean, skipped + 1
            continue
        clean += 1
        if clean >= patience:
            scale, clean = scale * 2, clean if ever_after else 0
    return scale, skipped


def one_format_for_all(parts, stored, limit):
    """You gave all parts the same format. Where noise counts often, or numbers are few, more bits are better spent."""
    fitting = [name for name in stored if spent((name,) * len(parts), parts, stored)[0] <= limit]
    return (min(fitting, key=lambda name: stored[name][1]),) * len(parts) if fitting else None


def noise_counted_once(parts, stored, limit):
    """You counted the noise of every part once. It counts as often as its second number says."""
    return chosen({name: (numbers, 1) for name, (numbers, _) in parts.items()}, stored, limit)


def least_bytes(parts, stored, limit):
    """You took what is smallest. Room that is left over is signal given away."""
    smallest = min(product(stored, repeat=len(parts)), key=lambda choice: spent(choice, parts, stored)[0])
    return smallest if spent(smallest, parts, stored)[0] <= limit else None


def bits_for_bytes(parts, stored, limit):
    """You compared bits with the limit, which is in bytes."""
    return chosen(parts, stored, limit / 8)


def first_fit(parts, stored, limit):
    """You took the first choice that fits. The order of the formats means nothing: look at all of them."""
    fitting = (c for c in product(stored, repeat=len(parts)) if spent(c, parts, stored)[0] <= limit)
    return next(fitting, None)


def chosen(parts, stored, limit):
    """The choice with the least noise that fits, None where none does."""
    found = ((spent(choice, parts, stored), choice) for choice in product(stored, repeat=len(parts)))
    return min(((noise, choice) for (size, noise), choice in found if size <= limit), default=(0, None))[1]


def spent(choice, parts, stored):
    """(bytes, noise) of a choice."""
    pairs = [(part, stored[name]) for part, name in zip(parts.values(), choice, strict=True)]
    return sum(n * bits / 8 for (n, _), (bits, _) in pairs), sum(times * each for (_, times), (_, each) in pairs)
