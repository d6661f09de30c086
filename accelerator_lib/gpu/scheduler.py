"""Scheduler: one instruction a cycle, from any warp that is ready. Enough warps, and nobody notices the latency.

    utilization = min(1, warps x loads each may have under way / latency)      (Little's law again)

A warp issues a load when a slot of its own is free; the slot is free again `latency` cycles later. The scheduler takes
the warp that has waited longest. Ignored: four schedulers, bandwidth, arithmetic between the loads.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import count, real

WAITING, READY, ISSUED = range(3)


@dataclass(frozen=True, eq=False)
class Slot:
    """One cycle: what each warp does, and the share of cycles so far that issued something."""

    cycle: int
    doing: np.ndarray  # [warps]: WAITING, READY or ISSUED
    under_way: np.ndarray  # [warps]: loads that have not come back
    utilization: float


def schedule(warps=4, latency=20, loads=1, cycles=60):
    """Yield a Slot for each cycle; `loads`: how many one warp may have under way at a time (ILP)."""
    warps, latency = count("warps", warps, high=64), count("latency", latency, high=10_000)
    loads, cycles = count("loads", loads, high=64), count("cycles", cycles, high=100_000)
    return _run(warps, latency, loads, cycles)


def _run(warps, latency, loads, cycles):
    back = np.zeros((warps, loads), dtype=int)  # the cycle in which each slot is free again
    last, issued = np.full(warps, -1), 0
    for cycle in range(cycles):
        ready = (back <= cycle).any(axis=1)
        doing = np.where(ready, READY, WAITING)
        if ready.any():
            chosen = min(np.flatnonzero(ready), key=lambda warp: (last[warp], warp))
            back[chosen, np.argmax(back[chosen] <= cycle)] = cycle + latency
            doing[chosen], last[chosen], issued = ISSUED, cycle, issued + 1
        yield Slot(cycle, doing, (back > cycle).sum(axis=1), issued / (cycle + 1))


def utilization(warps, latency, loads=1):
    """Share of cycles that issue something, in the long run; numbers or arrays."""
    under_way = real("warps", warps, low=0) * real("loads", loads, low=0)
    return np.minimum(1, under_way / real("latency", latency, low=1e-3))
