"""Runs of a GPU, cut for steppers: a warp by instructions, a scheduler by ticks, accesses, a product by what happens.

Global memory brings 32 bytes for each sector, whatever part of them was asked for: it takes the lanes in order, brings
the sector that the first one without its bytes needs, and gives every lane what it asked for there. Of shared memory
each of 32 banks delivers one word a turn, so turns = the most distinct words in one bank; all lanes that ask for the
same word get it in the same turn. Ignored, as bytes and turns are the same: several sectors come at a time, and loads
wider than a word are split by half and quarter warps.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_course.frames.memory import PLAYED
from accelerator_lib.checks.signature import Number, Record, checked
from accelerator_lib.gpu import generations, scheduler, simt
from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.arch import SECTOR_BYTES
from accelerator_lib.gpu.scheduler import Cycles, Warps

TICK, LAST = 20, 1180  # cycles from state to state, and of a whole run


AnAccess = Record(Access, "an Access, as access.touched(...) returns")


@dataclass(frozen=True, eq=False)
class Executed:
    """One instruction of a run: the Issue `now`, the kernel, and who worked so far."""

    now: simt.Issue
    code: tuple  # lines of the kernel
    masks: np.ndarray  # [instructions so far, 32] of bool
    length: int  # instructions of the whole run


def by_instruction(source, a=None):
    """Yield an Executed for every instruction; arguments and errors as for `simt.run`."""
    issues = list(simt.run(source, a))
    masks = np.array([issue.mask for issue in issues])
    for issue in issues:
        yield Executed(issue, tuple(source.splitlines()), masks[: issue.number], len(issues))


@dataclass(frozen=True)
class Tick:
    """One scheduler after `cycle` cycles: who issued in the last of them, and what has been until now."""

    cycle: int
    warps: int
    wait: int  # cycles
    clock_hz: float
    bursts: tuple  # of scheduler.bursts, those that have begun

    @property
    def issuing(self):
        """The warp that issues in this cycle; None before the first and where none is ready."""
        here = [burst.warp for burst in self.bursts if burst.begin < self.cycle <= burst.end]
        return here[-1] if here else None

    waiting = property(lambda self: {burst.warp for burst in self.bursts if burst.end < self.cycle < burst.back})
    issued = property(lambda self: sum(min(burst.end, self.cycle) - burst.begin for burst in self.bursts))
    # share of the cycles so far in which something was issued; 0 before the first
    busy = property(lambda self: self.issued / self.cycle if self.cycle else 0.0)
    # how many times slower than life the states play at normal speed
    slowdown = property(lambda self: PLAYED * self.clock_hz / TICK)


@checked
def by_tick(warps: Warps = 1, work: Cycles = 40, wait: Cycles = 552, clock_hz: Number(low=1, unit="Hz") = 1.41e9):
    """Yield a Tick at the start and after every TICK cycles, LAST in all."""
    found = scheduler.bursts(warps, work, wait, LAST)
    for cycle in range(0, LAST + 1, TICK):
        yield Tick(cycle, warps, wait, clock_hz, tuple(burst for burst in found if burst.begin < cycle))


@dataclass(frozen=True, eq=False)
class Fetched:
    """A load after `count` of its sectors have been brought; 0: the lanes have only asked."""

    access: Access
    order: np.ndarray  # [sectors]: their numbers, as they are brought
    asked: np.ndarray  # [sectors, 32] of bool: the bytes of each that some lane asks for
    complete: np.ndarray  # [lanes]: sectors brought when a lane has all its bytes
    count: int

    # the number of the sector that has just come; None before the first
    sector = property(lambda self: int(self.order[self.count - 1]) if self.count else None)

    @property
    def serving(self):
        """[lanes] of bool: who finds bytes in the sector that has just come."""
        return (self.access.addresses // SECTOR_BYTES == (-1 if self.sector is None else self.sector)).any(axis=1)

    served = property(lambda self: self.complete <= self.count)  # [lanes] of bool: who has all that it asked for
    bytes_brought = property(lambda self: SECTOR_BYTES * self.count)
    # how many of the bytes brought so far were asked for
    bytes_asked = property(lambda self: int(self.asked[: self.count].sum()))
    # share of the bytes brought so far that were asked for; None before the first sector
    efficiency = property(lambda self: self.bytes_asked / self.bytes_brought if self.count else None)


@checked
def by_sector(access: AnAccess):
    """Yield a Fetched before the first sector of an Access and after each."""
    sector, byte = np.divmod(access.addresses, SECTOR_BYTES)
    numbers, first, place = np.unique(sector, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # of each number: how many lanes' sectors come before it
    place = rank[place.reshape(sector.shape)]
    asked = np.zeros((len(numbers), SECTOR_BYTES), bool)
    asked[place, byte] = True
    order, complete = numbers[np.argsort(first)], 1 + place.max(axis=1)
    for count in range(len(numbers) + 1):
        yield Fetched(access, order, asked, complete, count)


@dataclass(frozen=True)
class Fed:
    """A product on one SM after `cycle` cycles, and what happens in it from then on."""

    run: generations.Run
    cycle: float

    def now(self, *kinds):
        """The tile that is copied, multiplied ... from this cycle on; None where none is."""
        here = (tile for what, tile, begin, end in self.run.spans if what in kinds and begin <= self.cycle < end)
        return next(here, None)

    def tiles(self, what, end):
        """The tiles whose span of a kind has begun (end=False) or is over."""
        return {tile for kind, tile, *times in self.run.spans if kind == what and times[end] <= self.cycle}

    def until(self, *kinds):
        """[(tile, begin, end), ...] of spans of these kinds, as far as they have come, in order."""
        begun = [span for what, *span in self.run.spans if what in kinds and span[1] < self.cycle]
        return sorted(((tile, begin, min(end, self.cycle)) for tile, begin, end in begun), key=lambda one: one[1])

    @property
    def waits(self):
        """[(begin, end), ...]: when the warps that multiply had nothing to issue."""
        works = self.until("multiply") if self.run.feeding.facts["apart"] else self.until("multiply", "ask", "store")
        done, begun = np.maximum.accumulate([0.0, *(one[2] for one in works)]), [*(one[1] for one in works), self.cycle]
        return [gap for gap in zip(done, begun, strict=True) if gap[0] < gap[1]]

    @property
    def warps(self):
        """[warps] of 0, 1, 2: waits, issues products, issues copies."""
        facts, warp = self.run.feeding.facts, np.arange(self.run.feeding.facts["warps"])
        first, copiers = facts["askers"] * facts["apart"], 1 if facts["one_asks"] else facts["askers"]
        works = (warp >= first) & (warp < first + facts["starters"]) & (self.now("multiply") is not None)
        return np.where((warp < copiers) & (self.now("ask", "store") is not None), 2, works)

    @property
    def busy(self):
        """Share of the cycles so far in which the tensor cores multiplied; 0 before the first."""
        return sum(end - begin for _, begin, end in self.until("multiply")) / max(self.cycle, 1)


def by_event(run):
    """Yield a Fed whenever something of a generations.Run begins or ends."""
    return (Fed(run, cycle) for cycle in sorted({time for *_, begin, end in run.spans for time in (begin, end)}))
