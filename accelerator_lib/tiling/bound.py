"""The lower bound: what no order of work can beat with so much memory on the chip, and the tile that comes close.

    S words on the chip       max(m k + k n + m n,  2 m n k / sqrt(S) - 2 S)      words
    a square tile of S sums   2 m n k / sqrt(S) + m n                             words

Source: J. Hong, H. Kung, "I/O complexity: the red-blue pebble game", STOC 1981, and later work on its constant.
"""

import numpy as np

from accelerator_lib.checks.signature import Number, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.workload.work import Product

Words = Number(low=1)


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
