"""Banks: a warp's access to shared memory, turn by turn. Each of 32 banks delivers one word a turn.

    turns = the most distinct words in one bank;  all lanes that ask for the same word get it in the same turn

Ignored: the hardware splits loads wider than a word by half and quarter warps; the turns are the same.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, WARP_LANES


@dataclass(frozen=True, eq=False)
class Turn:
    """An access after its turn `number`; 0: all lanes wait. An ask is one word that one lane wants."""

    number: int
    turns: int  # of the whole access
    lane: np.ndarray  # [asks]: whose it is
    bank: np.ndarray  # [asks]: where the word lies
    turn: np.ndarray  # [asks]: the turn in which it is delivered, from 1

    @property
    def words(self):
        """How many different words are asked for."""
        return len(set(zip(self.bank.tolist(), self.turn.tolist(), strict=True)))

    @property
    def delivered(self):
        """[asks] of bool: in this turn or before it."""
        return self.turn <= self.number

    @property
    def waiting(self):
        """[lanes] of bool: who has not got all its words."""
        return np.bincount(self.lane[~self.delivered], minlength=WARP_LANES) > 0

    @property
    def served(self):
        """[lanes] of bool: who gets a word in this turn."""
        return np.bincount(self.lane[self.turn == self.number], minlength=WARP_LANES) > 0

    @property
    def busy(self):
        """[banks] of bool: which deliver a word in this turn."""
        return np.bincount(self.bank[self.turn == self.number], minlength=BANKS) > 0


def by_turn(access):
    """Yield a Turn before the first turn of an Access to shared memory and after each."""
    if not isinstance(access, Access):
        raise TypeError(f"access must be an Access, as access.touched(...) returns, not {type(access).__name__}")
    asks = [(lane, word) for lane, own in enumerate(access.addresses // BANK_BYTES) for word in dict.fromkeys(own)]
    lane, word = np.array(asks).T
    taken, turn_of = np.zeros(BANKS, int), {}
    for wanted in word.tolist():  # in each bank the words in the order in which lanes ask
        if wanted not in turn_of:
            taken[wanted % BANKS] += 1
            turn_of[wanted] = taken[wanted % BANKS]
    turn = np.array([turn_of[wanted] for wanted in word.tolist()])
    for number in range(turn.max() + 1):
        yield Turn(number, int(turn.max()), lane, word % BANKS, turn)
