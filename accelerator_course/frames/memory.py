"""Frames of chapter 2: loads on their way, caches access by access, and several memories that read the same data."""

from collections import deque
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, Hertz, Positive, Single, checked
from accelerator_lib.memory import bytes_in_flight, transfer_seconds
from accelerator_lib.memory.addresses import trace
from accelerator_lib.memory.hierarchy import MOST, Access, caches_in_a_row, chain

MOST_CELLS = 10**7  # of all states of a hierarchy: a few seconds
MOST_MOMENTS = 5000  # of a reading, of a travel
NUMBER_BYTES = 4
PLAYED = 0.4  # seconds for which a state stands while the player plays at normal speed


@dataclass(frozen=True)
class Line:
    """A line of memory: the nearest level that holds it (the number of caches: memory alone), and its last event."""

    level: int
    access: int | None = None  # the one that did it: asked for the line, or for another that took its place
    came_from: int | None = None  # the level where it was found then; None where it had to leave


@dataclass(frozen=True, eq=False)
class Lookup:
    """One access to a hierarchy, with the run so far."""

    now: Access
    next: Access | None  # None at the end
    caches: tuple
    costs: tuple  # of an access found in each cache, and in memory
    lines: tuple  # a Line for each line of memory, in order, from line 0 on
    history: tuple  # (line, level where it was found) of all accesses so far, this one included
    length: int  # accesses of the whole run

    line = property(lambda self: self.now.places[0][1])
    # (tag, set, byte) of the address for each cache
    split = property(lambda self: tuple(cache.split(self.now.address) for cache in self.caches))

    @property
    def bits(self):
        """How many bits of the address are (tag, set, byte) for each cache."""
        sizes = ((cache.sets.bit_length() - 1, cache.line_bytes.bit_length() - 1) for cache in self.caches)
        return tuple((self.address_bits - sets - byte, sets, byte) for sets, byte in sizes)

    @property
    def spent_shares(self):
        """Shares of the time so far that were spent on what was found in each cache, and in memory."""
        spent = (count * cost for count, cost in zip(self.now.found, self.costs, strict=True))
        return tuple(cycles / max(self.now.time, 1e-30) for cycles in spent)

    @property
    def address_bits(self):
        """Bits that hold every address of the run, and in each cache at least three bits of tag."""
        last = len(self.lines) * self.caches[0].line_bytes - 1
        least = max(cache.sets * cache.line_bytes for cache in self.caches)
        return max(last.bit_length(), least.bit_length() + 2)


def hierarchy(addresses, caches, latencies=(4, 14, 200)):
    """Yield a Lookup for every access; arguments and errors as for `chain`. All caches have lines of one size."""
    addresses, caches = trace(addresses), caches_in_a_row(caches)
    sizes = {cache.line_bytes for cache in caches}
    if len(sizes) != 1:
        raise ValueError(f"caches that are shown need lines of one size; got {sorted(sizes) or 'no cache'}")
    count = int(addresses.max(initial=0)) // sizes.pop() + 1
    if count > MOST:
        raise ValueError(f"the addresses reach over {count:,} lines; at most {MOST:,} can be shown")
    run, places = chain(addresses.tolist(), caches, latencies), sum(cache.lines for cache in caches)
    cells = len(addresses) * (len(addresses) + count + places)  # every state tells all before it, and all contents
    affordable("cells of its history", cells, MOST_CELLS, "the number of addresses")
    return _hierarchy(run, caches, tuple(np.cumsum(np.atleast_1d(latencies)).tolist()), count, len(addresses))


def _hierarchy(run, caches, costs, count, length):
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
        yield Lookup(now, window[0] if window else None, caches, costs, tuple(lines), history, length)


@dataclass(frozen=True, eq=False)
class Travel:
    """A moment of loads that left one lane together: `now` cycles ago, `cycles` each from leaving to coming back."""

    cycles: np.ndarray
    now: int
    step: int  # cycles to the next moment
    clock_hz: float
    bytes_per_s: float  # of the farthest level

    @property
    def places(self):
        """How far each is from its lane: 0 at home, 1 where the longest turns back; all are equally fast."""
        return (self.cycles - np.abs(self.cycles - 2 * np.minimum(self.now, self.cycles))) / self.cycles.max()

    back = property(lambda self: self.now >= self.cycles)
    seconds = property(lambda self: self.now / self.clock_hz)
    each_seconds = property(lambda self: self.cycles / self.clock_hz)
    # numbers of four bytes that the farthest level could have delivered meanwhile
    numbers = property(lambda self: self.bytes_per_s * self.seconds / NUMBER_BYTES)
    # numbers that must be on their way at any moment for the farthest level to be busy (Little's law)
    needed = property(lambda self: bytes_in_flight(self.bytes_per_s, self.each_seconds.max()) / NUMBER_BYTES)
    # how many times slower than life the states play at normal speed
    slowdown = property(lambda self: PLAYED * self.clock_hz / self.step)


@checked
def travel(cycles: Positive, clock_hz: Single(Hertz), bytes_per_s: Single(BytesPerS), step: Count(high=1000) = 12):
    """Yield a Travel every so many cycles, until the last load is back."""
    cycles = np.atleast_1d(cycles)
    last = int(cycles.max())
    affordable("moments of a travel", last // step, MOST_MOMENTS, "the cycles, or take longer steps")
    return (Travel(cycles, min(now, last), step, clock_hz, bytes_per_s) for now in range(0, last + step, step))


@dataclass(frozen=True, eq=False)
class Reading:
    """A moment of memories that read: `bytes_per_s` of each, `seconds` since all began, `step_seconds` to the next."""

    data_bytes: float
    bytes_per_s: np.ndarray
    seconds: float
    step_seconds: float

    finish_seconds = property(lambda self: transfer_seconds(self.data_bytes, self.bytes_per_s))
    done = property(lambda self: self.readings >= 1)
    shares = property(lambda self: np.minimum(1, self.readings))  # the part that each has read, 0 to 1
    # how often each could have read everything by now, again and again; rounding delays no finish by a step
    readings = property(lambda self: self.seconds / self.finish_seconds * (1 + 1e-12))
    tenths = property(lambda self: (10 * self.shares).astype(int))
    whole_readings = property(lambda self: np.floor(self.readings))  # how often each could have read it whole by now
    slowest = property(lambda self: int(self.bytes_per_s.argmin()))
    # how many times slower than life the states play at normal speed
    slowdown = property(lambda self: PLAYED / self.step_seconds)
    # the place of each, 1 for the fastest; equals share one
    ranks = property(lambda self: 1 + (self.bytes_per_s[:, None] < self.bytes_per_s).sum(axis=1))


@checked
def reading(data_bytes: Single(Bytes), bytes_per_s: BytesPerS, steps: Count(high=1000) = 2):
    """Yield a Reading until the last memory is done; the fastest is done after so many steps.

    Raises ValueError where the slowest would need more than 5,000 of them."""
    rates = np.atleast_1d(bytes_per_s).astype(float)
    step = data_bytes / rates.max() / steps
    count = int(np.ceil(steps * rates.max() / rates.min() * (1 - 1e-12)))
    if count > MOST_MOMENTS:
        many = f"{count:,} steps; at most {MOST_MOMENTS:,}"
        raise ValueError(f"the slowest would need {many}: take fewer for the fastest")
    last = data_bytes / rates.min()
    return (Reading(data_bytes, rates, i * step if i < count else last, step) for i in range(count + 1))
