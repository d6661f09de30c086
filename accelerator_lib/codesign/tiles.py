"""Tiles: which settings of a tiled GPU kernel fit into a processor of the chip.

    shared memory   stages (tile_m + tile_n) tile_k bytes of an element <= what a block may have
    registers       tile_m tile_n sums, dealt out over 32 threads a warp <= those that a thread can keep

Ignored: registers for anything but sums, how many blocks run beside each other, what is fast.
"""

from itertools import product
from math import prod

from accelerator_lib.checks.signature import Count, Given, Positive, Single, checked

SHARED = 163 * 1024  # bytes that one block may have on an A100
MOST = 10**6  # settings that are tried


def _choices(value):
    found = tuple(value) if isinstance(value, (list, tuple, range)) else (value,)
    if not found or len(found) > 64 or not all(type(one) is int and 1 <= one <= 4096 for one in found):
        raise ValueError(f"choices must be up to 64 whole numbers from 1 to 4096, not {value!r}"[:120])
    return found


Choices = Given("whole numbers", _choices)


@checked
def legal_tiles(
    tile_m: Choices = (32, 64, 128, 256), tile_n: Choices = (32, 64, 128, 256), tile_k: Choices = (16, 32, 64),
    stages: Choices = (2, 3, 4, 5), warps: Choices = (4, 8), dtype_bytes: Single(Positive) = 2,
    shared_bytes: Single(Positive) = SHARED, accumulator_registers: Count() = 128,
):  # fmt: skip
    """[(tile_m, tile_n, tile_k, stages, warps)] that fit; bytes of an element and of shared memory, sums a thread."""
    every = prod(map(len, (tile_m, tile_n, tile_k, stages, warps)))
    if every > MOST:
        raise ValueError(f"{every:,} settings are too many to try; at most {MOST:,}")
    return [
        (m, n, k, deep, warp)
        for m, n, k, deep, warp in product(tile_m, tile_n, tile_k, stages, warps)
        if deep * (m + n) * k * dtype_bytes <= shared_bytes and m * n <= accumulator_registers * 32 * warp
    ]


@checked
def tile_counts(shared_bytes: Single(Positive) = SHARED):
    """(all settings, those that fit) of the default lists."""
    defaults = [len(default) for default in legal_tiles.__wrapped__.__defaults__[:5]]
    every = 1
    for count in defaults:
        every *= count
    return every, len(legal_tiles(shared_bytes=shared_bytes))
