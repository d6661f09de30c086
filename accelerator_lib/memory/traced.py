"""Traced: measure the loop that you wrote. And caches in a row, access by access.

x = Traced(np.ones((64, 64)))
total = sum(x[row, col] for col in range(64) for row in range(64))
hits = sum(replay(x.trace, Cache(sets=1, ways=16, line_bytes=64)))
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import real, whole
from accelerator_lib.memory.cache import MOST, checked, whole_address


class Traced:
    """An array that notes the byte address of every element read or written, in a trace that arrays may share.

    It starts at address `start`, row-major. Only single elements are read: x[row, col]."""

    def __init__(self, array, start=0, trace=None):
        self.array = np.ascontiguousarray(array)
        self.start = whole("start", start, low=0)
        self.trace = [] if trace is None else trace

    @property
    def shape(self):
        return self.array.shape

    @property
    def end(self):
        """The first address behind it: where the next array may start."""
        return self.start + self.array.nbytes

    def __len__(self):
        return len(self.array)

    def __getitem__(self, place):
        self._note(place)
        return self.array[place]

    def __setitem__(self, place, value):
        self._note(place)
        self.array[place] = value

    def _note(self, place):
        index = place if isinstance(place, tuple) else (place,)
        whole_numbers = all(isinstance(i, (int, np.integer)) and not isinstance(i, bool) for i in index)
        if len(index) != self.array.ndim or not whole_numbers:
            raise TypeError(f"name one element of the {self.array.shape} array, such as x[0, 1]; got x[{place!r}]")
        for i, size in zip(index, self.array.shape, strict=True):
            if not -size <= i < size:
                raise IndexError(f"x[{place!r}] lies outside the {self.array.shape} array")
        if len(self.trace) >= MOST:
            raise ValueError(f"more than {MOST:,} accesses: make the loop smaller")
        wrapped = [i % size for i, size in zip(index, self.array.shape, strict=True)]
        self.trace.append(self.start + sum(i * s for i, s in zip(wrapped, self.array.strides, strict=True)))


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
    time: float  # of all accesses so far, in the unit of the latencies


def chain(addresses, caches, latencies=(4, 14, 200)):
    """Yield an Access for every access. Caches are inclusive: what leaves a larger one leaves the smaller ones, too.

    `latencies` of each cache and, last, of memory; they add up on the way down."""
    caches = tuple(map(checked, caches))
    if len(latencies) != len(caches) + 1:
        raise ValueError(f"{len(caches)} caches need {len(caches) + 1} latencies, memory's last; got {len(latencies)}")
    latencies = [real("latency", value, low=0) for value in latencies]
    sets = [[[] for _ in range(cache.sets)] for cache in caches]
    found, time = [0] * (len(caches) + 1), 0.0
    for count, address in enumerate(addresses):
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
        time += sum(latencies[: level + 1])
        places = tuple((line % cache.sets, line) for line, cache in zip(lines, caches, strict=True))
        contents = tuple(_table(own_sets, cache) for own_sets, cache in zip(sets, caches, strict=True))
        yield Access(count, address, level, places, tuple(evicted), contents, tuple(found), time)


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
