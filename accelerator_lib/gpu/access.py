"""Access: what the 32 lanes of a warp touch at once. Global memory counts sectors of 32 bytes, shared memory banks.

    sectors        = distinct 32-byte pieces that hold any byte asked for        (4 for 32 floats in a row)
    load efficiency = distinct bytes asked for / bytes of those sectors
    bank conflict  = the most distinct words in one of 32 banks; equal words are one read (broadcast)

Source: CUDA C++ Programming Guide, device memory accesses and shared memory.
"""

import numpy as np

from accelerator_lib.inputs import count, real

LANES, SECTOR, BANKS, WORD = 32, 32, 32, 4  # lanes, bytes, banks, bytes
FARTHEST = 2**40


def touched(index, element_bytes=4, offset_bytes=0):
    """Byte addresses [lanes, element_bytes] of an access such as a[index(lane)]; `index` is called for 32 lanes."""
    size, offset = count("element_bytes", element_bytes, high=1024), count("offset_bytes", offset_bytes, 0, FARTHEST)
    if not callable(index):
        raise TypeError(f"index must be a function of the lane, such as lambda lane: 2 * lane, not {index!r}")
    places = [count(f"index of lane {lane}", index(lane), 0, FARTHEST) for lane in range(LANES)]
    return offset + np.array(places)[:, None] * size + np.arange(size)


def sectors_of(addresses):
    """The numbers of the distinct sectors that byte addresses lie in, rising."""
    return np.unique(np.asarray(addresses) // SECTOR)


def efficiency_of(addresses):
    """Share of the bytes brought that were asked for."""
    return float(len(np.unique(addresses)) / (SECTOR * len(sectors_of(addresses))))


def banks_of(addresses):
    """[32]: distinct words of each bank of shared memory; the largest is the number of turns that the access takes."""
    words = np.unique(np.asarray(addresses) // WORD)
    return np.bincount(words % BANKS, minlength=BANKS)


def sectors(stride=1, element_bytes=4, offset_bytes=0):
    """Sectors of a warp's load of elements `stride` apart; 0: all lanes read the same."""
    return len(sectors_of(_strided("stride", stride, element_bytes, offset_bytes)))


def load_efficiency(stride=1, element_bytes=4, offset_bytes=0):
    """Share of the bytes brought that a warp's strided load asked for."""
    return efficiency_of(_strided("stride", stride, element_bytes, offset_bytes))


def bank_conflict(stride_words):
    """Turns that a warp's access to shared memory takes, lanes `stride_words` words apart: 1 is free of conflict."""
    return int(banks_of(_strided("stride_words", stride_words, WORD)).max())


def _strided(name, stride, element_bytes, offset_bytes=0):
    """What 32 lanes touch that are `stride` elements apart."""
    stride = count(name, stride, low=0, high=2**30)
    return touched(lambda lane: lane * stride, element_bytes, offset_bytes)


def copy_instructions(tile_bytes, lane_bytes=16):
    """Loads of whole warps that copy a tile, each lane so many bytes; a copy engine (TMA) takes one, by one lane."""
    return int(np.ceil(real("tile_bytes", tile_bytes, high=1e15) / (LANES * count("lane_bytes", lane_bytes, high=16))))


PATTERNS = {
    "a[lane]": (lambda lane: lane, 4),
    "a[lane + 1]": (lambda lane: lane + 1, 4),
    "a[31 - lane]": (lambda lane: 31 - lane, 4),
    "a[2 * lane]": (lambda lane: 2 * lane, 4),
    "a[0]": (lambda lane: 0, 4),
    "points[lane].y, three floats each": (lambda lane: 3 * lane + 1, 4),
    "y[lane], one array for each field": (lambda lane: 128 + lane, 4),
    "row of a matrix, m[5][lane]": (lambda lane: 5 * 32 + lane, 4),
    "column of a matrix, m[lane][5]": (lambda lane: 32 * lane + 5, 4),
    "column, rows padded to 33": (lambda lane: 33 * lane + 5, 4),
    "double d[lane]": (lambda lane: lane, 8),
    "four floats at once, a4[lane]": (lambda lane: lane, 16),
    "table[lane * lane % 97]": (lambda lane: lane * lane % 97, 4),
}
