"""Master weights: updates that are smaller than half a step of the weight's format are rounded away, one by one.

    weight = round(weight + update)         1 + 0.001 in bf16: steps of 1/128, so it stays 1

Mixed precision keeps a copy of the weights in FP32 and adds there; stochastic rounding moves a bf16 weight a whole step
now and then, as often as is right on average. Source: P. Micikevicius et al., "Mixed precision training", 2018.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, Whole, checked
from accelerator_lib.numerics.formats import OfFormat
from accelerator_lib.numerics.sums import accumulate

MOST = 4000  # updates
Update = Single(Number(low=1e-7, high=1.0))
KEPT_IN = {  # how a weight is kept: (format, rounding)
    "FP32 master": ("fp32", "even"),
    "fp16": ("fp16", "even"),
    "bf16": ("bf16", "even"),
    "bf16, stochastic": ("bf16", "stochastic"),
}


@checked
def updated(updates: Whole(0, MOST), update: Update = 0.001, seed: Count(0, 2**31) = 0):
    """{how it is kept: a weight of 1 after so many equal updates}; updates a number or an array."""
    return {name: _course(name, float(update), seed)[np.asarray(updates, int)] + 0.0 for name in KEPT_IN}


@dataclass(frozen=True)
class Updated:
    """A weight after equal updates, each sum rounded."""

    start: float
    weight: float

    # whether the updates move it
    outcome = property(lambda self: "stands still" if self.weight == self.start else "moves")


@checked
def after(start: Single(Number(low=0.1, high=1e4)), update: Update, updates: Count(1, MOST), format: OfFormat):
    """Updated of a weight that is kept in this format, to the nearest, ties to even."""
    *_, weight = accumulate([start, *[update] * updates], format)
    return Updated(start, weight)


@dataclass(frozen=True)
@checked
class Scaled:
    """A step under a dynamic loss scale of 2^exponent, with its largest gradient before scaling."""

    exponent: Count(0, 40)
    largest: Single(Number(low=1e-12, high=1e12))
    format: OfFormat

    overflows = property(lambda self: self.largest * 2.0**self.exponent > self.format.max)
    outcome = property(lambda self: "skipped" if self.overflows else "made")
    # the loss scale of the next step, where this was not the last of many clean ones
    next_scale = property(lambda self: 2.0 ** (self.exponent - self.overflows))


@lru_cache(maxsize=64)
def _course(name, update, seed):
    """The weight before, and after every update."""
    format, mode = KEPT_IN[name]
    terms = np.full(MOST + 1, update)
    terms[0] = 1.0
    return np.array(list(accumulate(terms, format, None, mode, np.random.default_rng(seed))))
