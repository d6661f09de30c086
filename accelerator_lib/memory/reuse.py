"""Reuse: from one pass over a trace, the hits of every associativity and of every capacity.

    reuse distance = different lines used since the last use of this one
    a fully associative LRU cache of n lines hits exactly where the distance is below n

Source: R. Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 9(2), 1970.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.memory.addresses import Trace
from accelerator_lib.memory.cache import PowerOfTwo, used_sets

MOST_ACCESSES, MOST_COMPARED = 2**23, 2**26  # some seconds each


@checked
def ways_curve(addresses: Trace, sets: PowerOfTwo, line_bytes: PowerOfTwo = 64, most: Count(high=1024) = 16):
    """Hits for 1, 2, ... `most` ways with so many sets, from one pass: the place in the LRU stack says it."""
    affordable("compared lines", len(addresses) * most, MOST_COMPARED, "most, or the length of the trace")
    lines = addresses // line_bytes
    used_sets(lines, sets)
    stacks, places = {}, np.zeros(most + 1, dtype=np.int64)
    for line in lines.tolist():
        stack = stacks.setdefault(line & (sets - 1), [])
        place = stack.index(line) if line in stack else most
        places[place] += 1
        if place < most:
            del stack[place]
        stack.insert(0, line)
        del stack[most:]
    return np.cumsum(places[:most])


@checked
def capacity_curve(addresses: Trace, line_bytes: PowerOfTwo = 64):
    """Hits of a fully associative cache of 1, 2, 3 ... lines, from one pass over the reuse distances."""
    distances = reuse_distances(addresses // line_bytes)
    again = distances[distances >= 0].astype(np.intp)  # as bincount counts, in a browser as well
    return np.cumsum(np.bincount(again, minlength=1))


@dataclass(frozen=True, eq=False)
class Reuse:
    """What one pass over a trace says about LRU caches of all sizes."""

    accesses: int
    line_bytes: int
    sets: int
    lines_curve: np.ndarray  # hits of a fully associative cache of 1, 2, 3 ... lines
    sets_curve: np.ndarray  # hits of a cache of so many `sets`, with 1, 2, 3 ... ways

    def hit_rate(self, capacity_bytes):
        """Share of hits in a fully associative cache; scalars or arrays."""
        lines = np.clip(np.asarray(capacity_bytes) // self.line_bytes, 1, len(self.lines_curve))
        return self.lines_curve[lines.astype(int) - 1] / self.accesses

    def hit_rate_in_sets(self, capacity_bytes):
        """Share of hits with the sets as they are: as many whole ways as fit. NaN below one way and above the last."""
        ways = np.asarray(capacity_bytes) // (self.line_bytes * self.sets)
        known = (ways >= 1) & (ways <= len(self.sets_curve))
        place = np.where(known, ways, 1).astype(int) - 1
        return np.where(known, self.sets_curve[place] / self.accesses, np.nan)

    # the smallest fully associative cache that hits as often as any larger one
    enough_bytes = property(lambda self: (int(np.argmax(self.lines_curve)) + 1) * self.line_bytes)


@checked
def profile(addresses: Trace, sets: PowerOfTwo = 64, line_bytes: PowerOfTwo = 64):
    """Reuse of a trace."""
    if not addresses.size:
        raise ValueError("a trace needs one access at least")
    curves = capacity_curve(addresses, line_bytes), ways_curve(addresses, sets, line_bytes)
    return Reuse(len(addresses), line_bytes, sets, *curves)


@checked
def reuse_distances(lines: Trace):
    """For each access, how many different lines were used since the last use of its own; -1 for a first use.
    Counted as pairs, by merging sorted halves (no loop over accesses): with p the place of the last use, the distance
    is the number of places j between p and here whose own last use lies at or before p."""
    affordable("accesses", len(lines), MOST_ACCESSES, "the length of the trace")
    _, codes = np.unique(lines, return_inverse=True)
    count = len(codes)
    order = np.argsort(codes, kind="stable")
    last = np.full(count, -1, np.int64)
    same = codes[order[1:]] == codes[order[:-1]]
    last[order[1:][same]] = order[:-1][same]
    earlier = _smaller_before(last)  # of the places before i, those whose last use is at or before last[i]
    return np.where(last < 0, -1, earlier - (last + 1))


def _smaller_before(values):
    """For each i: how many j < i have values[j] <= values[i]. By blocks of doubling width, each sorted once."""
    count, found, width = len(values), np.zeros(len(values), dtype=np.int64), 1
    while width < count:
        blocks = -(-count // (2 * width))
        padded = np.full(blocks * 2 * width, np.iinfo(np.int64).max, np.int64)
        padded[:count] = values
        halves = padded.reshape(blocks, 2, width)
        left = np.sort(halves[:, 0], axis=1)
        block = np.arange(blocks, dtype=np.int64)[:, None]  # NumPy's own integers have 32 bits in a browser
        shift = block * (count + 2)  # one search for all blocks: each in a range of its own
        keys = (np.minimum(left, count) + shift).ravel()
        wanted = (np.minimum(halves[:, 1], count - 1) + shift).ravel()
        ranks = np.searchsorted(keys, wanted, side="right").reshape(blocks, width) - block * width
        places = (block * 2 * width + width + np.arange(width)).ravel()
        inside = places < count
        found[places[inside]] += ranks.ravel()[inside]
        width *= 2
    return found
