"""Amax history: FP8 training scales each tensor by the largest magnitude that it has had, not by that of this step.

    scale = largest number of the format / (2^margin x largest magnitude of the last so many steps)

To know this step's own would take a pass over the data before the product. A value that outgrows the history is
clipped; one that was large once keeps the scale low until it has left the history, and small ones vanish meanwhile.
Source: NVIDIA Transformer Engine, recipe DelayedScaling (amax_history_len = 1024 by default).
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, OneOf, Positive, Single, checked
from accelerator_lib.data import frozen
from accelerator_lib.numerics.formats import FORMATS

STEPS, AT, DRIFT, JITTER = 2000, 700, 2.0, 0.15
EIGHT_BITS = frozen({name: FORMATS[name] for name in ("e4m3", "e5m2")})
Eight = OneOf(EIGHT_BITS)


@dataclass(frozen=True, eq=False)
class Delayed:
    """A tensor's largest magnitude in every step, and the scale that the steps before left for it."""

    amax: np.ndarray
    scales: np.ndarray
    largest: float  # of the format
    least: float

    scaled = property(lambda self: self.amax * self.scales)  # what the largest magnitude became
    share = property(lambda self: self.scaled / self.largest)  # the same in the largest number of the format
    # in which steps something lay beyond the largest number of the format
    clipped = property(lambda self: self.scaled > self.largest * (1 + 1e-12))
    # how many times too large the largest one was
    worst = property(lambda self: float(self.scaled.max() / self.largest))
    # powers of two of the format that a step leaves unused above its largest magnitude; 0 where it is clipped
    headroom_octaves = property(lambda self: np.log2(np.maximum(self.largest / self.scaled, 1)))
    idle_octaves = property(lambda self: float(self.headroom_octaves.mean()))  # the same, mean of all steps


@checked
def delayed(amax: Positive, history: Count(1, 10**5) = 1024, format: Eight = "e4m3", margin: Number(0, 8) = 0):
    """Delayed: scales from the last so many steps before each; the first step begins with its own."""
    amax, form = np.atleast_1d(np.asarray(amax, float)), EIGHT_BITS[format]
    if amax.ndim != 1:
        raise ValueError(f"amax is one number a step; got an array of shape {amax.shape}")
    history = min(history, len(amax))
    before = np.concatenate([np.zeros(history), amax[:-1]])
    known = np.lib.stride_tricks.sliding_window_view(before, history).max(axis=1)
    known[0] = amax[0]
    return Delayed(amax, form.max / (2.0**margin * known), form.max, form.min_subnormal)


CHANGES = {"halves": -1, "doubles": 1}


@checked
def drifted(every: Count(1, 1000), history: Count(1, 1000), change: OneOf(CHANGES)):
    """The largest magnitude after scaling, over the format's largest, of a tensor that steadily halves or doubles."""
    steps = np.arange(history + 1)
    return float(delayed(2.0 ** (CHANGES[change] * steps / every), history).share[-1])


@checked
def magnitudes(spike: Single(Number(1, 1000)) = 16.0, seed: Count(0, 2**31) = 0):
    """Largest magnitudes of a tensor in 2,000 steps: they fall to a quarter, with noise, and step 700 has one spike."""
    draw = np.random.default_rng(seed)
    steps = np.arange(STEPS)
    usual = 2.0 ** (-DRIFT * steps / STEPS + JITTER * draw.standard_normal(STEPS))
    return usual * np.where(steps == AT, spike, 1.0)
