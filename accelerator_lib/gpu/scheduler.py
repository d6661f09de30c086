"""Scheduler: one instruction a cycle, from any warp that is ready. Enough warps, and nobody notices the latency.

    utilization = min(1, warps x loads each may have under way / latency)      (Little's law again)

A warp issues a load when a slot of its own is free; the slot is free again `latency_cycles` later. The scheduler takes
the warp that has waited longest. Ignored: four schedulers, bandwidth, arithmetic between the loads.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.arch import MOST_WARPS
from accelerator_lib.signature import Count, NonNegative, Number, checked

WAITING, READY, ISSUED = range(3)


@dataclass(frozen=True, eq=False)
class Slot:
    """One cycle: what each warp does, and the share of cycles so far that issued something."""

    cycle: int
    doing: np.ndarray  # [warps]: WAITING, READY or ISSUED
    under_way: np.ndarray  # [warps]: loads that have not come back
    issuing: int | None  # the warp that issues; None: none is ready
    utilization: float


@checked
def schedule(
    warps: Count(high=MOST_WARPS) = 4,
    latency_cycles: Count(high=10_000) = 20,
    loads: Count(high=64) = 1,
    cycles: Count(high=100_000) = 60,
):
    """Yield a Slot for each cycle; `loads`: how many one warp may have under way at a time (ILP)."""
    back = np.zeros((warps, loads), dtype=int)  # the cycle in which each slot is free again
    last, issued = np.full(warps, -1), 0
    for cycle in range(cycles):
        ready = (back <= cycle).any(axis=1)
        doing, chosen = np.where(ready, READY, WAITING), None
        if ready.any():
            chosen = min(np.flatnonzero(ready).tolist(), key=lambda warp: (last[warp], warp))
            back[chosen, np.argmax(back[chosen] <= cycle)] = cycle + latency_cycles
            doing[chosen], last[chosen], issued = ISSUED, cycle, issued + 1
        yield Slot(cycle, doing, (back > cycle).sum(axis=1), chosen, issued / (cycle + 1))


@checked
def utilization(warps: NonNegative, latency_cycles: Number(low=1e-3), loads: NonNegative = 1):
    """Share of cycles that issue something, in the long run; numbers or arrays."""
    return np.minimum(1, warps * loads / latency_cycles)
