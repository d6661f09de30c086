"""Together: the counts of `access` for many warps at once, each lane with one word of four bytes.

An instruction of a kernel touches memory in every warp of a launch: row by row the counts are those of `Access`.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, LINE_BYTES, SECTOR_BYTES


@dataclass(frozen=True, eq=False)
class Touched:
    """What many warps ask for at once, a word of four bytes each lane: the same counts, warp by warp."""

    words: np.ndarray  # [warps, 32], each row rising: the number of a word, -1 for a lane that is not at work
    first: np.ndarray  # [warps, 32] of bool: a word that no lane to the left asks for

    asked_bytes = property(lambda self: BANK_BYTES * self.first.sum(axis=1))  # [warps]: distinct bytes

    def opens(self, of_bytes):
        """[warps, 32] of bool: the word with which a piece of memory of so many bytes begins."""
        number = self.words // (of_bytes // BANK_BYTES)
        found = self.first.copy()
        found[:, 1:] &= number[:, 1:] != number[:, :-1]
        return found

    sectors = property(lambda self: self.opens(SECTOR_BYTES).sum(axis=1))  # [warps]: distinct sectors
    lines = property(lambda self: self.opens(LINE_BYTES).sum(axis=1))  # [warps]: distinct lines of 128 bytes
    turns = property(lambda self: _busiest(self.words, self.first))  # [warps]: turns of shared memory, as Access.turns
    # [warps]: turns where every lane has one of its own, for the same word too: atomics on reals
    queued = property(lambda self: _busiest(self.words, self.words >= 0))

    @property
    def places(self):
        """[warps, 32]: which of the lanes that ask for the same word each is, from 1; 0 where none is at work."""
        at = np.where(self.first, np.arange(self.words.shape[1]), 0)
        run = np.arange(self.words.shape[1]) - np.maximum.accumulate(at, axis=1) + 1
        return np.where(self.words >= 0, run, 0)

    alike = property(lambda self: self.places.max(axis=1))  # [warps]: the most lanes that ask for the same word

    @property
    def queues(self):
        """(a word of each sector of each warp, the most lanes that ask for one word of it)."""
        opens = self.opens(SECTOR_BYTES)
        starts = np.flatnonzero(opens | (np.arange(opens.shape[1]) == 0))
        most = np.maximum.reduceat(self.places.reshape(-1), starts)
        return self.words.reshape(-1)[starts][most > 0], most[most > 0]


def together(words, mask):
    """Touched of words [warps, 32] whose lanes work where `mask` says."""
    words = np.sort(np.where(mask, words, -1), axis=1)
    first = words >= 0
    first[:, 1:] &= words[:, 1:] != words[:, :-1]
    return Touched(words, first)


def _busiest(words, asks):
    """[warps]: how many asks the busiest bank has."""
    row = np.broadcast_to(np.arange(len(words))[:, None] * BANKS, words.shape)
    asked = (row + words % BANKS)[asks].astype(np.intp)  # as bincount counts, in a browser as well
    return np.bincount(asked, minlength=len(words) * BANKS).reshape(-1, BANKS).max(axis=1)
