"""Walking: a product tile by tile, and for each tile strip by strip along k, with an odometer of bytes.

A tile of C stays in the registers while strips of A and B pass through the shared memory; it is written when it is
done. The first two tiles are walked strip by strip, the others in one step each: they do the same again.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.tiling.budgets import Budget
from accelerator_lib.tiling.products import gemm_bytes
from accelerator_lib.workload import Gemm
from accelerator_lib.workload.work import Product

SLOWLY = 2  # tiles that are walked strip by strip


@dataclass(frozen=True)
class Moment:
    """A moment of a walk: which strips are on the chip, how far the tile of C is, the bytes of each operand so far."""

    gemm: Gemm
    tile: tuple  # of C: rows, columns, and the depth of a strip
    dtype: str
    number: int  # of the tile that is in the registers; as many as there are when all are written
    depth: int  # how much of k this tile has seen
    arrived: int  # how much of it came with the strips that are there now; 0 before the first
    input_bytes: int
    weight_bytes: int
    output_bytes: int

    @property
    def grid(self):
        """Tiles of C: down, across."""
        return -(-self.gemm.m // self.tile[0]), -(-self.gemm.n // self.tile[1])

    @property
    def tiles(self):
        return self.grid[0] * self.grid[1]

    @property
    def bytes_moved(self):
        return self.input_bytes + self.weight_bytes + self.output_bytes

    @property
    def total_bytes(self):
        """What the whole walk moves, by the formula."""
        return gemm_bytes(self.gemm, *self.tile[:2], self.dtype)

    def box(self, number):
        """Of a tile: (first row, first column, rows, columns), in elements; ragged at the edges."""
        row, col = divmod(number, self.grid[1])
        top, left = row * self.tile[0], col * self.tile[1]
        return top, left, min(self.tile[0], self.gemm.m - top), min(self.tile[1], self.gemm.n - left)

    @property
    def coming(self):
        """What is brought next: (number of the tile, where it begins along k, how deep it is), or None at the end."""
        number, depth = (self.number, self.depth) if self.depth < self.gemm.k else (self.number + 1, 0)
        if number >= self.tiles:
            return None
        return number, depth, min(self.tile[2], self.gemm.k - depth) if number < SLOWLY else self.gemm.k


@dataclass(frozen=True)
class Reading:
    """A Moment beside what no order of work can beat [byte], and what a tile needs beside the room there is."""

    now: Moment
    bound_bytes: float
    need: Budget
    room: Budget

    @property
    def moved(self):
        """What was moved so far [byte]: (inputs, weights, outputs, all)."""
        return self.now.input_bytes, self.now.weight_bytes, self.now.output_bytes, self.now.bytes_moved

    @property
    def excess(self):
        """What the whole walk moves over the bound."""
        return self.now.total_bytes / self.bound_bytes

    @property
    def ends(self):
        """What each operand will have moved in the end [byte]: (inputs, weights, outputs, all)."""
        gemm, (down, across), size = self.now.gemm, self.now.grid, format_bytes(self.now.dtype)
        moved = gemm.m * gemm.k * across * size, gemm.k * gemm.n * down * size, gemm.m * gemm.n * size
        return (*moved, self.now.total_bytes)


@checked
def walk(gemm: Product, tile_m: Count(), tile_n: Count(), tile_k: Count(), dtype: Format = "bf16"):
    """Yield a Moment before anything is brought, one for every strip or tile, one when all is written."""
    return _walk(gemm, (tile_m, tile_n, tile_k), dtype)


def _walk(gemm, tile, dtype):
    size, inputs, weights, outputs = format_bytes(dtype), 0, 0, 0
    now = Moment(gemm, tile, dtype, 0, 0, 0, 0, 0, 0)
    yield now
    while coming := now.coming:
        number, begin, deep = coming
        _, _, high, wide = now.box(number)
        if number > now.number:
            outputs += _area(now) * size
        inputs, weights = inputs + high * deep * size, weights + deep * wide * size
        now = Moment(gemm, tile, dtype, number, begin + deep, deep, inputs, weights, outputs)
        yield now
    yield Moment(gemm, tile, dtype, now.tiles, 0, 0, inputs, weights, outputs + _area(now) * size)


def _area(now):
    _, _, high, wide = now.box(now.number)
    return high * wide
