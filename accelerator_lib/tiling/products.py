"""Products in tiles: how many bytes a product moves when the chip can hold only a piece of it at a time.

    tiles of tm x tn     b (m k ceil(n / tn) + k n ceil(m / tm) + m n)
    waves of them        the same for a tile as large as a wave: rows tm x (at_once / rows) tn

No cache between tiles; or one that the tiles of a wave share, and that keeps nothing for the next wave. Source: M. Lam,
E. Rothberg, M. Wolf, "The cache performance and optimizations of blocked algorithms", ASPLOS 1991.
"""

import numpy as np

from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.hardware import Format, format_bytes
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


@checked
def wave_bytes(
    gemm: Product, tile_m: Whole(), tile_n: Whole(), rows: Whole() = 1, at_once: Whole() = 108, dtype: Format = "bf16"
):
    """Traffic [byte] behind a shared cache: `at_once` tiles run at the same time, in `rows` rows."""
    return gemm_bytes(gemm, rows * tile_m, np.maximum(at_once // rows, 1) * tile_n, dtype)
