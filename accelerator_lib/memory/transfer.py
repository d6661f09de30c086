"""Transfer: copies, and copies beside work.

one transfer         = start + bytes / bandwidth
n copies and n steps = first copy + last step + (n - 1) x the slower of the two, when they overlap
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import flag, real, whole


def transfer_seconds(bytes_moved, bytes_per_s, latency_seconds=0.0):
    """Time [s] of one transfer: what it costs to start, then the bytes."""
    start = real("latency_seconds", latency_seconds, low=0)
    return start + real("bytes_moved", bytes_moved, low=0) / real("bytes_per_s", bytes_per_s)


def pipelined_seconds(chunks, copy_seconds, compute_seconds, overlap=True):
    """Time [s] of so many chunks, each copied and then worked on; with overlap the next copy runs beside the work."""
    chunks = whole("chunks", chunks)
    copy, work = (real(n, v, low=0) for n, v in (("copy_seconds", copy_seconds), ("compute_seconds", compute_seconds)))
    if not flag("overlap", overlap):
        return chunks * (copy + work)
    return copy + work + (chunks - 1) * np.maximum(copy, work)


@dataclass(frozen=True)
class Timeline:
    """When each chunk is copied and worked on [s]; arrays of start times."""

    copy_starts: np.ndarray
    work_starts: np.ndarray
    copy_seconds: float
    work_seconds: float

    @property
    def seconds(self):
        return float(self.work_starts[-1]) + self.work_seconds

    @property
    def each(self):
        """Time of one chunk once it runs steadily [s]."""
        return float(self.work_starts[-1] - self.work_starts[-2]) if len(self.work_starts) > 1 else self.seconds


def timeline(chunks, copy_seconds, compute_seconds, buffers=None):
    """Timeline by playing it: a copy waits for the link and a free buffer, work for its copy and the last work.

    One buffer: nothing overlaps, each chunk takes the sum of the two. Two or more: the larger. None: one a chunk.
    """
    chunks = whole("chunks", chunks, high=10_000)
    buffers = chunks if buffers is None else whole("buffers", buffers, high=10_000)
    copy, work = (real(n, v, low=0) for n, v in (("copy_seconds", copy_seconds), ("compute_seconds", compute_seconds)))
    copies, works, link, unit = [], [], 0.0, 0.0
    for chunk in range(chunks):
        free = works[chunk - buffers] + work if chunk >= buffers else 0.0  # when its buffer was last read
        copies.append(max(link, free))
        link = copies[-1] + copy
        works.append(max(link, unit))
        unit = works[-1] + work
    return Timeline(np.array(copies), np.array(works), copy, work)
