"""Reuse: from one pass over a trace, the hits of every associativity and of every capacity.

    reuse distance = different lines used since the last use of this one
    a fully associative LRU cache of n lines hits exactly where the distance is below n

Source: R. Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 9(2), 1970.
"""

import numpy as np

from accelerator_lib.inputs import whole
from accelerator_lib.memory.cache import Cache, _lines


def ways_curve(addresses, sets, line_bytes=64, most=16):
    """Hits for 1, 2, ... `most` ways with so many sets, from one pass: the place in the LRU stack says it."""
    stacks, places = {}, np.zeros(whole("most", most, high=1024) + 1, dtype=np.int64)
    mask = Cache(sets, 1, line_bytes).sets - 1
    for line in _lines(addresses, line_bytes).tolist():
        stack = stacks.setdefault(line & mask, [])
        place = stack.index(line) if line in stack else most
        places[place] += 1
        if place < most:
            del stack[place]
        stack.insert(0, line)
        del stack[most:]
    return np.cumsum(places[:most])


def capacity_curve(addresses, line_bytes=64):
    """Hits of a fully associative cache of 1, 2, 3 ... lines, from one pass over the reuse distances."""
    distances = reuse_distances(_lines(addresses, line_bytes))
    again = distances[distances >= 0]
    return np.cumsum(np.bincount(again, minlength=1))


def reuse_distances(lines):
    """For each access, how many different lines were used since the last use of its own; -1 for a first use.

    Counted as pairs, by merging sorted halves (no loop over accesses): with p the place of the last use, the distance
    is the number of places j between p and here whose own last use lies at or before p."""
    _, codes = np.unique(lines, return_inverse=True)
    count = len(codes)
    order = np.argsort(codes, kind="stable")
    last = np.full(count, -1)
    same = codes[order[1:]] == codes[order[:-1]]
    last[order[1:][same]] = order[:-1][same]
    earlier = _smaller_before(last)  # of the places before i, those whose last use is at or before last[i]
    return np.where(last < 0, -1, earlier - (last + 1))


def _smaller_before(values):
    """For each i: how many j < i have values[j] <= values[i]. By blocks of doubling width, each sorted once."""
    count, found, width = len(values), np.zeros(len(values), dtype=np.int64), 1
    while width < count:
        blocks = -(-count // (2 * width))
        padded = np.full(blocks * 2 * width, np.iinfo(np.int64).max)
        padded[:count] = values
        halves = padded.reshape(blocks, 2, width)
        left = np.sort(halves[:, 0], axis=1)
        shift = np.arange(blocks)[:, None] * (count + 2)  # one search for all blocks: each in a range of its own
        keys = (np.minimum(left, count) + shift).ravel()
        wanted = (np.minimum(halves[:, 1], count - 1) + shift).ravel()
        ranks = np.searchsorted(keys, wanted, side="right").reshape(blocks, width) - np.arange(blocks)[:, None] * width
        places = (np.arange(blocks)[:, None] * 2 * width + width + np.arange(width)).ravel()
        inside = places < count
        found[places[inside]] += ranks.ravel()[inside]
        width *= 2
    return found
