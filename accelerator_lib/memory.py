"""Memory: what every level delivers, how much must be under way, what an access and a transfer cost.

    bandwidth of a level = units x bytes per clock x clock
    bytes in flight      = bandwidth x latency                         (Little's law)
    average access       = L1 + misses1 x (L2 + misses2 x memory)      (AMAT; hit rates local to each level)
    n copies and n steps = first copy + last step + (n - 1) x the slower of the two, when they overlap

Caches are in cache.py (Cache, replay, walk are also here), published levels of chips in levels.py.
Source of Little's law: J. Little, "A proof for the queuing formula L = λW", Operations Research 9(3), 1961.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.cache import Cache, census, replay, walk
from accelerator_lib.inputs import flag, number, share, whole
from accelerator_lib.traced import Traced, chain

__all__ = [
    "Cache",
    "Traced",
    "amat",
    "bytes_in_flight",
    "census",
    "chain",
    "level_bytes_per_s",
    "operand_bytes_per_s",
    "pipelined_seconds",
    "replay",
    "tank",
    "timeline",
    "transfer_seconds",
    "walk",
]

LANES = 32  # threads of a warp


def operand_bytes_per_s(units, lanes, clock_hz, operands=3, operand_bytes=4):
    """Register reads [B/s] that keep every lane busy: each reads so many operands every clock. A lower bound."""
    lanes = whole("units", units) * whole("lanes", lanes)
    return lanes * number("clock_hz", clock_hz) * number("operands", operands) * number("operand_bytes", operand_bytes)


def level_bytes_per_s(units, bytes_per_clock, clock_hz):
    """Bandwidth [B/s] of a level with so many units of so many bytes per clock."""
    return whole("units", units) * number("bytes_per_clock", bytes_per_clock) * number("clock_hz", clock_hz)


def bytes_in_flight(bytes_per_s, seconds):
    """Bytes that must be under way at every moment to sustain a bandwidth over a latency."""
    return number("bytes_per_s", bytes_per_s) * number("seconds", seconds)


def amat(levels, final):
    """Average memory access time in the latencies' unit: levels [(latency, local hit rate), ...], then `final`."""
    time, reach = 0.0, 1.0
    pairs = isinstance(levels, (list, tuple)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in levels
    )
    if not pairs:
        raise TypeError(f"levels must be pairs such as [(4, 0.9), (14, 0.8)]: latency and hit rate; got {levels!r}")
    for latency, hit_rate in levels:
        time += reach * number("latency", latency, low=0)
        reach *= 1 - share("hit_rate", hit_rate)
    return time + reach * number("final", final, low=0)


def transfer_seconds(bytes_moved, bytes_per_s, latency_seconds=0.0):
    """Time [s] of one transfer: what it costs to start, then the bytes."""
    start = number("latency_seconds", latency_seconds, low=0)
    return start + number("bytes_moved", bytes_moved, low=0) / number("bytes_per_s", bytes_per_s)


def pipelined_seconds(chunks, copy_seconds, compute_seconds, overlap=True):
    """Time [s] of so many chunks, each copied and then worked on; with overlap the next copy runs beside the work."""
    chunks = whole("chunks", chunks)
    copy, work = (
        number(n, v, low=0) for n, v in (("copy_seconds", copy_seconds), ("compute_seconds", compute_seconds))
    )
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


def timeline(chunks, copy_seconds, compute_seconds, overlap=True):
    """Timeline by playing it: a copy waits for the link, work waits for its copy and for the work before."""
    copy, work = (
        number(n, v, low=0) for n, v in (("copy_seconds", copy_seconds), ("compute_seconds", compute_seconds))
    )
    copies, works, link, unit = [], [], 0.0, 0.0
    for _ in range(whole("chunks", chunks, high=10_000)):
        copies.append(link)
        link += copy
        works.append(max(link, unit))
        unit = works[-1] + work
        link = link if flag("overlap", overlap) else unit
    return Timeline(np.array(copies), np.array(works), copy, work)


@dataclass(frozen=True)
class Tank:
    """Little's law on a GPU: what must be in flight, and what the warps keep there."""

    needed_bytes: float
    held_bytes: float
    warps_needed: int  # for each SM

    @property
    def share(self):
        """Share of the bandwidth that is reached, at most one."""
        return min(1.0, self.held_bytes / self.needed_bytes)


def tank(seconds=284e-9, bytes_per_s=2.039e12, bytes_per_thread=4, warps=32, sms=108):
    """Tank of a chip whose warps each have one load of so many bytes a thread under way."""
    needed = bytes_in_flight(bytes_per_s, seconds)
    one = whole("sms", sms) * LANES * number("bytes_per_thread", bytes_per_thread)
    return Tank(needed, whole("warps", warps) * one, int(np.ceil(needed / one)))
