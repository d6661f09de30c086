"""Library: the tile that a library of products takes for a shape, and the time that its waves then last.

    seconds = launch + max(waves, reads) + writes
    waves   = waves of tiles x FLOP of a tile / (peak of one SM x how well the tile is fed)

A large tile is fed best (by its FLOP for each byte; in full from 128 x 128 on), a small one fills the last wave best: a
library takes the one that is done first. Ignored: two tiles on one SM, products split along k, loads shared by
neighbouring SMs. Source: NVIDIA, "Matrix multiplication background user's guide", 2023 (tiles, waves).
"""

from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from accelerator_lib.checks.signature import BytesPerS, FlopsPerS, Number, Single, Switch, checked
from accelerator_lib.gpu.grid import Sms, in_waves
from accelerator_lib.hardware import FORMAT_BYTES, Format
from accelerator_lib.workload.work import Product

SIDES = (16, 32, 64, 128, 256)
MOST = 128 * 256  # numbers of a tile: its sums stay in the registers of an SM
TILES = [(m, n) for m in SIDES for n in SIDES if m * n <= MOST]
FULL = 128  # side of the square tile from which on an SM is fed in full


@dataclass(frozen=True)
class Taken:
    """The tile that a library takes: its sides, its waves, and the share of the peak that they leave."""

    tile_m: int
    tile_n: int
    waves: int
    share: float  # of the peak: waves that are full, numbers that count, operands that arrive in time


@dataclass(frozen=True)
class Timed:
    """Time of a product [s], part by part."""

    taken: Taken
    launch_seconds: float
    waves_seconds: float
    reads_seconds: float
    writes_seconds: float
    hidden: bool  # whether sums are written beside the next tile's products

    def at(self, share=1.0, bandwidth=1.0, launch_seconds=0.0):
        """The same where a chip sustains these shares of its two rates, and a launch takes so long."""
        moved = self.reads_seconds / bandwidth, self.writes_seconds / bandwidth
        return Timed(self.taken, launch_seconds, self.waves_seconds / share, *moved, self.hidden)

    @property
    def parts(self):
        """What the time goes into [s]; what is done beside something longer costs nothing."""
        beside = self.reads_seconds + (self.writes_seconds if self.hidden else 0.0)
        after = 0.0 if self.hidden else self.writes_seconds
        fast = self.waves_seconds >= beside
        work, memory = (self.waves_seconds, after) if fast else (0.0, beside + after)
        return {"arithmetic": work, "memory bandwidth": memory, "launch": self.launch_seconds}

    seconds = property(lambda self: sum(self.parts.values()))
    # what most of the time goes into: "arithmetic", "memory bandwidth" or "launch"
    limit = property(lambda self: max(self.parts, key=self.parts.get))


def fed(tile_m, tile_n):
    """Share of an SM's peak at which a tile's operands arrive: its FLOP for each byte, over those of 128 x 128."""
    return min(1.0, 2 * tile_m * tile_n / (tile_m + tile_n) / FULL)


@checked
def take(gemm: Single(Product), sms: Single(Sms) = 132):
    """The tile that is done first, and of equals the largest: Taken."""
    return _take(gemm.m, gemm.n, sms)


@lru_cache(4096)
def _take(m, n, sms):
    found = []
    for tile_m, tile_n in TILES:
        made = in_waves(m, n, tile_m, tile_n, sms)
        share = made.efficiency * fed(tile_m, tile_n)
        found.append((share, tile_m * tile_n, Taken(tile_m, tile_n, made.waves, share)))
    return max(found, key=itemgetter(0, 1))[2]


@checked
def time(
    gemm: Single(Product),
    flops_per_s: Single(FlopsPerS),
    bytes_per_s: Single(BytesPerS),
    sms: Single(Sms) = 132,
    dtype: Format = "bf16",
    output_dtype: Format = "bf16",
    launch_seconds: Single(Number(low=0, unit="s")) = 0.0,
    hidden: Switch = False,
):
    """Time of a product by the rates that a chip sustains [FLOP/s, B/s], in the tile that a library takes: Timed."""
    taken = _take(gemm.m, gemm.n, sms)
    written = gemm.m * gemm.n * FORMAT_BYTES[output_dtype]
    read = gemm.bytes_moved(dtype, output_dtype=output_dtype) - written
    compute = gemm.flops / (flops_per_s * taken.share)
    return Timed(taken, launch_seconds, compute, read / bytes_per_s, written / bytes_per_s, hidden)
