"""Hierarchy: caches in a row before a memory, access by access.

An access looks into one cache after the other; its time is the sum of the latencies down to where it is found.

    average = L1 + misses1 x (L2 + misses2 x memory)        miss rates are local to each level
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable, described
from accelerator_lib.checks.signature import Given, NonNegative, Share, checked
from accelerator_lib.memory.addresses import looped, whole_address
from accelerator_lib.memory.cache import ACache

MOST = 4096  # lines that are told of after each access: places of all caches here, lines of memory where one watches


@dataclass(frozen=True)
class Access:
    """One access to caches in a row. `level` is where it was found, the number of caches meaning memory; `contents` are
    the lines of each cache, [sets, ways], the one used last first, -1 for an empty place."""

    number: int
    address: int
    level: int
    places: tuple  # (set, line) of the address in each cache
    evicted: tuple  # (cache, line) that had to go
    contents: tuple
    found: tuple  # accesses so far found in each cache, and in memory
    cost: float  # of this access, in the unit of the latencies
    time: float  # of all accesses so far

    hits = property(lambda self: sum(self.found[:-1]))  # accesses so far that were found in any of the caches
    average = property(lambda self: self.time / (self.number + 1))  # time of an access so far, on average


def caches_in_a_row(caches):
    """A tuple of Caches, or one clear line."""
    if not isinstance(caches, (list, tuple)):
        raise TypeError(f"caches must be a tuple of them, nearest first; got {described(caches)}")
    return tuple(ACache("cache", cache) for cache in caches)


@checked
def chain(addresses, caches: Given("Caches, nearest first", caches_in_a_row), latencies: NonNegative = (4, 14, 200)):
    """Yield an Access for every access. Caches are inclusive: what leaves a larger one leaves the smaller ones, too.
    `latencies` of each cache and, last, of memory; they add up on the way down."""
    latencies = np.atleast_1d(latencies).tolist()
    if len(latencies) != len(caches) + 1:
        raise ValueError(f"{len(caches)} caches need {len(caches) + 1} latencies, memory's last; got {len(latencies)}")
    affordable("lines in all caches", sum(cache.lines for cache in caches), MOST, "the sets or ways of the caches")
    return _chain(addresses, caches, latencies)


def _chain(addresses, caches, latencies):
    sets = [[[] for _ in range(cache.sets)] for cache in caches]
    found, time = [0] * (len(caches) + 1), 0.0
    for count, address in enumerate(looped(addresses)):
        address = whole_address(address)
        lines = [address // cache.line_bytes for cache in caches]
        own = [sets[i][line % cache.sets] for i, (line, cache) in enumerate(zip(lines, caches, strict=True))]
        level = next((i for i, (line, stack) in enumerate(zip(lines, own, strict=True)) if line in stack), len(caches))
        evicted = []
        for i in reversed(range(min(level + 1, len(caches)))):  # what an inner cache answers, the outer ones do not see
            if lines[i] in own[i]:
                own[i].remove(lines[i])
            own[i].insert(0, lines[i])
            if len(own[i]) > caches[i].ways:
                gone = own[i].pop()
                evicted.append((i, gone))
                evicted += _back_invalidate(sets, caches, i, gone)
        found[level] += 1
        cost = sum(latencies[: level + 1])
        time += cost
        places = tuple((line % cache.sets, line) for line, cache in zip(lines, caches, strict=True))
        contents = tuple(_table(own_sets, cache) for own_sets, cache in zip(sets, caches, strict=True))
        yield Access(count, address, level, places, tuple(evicted), contents, tuple(found), cost, time)


def _back_invalidate(sets, caches, outer, gone):
    """Remove from the smaller caches every line that lies in the line that left the larger one."""
    first, end = gone * caches[outer].line_bytes, (gone + 1) * caches[outer].line_bytes
    for i in range(outer):
        for line in range(first // caches[i].line_bytes, -(-end // caches[i].line_bytes)):
            stack = sets[i][line % caches[i].sets]
            if line in stack:
                stack.remove(line)
                yield i, line


def _table(sets, cache):
    table = np.full((cache.sets, cache.ways), -1, dtype=np.int64)
    for row, stack in enumerate(sets):
        table[row, : len(stack)] = stack
    return table


@checked
def amat(l1: NonNegative, l2: NonNegative, memory: NonNegative, l1_misses: Share, l2_misses: Share):
    """Average memory access time behind two caches, in the latencies' unit; miss rates are local to each cache."""
    return l1 + l1_misses * (l2 + l2_misses * memory)
