"""Strassen: seven products of half the size instead of eight, for eighteen additions.

    time(n, levels) = 7 x time(n/2, levels - 1) + 18 additions of (n/2)^2 elements
    one level pays from   n > 54 x bytes of an element x peak / bandwidth

The additions move bytes: two operands in, one result out. That, not their FLOP, is what they cost on an accelerator.
Source: V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik 13, 1969.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, Given, Number, checked
from accelerator_lib.hardware import AChip, Format, format_bytes
from accelerator_lib.workload.sums import finite, held, largest_sum

Levels = Count(low=0, high=20)
ADDITIONS = 18  # of half-size matrices, at each level
MOST_PRODUCTS, MOST_ROWS = 7**6, 4096
MOST_ADDS = 10**9  # of integers
EXACT = 2**53  # whole numbers up to here are exact in float64
MOVED = 3  # two matrices read and one written, for each addition


@dataclass(frozen=True)
class Times:
    """One product both ways; scalars or arrays over n."""

    n: int
    ordinary_seconds: float
    product_seconds: float  # what is left of the products
    addition_seconds: float

    # how many times faster than the ordinary product; below one, slower
    gain = property(lambda self: self.ordinary_seconds / (self.product_seconds + self.addition_seconds))


@checked
def times(n: Number(low=1, high=1e7), levels: Levels = 1, chip: AChip = "h100-sxm5", dtype: Format = "bf16"):
    """Times of an n x n product with so many levels of Strassen: products at the peak, additions at the bandwidth."""
    ordinary = 2 * n**3 / chip.peak(dtype)
    elements = sum(7**level * ADDITIONS * (n / 2 ** (level + 1)) ** 2 for level in range(levels))
    added = MOVED * format_bytes(dtype) * elements / chip.need("bytes_per_s")
    return Times(n, ordinary, ordinary * (7 / 8) ** levels, np.zeros_like(n) + added)


@checked
def crossover(chip: AChip = "h100-sxm5", dtype: Format = "bf16"):
    """Size n from which one level is faster."""
    return ADDITIONS * MOVED * format_bytes(dtype) * chip.peak(dtype) / chip.need("bytes_per_s")


def _square(value):
    """A square matrix of numbers as an array. Raises TypeError or ValueError."""
    matrix = np.asarray(value)
    if matrix.ndim != 2 or matrix.dtype.kind not in "iuf":
        raise TypeError(f"give a square matrix of numbers, not {type(value).__name__}")
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the matrix must be square, not {matrix.shape[0]} x {matrix.shape[1]}")
    return finite("the matrix", matrix)


Square = Given("a square matrix", _square)


@checked
def multiply(a: Square, b: Square, levels: Levels = 1):
    """a @ b by so many levels of Strassen, and how many products of single pairs of blocks it took: (result, products).

    Square matrices whose size divides by 2^levels. Sums have the format of `sums.accumulator`. Raises ValueError.
    """
    size = len(a)
    if a.shape != b.shape or size % 2**levels:
        raise ValueError(f"both must be square, of a size that 2^{levels} divides; got {a.shape} and {b.shape}")
    affordable("products of blocks", 7**levels, MOST_PRODUCTS, "levels")
    affordable("rows", size, MOST_ROWS, "the size of the matrices")
    if not size:
        raise ValueError("the matrices are empty; give one number at least")
    grown = 8**levels  # sums of two blocks are twice as large, and four products are added up
    wide = work = held(a, b, grown)
    if wide.kind == "i":  # through float64 where that is exact: integers are multiplied one by one, without BLAS
        exact = largest_sum(a, b) * grown < EXACT
        work = np.float64 if exact else np.int64
        if not exact:
            affordable("products of large integers", 7**levels * (size >> levels) ** 3, MOST_ADDS, "the matrices' size")
    result, products = _multiply(a.astype(work), b.astype(work), levels)
    return result.astype(wide), products


def _multiply(a, b, levels):
    """The same without checks."""
    if levels == 0:
        return a @ b, 1
    h = len(a) // 2
    a11, a12, a21, a22 = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
    b11, b12, b21, b22 = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
    pairs = [
        (a11 + a22, b11 + b22), (a21 + a22, b11), (a11, b12 - b22), (a22, b21 - b11),
        (a11 + a12, b22), (a21 - a11, b11 + b12), (a12 - a22, b21 + b22),
    ]  # fmt: skip
    found = [_multiply(left, right, levels - 1) for left, right in pairs]
    m1, m2, m3, m4, m5, m6, m7 = (product for product, _ in found)
    result = np.block([[m1 + m4 - m5 + m7, m3 + m5], [m2 + m4, m1 - m2 + m3 + m6]])
    return result, sum(count for _, count in found)
