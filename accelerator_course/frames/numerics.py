"""Numbers in few bits, cut for steppers: a number becomes a code, a block is quantised, a sum is rounded.

    1.F x 2^E      E below the range: shift right until it is in (subnormal); above it: overflow
    keep m fraction bits; guard = the first bit that is cut off, sticky = whether any after it is 1
    to even: up where guard and (sticky or the last kept bit); a carry may run through to the exponent

`quantize` computes the same as `convert_steps` from remainders; here are only strings of bits and whole numbers.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, Single, checked
from accelerator_lib.numerics.formats import Format, Mode, OfFormat, Overflow, Reals, drawn, quantize
from accelerator_lib.numerics.scales import ODD, SCALE_BITS, block_scales, ratio_db
from accelerator_lib.numerics.sums import accumulate

STEPS = ("number", "exponent", "cut", "round", "carry", "code")
BLOCK_STEPS = ("values", "largest", "scale", "divide", "round", "back")
NEAR = 64  # steps of a window in which codes are told apart
DENSE, AHEAD = 16, 1.06  # sums shown one by one, then every so much more


class Way:
    """A record whose `step` is one of STEPS: how far it has come."""

    done = property(lambda self: self.STEPS.index(self.step))  # how many of STEPS lie behind

    def each(self):
        """Yield it at each of STEPS."""
        return (replace(self, step=step) for step in self.STEPS)


@dataclass(frozen=True)
class Conversion(Way):
    """A number on its way to a code."""

    STEPS = STEPS
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

    significand = property(lambda self: abs(self.x) / 2.0**self.exponent)  # |x| / 2^exponent, 1 to 2
    # what the exponent field holds for a normal number: exponent and bias
    field = property(lambda self: self.exponent + self.format.bias)
    # the step between the codes around the number
    ulp = property(lambda self: 2.0 ** (max(self.exponent, self.format.min_exponent) - self.format.mantissa_bits))
    # the magnitude that stays when what is cut off is dropped
    below = property(lambda self: int(self.kept, 2) * self.ulp)
    above = property(lambda self: self.below + self.ulp)
    too_large = property(lambda self: self.exponent > self.format.max_exponent)
    # how far the value is from the number, in steps
    error_ulp = property(lambda self: abs(self.value - self.x) / self.ulp)
    # what is cut off, as a share of a step: 0 to 1
    cut_off = property(lambda self: int(self.guard + self.rest, 2) / 2 ** (1 + len(self.rest)))


@checked
def convert_steps(x: Single(Reals), format: OfFormat, mode: Mode = "even", overflow: Overflow = "saturate", rng=None):
    """Yield a Conversion for each of STEPS; stochastic rounding draws from `rng`, a seeded one where none is given."""
    draw = float(drawn(np.random.default_rng(0) if rng is None else rng)) if mode == "stochastic" else None
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
        code, value = _beyond(format, mode, overflow)
    else:
        field, fraction = divmod(code, 2**m)
        value = float(np.ldexp(fraction + (2**m if field else 0), max(field, 1) - format.bias - m))
    written, digits = f"{int(negative)}{code:0{format.bits - 1}b}", f"{top:b}".rstrip("0") or "0"
    cut = (shift, kept, guard, rest, sticky, draw, up, rounded, carries, beyond)
    number = ("number", x, format, mode, negative, exponent, digits)
    return Conversion(*number, *cut, written, -value if negative else value).each()


def _beyond(format, mode, overflow):
    """(code, value) of what is too large: the largest number, infinity, or NaN, all of whose bits are one."""
    if overflow == "saturate" or mode == "zero" or format.flavor == "all":
        return format.max_code, format.max
    if format.flavor == "ieee":
        return format.max_code + 1, float("inf")
    return 2 ** (format.bits - 1) - 1, float("nan")


@dataclass(frozen=True, eq=False)
class Blocks(Way):
    """Values in blocks with a scale each; integer elements count in whole steps."""

    STEPS = BLOCK_STEPS
    step: str
    element: Format
    kind: str  # of the scale
    values: np.ndarray  # [blocks, block]
    scales: np.ndarray  # [blocks]
    divided: np.ndarray  # values / scale
    stored: np.ndarray  # the element that stands for each
    codes: np.ndarray  # magnitudes that an element can have, rising from 0
    odd: int  # the place of the outlier, counted over all blocks

    back = property(lambda self: self.stored * self.scales[:, None])
    lost = property(lambda self: (self.stored == 0) & (self.values != 0))

    @property
    def now(self):
        """What the values have become."""
        return (self.values, self.values, self.values, self.divided, self.stored, self.back)[self.done]

    largest = property(lambda self: np.abs(self.values).max(axis=1))
    # to what its scale brings the largest magnitude of the outlier's block
    brought = property(lambda self: self.largest[self.hit] / self.scales[self.hit])
    half_code = property(lambda self: self.codes[1] / 2)  # half of the smallest code: what is not above it becomes 0
    used = property(lambda self: len(np.unique(np.abs(self.stored))))  # how many codes are in use, signs aside
    others_lost = property(lambda self: int(self.others(self.lost).sum()))  # how many values but the outlier became 0
    # signal to noise of all values but the outlier, infinite where they are exact
    others_snr_db = property(lambda self: ratio_db(self.others(self.values), self.others(self.back)))
    block = property(lambda self: self.values.shape[1])
    hit = property(lambda self: self.odd // self.block)  # the block that the outlier is in

    def others(self, array):
        """The entries of all values but the outlier."""
        return np.delete(array.ravel(), self.odd)


@checked
def block_steps(values: Reals, element: OfFormat, block: Count(1, 1024), scale: OneOf(SCALE_BITS), odd: Count(0) = ODD):
    """Yield Blocks for each of BLOCK_STEPS; `values` fill whole blocks."""
    values = np.ravel(values)
    if len(values) % block or not len(values):
        raise ValueError(f"{len(values)} values do not fill whole blocks of {block}")
    values = values.reshape(-1, block)
    unit = element.min_subnormal if element.exponent_bits == 1 else 1.0  # integers: their step is 1
    scales = block_scales(np.abs(values).max(axis=1), element, scale)
    divided = np.divide(values, scales[:, None], out=np.zeros_like(values), where=scales[:, None] > 0)
    steps = quantize(divided, element) / unit, element.values()[element.values() >= 0] / unit
    return Blocks("values", element, scale, values, scales * unit, divided / unit, *steps, odd).each()


@dataclass(frozen=True, eq=False)
class Summing:
    """A running sum after `number` terms; arrays hold what was seen so far."""

    format: Format
    number: int
    term: float  # the last one
    before: float  # what the accumulator held; 0 where a new chunk begins
    sum: float  # promoted part and accumulator
    held: float  # what the accumulator holds, after rounding and before promotion
    exact: float
    numbers: np.ndarray  # of the states so far
    sums: np.ndarray
    exacts: np.ndarray
    most: float  # the largest magnitude, of the sum or the exact one, in the whole run
    length: int
    signed: bool  # whether some sums are negative

    off = property(lambda self: self.sum - self.exact)
    # the same as a share of the exact sum; 0 where that is 0
    off_share = property(lambda self: abs(self.off / self.exact) if self.exact else 0.0)
    wanted = property(lambda self: self.before + self.term)  # what is rounded: accumulator and term
    ulp = property(lambda self: 2.0**self.ulp_exponent)  # the step between the codes on both sides of what is rounded

    @property
    def ulp_exponent(self):
        return max(int(np.frexp(self.wanted)[1]) - 1, self.format.min_exponent) - self.format.mantissa_bits

    @property
    def window(self):
        """(low, high) around what is added: the accumulator before and after, and a step or two on both sides."""
        ends, span = (self.before, self.wanted, self.held), max(abs(self.term), 2 * self.ulp)
        return min(ends) - 0.6 * span, max(ends) + 0.6 * span

    @property
    def near(self):
        """The codes in the window, or none where they are too many to be told apart."""
        low, high = self.window
        if high - low > NEAR * self.ulp:
            return np.zeros(0)
        steps = np.arange(np.floor(low / self.ulp * 2), high / self.ulp * 2 + 1) * self.ulp / 2
        codes = np.unique(quantize(steps, self.format))  # below a power of two the steps are half as large
        return codes[(codes >= low) & (codes <= high)]

    stuck = property(lambda self: self.held == self.before and self.term != 0)


@checked
def sum_steps(terms: Reals, format: OfFormat, chunk: Count(1, 2**20) = None, mode: Mode = "even", rng=None):
    """Yield a Summing after each of the first terms, then after every few percent more of them."""
    terms = np.ravel(terms)
    sums, exacts = np.array(list(accumulate(terms, format, chunk, mode, rng))), np.cumsum(terms)
    numbers, most = shown(len(terms)), float(max(np.abs(sums).max(), np.abs(exacts).max()))
    signed = bool(min(sums.min(), exacts.min()) < 0)
    promoted = np.zeros(len(terms))
    if chunk:
        starts = np.arange(len(terms)) // chunk * chunk
        promoted = np.where(starts > 0, sums[starts - 1], 0.0)  # what had been promoted when the chunk began
    for count, number in enumerate(numbers, 1):
        at, here = number - 1, np.array(numbers[:count])
        fresh = chunk is not None and at % chunk == 0
        before = 0.0 if fresh or not at else float(sums[at - 1] - promoted[at])
        now = float(terms[at]), before, float(sums[at]), float(sums[at] - promoted[at]), float(exacts[at])
        yield Summing(format, number, *now, here, sums[here - 1], exacts[here - 1], most, len(terms), signed)


def shown(length):
    """Which sums are shown: the first ones, then in growing steps, the last one and every power of two."""
    found, number = {length, *(2**i for i in range(length.bit_length()))}, 1
    while number < length:
        found.add(number)
        number = max(number + 1, int(number * AHEAD)) if number >= DENSE else number + 1
    return sorted(found)
