"""Strassen: seven products of half the size instead of eight, for eighteen additions.

    time(n, levels) = 7 x time(n/2, levels - 1) + 18 additions of (n/2)^2 elements
    one level pays from   n > 54 x bytes of an element x peak / bandwidth

The additions move bytes: two operands in, one result out. That, not their FLOP, is what they cost on an accelerator.
Source: V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik 13, 1969.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.inputs import real, whole

ADDITIONS = 18  # of half-size matrices, at each level
MOVED = 3  # two matrices read and one written, for each addition


@dataclass(frozen=True)
class Times:
    """One product both ways; scalars or arrays over n."""

    n: int
    ordinary_seconds: float
    product_seconds: float  # what is left of the products
    addition_seconds: float

    @property
    def gain(self):
        """How many times faster than the ordinary product; below one, slower."""
        return self.ordinary_seconds / (self.product_seconds + self.addition_seconds)


def times(n, levels=1, chip="h100-sxm5", dtype="bf16"):
    """Times of an n x n product with so many levels of Strassen: products at the peak, additions at the bandwidth."""
    chip = hardware.chip(chip)
    n, levels = real("n", n, low=1, high=1e7), whole("levels", levels, low=0, high=20)
    peak, bandwidth = chip.peak(dtype), chip.need("bytes_per_s")
    ordinary = 2 * n**3 / peak
    added = sum(7**level * ADDITIONS * (n / 2 ** (level + 1)) ** 2 for level in range(levels))
    moved = MOVED * hardware.format_bytes(dtype) * added
    return Times(n, ordinary, ordinary * (7 / 8) ** levels, np.zeros_like(n) + moved / bandwidth)


def crossover(chip="h100-sxm5", dtype="bf16"):
    """Size n from which one level is faster."""
    chip = hardware.chip(chip)
    rate = chip.peak(dtype) / chip.need("bytes_per_s")
    return ADDITIONS * MOVED * hardware.format_bytes(dtype) * rate


def multiply(a, b, levels=1):
    """a @ b by so many levels of Strassen, and how many products of single pairs of blocks it took: (result, products).

    Square matrices whose size divides by 2^levels."""
    size = a.shape[0]
    if a.shape != b.shape or a.shape != (size, size) or size % 2 ** whole("levels", levels, low=0, high=20):
        raise ValueError(f"both must be square, of a size that 2^{levels} divides; got {a.shape} and {b.shape}")
    if levels == 0:
        return a @ b, 1
    h = size // 2
    a11, a12, a21, a22 = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
    b11, b12, b21, b22 = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
    pairs = [
        (a11 + a22, b11 + b22), (a21 + a22, b11), (a11, b12 - b22), (a22, b21 - b11),
        (a11 + a12, b22), (a21 - a11, b11 + b12), (a12 - a22, b21 + b22),
    ]  # fmt: skip
    found = [multiply(left, right, levels - 1) for left, right in pairs]
    m1, m2, m3, m4, m5, m6, m7 = (product for product, _ in found)
    result = np.block([[m1 + m4 - m5 + m7, m3 + m5], [m2 + m4, m1 - m2 + m3 + m6]])
    return result, sum(count for _, count in found)
