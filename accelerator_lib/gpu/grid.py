"""Grid: the blocks of a launch, and the waves in which they pass over the SMs.

waves      = ceil(tiles / SMs); the last one is rarely full
efficiency = SMs with a tile, over all waves  x  numbers of the product in the tiles' numbers
"""

from dataclasses import dataclass

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, Single, Whole, checked
from accelerator_lib.gpu.arch import MOST_THREADS, WARP_LANES

Size, Tile, Sms = Whole(high=10**9), Whole(high=10**6), Whole(high=10**6)
Side, Few = Count(high=10**5), Count(high=10**4)
MOST_WAVES = 10**4  # one by one; each can tell the shares of all before it


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
class Wave:
    """One wave of a product: which of its tiles are on an SM; number 0: none yet."""

    number: int
    waves: int
    rows: int  # of tiles
    cols: int
    filled: tuple  # share of the rows and of the columns of the tiles' numbers that the product has
    sms: int

    @property
    def tiles(self):
        return self.rows * self.cols

    @property
    def working(self):
        """The tiles on an SM, as a range: the first is on SM 0."""
        return range(max(0, self.number - 1) * self.sms, min(self.number * self.sms, self.tiles))

    @property
    def shares(self):
        """Share of the SMs that had a tile in each wave so far."""
        return [min(self.sms, self.tiles - before * self.sms) / self.sms for before in range(self.number)]

    @property
    def efficiency(self):
        """The same over all waves so far; None before the first."""
        return sum(self.shares) / self.number if self.number else None


@checked
def wave_by_wave(m: Side, n: Side, tile_m: Single(Tile) = 128, tile_n: Single(Tile) = 128, sms: Few = 132):
    """Yield a Wave before the first wave of an m x n product and for each."""
    rows, cols = -(-m // tile_m), -(-n // tile_n)
    filled = m / (rows * tile_m), n / (cols * tile_n)
    rounds = affordable("waves", -(-rows * cols // sms), MOST_WAVES, "m or n, or take larger tiles or more SMs")
    return (Wave(number, rounds, rows, cols, filled, sms) for number in range(rounds + 1))


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
