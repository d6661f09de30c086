"""Registers: one in each processing element of an array; in every cycle all of them hand on what they hold.

right   register (r, c) takes what (r, c - 1) held, column 0 what enters at the left edge
down    register (r, c) takes what (r - 1, c) held, row 0 what enters at the top
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable

MOST_BYTES, BYTES_OF_A_PE = 500 * 10**6, 41  # of a kept cycle: four values of 8 bytes, each with a flag, and its fold


@dataclass(frozen=True, eq=False)
class Wires:
    """What registers or wires hold in one cycle: values, and where there is one."""

    value: np.ndarray
    there: np.ndarray

    def __getitem__(self, place):
        return Wires(self.value[place], self.there[place])

    dtype = property(lambda self: self.value.dtype)

    def filled(self, empty=0):
        """The values, with another where there is none."""
        return np.where(self.there, self.value, empty)


class Registers:
    """One register in each PE: a value, whether there is one, and its wave: which step of which fold (-1: none)."""

    def __init__(self, rows, cols, dtype):
        self.value = np.zeros((rows, cols), dtype)
        self.there = np.zeros((rows, cols), bool)
        self.wave = np.full((rows, cols), -1, np.int32)

    def move(self, axis, value=0, there=False, wave=-1):
        """Every value goes to the next column (axis 1) or row (axis 0); new ones enter."""
        for kept, new in ((self.value, value), (self.there, there), (self.wave, wave)):
            lanes = kept.T if axis else kept
            lanes[1:] = lanes[:-1]
            lanes[0] = new

    def take(self, other, where):
        """Copy another register where a mask says so."""
        for mine, theirs in ((self.value, other.value), (self.there, other.there), (self.wave, other.wave)):
            np.copyto(mine, theirs, where=where)

    def seen(self, place=...):
        """Wires: what stands there now."""
        return Wires(self.value[place].copy(), self.there[place].copy())


def feed(since, stream, pitch, folds):
    """(fold, step, live) of what enters lanes whose feeding began `since` cycles ago, a fold every `pitch` cycles."""
    fold, step = np.divmod(since, pitch)
    live = (since >= 0) & (fold < folds) & (step < stream)
    return np.where(live, fold, 0), np.where(live, step, 0), live


def kept_together(a, b, rows, cols, dataflow):
    """Refuses a run whose cycles, kept in a list, would flood a notebook: each has copies of its registers and sums."""
    (m, k), n = a.shape, b.shape[1]
    stream, down, right = {"os": (k, m, n), "ws": (m, k, n), "is": (n, k, m)}[dataflow]
    cycles = -(-down // rows) * -(-right // cols) * (max(stream, rows) + 2 * rows + cols)
    size = cycles * (BYTES_OF_A_PE * rows * cols + 12 * m * n)
    affordable("bytes of all cycles of a run", size, MOST_BYTES, "the size of a, b or the array")
