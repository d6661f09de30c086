"""Products in tiles, and chains of steps: how many bytes they move when the chip holds only a piece at a time.

    tiles of tm x tn     b (m k ceil(n / tn) + k n ceil(m / tm) + m n)
    waves of them        the same for a tile as large as a wave: rows tm x (at_once / rows) tn
    no order of work     beats max(m k + k n + m n, 2 m n k / sqrt(S) - 2 S) words with S words on the chip

No cache between tiles; or one that the tiles of a wave share, and that keeps nothing for the next. Sources: M. Lam,
E. Rothberg, M. Wolf, "The cache performance and optimizations of blocked algorithms", ASPLOS 1991; J. Hong, H. Kung,
"I/O complexity: the red-blue pebble game", STOC 1981, and later work on its constant.
"""

import numpy as np

from accelerator_lib.checks.signature import Number, Switch, Whole, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.workload.work import Gemm, Product

Words = Number(low=1)


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


@checked
def io_lower_bound_words(gemm: Product, words: Words):
    """No schedule of the ordinary product moves fewer words through a store of so many words."""
    compulsory = 1.0 * gemm.m * gemm.k + 1.0 * gemm.k * gemm.n + 1.0 * gemm.m * gemm.n
    return np.maximum(compulsory, 2.0 * gemm.m * gemm.n * gemm.k / np.sqrt(words) - 2 * words)


@checked
def largest_tile_bytes(gemm: Product, words: Words, dtype: Format = "bf16"):
    """Traffic [byte] in square tiles whose sums alone fill the store (or hold all of C); edges need not be whole."""
    high, wide = (np.minimum(np.sqrt(words), edge) for edge in (gemm.m, gemm.n))
    work = 1.0 * gemm.m * gemm.n * gemm.k
    return format_bytes(dtype) * (work / wide + work / high + 1.0 * gemm.m * gemm.n)


@checked
def chain_bytes(n: Whole(), ops: Whole(1, 10**6), dtype: Format = "fp16", fused: Switch = False, extra: Whole(0) = 0):
    """Traffic [byte] of `ops` element-wise steps on n elements, which read `extra` further arrays once in any case."""
    return (2 * (1 if fused else ops) + extra) * n * format_bytes(dtype)
