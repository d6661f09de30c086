"""Grid: the blocks of a launch, and the waves in which they pass over the SMs.

waves      = ceil(tiles / SMs); the last one is rarely full
efficiency = SMs with a tile, over all waves  x  numbers of the product in the tiles' numbers
"""

from dataclasses import dataclass

from accelerator_lib.gpu.residency import MOST_THREADS
from accelerator_lib.gpu.simt import LANES
from accelerator_lib.inputs import whole


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


def waves(m, n, tile_m=128, tile_n=128, sms=132):
    """Waves of an m x n result in tiles, one tile an SM at a time."""
    m, n = whole("m", m, high=10**9), whole("n", n, high=10**9)
    tile_m, tile_n = whole("tile_m", tile_m, high=10**6), whole("tile_n", tile_n, high=10**6)
    sms = whole("sms", sms, high=10**6)
    tiles = -(-m // tile_m) * -(-n // tile_n)
    rounds = -(-tiles // sms)
    return Waves(tiles, rounds, tiles / (rounds * sms), m * n / (tiles * tile_m * tile_n))


@dataclass(frozen=True)
class Launch:
    """A grid of blocks over so many elements, one thread each."""

    blocks: int
    threads: int  # of a block
    idle_threads: int  # beyond the last element
    warps: int  # of a block
    empty_lanes: int  # in the last warp of each block


def launch(elements, threads=256):
    """Launch for so many elements in blocks of so many threads; at most 1,024."""
    elements, threads = whole("elements", elements), whole("threads", threads, high=MOST_THREADS)
    blocks, warps = -(-elements // threads), -(-threads // LANES)
    return Launch(blocks, threads, blocks * threads - elements, warps, warps * LANES - threads)
