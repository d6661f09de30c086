"""Products in tiles: how many bytes a product moves when the chip can hold only a piece of it at a time.

    tiles of tm x tn     b (m k ceil(n / tn) + k n ceil(m / tm) + m n)

A once for every column of tiles, B once for every row of them; outputs stay put while a tile is worked on. No cache
between tiles.
Source: M. Lam, E. Rothberg, M. Wolf, "The cache performance and optimizations of blocked algorithms", ASPLOS 1991.
"""

from dataclasses import dataclass

from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.signature import Whole, checked
from accelerator_lib.workload import Gemm
from accelerator_lib.workload.work import Product


@checked
def square(size: Whole(unit="elements")):
    """The product of two size x size matrices."""
    return Gemm(size, size, size)


@checked
def gemm_bytes(gemm: Product, tile_m: Whole(), tile_n: Whole(), dtype: Format = "bf16"):
    """Traffic [byte] of a product in output tiles, ragged ones included; whole numbers or arrays of them."""
    rows, cols = -(-gemm.m // tile_m), -(-gemm.n // tile_n)
    return format_bytes(dtype) * (gemm.m * gemm.k * cols + gemm.k * gemm.n * rows + gemm.m * gemm.n)


@checked
def intensity(gemm: Product, tile_m: Whole(), tile_n: Whole(), dtype: Format = "bf16"):
    """Arithmetic intensity [FLOP/byte] of a product in tiles."""
    return gemm.flops / gemm_bytes(gemm, tile_m, tile_n, dtype)


@dataclass(frozen=True)
class OutputTile:
    """One output tile of a walk, and the bytes of each operand moved until it is done."""

    number: int
    row: int
    col: int
    rows: int  # tiles down
    cols: int
    input_bytes: int
    weight_bytes: int
    output_bytes: int

    @property
    def bytes_moved(self):
        return self.input_bytes + self.weight_bytes + self.output_bytes


@dataclass(frozen=True)
class Reading:
    """An OutputTile of a walk beside the lower bound [byte] of the whole product."""

    tile: OutputTile
    bound_bytes: float

    @property
    def shares(self):
        """What was moved so far over the bound: (inputs, weights, outputs)."""
        moved = self.tile.input_bytes, self.tile.weight_bytes, self.tile.output_bytes
        return tuple(each / self.bound_bytes for each in moved)

    @property
    def excess(self):
        """All of it over the bound."""
        return self.tile.bytes_moved / self.bound_bytes


@checked
def tiles(gemm: Product, tile_m: Whole(), tile_n: Whole(), dtype: Format = "bf16"):
    """Yield an OutputTile for every output tile, row by row, ragged edges included. The last one has gemm_bytes."""
    size, rows, cols = format_bytes(dtype), -(-gemm.m // tile_m), -(-gemm.n // tile_n)
    inputs = weights = outputs = 0
    for number in range(rows * cols):
        row, col = divmod(number, cols)
        high, wide = min(tile_m, gemm.m - row * tile_m), min(tile_n, gemm.n - col * tile_n)
        inputs += high * gemm.k * size
        weights += gemm.k * wide * size
        outputs += high * wide * size
        yield OutputTile(number, row, col, rows, cols, inputs, weights, outputs)
