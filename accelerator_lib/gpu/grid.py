"""Grid: the blocks of a launch, and the waves in which they pass over the SMs.

waves      = ceil(tiles / SMs); the last one is rarely full
efficiency = SMs with a tile, over all waves  x  numbers of the product in the tiles' numbers
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.gpu.arch import MOST_THREADS, WARP_LANES

Size, Tile, Sms = Whole(high=10**9), Whole(high=10**6), Whole(high=10**6)


@dataclass(frozen=True)
class Waves:
    """Tiles of a product on the SMs of a chip; shares of one. Scalars or arrays."""

    tiles: int
    waves: int
    wave_efficiency: float  # SMs that have a tile, over all waves
    tile_efficiency: float  # numbers of the product in the tiles' numbers

    @property
    def efficiency(self):
        return self.wave_efficiency * self.tile_efficiency


@checked
def waves(m: Size, n: Size, tile_m: Tile = 128, tile_n: Tile = 128, sms: Sms = 132):
    """Waves of an m x n result in tiles, one tile an SM at a time."""
    return in_waves(m, n, tile_m, tile_n, sms)


def in_waves(m, n, tile_m, tile_n, sms):
    """The same of what was checked before."""
    tiles = -(-m // tile_m) * -(-n // tile_n)
    rounds = -(-tiles // sms)
    return Waves(tiles, rounds, tiles / (rounds * sms), m * n / (tiles * tile_m * tile_n))


@dataclass(frozen=True)
class Launch:
    """A grid of blocks over so many elements, one thread each."""

    elements: int
    threads: int  # of a block

    @property
    def blocks(self):
        return -(-self.elements // self.threads)

    @property
    def idle_threads(self):
        """Threads beyond the last element."""
        return self.blocks * self.threads - self.elements

    @property
    def last_share(self):
        """Share of the last block's threads that have an element; in all others every thread has one."""
        return 1 - self.idle_threads / self.threads

    @property
    def warps(self):
        """Warps of a block."""
        return -(-self.threads // WARP_LANES)

    @property
    def empty_lanes(self):
        """Lanes without a thread in the last warp of each block."""
        return self.warps * WARP_LANES - self.threads


@checked
def launch(elements: Whole(), threads: Whole(high=MOST_THREADS) = 256):
    """Launch for so many elements in blocks of so many threads; at most 1,024."""
    return Launch(elements, threads)
