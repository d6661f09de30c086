"""Stages: buffers in flight, which hide how long a copy takes to arrive.

    each    = max(arithmetic, transfer, (latency + transfer + arithmetic) / buffers)        a tile, in the long run
    enough  = ceil((latency + transfer + arithmetic) / max(arithmetic, transfer))           buffers

A copy is asked for when its buffer is free. Its latency passes while others are under way; then it has the link to
itself for its transfer.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, checked

Tiles, Wait, Work = Count(high=10_000), Single(Number(low=0, unit="s")), Single(Number(low=1e-12, unit="s"))


@dataclass(frozen=True, eq=False)
class Staged:
    """When each tile was asked for, when its transfer and its arithmetic began [s]; arrays, and what each takes."""

    asked: np.ndarray
    transfers: np.ndarray
    works: np.ndarray
    latency_seconds: float
    transfer_seconds: float
    work_seconds: float
    buffers: int

    # how long one buffer is taken by one tile, from asking for it until it is used up [s]
    around = property(lambda self: self.latency_seconds + self.transfer_seconds + self.work_seconds)
    # time of one tile in the long run [s]
    each = property(lambda self: max(self.work_seconds, self.transfer_seconds, self.around / self.buffers))
    # share of the time in which the arithmetic works, in the long run
    busy = property(lambda self: self.work_seconds / self.each)
    # fewest buffers with which more of them bring nothing
    enough = property(lambda self: ceil(round(self.around / max(self.work_seconds, self.transfer_seconds), 9)))


@checked
def staged(tiles: Tiles, latency_seconds: Wait, transfer_seconds: Wait, work_seconds: Work, buffers: Count() = 2):
    """Staged by playing it: a copy waits for its buffer and the link, work for its copy and the work before."""
    asked, transfers, works = [], [], []
    for tile in range(tiles):
        asked.append(works[tile - buffers] + work_seconds if tile >= buffers else 0.0)
        link = transfers[-1] + transfer_seconds if tile else 0.0
        transfers.append(max(asked[-1] + latency_seconds, link))
        unit = works[-1] + work_seconds if tile else 0.0
        works.append(max(transfers[-1] + transfer_seconds, unit))
    times = (np.array(each) for each in (asked, transfers, works))
    return Staged(*times, latency_seconds, transfer_seconds, work_seconds, buffers)
