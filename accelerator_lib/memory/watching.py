"""Watching: caches in a row, access by access, with what one wants to see beside their contents.

    for watched in watch(addresses, (small, large), latencies=(4, 14, 200)): ...

What each line of memory has been through, where all accesses so far were found, which address comes next.
"""

from collections import deque
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Given, NonNegative, checked
from accelerator_lib.memory.addresses import trace
from accelerator_lib.memory.hierarchy import MOST, Access, caches_in_a_row, chain


@dataclass(frozen=True)
class Line:
    """A line of memory: the nearest level that holds it (the number of caches: memory alone), and its last event."""

    level: int
    access: int | None = None  # the one that did it: asked for the line, or for another that took its place
    came_from: int | None = None  # the level where it was found then; None where it had to leave


@dataclass(frozen=True, eq=False)
class Watched:
    """One access to a hierarchy, with the run so far."""

    now: Access
    next: Access | None  # None at the end
    caches: tuple
    costs: tuple  # of an access found in each cache, and in memory
    lines: tuple  # a Line for each line of memory, in order, from line 0 on
    history: tuple  # (line, level where it was found) of all accesses so far, this one included
    length: int  # accesses of the whole run

    @property
    def line(self):
        """The number of the line asked for."""
        return self.now.places[0][1]

    @property
    def split(self):
        """(tag, set, byte) of the address for each cache."""
        return tuple(cache.split(self.now.address) for cache in self.caches)

    @property
    def address_bits(self):
        """Bits that hold every address of the run, and in each cache at least three bits of tag."""
        last = len(self.lines) * self.caches[0].line_bytes - 1
        least = max(cache.sets * cache.line_bytes for cache in self.caches)
        return max(last.bit_length(), least.bit_length() + 2)


MOST_CELLS = 10**7  # a few seconds


@checked
def watch(addresses, caches: Given("Caches, nearest first", caches_in_a_row), latencies: NonNegative = (4, 14, 200)):
    """Yield a Watched for every access; arguments and errors as for `chain`. All caches have lines of one size."""
    addresses, sizes = trace(addresses), {cache.line_bytes for cache in caches}
    if len(sizes) != 1:
        raise ValueError(f"caches that are watched need lines of one size; got {sorted(sizes) or 'no cache'}")
    count = int(addresses.max(initial=0)) // sizes.pop() + 1
    if count > MOST:
        raise ValueError(f"the addresses reach over {count:,} lines; at most {MOST:,} can be watched")
    run = chain(addresses.tolist(), caches, latencies)
    places = sum(cache.lines for cache in caches)
    cells = len(addresses) * (len(addresses) + count + places)  # every state tells all before it, and all contents
    affordable("cells of its history", cells, MOST_CELLS, "the number of addresses")
    costs = tuple(np.cumsum(np.atleast_1d(latencies)).tolist())
    return _watch(run, caches, costs, count, len(addresses))


def _watch(run, caches, costs, count, length):
    lines, history, window = [Line(len(caches))] * count, (), deque(islice(run, 1))
    while window:
        window.extend(islice(run, 1))
        now = window.popleft()
        line = now.places[0][1]
        history = (*history, (line, now.level))
        lines[line] = Line(0, now.number, now.level)
        for _, gone in now.evicted:
            lines[gone] = replace(lines[gone], access=now.number, came_from=None)
        for number in {line, *(gone for _, gone in now.evicted)}:
            held = (cache for cache, table in enumerate(now.contents) if number in table)
            lines[number] = replace(lines[number], level=next(held, len(caches)))
        yield Watched(now, window[0] if window else None, caches, costs, tuple(lines), history, length)
