"""Conversion bit by bit: the number's own bits, exponent, guard and sticky, rounding, carry, code.

    1.F x 2^E      E below the range: shift right until it is in (subnormal); above it: overflow
    keep m fraction bits; guard = the first bit that is cut off, sticky = whether any after it is 1
    to even: up where guard and (sticky or the last kept bit); a carry may run through to the exponent

`quantize` (formats.py) computes the same from remainders; here are only strings of bits and whole numbers.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from accelerator_lib.checks.signature import OneOf, Single, checked
from accelerator_lib.numerics.formats import MODES, OVERFLOWS, Format, OfFormat, Reals, drawn

STEPS = ("number", "exponent", "cut", "round", "carry", "code")


@dataclass(frozen=True)
class Conversion:
    """A conversion; `step` is how far it has come."""

    step: str
    x: float
    format: Format
    mode: str
    negative: bool
    exponent: int  # of the number, 1.F x 2^exponent; that of the smallest normal numbers for zero
    digits: str  # of the number: the leading one and its fraction, without zeros at the end
    shift: int  # places to the right that a subnormal goes
    kept: str  # the leading bit and the fraction bits that the format has
    guard: str  # the first bit after them
    rest: str  # the bits after that
    sticky: bool  # whether any of them is 1
    draw: float | None  # of stochastic rounding, 0 to 1
    up: bool
    rounded: str  # `kept`, one higher where it is rounded up
    carries: bool  # whether the exponent rises for it
    beyond: bool  # whether the largest number is passed
    code: str  # sign, exponent field, fraction field
    value: float

    @property
    def ulp(self):
        """The step between the codes around the number."""
        return 2.0 ** (max(self.exponent, self.format.min_exponent) - self.format.mantissa_bits)

    @property
    def below(self):
        """The magnitude that stays when what is cut off is dropped."""
        return int(self.kept, 2) * self.ulp

    @property
    def above(self):
        """The next magnitude."""
        return self.below + self.ulp

    @property
    def too_large(self):
        """Whether the exponent alone is above all that the format has."""
        return self.exponent > self.format.max_exponent

    @property
    def error_ulp(self):
        """How far the value is from the number, in steps."""
        return abs(self.value - self.x) / self.ulp

    @property
    def cut_off(self):
        """What is cut off, as a share of a step: 0 to 1."""
        return int(self.guard + self.rest, 2) / 2 ** (1 + len(self.rest))


@checked
def convert_steps(
    x: Single(Reals),
    format: OfFormat,
    mode: OneOf(MODES) = "even",
    overflow: OneOf(OVERFLOWS) = "saturate",
    rng=None,
):
    """Yield a Conversion for each of STEPS; stochastic rounding draws from `rng`, a seeded one where none is given."""
    draw = float(drawn(np.random.default_rng(0) if rng is None else rng)) if mode == "stochastic" else None
    return _convert_steps(x, format, mode, overflow, draw)


def _convert_steps(x, format, mode, overflow, draw):
    negative, (top, bottom) = bool(np.signbit(x)), abs(x).as_integer_ratio()
    width, places = top.bit_length(), bottom.bit_length() - 1  # the denominator is a power of two
    exponent = width - 1 - places if top else format.min_exponent
    shift, m = max(0, format.min_exponent - exponent), format.mantissa_bits
    bits = "0" * shift + (f"{top:b}" if top else "0")
    bits += "0" * (m + 2 - len(bits))
    kept, guard, rest = bits[: m + 1], bits[m + 1], bits[m + 2 :].rstrip("0")
    sticky = "1" in rest
    if mode == "even":
        up = guard == "1" and (sticky or kept[-1] == "1")
    else:
        up = mode == "stochastic" and Fraction(int(guard + rest, 2), 2 ** (1 + len(rest))) + Fraction(draw) >= 1
    rounded = f"{int(kept, 2) + up:0{m + 1}b}"
    carries = len(rounded) > m + 1
    code = (int(rounded, 2) + (max(exponent, format.min_exponent) - format.min_exponent << m)) if top else 0
    beyond = code > format.max_code
    if beyond:
        code = _beyond(format, mode, overflow)
    value = float("nan") if code is None else _value(format, code)
    written = f"{int(negative)}{_all_ones(format) if code is None else code:0{format.bits - 1}b}"
    first = Conversion(
        "number", x, format, mode, negative, exponent, f"{top:b}".rstrip("0") or "0", shift, kept, guard, rest, sticky,
        draw, up, rounded, carries, beyond, written, -value if negative else value,
    )  # fmt: skip
    for step in STEPS:
        yield replace(first, step=step)


def _beyond(format, mode, overflow):
    """The code of what is too large: the largest number, infinity, or None for NaN."""
    if overflow == "saturate" or mode == "zero" or format.flavor == "all":
        return format.max_code
    return format.max_code + 1 if format.flavor == "ieee" else None


def _value(format, code):
    if code > format.max_code:
        return float("inf")
    field, fraction = divmod(code, 2**format.mantissa_bits)
    steps = fraction + (2**format.mantissa_bits if field else 0)
    return float(np.ldexp(steps, max(field, 1) - format.bias - format.mantissa_bits))


def _all_ones(format):
    return 2 ** (format.bits - 1) - 1
