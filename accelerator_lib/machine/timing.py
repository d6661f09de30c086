"""Timing: the seconds of one run of a jitted function, and what XLA counts in it.

It is compiled and run once before the clock starts; times are medians of repeats, each waited for.
"""

import time
from dataclasses import dataclass

import numpy as np

from accelerator_lib import settings
from accelerator_lib.workload.xla import cost

MOST_CALLS = 200  # asked for at once: more would fill a device's queue


@dataclass(frozen=True)
class Timing:
    """Seconds of one run: the median, and where the middle 80 % of the repeats lie."""

    seconds: float
    low: float
    high: float
    repeats: int
    calls: int = 1  # runs in each repeat, asked for one after the other and waited for together

    spread = property(lambda self: (self.high - self.low) / self.seconds)  # width of the middle 80 % over the median


def run(function, *arguments, in_place=False, budget_s=None, span_s=0.0):
    """Compile, warm up, repeat for a while: (XLA's cost, Timing).
    In place, the result takes over the memory of the first argument (donation): handing out fresh pages costs more than
    the stream itself. budget_s: seconds of repeating (None: 0.6, 0.03 in short mode), at least three runs; span_s: as
    many runs are asked for before one waits as fill so long."""
    import jax

    lowered = jax.jit(function, donate_argnums=(0,) if in_place else ()).lower(*arguments)
    compiled = lowered.compile()
    first, *others = arguments

    def once(calls=1):
        nonlocal first
        begin = time.perf_counter()
        for _ in range(calls):
            result = compiled(first, *others)
            first = result if in_place else first
        jax.block_until_ready(result)
        return (time.perf_counter() - begin) / calls

    once()
    budget, least = (0.03, 3) if settings.short() else (0.6, 7)
    if budget_s is not None:
        budget, least = budget_s, 3
    calls = min(MOST_CALLS, max(1, round(span_s / max(once(), 1e-7)))) if span_s else 1
    seconds, start = [], time.perf_counter()
    while len(seconds) < least or (time.perf_counter() - start < budget and len(seconds) < 1000):
        seconds.append(once(calls))
    low, median, high = np.quantile(seconds, (0.1, 0.5, 0.9)).tolist()
    return cost(compiled) or cost(lowered), Timing(median, low, high, len(seconds), calls)


@dataclass(frozen=True)
class History:
    """A function call by call: the first, which compiles; one that was not waited for; then each, waited for [s]."""

    first: float
    asked: float
    seconds: tuple


def history(function, *arguments, runs=24):
    """History of a function that is jitted here: what a clock finds that is read at the wrong moment, too."""
    import jax

    jitted = jax.jit(function)

    def once():
        begin = time.perf_counter()
        result = jitted(*arguments)
        asked = time.perf_counter() - begin
        jax.block_until_ready(result)
        return asked, time.perf_counter() - begin

    jax.block_until_ready(arguments)
    first = once()[1]
    seconds = tuple(once()[1] for _ in range(runs))
    return History(first, min(once()[0] for _ in range(3)), seconds)
