"""Cache: set-associative, the least recently used line of a set is evicted; a write counts like a read.

    line = address // line_bytes      set = line % sets      a hit: the line is among the last `ways` used of its set

    replay(addresses, cache)     hit or miss, one access at a time
    census(addresses, cache)     hits, and misses by kind, of a whole trace
    ways_curve, capacity_curve   from one pass, the hits for every associativity, for every capacity

Ignored: prefetchers, write-back traffic, address translation, other policies than LRU.
Source of the three kinds of misses: M. Hill, A. Smith, "Evaluating associativity in CPU caches", IEEE ToC 38(12), 1989.
"""

from collections import OrderedDict
from dataclasses import dataclass
from operator import index

import numpy as np

from accelerator_lib.inputs import one_of, whole

MOST = 2**26  # accesses of one trace


@dataclass(frozen=True)
class Cache:
    """Sizes are powers of two; one set is fully associative, one way direct-mapped."""

    sets: int
    ways: int
    line_bytes: int = 64

    def __post_init__(self):
        for name in ("sets", "ways", "line_bytes"):
            value = whole(name, getattr(self, name), high=2**30)
            if isinstance(value, np.ndarray) or value & (value - 1):
                raise ValueError(f"{name} must be a power of two; got {getattr(self, name)}")
            object.__setattr__(self, name, value)

    @property
    def capacity_bytes(self):
        return self.sets * self.ways * self.line_bytes

    @property
    def lines(self):
        """Lines that it holds."""
        return self.sets * self.ways


@dataclass(frozen=True)
class Census:
    """How a trace fared. Misses: compulsory, the first use of a line; capacity, those that a fully associative cache of
    the same size has, too; conflict, the rest, which the mapping to sets is to blame for."""

    accesses: int
    hits: int
    compulsory: int
    capacity: int
    conflict: int

    @property
    def misses(self):
        return self.accesses - self.hits

    @property
    def hit_rate(self):
        return self.hits / self.accesses if self.accesses else 0.0


def walk(rows, cols, element_bytes=4, leading=None, order="row"):
    """Byte addresses of a walk over every element of a row-major matrix, row by row or column by column ("col").

    `leading` is the length of a stored row in elements: more than `cols` is padding."""
    rows, cols, size = (
        whole(n, v, high=2**24) for n, v in (("rows", rows), ("cols", cols), ("element_bytes", element_bytes))
    )
    leading = cols if leading is None else whole("leading", leading, low=cols, high=2**24)
    if rows * cols > MOST:
        raise ValueError(f"{rows:,} x {cols:,} are {rows * cols:,} accesses; at most {MOST:,} are walked")
    addresses = (np.arange(rows)[:, None] * leading + np.arange(cols)) * size
    return (addresses if one_of("order", order, ("row", "col")) == "row" else addresses.T).ravel()


def replay(addresses, cache):
    """Yield True for every hit, False for every miss."""
    cache = checked(cache)
    sets = [{} for _ in range(cache.sets)]  # a dict keeps the order of use: first is oldest
    for address in addresses:
        line = whole_address(address) // cache.line_bytes
        own = sets[line % cache.sets]
        hit = own.pop(line, False) is None
        own[line] = None
        if len(own) > cache.ways:
            del own[next(iter(own))]
        yield hit


def census(addresses, cache, passes=1):
    """Census of `passes` walks over the same addresses.

    Accesses to one line in a row are hits but for the first, and a pass that leaves the cache as it found it repeats:
    only changes of line, and two or three passes, are simulated."""
    lines, passes = _lines(addresses, checked(cache).line_bytes), whole("passes", passes, high=10**6)
    if not lines.size:
        return Census(0, 0, 0, 0, 0)
    runs = lines[np.append(True, lines[1:] != lines[:-1])]
    first = np.zeros(len(runs), dtype=bool)
    first[np.unique(runs, return_index=True)[1]] = True
    own, full = _Sets(cache.sets, cache.ways), _Sets(1, cache.lines)
    trace, sums = runs.tolist(), np.zeros(4, dtype=np.int64)
    for number in range(passes):
        before = own.state(), full.state()
        hit, would = own.touch(trace), full.touch(trace)
        new = first & (number == 0)
        kinds = np.array((hit, ~hit & new, ~hit & ~new & ~would, ~hit & ~new & would)).sum(axis=1)
        kinds[0] += len(lines) - len(runs)
        if (own.state(), full.state()) == before:
            sums += kinds * (passes - number)
            break
        sums += kinds
    return Census(passes * len(lines), *map(int, sums))


def settled(addresses, cache):
    """Hit share of each line of a trace, in the order of first use, in a second pass over it."""
    lines = _lines(addresses, checked(cache).line_bytes)
    starts = np.flatnonzero(np.append(True, lines[1:] != lines[:-1]))
    runs, lengths = lines[starts], np.diff(np.append(starts, len(lines)))
    own, trace = _Sets(cache.sets, cache.ways), runs.tolist()
    own.touch(trace)
    hits = own.touch(trace) + lengths - 1  # in a run of one line all but the first are hits
    _, first, code = np.unique(runs, return_index=True, return_inverse=True)
    shares = np.bincount(code, weights=hits) / np.bincount(code, weights=lengths)
    return shares[np.argsort(first)]


class _Sets:
    """LRU sets, each a dict in the order of use; an OrderedDict where many lines would leave holes in a plain one."""

    def __init__(self, sets, ways):
        self.mask, self.ways = sets - 1, ways
        self.sets = [OrderedDict() if ways > 16 else {} for _ in range(sets)]

    def touch(self, trace):
        """Use the lines of a trace in order: an array of hits."""
        sets, mask, ways, found = self.sets, self.mask, self.ways, bytearray(len(trace))
        for place, line in enumerate(trace):
            own = sets[line & mask]
            if line in own:
                del own[line]
                found[place] = 1
            elif len(own) == ways:
                del own[next(iter(own))]
            own[line] = None
        return np.frombuffer(found, dtype=bool)

    def state(self):
        return [list(own) for own in self.sets if own]


def checked(cache):
    """A Cache, or one clear line."""
    if not isinstance(cache, Cache):
        raise TypeError(f"cache must be a Cache such as Cache(sets=64, ways=8, line_bytes=64), not {cache!r}")
    return cache


def whole_address(address):
    """A byte address as an int, or one clear line."""
    try:
        found = index(address)
    except TypeError:
        raise TypeError(f"an address is a whole number of bytes, not {address!r}") from None
    if found < 0:
        raise ValueError(f"addresses are 0 or more; got {found}")
    return found


def _lines(addresses, line_bytes):
    if isinstance(addresses, np.ndarray) and addresses.dtype.kind in "iu":
        array = addresses.astype(np.int64, copy=False)
    else:
        array = np.array([whole_address(address) for address in addresses], dtype=np.int64)
    if array.size > MOST:
        raise ValueError(f"a trace of {array.size:,} accesses; at most {MOST:,} are replayed at once")
    if array.size and array.min() < 0:
        raise ValueError(f"addresses are 0 or more; got {array.min()}")
    return array >> (Cache(1, 1, line_bytes).line_bytes.bit_length() - 1)  # a power of two


def sweep(kib, stride):
    """Byte addresses of one pass over so many KiB in steps of so many bytes."""
    return np.arange(0, whole("kib", kib, high=2**16) * 1024, whole("stride", stride, high=2**20))
