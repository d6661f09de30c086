"""Number formats: sign, exponent, fraction. A code with exponent field E and fraction field F of m bits stands for

    normal  (-1)^s x 1.F x 2^(E - bias)        subnormal  (-1)^s x 0.F x 2^(1 - bias), where E = 0

The flavour says what the highest codes mean: `ieee` keeps the top exponent for infinities and NaN, `fn` only the
all-ones code for NaN, in `all` every code is a number. Integers are formats with one exponent bit: nothing but the even
grid is left. Ignored: NaN payloads, the sign of zero. Sources: IEEE 754-2019; OCP 8-bit Floating Point Specification
1.0; OCP Microscaling Formats 1.0.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import did_you_mean, one_of
from accelerator_lib.checks.signature import Count, Given, Number, OneOf, checked
from accelerator_lib.data import frozen

FLAVORS = ("ieee", "fn", "all")
MODES = ("even", "zero", "stochastic")
OVERFLOWS = ("saturate", "infinity")
LISTED = 16  # bits of the largest format whose values are listed
Reals = Number(low=-1e300, high=1e300, loose=True)  # any finite number that squares of sums can live with


@dataclass(frozen=True)
@checked
class Format:
    """A binary format with a sign. The default bias, 2^(exponent_bits - 1) - 1, puts 1 in the middle of the range."""

    exponent_bits: Count(1, 8)
    mantissa_bits: Count(0, 23)
    bias: Count(-127, 255) = None
    flavor: OneOf(FLAVORS) = "ieee"

    def __post_init__(self):
        if self.bias is None:
            object.__setattr__(self, "bias", 2 ** (self.exponent_bits - 1) - 1)

    bits = property(lambda self: 1 + self.exponent_bits + self.mantissa_bits)  # bits of a code, the sign included

    @property
    def max_code(self):
        """The code of the largest number, without its sign."""
        return 2 ** (self.bits - 1) - {"ieee": 2**self.mantissa_bits, "fn": 1, "all": 0}[self.flavor] - 1

    # the power of two in the largest number: max = 1.F x 2^max_exponent
    max_exponent = property(lambda self: int(np.frexp(self.max)[1]) - 1)
    # the power of two of the smallest normal numbers, and of the subnormal ones below them
    min_exponent = property(lambda self: 1 - self.bias)
    max = property(lambda self: self._magnitude(self.max_code))  # the largest number
    # the smallest number with all its fraction bits; none where every number is subnormal
    min_normal = property(lambda self: 2.0**self.min_exponent)
    # the smallest number above zero: the step of the even grid around it
    min_subnormal = property(lambda self: 2.0**self.lowest_exponent)
    # the power of two of the smallest number above zero
    lowest_exponent = property(lambda self: self.min_exponent - self.mantissa_bits)
    # codes from one power of two to the next, among normal numbers
    octave_codes = property(lambda self: 2**self.mantissa_bits)
    even = property(lambda self: self.max < 2 * self.min_normal)  # whether all its numbers are one step apart

    def values(self):
        """All numbers of the format, rising, zero once. Raises ValueError for formats of more than 16 bits."""
        if self.bits > LISTED:
            raise ValueError(f"a format of {self.bits} bits has too many values to list; at most {LISTED} bits can be")
        above = np.array([self._magnitude(code) for code in range(1, self.max_code + 1)])
        return np.concatenate([-above[::-1], [0.0], above])

    def quantize(self, x, mode="even", overflow="saturate", rng=None):
        """The numbers of this format that stand for x; the modes are those of `numerics.quantize`."""
        return quantize(x, self, mode, overflow, rng)

    def code(self, x):
        """The codes, as whole numbers, of values that the format has."""
        size = np.abs(np.asarray(x, float))
        exponent = np.maximum(np.frexp(np.maximum(size, self.min_subnormal))[1] - 1, self.min_exponent)
        steps = np.ldexp(size, self.mantissa_bits - exponent)  # with the leading one: it adds one to the field below
        code = steps + (exponent - self.min_exponent) * 2.0**self.mantissa_bits
        return (code + np.signbit(x) * 2.0 ** (self.bits - 1)).astype(np.int64)

    def _magnitude(self, code):
        field, fraction = divmod(code, 2**self.mantissa_bits)
        steps = fraction + 2**self.mantissa_bits if field else fraction
        return float(np.ldexp(steps, max(field, 1) - self.bias - self.mantissa_bits))


FORMATS = frozen(
    {
        "fp32": Format(8, 23),
        "tf32": Format(8, 10),  # occupies 32 bits in memory
        "bf16": Format(8, 7),
        "fp16": Format(5, 10),
        "e5m2": Format(5, 2),
        "e4m3": Format(4, 3, 7, "fn"),
        "e3m2": Format(3, 2, 3, "all"),
        "e2m3": Format(2, 3, 1, "all"),
        "e2m1": Format(2, 1, 1, "all"),
    }
)
INTEGERS = frozen({f"int{bits}": Format(1, bits - 1) for bits in (8, 4)})  # symmetric
ELEMENTS = frozen(FORMATS | INTEGERS)


def of(format):
    """The Format of a name, or the Format itself. Raises UnknownName or TypeError."""
    if isinstance(format, str):
        return ELEMENTS[one_of("format", format, ELEMENTS)]
    if not isinstance(format, Format):
        raise TypeError(f"format must be a Format or a name{did_you_mean('', ELEMENTS)}; not {type(format).__name__}")
    return format


OfFormat = Given("a Format or its name", of)
Mode, Overflow = OneOf(MODES), OneOf(OVERFLOWS)


@checked
def quantize(x: Reals, format: OfFormat, mode: Mode = "even", overflow: Overflow = "saturate", rng=None):
    """The numbers of `format` that stand for x, a number or an array.
    mode: `even` takes the nearest, in a tie the one whose last bit is 0; `zero` cuts; `stochastic` goes up with the
    probability of the cut-off part, drawn from `rng`. overflow: what rounds beyond the largest number becomes that
    number (`saturate`), or infinity, NaN where the format has none; `zero` and formats of flavour `all` saturate."""
    size = np.abs(x)
    exponent = np.maximum(np.frexp(size)[1] - 1, format.min_exponent)
    steps = np.ldexp(size, format.mantissa_bits - exponent)  # in units of the last place: exact
    steps = steps + drawn(rng, np.shape(steps)) if mode == "stochastic" else steps
    whole = np.rint(steps) if mode == "even" else np.floor(steps)
    rounded = np.ldexp(whole, exponent - format.mantissa_bits)
    if overflow == "saturate" or mode == "zero" or format.flavor == "all":
        beyond = format.max
    else:
        beyond = np.inf if format.flavor == "ieee" else np.nan
    result = np.copysign(np.where(rounded > format.max, beyond, rounded), x)
    return result if np.ndim(x) else float(result)


def drawn(rng, shape=None):
    """Draws between 0 and 1 from a numpy Generator. Raises TypeError where there is none: no draw is unseeded here."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"stochastic rounding needs rng, such as np.random.default_rng(0); got {type(rng).__name__}")
    return rng.random(shape)
