"""Fetch: a warp's load from global memory, sector by sector.

    bytes brought = 32 x sectors,  whatever part of them was asked for

The load unit takes the lanes in order: it brings the sector that the first one without its bytes needs, and gives every
lane what it asked for there. Ignored: several sectors come at a time; the bytes are the same.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.arch import SECTOR_BYTES


@dataclass(frozen=True, eq=False)
class Fetched:
    """A load after `count` of its sectors have been brought; 0: the lanes have only asked."""

    access: Access
    order: np.ndarray  # [sectors]: their numbers, as they are brought
    asked: np.ndarray  # [sectors, 32] of bool: the bytes of each that some lane asks for
    complete: np.ndarray  # [lanes]: sectors brought when a lane has all its bytes
    count: int

    @property
    def sector(self):
        """The number of the sector that has just come; None before the first."""
        return int(self.order[self.count - 1]) if self.count else None

    @property
    def serving(self):
        """[lanes] of bool: who finds bytes in the sector that has just come."""
        return (self.access.addresses // SECTOR_BYTES == (-1 if self.sector is None else self.sector)).any(axis=1)

    @property
    def served(self):
        """[lanes] of bool: who has all that it asked for."""
        return self.complete <= self.count

    @property
    def bytes_brought(self):
        return SECTOR_BYTES * self.count

    @property
    def bytes_asked(self):
        """How many of the bytes brought so far were asked for."""
        return int(self.asked[: self.count].sum())

    @property
    def efficiency(self):
        """Share of the bytes brought so far that were asked for; None before the first sector."""
        return self.bytes_asked / self.bytes_brought if self.count else None


def by_sector(access):
    """Yield a Fetched before the first sector of an Access and after each."""
    if not isinstance(access, Access):
        raise TypeError(f"access must be an Access, as access.touched(...) returns, not {type(access).__name__}")
    sector, byte = np.divmod(access.addresses, SECTOR_BYTES)
    numbers, first, place = np.unique(sector, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # of each number: how many lanes' sectors come before it
    place = rank[place.reshape(sector.shape)]
    asked = np.zeros((len(numbers), SECTOR_BYTES), bool)
    asked[place, byte] = True
    order, complete = numbers[np.argsort(first)], 1 + place.max(axis=1)
    for count in range(len(numbers) + 1):
        yield Fetched(access, order, asked, complete, count)
