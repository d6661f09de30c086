"""Boards: requests side by side, in one piece of memory each or in blocks, and how many a chip then holds.

one piece   max_len slots for every request, whatever it will need: a longer one is cut off
blocks      as many blocks of equal size as its tokens fill; they may lie anywhere
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import whole
from accelerator_lib.checks.signature import Count, checked


@dataclass(frozen=True)
class Board:
    """Tokens of each request, and the slots set aside for it both ways."""

    lengths: tuple
    reserved: int
    block: int
    slots: int  # tokens for which the memory has room

    @property
    def kept(self):
        """Tokens of each request that its reserved piece holds."""
        return tuple(min(tokens, self.reserved) for tokens in self.lengths)

    @property
    def blocks(self):
        """Blocks of each request."""
        return tuple(-(-tokens // self.block) for tokens in self.lengths)

    @property
    def cut(self):
        """Requests that are longer than what is reserved."""
        return sum(tokens > self.reserved for tokens in self.lengths)

    @property
    def reserved_share(self):
        """Share of the reserved slots that hold a token."""
        return sum(self.kept) / (self.reserved * len(self.lengths))

    @property
    def block_share(self):
        """Share of the slots of all blocks that hold a token."""
        return sum(self.lengths) / (sum(self.blocks) * self.block)

    @property
    def users(self):
        """Requests of this mix that the memory holds: (in one piece each, in blocks)."""
        many = len(self.lengths)
        return self.slots // self.reserved, self.slots // self.block * many // sum(self.blocks)


@checked
def board(lengths, reserved: Count(high=10**7) = 2048, block: Count(high=10**7) = 16, slots: Count(low=0) = 0):
    """Board of requests with so many tokens each. Raises ValueError and TypeError."""
    tokens = np.atleast_1d(whole("lengths", lengths, 1, 10**7))
    if not tokens.size:
        raise ValueError("lengths must hold the tokens of at least one request; it is empty")
    return Board(tuple(int(one) for one in tokens), reserved, block, slots)
