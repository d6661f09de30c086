"""Habits: one kernel timed in five ways, of which one is right."""

from dataclasses import dataclass

import numpy as np

from accelerator_course.measure import kernels
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.machine import timing
from accelerator_lib.machine.progress import Progress
from accelerator_lib.recorded import or_recorded

EDGES = {"small": 64, "medium": 256, "large": 512}  # square products in fp32
WARM = 4  # waited-for runs that are not counted yet
WAYS = {
    "the first call": lambda history: history.first,
    "asked for, not waited for": lambda history: history.asked,
    "mean of all calls": lambda history: float(np.mean([history.first, *history.seconds])),
    "the best run": lambda history: min(history.seconds),
    "median, warmed up": lambda history: median(history),
}


@dataclass(frozen=True)
class Reported:
    """What one way of timing prints of a kernel."""

    kernel: str
    way: str
    seconds: float
    history: timing.History
    median: float
    low: float  # between low and high lie the middle 80 % of the warm runs
    high: float

    warm = property(lambda self: len(_warm(self.history)))  # how many calls the median and the middle 80 % are of
    factor = property(lambda self: self.seconds / self.median)  # what was printed, of the median
    close = property(lambda self: 0.9 < self.factor < 1.1)  # whether it is within a tenth of the median


def habits(runs=24, timer=timing.history):
    """Time square products of each size: yields Progress, about a second in all."""
    return _timed(runs) if timer is timing.history else _habits(runs, timer)


@or_recorded
def _timed(runs):
    yield from _habits(runs, timing.history)


def _habits(runs, timer):
    found = {}
    for kernel, edge in EDGES.items():
        yield Progress(len(found) / len(EDGES), f"{kernel} product, {edge} × {edge}")
        function, *arrays = kernels.product(edge, edge, edge, "fp32").make()
        found[kernel] = timer(function, *arrays, runs=runs)
    yield Progress(1.0, "done", found)


def median(history):
    """Median of the runs after the first few [s]."""
    return float(np.median(_warm(history)))


def _warm(history):
    return history.seconds[WARM:] or history.seconds


def reported(kernel, history, way="median, warmed up"):
    """Reported of a kernel's History."""
    low, high = np.quantile(_warm(history), (0.1, 0.9)).tolist()
    return Reported(kernel, way, WAYS[one_of("way", way, WAYS)](history), history, median(history), low, high)
