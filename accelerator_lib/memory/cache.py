"""Cache: set-associative, the least recently used line of a set is evicted; a write counts like a read.

    line = address // line_bytes      set = line % sets      a hit: the line is among the last `ways` used of its set

`cyclic_hit_rates` stands beside a store that the program fills, which keeps as much as fits.
Ignored: prefetchers, write-back traffic, address translation, other policies than LRU.
Source of the three kinds of misses: M. Hill, A. Smith, "Evaluating associativity in CPU caches", IEEE ToC 38(12), 1989.
"""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Bytes, Count, Record, Whole, checked
from accelerator_lib.memory.addresses import Trace, looped, whole_address

MOST_RUNS = 2**22  # changes of line that are simulated one by one: about five seconds
MOST_USED, MOST_HELD = 2**19, 2**20  # sets that are used, lines that they hold: 300 MB each


class Power(Whole):
    """A power of two."""

    def __call__(self, name, value):
        found = super().__call__(name, value)
        if isinstance(found, np.ndarray) or found & (found - 1):
            raise ValueError(f"{name} must be a power of two; got {value}")
        return found


PowerOfTwo = Power(high=2**30)


@dataclass(frozen=True)
@checked
class Cache:
    """Sizes are powers of two; one set is fully associative, one way direct-mapped."""

    sets: PowerOfTwo
    ways: PowerOfTwo
    line_bytes: PowerOfTwo = 64

    capacity_bytes = property(lambda self: self.sets * self.ways * self.line_bytes)
    lines = property(lambda self: self.sets * self.ways)  # lines that it holds

    def split(self, address):
        """(tag, set, byte) of an address: which of the lines of a set, which set, which byte of the line."""
        line, byte = divmod(whole_address(address), self.line_bytes)
        return (*divmod(line, self.sets), byte)


ACache = Record(Cache, "a Cache such as Cache(sets=64, ways=8, line_bytes=64)")


@checked
def set_of(address: Count(low=0), cache: ACache):
    """The set in which the line of a byte address lies."""
    return cache.split(address)[1]


@dataclass(frozen=True)
class Census:
    """How a trace fared. Misses: compulsory, the first use of a line; capacity, those that a fully associative cache of
    the same size has, too; conflict, the rest, which the mapping to sets is to blame for."""

    accesses: int
    hits: int
    compulsory: int
    capacity: int
    conflict: int

    misses = property(lambda self: self.accesses - self.hits)
    hit_rate = property(lambda self: self.hits / self.accesses if self.accesses else 0.0)

    @property
    def shares(self):
        """{kind: share of all accesses}; the four add up to one."""
        kinds = {name: getattr(self, name) for name in ("hits", "compulsory", "capacity", "conflict")}
        return {name: count / max(1, self.accesses) for name, count in kinds.items()}


@dataclass(frozen=True, eq=False)
class Walked:
    """A trace that went through a cache: its Census, and the share of hits of each line once the walk has settled."""

    cache: Cache
    census: Census
    line_hit_rates: np.ndarray


@checked
def replay(addresses, cache: ACache):
    """Yield True for every hit, False for every miss. Any addresses that can be looped over, even endless ones."""
    sets = defaultdict(dict)  # a dict keeps the order of use: first is oldest
    for address in looped(addresses):
        line = whole_address(address) // cache.line_bytes
        own = sets[line % cache.sets]
        hit = own.pop(line, False) is None
        own[line] = None
        if len(own) > cache.ways:
            del own[next(iter(own))]
        yield hit


@checked
def census(addresses: Trace, cache: ACache, passes: Count(high=10**6) = 1):
    """Census of `passes` walks over the same addresses.
    Accesses to one line in a row are hits but for the first, and a pass that leaves the cache as it found it repeats:
    only changes of line, and two or three passes, are simulated."""
    lines = addresses // cache.line_bytes
    if not lines.size:
        return Census(0, 0, 0, 0, 0)
    runs = lines[np.append(True, lines[1:] != lines[:-1])]
    affordable("changes of line", len(runs), MOST_RUNS, "the length of the trace")
    used_sets(runs, cache.sets)
    first = np.zeros(len(runs), dtype=bool)
    first[np.unique(runs, return_index=True)[1]] = True
    affordable("lines held", min(int(first.sum()), cache.lines), MOST_HELD, "sets, ways or the length of the trace")
    own, full = _Sets(cache.sets, cache.ways), _Sets(1, cache.lines)
    steps, sums = runs.tolist(), np.zeros(4, dtype=np.int64)
    for number in range(passes):
        before = own.state(), full.state()
        hit, would = own.touch(steps), full.touch(steps)
        new = first & (number == 0)
        kinds = np.array((hit, ~hit & new, ~hit & ~new & ~would, ~hit & ~new & would)).sum(axis=1)
        kinds[0] += len(lines) - len(runs)
        if (own.state(), full.state()) == before:
            sums += kinds * (passes - number)
            break
        sums += kinds
    return Census(passes * len(lines), *map(int, sums))


@checked
def settled(addresses: Trace, cache: ACache):
    """Hit share of each line of a trace, in the order of first use, in a second pass over it."""
    lines = addresses // cache.line_bytes
    if not lines.size:
        return np.zeros(0)
    starts = np.flatnonzero(np.append(True, lines[1:] != lines[:-1]))
    affordable("changes of line", len(starts), MOST_RUNS, "the length of the trace")
    runs, lengths = lines[starts], np.diff(np.append(starts, len(lines)))
    used_sets(runs, cache.sets)
    own, steps = _Sets(cache.sets, cache.ways), runs.tolist()
    own.touch(steps)
    hits = own.touch(steps) + lengths - 1  # in a run of one line all but the first are hits
    _, first, code = np.unique(runs, return_index=True, return_inverse=True)
    shares = np.bincount(code, weights=hits) / np.bincount(code, weights=lengths)
    return shares[np.argsort(first)]


@checked
def cyclic_hit_rates(array_bytes: Bytes, capacity_bytes: Bytes, passes: Whole()):
    """Hit rates of `passes` walks over an array: (LRU cache, scratchpad that keeps as much as fits and never evicts).
    For a cyclic walk LRU throws each line out just before it is needed again: all or nothing."""
    later = 1 - 1 / passes
    fits = np.minimum(1.0, capacity_bytes / array_bytes)
    return later * (fits == 1), later * fits


def used_sets(lines, sets):
    """How many of so many sets a trace of lines uses, at most. Raises ValueError where Python cannot keep them all."""
    used = min(sets, len(lines))
    if used > MOST_USED:  # no more than so many: count them
        own = lines & (sets - 1)
        own.sort()  # np.unique takes minutes where millions differ
        used = 1 + int(np.count_nonzero(own[1:] != own[:-1]))
    return affordable("sets in use", used, MOST_USED, "sets or the length of the trace")


class _Sets:
    """LRU sets, each a dict in the order of use; an OrderedDict where many lines would leave holes in a plain one."""

    def __init__(self, sets, ways):
        self.mask, self.ways = sets - 1, ways
        self.sets = defaultdict(OrderedDict if ways > 16 else dict)  # only those that are used

    def touch(self, lines):
        """Use lines in order: an array of hits."""
        sets, mask, ways, found = self.sets, self.mask, self.ways, bytearray(len(lines))
        for place, line in enumerate(lines):
            own = sets[line & mask]
            if line in own:
                del own[line]
                found[place] = 1
            elif len(own) == ways:
                del own[next(iter(own))]
            own[line] = None
        return np.frombuffer(found, dtype=bool)

    def state(self):
        return {place: list(own) for place, own in self.sets.items()}
