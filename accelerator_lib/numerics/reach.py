"""Reach: the codes of a format octave by octave, and where a cloud of gradients lands among them.

The base-2 logarithm of a gradient's magnitude is taken as normal: half lie below 2^median, two thirds within one
`deviation` [octaves] of it. A factor of 2^s moves the cloud by s octaves. To the nearest code, |g| <= half the smallest
subnormal vanishes (a tie goes to zero), and more than the largest number and half a step overflows. Real gradients have
heavier tails. Source: P. Micikevicius et al., "Mixed precision training", ICLR 2018.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import log2
from statistics import NormalDist

from accelerator_lib.checks.signature import Count, Number, Single, Switch, checked
from accelerator_lib.numerics.formats import Format, OfFormat

RULERS = ("fp16", "bf16", "e5m2", "e4m3", "e2m1")
END = -24  # power of two below which half of the gradients of `slide` lie in the end
SHOWN = 64  # octaves below and above 1 that are told apart
FEW = 0.01  # what may be lost at each end
Octaves, Spread = Single(Number(low=-200, high=200)), Single(Number(low=0.1, high=64))


@dataclass(frozen=True)
class Octave:
    """The codes from 2^exponent to the next power of two."""

    exponent: int
    codes: int
    subnormal: bool
    full: int  # codes up to the next power of two, had the format no end before it

    start = property(lambda self: 2.0**self.exponent)  # the first number
    step = property(lambda self: self.start / self.full)  # from one number to the next


@dataclass(frozen=True)
class Bar:
    """The share of the gradients between two powers of two, and what becomes of them."""

    low: float
    high: float
    share: float
    fate: str  # "vanish", "subnormal", "normal" or "overflow"

    density = property(lambda self: self.share / (self.high - self.low))  # share for each octave


@dataclass(frozen=True)
class Ruled:
    """A format on a logarithmic ruler, and what lies over it: nothing, or gradients."""

    format: Format
    octaves: tuple
    bars: tuple = ()
    scale: float = 0.0  # power of two by which they are multiplied
    window: tuple | None = None  # powers of two of the factors that lose less than FEW at each end

    def share(self, fate):
        """Of the gradients, how many fare so."""
        return sum(bar.share for bar in self.bars if bar.fate == fate)

    # the share of the gradients that vanish or overflow
    lost = property(lambda self: self.share("vanish") + self.share("overflow"))


@dataclass(frozen=True)
class Slid:
    """A cloud of gradients on its way down, over one ruler for each format."""

    median: int  # power of two, before it is multiplied
    scale: int  # power of two by which it is multiplied
    rulers: dict  # {format: Ruled}

    # the power of two that half of the multiplied gradients lie below
    middle = property(lambda self: self.median + self.scale)


@checked
def ruled(format: OfFormat):
    """Ruled of a format alone."""
    return Ruled(format, _octaves(format))


def _octaves(format):
    m, found = format.mantissa_bits, []
    if format.max:
        found += [Octave(format.lowest_exponent + i, 2**i, True, 2**i) for i in range(m)]
        found += [Octave(e, 2**m, False, 2**m) for e in range(format.min_exponent, format.max_exponent + 1)]
    found = [one for one in found if one.exponent <= format.max_exponent]
    if found:  # the highest one may be cut short
        top = found[-1]
        steps = round((format.max / 2.0**top.exponent - 1) * top.codes)
        found[-1] = Octave(top.exponent, steps + 1, top.subnormal, top.full)
    return tuple(found)


@checked
def landed(format: OfFormat, median: Octaves, deviation: Spread, scale: Octaves = 0):
    """Ruled with the gradients over it: median [power of two], deviation [octaves], factor [power of two]."""
    if not format.max:
        raise ValueError("this format has no number but 0: nothing can land on it")
    cloud = NormalDist(median + scale, deviation)
    last_step = 2.0 ** (max(format.max_exponent, format.min_exponent) - format.mantissa_bits)
    low, high = log2(format.min_subnormal / 2), log2(format.max + last_step / 2)
    edges = [-float("inf"), *range(-SHOWN, SHOWN + 1), high, float("inf")]
    edges += [low, format.min_exponent]
    bars = []
    for left, right in pairwise(sorted(set(edges))):
        fate = "normal" if left >= format.min_exponent else "subnormal" if left >= low else "vanish"
        fate = "overflow" if left >= high else fate
        bars.append(Bar(max(left, -SHOWN - 1), min(right, SHOWN + 1), cloud.cdf(right) - cloud.cdf(left), fate))
    margin = NormalDist().inv_cdf(1 - FEW) * deviation
    window = (low - median + margin, high - median - margin)
    return Ruled(format, _octaves(format), tuple(bars), scale, window if window[0] <= window[1] else None)


@checked
def slide(scale: Single(Count(0, 60)) = 0, spread: Spread = 3):
    """Yield Slid: a cloud that starts around 1 and slides down octave by octave to END."""
    for median in range(0, END - 1, -1):
        yield Slid(median, scale, {name: landed(name, median, spread, scale) for name in RULERS})


@checked
def rescue(exponent: Count(0, 60), format: OfFormat, normal: Switch = False):
    """The least power of two that keeps a gradient of 2^-exponent from becoming 0; or that makes it a normal number."""
    return 2.0 ** (exponent + (format.min_exponent if normal else format.lowest_exponent))
