"""Watching: a replay, access by access, with the kernel's text and what the block has been counted so far.

    for state in watch(made): state.step, state.word, state.bank, state.turn, state.brought_bytes, ...

A word is four bytes, a sector eight words, and word w of shared memory lies in bank w % 32. A bank gives one word a
turn, to all lanes that ask for it; lanes of an atomic have each a turn of its own.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_course.ladder.moving import moving
from accelerator_course.ladder.replay import ARun, Step, replay
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, SECTOR_BYTES
from accelerator_lib.kernels.feeding import Fed
from accelerator_lib.kernels.machine import Run
from accelerator_lib.kernels.mapping import Mapped
from accelerator_lib.kernels.pallas import Tiled


@dataclass(frozen=True, eq=False)
class Watched:
    """The block after one access of one warp."""

    step: Step
    code: tuple  # the kernel's lines
    block: int
    asked_bytes: int  # of global memory so far
    sectors: int
    accesses: int  # of shared memory so far
    turns: int
    barriers: int  # warps that have come to one so far
    banks = BANKS
    sector_words = SECTOR_BYTES // BANK_BYTES

    @property
    def lanes(self):
        """The lanes at work."""
        return np.flatnonzero(self.step.mask)

    @property
    def blamed(self):
        """The lanes of this warp that the fault names, where the access has one."""
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

    @property
    def sector(self):
        """[lanes at work]: which of the distinct sectors each touches."""
        return np.searchsorted(self.touched, self.words // self.sector_words)

    @property
    def within(self):
        """[lanes at work]: which word of its sector each touches."""
        return self.words % self.sector_words

    @property
    def bank(self):
        """[lanes at work]: the bank of shared memory that each asks."""
        return self.words % BANKS

    @property
    def turn(self):
        """[lanes at work]: the turn, from 1, in which each has its word of shared memory."""
        alone, taken, given, turns = self.step.kind == "shared atomic", {}, {}, []
        for lane, word in enumerate(self.words.tolist()):
            wanted = lane if alone else word
            if wanted not in given:
                given[wanted] = taken[word % BANKS] = taken.get(word % BANKS, 0) + 1
            turns.append(given[wanted])
        return np.array(turns, int)

    @property
    def asked_now(self):
        """Distinct bytes that this access asks for."""
        return BANK_BYTES * len(np.unique(self.words))

    @property
    def brought_bytes(self):
        """Bytes that have crossed between the SM and the L2 so far, in whole sectors."""
        return SECTOR_BYTES * self.sectors

    @property
    def used(self):
        """Share of these bytes that were asked for; None before there are any."""
        return self.asked_bytes / self.brought_bytes if self.sectors else None

    @property
    def free(self):
        """Accesses to shared memory / their turns: 1 is free of conflicts; None before there are any."""
        return self.accesses / self.turns if self.turns else None


Made = Given("a Run", lambda value: value if isinstance(value, (Tiled, Fed, Mapped)) else ARun.make(value))


@checked
def watch(made: Made):
    """Watched after each access of the watched block of a Run; of a Tiled, Fed or Mapped, Moving after each step."""
    return _accesses(made) if isinstance(made, Run) else moving(made)


def _accesses(made):
    """Yield Watched after each access."""
    asked = sectors = accesses = turns = barriers = 0
    for step in replay(made):
        if step.sectors:
            asked += BANK_BYTES * len(np.unique(step.index[step.mask]))
        sectors += step.sectors
        accesses += bool(step.turns)
        turns += step.turns
        barriers += step.kind == "barrier"
        yield Watched(step, tuple(made.lines), made.watched, asked, sectors, accesses, turns, barriers)
