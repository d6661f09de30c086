"""Replay: what the warps of one block touch, access by access, in lockstep: lanes to sectors, lanes to banks.

Word w of shared memory lies in bank w % 32, which gives one word a turn; each lane that adds a real has its own turn.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_course.ladder.moving import moving
from accelerator_lib.checks.signature import Record, checked
from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, LINE_BYTES, SECTOR_BYTES
from accelerator_lib.gpu.together import together
from accelerator_lib.kernels.feeding import Fed
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.machine import Run
from accelerator_lib.kernels.mapping import Mapped
from accelerator_lib.kernels.pallas import Tiled

MOST = 2_000  # accesses: of a long run the first ones tell enough


@dataclass(frozen=True, eq=False)
class Step:
    """One access of one warp, or its coming to a barrier."""

    number: int  # from 1
    length: int  # steps of the whole replay
    line: int
    text: str
    warp: int  # of the block
    kind: str  # "load", "store", "atomic", each also "shared ...", "copy" or "barrier"
    array: str  # "" at a barrier
    mask: np.ndarray  # [32] of bool: lanes at work
    index: np.ndarray  # [32]: places in the array, row after row; 0 in lanes that are not at work
    values: np.ndarray  # [32]: what they read, store or add
    access: Access | None  # of the lanes at work; None at a barrier, and where a lane leaves the array
    fault: Fault | None = None  # what goes wrong here

    @property
    def sectors(self):
        return len(self.access.sectors) if self.access and not self.kind.startswith("shared") else 0

    # whether each lane has a turn of its own, for the same word too
    alone = property(lambda self: self.kind == "shared atomic" and self.values.dtype.kind == "f")

    @property
    def parts(self):
        """Accesses to shared memory that it comes to: of 16 bytes a lane, 8 lanes at a time."""
        if not self.access or not self.kind.startswith("shared"):
            return ()
        part = np.flatnonzero(self.mask) * self.access.addresses.shape[1] // LINE_BYTES
        return tuple(Access(self.access.addresses[part == each]) for each in np.unique(part))

    @property
    def turns(self):
        """Turns of shared memory; 0 for global memory. Lanes that add reals queue for the same word, too."""
        if self.access and self.alone:
            return int(together(self.access.addresses[None, :, 0] // BANK_BYTES, True).queued[0])
        return sum(part.turns for part in self.parts)


def steps(made):
    """Yield a Step for each of the first accesses of the watched block of a Run; of one that was stopped, the last."""
    each = [(kept, warp) for kept in made.kept for warp in np.flatnonzero(kept[1].any(axis=1)).tolist()]
    each = each[-MOST:] if made.fault else each[:MOST]
    for number, ((op, lanes, index, values), warp) in enumerate(each, 1):
        op, mask, access = made.program.ops[op], lanes[warp], None
        fault = made.fault if made.at in (number, number - len(each) - 1) else None
        if op.place and not (fault and fault.asked):
            first = made.words[op.place] * BANK_BYTES + index[warp][mask] * made.program.scope.places[op.place].bytes
            access = Access(first[:, None] + np.arange(op.bytes))
        text = made.lines[op.line - 1].strip()
        where = number, len(each), op.line, text, warp, op.kind, op.place
        yield Step(*where, mask, index[warp], values[warp], access, fault)


@dataclass(frozen=True, eq=False)
class BlockState:
    """The block after one access of one warp."""

    step: Step
    code: tuple  # the kernel's lines
    block: int
    asked_bytes: int = 0  # of global memory so far
    sectors: int = 0
    accesses: int = 0  # of shared memory so far
    turns: int = 0
    barriers: int = 0  # warps that have come to one so far
    banks = BANKS
    sector_words = SECTOR_BYTES // BANK_BYTES

    lanes = property(lambda self: np.flatnonzero(self.step.mask))

    @property
    def blamed(self):
        touches = self.step.fault.touches if self.step.fault else ()
        here = [touch.thread for touch in touches if touch.block == self.block and touch.thread is not None]
        lanes = len(self.step.mask)
        return np.array([thread % lanes for thread in here if thread // lanes == self.step.warp], int)

    @property
    def words(self):
        """[lanes at work]: the number of the word that each touches; none at a barrier."""
        return self.step.access.addresses[:, 0] // BANK_BYTES if self.step.access else np.zeros(0, int)

    @property
    def touched(self):
        """The distinct sectors, rising; none for shared memory."""
        return np.unique(self.words // self.sector_words) if self.step.sectors else np.zeros(0, int)

    # [lanes at work]: which of the distinct sectors each touches
    sector = property(lambda self: np.searchsorted(self.touched, self.words // self.sector_words))

    # [lanes at work]: which word of its sector each touches; the bank of shared memory that each asks
    within = property(lambda self: self.words % self.sector_words)
    bank = property(lambda self: self.words % BANKS)

    @property
    def turn(self):
        """[lanes at work]: the turn, from 1, in which each has its word of shared memory."""
        taken, given, turns = {}, {}, []
        for lane, word in enumerate(self.words.tolist()):
            wanted = lane if self.step.alone else word
            if wanted not in given:
                given[wanted] = taken[word % BANKS] = taken.get(word % BANKS, 0) + 1
            turns.append(given[wanted])
        return np.array(turns, int)

    @property
    def asked_range(self):
        asked = self.step.index[self.step.mask].tolist()
        return min(asked), max(asked)

    @property
    def asked_now(self):
        words = self.step.access.addresses // BANK_BYTES if self.step.access else ()
        return BANK_BYTES * len(np.unique(words))

    brought_bytes = property(lambda self: SECTOR_BYTES * self.sectors)
    # share of these bytes that were asked for; None before there are any
    used = property(lambda self: self.asked_bytes / self.brought_bytes if self.sectors else None)
    # accesses to shared memory / their turns: 1 is free of conflicts; None before there are any
    free = property(lambda self: self.accesses / self.turns if self.turns else None)


@checked
def replay(made: Record((Run, Tiled, Fed, Mapped), "a Run, as kernels.run returns")):
    """BlockState after each access of the watched block of a Run; of a Tiled, Fed or Mapped, Moving after each step."""
    return _states(made) if isinstance(made, Run) else moving(made)


def _states(made):
    sums = np.zeros(5, int)  # the fields of a BlockState, in their order
    for step in steps(made):
        asked = step.access.addresses // BANK_BYTES if step.sectors else ()
        asked = BANK_BYTES * len(np.unique(asked))
        sums += [asked, step.sectors, len(step.parts), step.turns, step.kind == "barrier"]
        yield BlockState(step, tuple(made.lines), made.watched, *sums.tolist())
