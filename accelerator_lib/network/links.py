"""Links and collectives in seconds: a step costs its latency alpha [s] and its bytes S, at B one way.
    one message       alpha + S / B
    all-gather, ring  (n-1)/n S/B + (n-1) alpha          S: the whole that every rank ends with
    all-reduce        ring       2(n-1)/n S/B + 2(n-1) alpha
                      halving    2(n-1)/n S/B + 2 log2(n) alpha       n = 2^k, and any two ranks one switch apart
                      direct     (n-1) S/B + alpha                    everybody sends all to everybody
                      switch     (n+1)/n S/B + 2 alpha                the switch adds (nccl-tests, pull request 239)
Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Bytes, BytesPerS, Number, OneOf, Single, Whole, checked

ALGORITHMS = ("ring", "halving", "direct", "switch")
Ranks = Whole(1, 10**7)
StepSeconds = Number(low=0, high=1e3, unit="s")
Algorithm = OneOf(ALGORITHMS)
LINKS = data.frozen({link["id"]: link for link in data.load("memory_levels")["links"]})  # to the host's memory
OneSize, OneRanks, OneRate, OneStep = map(Single, (Bytes, Ranks, BytesPerS, StepSeconds))


@checked
def message_seconds(bytes_moved: Bytes, bytes_per_s: BytesPerS, step_seconds: StepSeconds = 0.0):
    """Time [s] of one message over one link: its latency, then its bytes; numbers or arrays."""
    return step_seconds + bytes_moved / bytes_per_s


@checked
def ring_all_gather_seconds(bytes_moved: Bytes, n: Ranks, bytes_per_s: BytesPerS, step_seconds: StepSeconds = 0.0):
    """Time [s] until each of n ranks has the whole of `bytes_moved`; a reduce-scatter takes as long. Arrays, too."""
    return (n - 1) / n * bytes_moved / bytes_per_s + (n - 1) * step_seconds


@checked
def ring_all_reduce_seconds(bytes_moved: Bytes, n: Ranks, bytes_per_s: BytesPerS, step_seconds: StepSeconds = 0.0):
    """Time [s] until each of n ranks has the sum, around a ring; `bytes_per_s` is one way of one link. Arrays, too."""
    return 2 * (n - 1) / n * bytes_moved / bytes_per_s + 2 * (n - 1) * step_seconds


@checked
def all_reduce_seconds(
    bytes_moved: Bytes, n: Ranks, bytes_per_s: BytesPerS, step_seconds: StepSeconds = 0.0, algorithm: Algorithm = "ring"
):
    """Time [s] of an all-reduce by one of four algorithms; "halving" raises ValueError where n is no power of two."""
    sent, steps = all_reduce_counts(n, algorithm)
    return sent * bytes_moved / bytes_per_s + steps * step_seconds


@checked
def all_reduce_counts(n: Ranks, algorithm: Algorithm = "ring"):
    """(what every rank sends, in sizes of its array; steps) of an all-reduce of n ranks; numbers or arrays."""
    several = np.asarray(n) > 1
    sent, steps = 2 * (n - 1) / n, 2 * (n - 1)
    if algorithm == "halving":
        steps = 2 * _log2(n)
    elif algorithm != "ring":
        sent, steps = (n - 1, 1 * several) if algorithm == "direct" else ((n + 1) / n * several, 2 * several)
    return _plain(sent), _plain(steps)


@dataclass(frozen=True)
class Two:  # two times [s] of which one is the longer
    names: tuple
    times: tuple
    seconds = property(lambda self: sum(self.times))
    longer = property(lambda self: self.names[self.times.index(max(self.times))])
    shorter = property(lambda self: self.names[self.times.index(min(self.times))])
    longer_seconds = property(lambda self: max(self.times))
    shorter_seconds = property(lambda self: min(self.times))
    second_share = property(lambda self: self.times[1] / self.seconds if self.seconds else 0.0)


@checked
def ring_parts(bytes_moved: OneSize, n: OneRanks, bytes_per_s: OneRate, step_seconds: OneStep):
    """Two times of an all-reduce around a ring: of its bytes and of its steps."""
    sent, steps = all_reduce_counts(n)
    return Two(("bytes", "steps"), (sent * bytes_moved / bytes_per_s, steps * step_seconds))


@checked
def halving_or_direct(bytes_moved: OneSize, n: OneRanks, bytes_per_s: OneRate, step_seconds: OneStep):
    """Two times of an all-reduce: by halving and doubling, and directly. Raises ValueError as all_reduce_seconds."""
    given = bytes_moved, n, bytes_per_s, step_seconds
    return Two(("halving", "direct"), tuple(all_reduce_seconds(*given, way) for way in ("halving", "direct")))


@checked
def two_tiers(
    bytes_moved: OneSize,
    inner: OneRanks,
    outer: OneRanks,
    inner_bytes_per_s: OneRate,
    outer_bytes_per_s: OneRate,
    inner_step_seconds: OneStep = 0.0,
    outer_step_seconds: OneStep = 0.0,
):
    """Two times of an all-reduce over `outer` nodes of `inner` chips, by three rings: inside the nodes and across."""
    inside = 2 * ring_all_gather_seconds(bytes_moved, inner, inner_bytes_per_s, inner_step_seconds)
    across = ring_all_reduce_seconds(bytes_moved / inner, outer, outer_bytes_per_s, outer_step_seconds)
    return Two(("inside", "across"), (inside, across))


@checked
def hierarchical_all_reduce_seconds(
    bytes_moved: OneSize, inner: OneRanks, outer: OneRanks, inner_bytes_per_s: OneRate, outer_bytes_per_s: OneRate
):
    """Time [s] of both of two_tiers, where no step has a time of its own."""
    return two_tiers(bytes_moved, inner, outer, inner_bytes_per_s, outer_bytes_per_s).seconds


@dataclass(frozen=True)
class HostLink:  # a link to the host's memory: rates [B/s]
    name: str
    printed: float  # the number of the datasheet, whatever it counts
    one_way: float
    measured: float


@checked
def host_link(id: OneOf(LINKS)):
    """HostLink of an id: pcie-3, pcie-4, pcie-5, nvlink-c2c."""
    link = LINKS[id]
    measured = data.rows("link_bandwidth")[link["measured"]]["value"] * 1e9
    return HostLink(link["name"], link.get("both_ways_bytes_per_s", link["bytes_per_s"]), link["bytes_per_s"], measured)


def _log2(n):
    powers = np.log2(n)
    if np.any(powers != np.round(powers)):
        wrong = np.atleast_1d(n)[np.atleast_1d(powers != np.round(powers))][0]
        raise ValueError(f"halving and doubling needs n to be a power of two (1, 2, 4, 8, ...), not {wrong:g}")
    return np.round(powers)


def _plain(value):
    return value if np.ndim(value) else float(value)
