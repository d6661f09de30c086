"""Scheduler: one instruction a cycle, from any warp that is ready. Enough warps, and nobody notices the latency.

    utilization = min(1, warps x loads each may have under way / latency)      (Little's law)
    warps that keep the memory busy = bandwidth x latency / (SMs x 32 x bytes a thread has under way)

A warp issues a load when a slot of its own is free; the slot is free again `latency_cycles` later. The scheduler takes
the warp that has waited longest. Ignored: four schedulers, bandwidth, arithmetic between the loads.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import BytesPerS, Count, NonNegative, Number, checked
from accelerator_lib.gpu.arch import MOST_WARPS, WARP_LANES
from accelerator_lib.gpu.grid import Sms

WAITING, READY, ISSUED = range(3)
Warps, Latency = Count(high=MOST_WARPS), Count(high=10_000)
Loads, Cycles = Count(high=64), Count(high=100_000)
Seconds, UnderWay = Number(high=1e6, unit="s"), Number(low=1e-3, high=1e6, unit="B")


@dataclass(frozen=True)
class Load:
    """One load of a warp, under way from the cycle in which it is issued until that in which it is back."""

    warp: int
    number: int  # of this warp's loads, from 1
    slot: int  # which of its places it takes, from 0
    issued: int
    back: int


@dataclass(frozen=True, eq=False)
class Slot:
    """One cycle: what each warp does, and the share of cycles so far that issued something."""

    cycle: int
    doing: np.ndarray  # [warps]: WAITING, READY or ISSUED
    under_way: np.ndarray  # [warps]: loads that have not come back
    issuing: int | None  # the warp that issues; None: none is ready
    utilization: float
    load: Load | None  # what is issued
    until: np.ndarray  # [warps]: the first cycle in which each may issue again


@checked
def schedule(warps: Warps = 4, latency_cycles: Latency = 20, loads: Loads = 1, cycles: Cycles = 60):
    """Yield a Slot for each cycle; `loads`: how many one warp may have under way at a time (ILP)."""
    back = np.zeros((warps, loads), dtype=int)  # the cycle in which each slot is free again
    last, count = np.full(warps, -1), np.zeros(warps, dtype=int)
    for cycle in range(cycles):
        ready = (back <= cycle).any(axis=1)
        doing, chosen, load = np.where(ready, READY, WAITING), None, None
        if ready.any():
            chosen = min(np.flatnonzero(ready).tolist(), key=lambda warp: (last[warp], warp))
            slot = int(np.argmax(back[chosen] <= cycle))
            back[chosen, slot] = cycle + latency_cycles
            doing[chosen], last[chosen], count[chosen] = ISSUED, cycle, count[chosen] + 1
            load = Load(chosen, int(count[chosen]), slot, cycle, cycle + latency_cycles)
        under_way, share = (back > cycle).sum(axis=1), count.sum() / (cycle + 1)
        yield Slot(cycle, doing, under_way, chosen, share, load, back.min(axis=1).clip(cycle + 1))


@checked
def utilization(warps: NonNegative, latency_cycles: Number(low=1e-3), loads: NonNegative = 1):
    """Share of cycles that issue something, in the long run; numbers or arrays."""
    return np.minimum(1, warps * loads / latency_cycles)


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
