"""Master weights: updates that are smaller than half a step of the weight's format are rounded away, one by one.

    weight = round(weight + update)         1 + 0.001 in bf16: steps of 1/128, so it stays 1

Mixed precision keeps a copy of the weights in FP32 and adds there; stochastic rounding moves a bf16 weight a whole step
now and then, as often as is right on average. Source: P. Micikevicius et al., "Mixed precision training", 2018.
"""

from functools import lru_cache

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, Whole, checked
from accelerator_lib.numerics.sums import accumulate

MOST = 4000  # updates
KEPT_IN = {  # how a weight is kept: (format, rounding)
    "FP32 master": ("fp32", "even"),
    "fp16": ("fp16", "even"),
    "bf16": ("bf16", "even"),
    "bf16, stochastic": ("bf16", "stochastic"),
}


@checked
def updated(updates: Whole(0, MOST), update: Single(Number(low=1e-7, high=1.0)) = 0.001, seed: Count(0, 2**31) = 0):
    """{how it is kept: a weight of 1 after so many equal updates}; updates a number or an array."""
    return {name: _course(name, float(update), seed)[np.asarray(updates, int)] + 0.0 for name in KEPT_IN}


@lru_cache(maxsize=64)
def _course(name, update, seed):
    """The weight before, and after every update."""
    format, mode = KEPT_IN[name]
    terms = np.full(MOST + 1, update)
    terms[0] = 1.0
    return np.array(list(accumulate(terms, format, None, mode, np.random.default_rng(seed))))
