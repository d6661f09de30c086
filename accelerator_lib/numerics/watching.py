"""Watching: a block that is quantised, and a sum that is rounded, step by step."""

from dataclasses import dataclass, replace

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, Single, checked
from accelerator_lib.numerics.formats import FORMATS, MODES, Format, OfFormat, Reals, quantize
from accelerator_lib.numerics.scales import SCALE_BITS, block_scales
from accelerator_lib.numerics.sums import accumulate

BLOCK_STEPS = ("values", "largest", "scale", "divide", "round", "back")
ODD = 5  # which of the values is the outlier
NEAR = 64  # steps of a window in which codes are told apart
DENSE, AHEAD = 16, 1.06  # sums seen one by one, then every so much more


@dataclass(frozen=True, eq=False)
class Blocks:
    """Values in blocks with a scale each; `step` is how far they have come. Integer elements count in whole steps."""

    step: str
    element: Format
    kind: str  # of the scale
    values: np.ndarray  # [blocks, block]
    scales: np.ndarray  # [blocks]
    divided: np.ndarray  # values / scale
    stored: np.ndarray  # the element that stands for each
    codes: np.ndarray  # magnitudes that an element can have, rising from 0
    odd: int  # the place of the outlier, counted over all blocks

    @property
    def back(self):
        """What the stored elements stand for."""
        return self.stored * self.scales[:, None]

    @property
    def lost(self):
        """Whether a value became 0."""
        return (self.stored == 0) & (self.values != 0)

    @property
    def block(self):
        """Elements that share a scale."""
        return self.values.shape[1]

    @property
    def hit(self):
        """The block that the outlier is in."""
        return self.odd // self.block

    def others(self, array):
        """The entries of all values but the outlier."""
        return np.delete(array.ravel(), self.odd)


@checked
def block_steps(values: Reals, element: OfFormat, block: Count(1, 1024), scale: OneOf(SCALE_BITS), odd: Count(0) = ODD):
    """Yield Blocks for each of BLOCK_STEPS; `values` fill whole blocks."""
    values = np.ravel(values)
    if len(values) % block or not len(values):
        raise ValueError(f"{len(values)} values do not fill whole blocks of {block}")
    return _block_steps(values.reshape(-1, block), element, scale, odd)


def _block_steps(values, element, kind, odd):
    unit = element.min_subnormal if element.exponent_bits == 1 else 1.0  # integers: their step is 1
    scales = block_scales(np.abs(values).max(axis=1), element, kind)
    divided = np.divide(values, scales[:, None], out=np.zeros_like(values), where=scales[:, None] > 0)
    stored, codes = quantize(divided, element), element.values()
    first = Blocks(
        "values", element, kind, values, scales * unit, divided / unit, stored / unit, codes[codes >= 0] / unit, odd
    )
    for step in BLOCK_STEPS:
        yield replace(first, step=step)


@checked
def lost_beside(size: Single(Reals), block: Count(8, 1024), element: OfFormat, scale: OneOf(SCALE_BITS)):
    """How many of a block's ordinary values become 0 beside one outlier."""
    *_, last = block_steps(outlier(size, block), element, block, scale)
    return int(last.others(last.lost).sum())


@checked
def outlier(size: Single(Reals), count: Count(ODD + 1, 1024), seed: Count(0) = 7):
    """So many values of both signs with magnitudes of 0.5 to 1, one of which is replaced by `size`."""
    rng = np.random.default_rng(seed)
    values = rng.choice([-1.0, 1.0], count) * rng.uniform(0.5, 1.0, count)
    values[ODD] = size
    return values


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

    @property
    def wanted(self):
        """What is rounded: accumulator and term."""
        return self.before + self.term

    @property
    def ulp(self):
        """The step between the codes on both sides of what is rounded."""
        return 2.0 ** (max(int(np.frexp(self.wanted)[1]) - 1, self.format.min_exponent) - self.format.mantissa_bits)

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

    @property
    def stuck(self):
        """Whether the term was rounded away."""
        return self.held == self.before and self.term != 0


@checked
def sum_steps(terms: Reals, format: OfFormat, chunk: Count(1, 2**20) = None, mode: OneOf(MODES) = "even", rng=None):
    """Yield a Summing after each of the first terms, then after every few percent more of them."""
    return _sum_steps(np.ravel(terms), format, chunk, mode, rng)


def _sum_steps(terms, format, chunk, mode, rng):
    sums, exacts = np.array(list(accumulate(terms, format, chunk, mode, rng))), np.cumsum(terms)
    numbers, most = seen(len(terms)), float(max(np.abs(sums).max(), np.abs(exacts).max()))
    signed = bool(min(sums.min(), exacts.min()) < 0)
    promoted = np.zeros(len(terms))
    if chunk:
        starts = np.arange(len(terms)) // chunk * chunk
        promoted = np.where(starts > 0, sums[starts - 1], 0.0)  # what had been promoted when the chunk began
    for count, number in enumerate(numbers, 1):
        at, here = number - 1, np.array(numbers[:count])
        fresh = chunk is not None and at % chunk == 0
        before = 0.0 if fresh or not at else float(sums[at - 1] - promoted[at])
        held = float(sums[at] - promoted[at])
        yield Summing(
            format, number, float(terms[at]), before, float(sums[at]), held, float(exacts[at]),
            here, sums[here - 1], exacts[here - 1], most, len(terms), signed,
        )  # fmt: skip


def seen(length):
    """Which sums are shown: the first ones, then in growing steps, the last one and every power of two."""
    found, number = set(), 1
    while number < length:
        found.add(number)
        number = max(number + 1, int(number * AHEAD)) if number >= DENSE else number + 1
    found |= {2**i for i in range(length.bit_length()) if 2**i <= length} | {length}
    return sorted(found)


TERMS = ("ones", "products of one sign", "products of both signs")


@checked
def terms(kind: OneOf(TERMS), length: Count(1, 2**20), seed: Count(0) = 7):
    """Terms to add up: ones, or products of two normal numbers, with or without their sign."""
    if kind == "ones":
        return np.ones(length)
    a, b = quantize(np.random.default_rng(seed).standard_normal((2, length)), FORMATS["bf16"])
    return np.abs(a * b) if kind == "products of one sign" else a * b
