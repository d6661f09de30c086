"""Frames of chapter 3: a layer's two times that run side by side, and a roofline that is built part by part."""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Positive, Record, Single, checked
from accelerator_lib.roofline import Placed, Products, attainable

MOST_MOMENTS = 2000  # of a race, of a step's sweep
PLAYED = 0.4  # seconds for which a state stands while the player plays at normal speed
PARTS = ("axes", "and the bandwidth", "and the peak", "and the dot")


@dataclass(frozen=True)
class Race:
    """A moment of a kernel whose bytes and arithmetic began at once: `seconds` later."""

    placed: Placed
    seconds: float
    step_seconds: float

    # share of the bytes that have arrived
    fetched = property(lambda self: min(1.0, self.seconds / self.placed.memory_seconds))
    fetched_bytes = property(lambda self: self.fetched * self.bytes_moved)
    # share of the arithmetic that is done
    multiplied = property(lambda self: min(1.0, self.seconds / self.placed.compute_seconds))
    bytes_moved = property(lambda self: self.placed.work.bytes_moved(self.placed.dtype))
    done = property(lambda self: self.seconds >= self.placed.seconds)
    # how many times slower than the chip the player is at normal speed
    slowdown = property(lambda self: PLAYED / self.step_seconds)


@checked
def race(placed: Record(Placed), step_seconds: Single(Positive) = 20e-6):
    """Yield a Race every so many seconds, the last one when the kernel has ended."""
    return (Race(placed, now, step_seconds) for now in moments(placed.seconds, step_seconds, "the kernel"))


def moments(seconds, step_seconds, lower):
    """Every so many seconds from 0 on, and the end. Raises ValueError, with what to `lower`, for too many."""
    affordable("moments", seconds / step_seconds, MOST_MOMENTS, lower)
    many = int(np.ceil(seconds / step_seconds * (1 - 1e-12)))
    return *(number * step_seconds for number in range(many)), seconds


@dataclass(frozen=True, eq=False)
class Roof:
    """A kernel under its roof, drawn up to one of PARTS; beside it published products, one of them the kernel."""

    placed: Placed
    scale: str = "logarithmic"  # or "linear"
    drawn: str = PARTS[-1]
    found: Products | None = None
    chosen: int = 0  # which of them the kernel is
    turns: bool = False  # whether the line of kernels that hide nothing is drawn, too

    parts = property(lambda self: PARTS.index(self.drawn) + 1)  # how many of PARTS are drawn

    def in_turns(self, intensity):
        """Throughput [FLOP/s] where fetching and arithmetic take turns."""
        return attainable(intensity, self.placed.peak, self.placed.bandwidth, overlap=False)

    # what the chosen product reached [FLOP/s]
    measured = property(lambda self: float(self.found.flops_per_s[self.chosen]))
    measured_share = property(lambda self: self.measured / self.placed.peak)  # that, as a share of the peak
