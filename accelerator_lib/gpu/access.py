"""Access: what the 32 lanes of a warp touch at once. Global memory counts sectors of 32 bytes, shared memory banks.

    load efficiency = distinct bytes asked for / bytes of the distinct sectors that hold them
    bank conflict   = the most distinct words in one of 32 banks; equal words are one read (broadcast)

Source: CUDA C++ Programming Guide, device memory accesses and shared memory.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Count, Record, checked
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, SECTOR_BYTES, WARP_LANES

FARTHEST = 2**40
Stride = Count(low=0, high=2**30)
OfALane = Record(Callable, "a function of the lane, such as lambda lane: 2 * lane")
ElementBytes, OffsetBytes = Count(high=1024), Count(low=0, high=FARTHEST)


@dataclass(frozen=True, eq=False)
class Access:
    """The bytes that the lanes of a warp ask for at once."""

    addresses: np.ndarray  # [lanes, bytes of each]
    sector_bytes = SECTOR_BYTES

    # the numbers of the distinct sectors touched, rising
    sectors = property(lambda self: np.unique(self.addresses // SECTOR_BYTES))
    bytes_brought = property(lambda self: self.sector_bytes * len(self.sectors))
    # share of the bytes brought that were asked for
    efficiency = property(lambda self: len(np.unique(self.addresses)) / self.bytes_brought)

    @property
    def words(self):
        """[banks]: distinct words of each bank, if this were shared memory."""
        banks = np.unique(self.addresses // BANK_BYTES) % BANKS
        return np.bincount(banks.astype(np.intp), minlength=BANKS)  # as it counts in a browser as well

    # how often shared memory must deliver: words of the busiest bank; 1 is free of conflict
    turns = property(lambda self: int(self.words.max()))


@checked
def touched(index: OfALane, element_bytes: ElementBytes = 4, offset_bytes: OffsetBytes = 0):
    """Access of the lanes to a[index(lane)]; `index` is called for 32 lanes."""
    places = [count(f"index of lane {lane}", index(lane), 0, FARTHEST) for lane in range(WARP_LANES)]
    return Access(offset_bytes + np.array(places, np.int64)[:, None] * element_bytes + np.arange(element_bytes))


@checked
def strided(stride: Stride = 1, element_bytes: ElementBytes = 4, offset_bytes: OffsetBytes = 0):
    """Access to elements `stride` apart; 0: all lanes read the same."""
    return touched(lambda lane: lane * stride, element_bytes, offset_bytes)


@checked
def sectors(stride: Stride = 1, element_bytes: ElementBytes = 4, offset_bytes: OffsetBytes = 0):
    """Sectors of a warp's load of elements `stride` apart; 0: all lanes read the same."""
    return len(strided(stride, element_bytes, offset_bytes).sectors)


@checked
def load_efficiency(stride: Stride = 1, element_bytes: ElementBytes = 4, offset_bytes: OffsetBytes = 0):
    """Share of the bytes brought that a warp's strided load asked for."""
    return strided(stride, element_bytes, offset_bytes).efficiency


@checked
def bank_conflict(stride_words: Stride):
    """Turns that a warp's access to shared memory takes, lanes `stride_words` words apart: 1 is free of conflict."""
    return strided(stride_words, BANK_BYTES).turns
