"""Timing: the seconds of one run of a jitted function, and what XLA counts in it.

It is compiled and run once before the clock starts; times are medians of repeats, each waited for.
"""

import time
from dataclasses import dataclass

import numpy as np

from accelerator_lib import settings
from accelerator_lib.workload.xla import cost


@dataclass(frozen=True)
class Timing:
    """Seconds of one run: the median, and where the middle 80 % of the repeats lie."""

    seconds: float
    low: float
    high: float
    repeats: int

    @property
    def spread(self):
        """Width of the middle 80 % over the median."""
        return (self.high - self.low) / self.seconds


def run(function, *arguments, in_place=False):
    """Compile, warm up, repeat for a while: (XLA's cost, Timing).

    In place, the result takes over the memory of the first argument (donation): else the clock would count the
    operating system handing out fresh pages, which costs more than the stream itself.
    """
    import jax

    lowered = jax.jit(function, donate_argnums=(0,) if in_place else ()).lower(*arguments)
    compiled = lowered.compile()
    first, *others = arguments

    def once():
        nonlocal first
        begin = time.perf_counter()
        result = jax.block_until_ready(compiled(first, *others))
        seconds = time.perf_counter() - begin
        first = result if in_place else first
        return seconds

    once()
    budget, least = (0.03, 3) if settings.short() else (0.6, 7)
    seconds, start = [], time.perf_counter()
    while len(seconds) < least or (time.perf_counter() - start < budget and len(seconds) < 1000):
        seconds.append(once())
    low, median, high = np.quantile(seconds, (0.1, 0.5, 0.9)).tolist()
    return cost(compiled) or cost(lowered), Timing(median, low, high, len(seconds))
