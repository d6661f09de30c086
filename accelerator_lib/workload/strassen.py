"""Strassen: seven products of half the size instead of eight, for eighteen additions.

    time(n, levels) = 7 x time(n/2, levels - 1) + 18 additions of (n/2)^2 elements
    one level pays from   n > 54 x bytes of an element x peak / bandwidth

The additions move bytes: two operands in, one result out. That, not their FLOP, is what they cost on an accelerator.
Source: V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik 13, 1969.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, checked
from accelerator_lib.hardware import AChip, Format, format_bytes

Levels = Count(low=0, high=20)
ADDITIONS = 18  # of half-size matrices, at each level
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
