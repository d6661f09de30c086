"""Transfer: copies, and copies beside work.

one transfer         = start + bytes / bandwidth
n copies and n steps = first copy + last step + (n - 1) x the slower of the two, when they overlap
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import BytesPerS, Count, Number, Single, checked

Chunks = Count(high=10_000)
Moved, Waited = Number(low=0, unit="B"), Number(low=0, unit="s")  # nothing to move, or no work beside it, is allowed


@checked
def transfer_seconds(bytes_moved: Moved, bytes_per_s: BytesPerS, latency_seconds: Waited = 0.0):
    """Time [s] of one transfer: what it costs to start, then the bytes."""
    return latency_seconds + bytes_moved / bytes_per_s


@dataclass(frozen=True)
class Timeline:
    """When each chunk is copied and worked on [s]; arrays of start times."""

    copy_starts: np.ndarray
    work_starts: np.ndarray
    copy_seconds: float
    work_seconds: float

    seconds = property(lambda self: float(self.work_starts[-1]) + self.work_seconds)

    @property
    def each(self):
        """Time of one chunk once it runs steadily [s]."""
        return float(self.work_starts[-1] - self.work_starts[-2]) if len(self.work_starts) > 1 else self.seconds

    # which of the two sets the pace: "copies" or "work"
    slower = property(lambda self: "copies" if self.copy_seconds > self.work_seconds else "work")


@checked
def timeline(chunks: Chunks, copy_seconds: Single(Waited), compute_seconds: Single(Waited), buffers: Count() = None):
    """Timeline by playing it: a copy waits for the link and a free buffer, work for its copy and the last work.
    One buffer: nothing overlaps, each chunk takes the sum of the two. Two or more: the larger. None: one a chunk."""
    buffers = chunks if buffers is None else buffers
    copies, works, link, unit = [], [], 0.0, 0.0
    for chunk in range(chunks):
        free = works[chunk - buffers] + compute_seconds if chunk >= buffers else 0.0  # when its buffer was last read
        copies.append(max(link, free))
        link = copies[-1] + copy_seconds
        works.append(max(link, unit))
        unit = works[-1] + compute_seconds
    return Timeline(np.array(copies), np.array(works), copy_seconds, compute_seconds)
