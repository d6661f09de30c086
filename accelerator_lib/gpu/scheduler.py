"""Scheduler: one instruction a cycle, from any warp that is ready. Enough warps, and nobody notices the wait.

    warps that cover a wait = ceil((work + wait) / work)       work: cycles that a warp issues between two waits
    warps that keep the memory busy = bandwidth x latency / (SMs x 32 x bytes a thread has under way)

The warp that has been ready longest issues until it waits. Ignored: waits within the work, different latencies.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import BytesPerS, Count, NonNegative, Number, checked
from accelerator_lib.gpu.arch import MOST_WARPS, WARP_LANES
from accelerator_lib.gpu.grid import Sms

Warps, Cycles = Count(high=MOST_WARPS), Count(high=100_000)
Seconds, UnderWay = Number(high=1e6, unit="s"), Number(low=1e-3, high=1e6, unit="B")


@dataclass(frozen=True)
class Burst:
    """Instructions that a warp issues in a row, from cycle `begin` until `end`; it waits from then until `back`."""

    warp: int
    begin: int
    end: int
    back: int


@checked
def bursts(warps: Warps, work: Cycles, wait: Cycles, cycles: Cycles):
    """The Bursts of one scheduler that begin before a cycle, in order."""
    ready, now, found = [0] * warps, 0, []
    while now < cycles:
        warp = min(range(warps), key=lambda one: (ready[one], one))
        now = max(now, ready[warp])
        if now < cycles:
            found.append(Burst(warp, now, now + work, now + work + wait))
            now, ready[warp] = found[-1].end, found[-1].back
    return tuple(found)


@checked
def warps_to_cover(work: Cycles, wait: Cycles):
    """Warps of one scheduler with which some warp is always ready."""
    return -(-(work + wait) // work)


@checked
def warps_to_saturate(bytes_per_s: BytesPerS, latency_seconds: Seconds, sms: Sms, bytes_per_thread: UnderWay):
    """Warps on each SM that keep the memory busy, when every thread has so many bytes under way (Little's law)."""
    warps = np.ceil(bytes_per_s * latency_seconds / (sms * WARP_LANES * bytes_per_thread))
    return warps if np.ndim(warps) else int(warps)


@checked
def bandwidth_share(
    bytes_per_s: BytesPerS, latency_seconds: Seconds, sms: Sms, bytes_per_thread: UnderWay, warps: NonNegative
):
    """Share of the bandwidth that so many warps on each SM reach; scalars or arrays of warps."""
    return np.minimum(1, warps * sms * WARP_LANES * bytes_per_thread / (bytes_per_s * latency_seconds))
