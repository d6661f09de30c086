"""Grid: the blocks of a launch, and the waves in which they pass over the SMs.

waves      = ceil(blocks / (SMs x resident blocks)); the last one is rarely full
efficiency = SMs with a tile, over all waves  x  numbers of the product in the tiles' numbers
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.gpu import sm
from accelerator_lib.gpu.residency import Occupancy, Registers, Shared, Threads, occupancy

Size, Tile, Sms = Whole(high=10**9), Whole(high=10**6), Whole(high=10**6)


@dataclass(frozen=True)
class Waves:
    """Tiles of a product on the SMs of a chip; shares of one. Scalars or arrays."""

    tiles: int
    waves: int
    wave_efficiency: float  # SMs that have a tile, over all waves
    tile_efficiency: float  # numbers of the product in the tiles' numbers

    efficiency = property(lambda self: self.wave_efficiency * self.tile_efficiency)


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
    """A grid of blocks on a chip: what one SM holds at a time, and the waves that pass over all of them."""

    fits: Occupancy
    blocks: int
    sms: int

    places = property(lambda self: self.sms * self.fits.blocks)  # blocks that run at once: a wave
    waves = property(lambda self: -(-self.blocks // self.places) if self.places else 0)

    @property
    def in_wave(self):
        """Blocks of each wave."""
        return tuple(min(self.places, self.blocks - before * self.places) for before in range(self.waves))

    # places that a block takes, over all waves; 0 where none fits
    share = property(lambda self: self.blocks / (self.waves * self.places) if self.waves else 0.0)

    @property
    def limit(self):
        """The resources that set the resident blocks, in words."""
        return " and ".join("shared memory" if name == "shared" else name for name in self.fits.limiters)


@checked
def launch(
    chip: sm.OfAnSm, blocks: Whole(high=10**6), threads: Threads, registers: Registers, shared_bytes: Shared = 0
):
    """Launch of so many blocks; threads and shared memory of each, registers of a thread."""
    return Launch(occupancy(sm.CHIPS[chip], threads, registers, shared_bytes), blocks, sm.chip(chip).units)
