"""Squares: published products whose result is square, as shares of their chip's peak, beside what waves leave of it.

Facts: roofline.measured, which reads them from the data.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.checks.signature import Single, checked
from accelerator_lib.data import kept
from accelerator_lib.gpu.grid import Sms
from accelerator_lib.roofline import products

MOST = 8192  # rows and columns; beyond, hundreds of waves are full


@dataclass(frozen=True, eq=False)
class Squares:
    """Published products of an M x M result on chips of one number of SMs: one entry each."""

    rows: tuple  # as they stand in the data
    sizes: np.ndarray  # M
    shares: np.ndarray  # of the peak for their format, 0 to 1


@checked
@kept
def published(sms: Single(Sms) = 132):
    """Squares of all GPUs with so many SMs, up to MOST rows; of some numbers of SMs there are none."""
    found = []
    for chip in hardware.chips().values():
        if chip.units == sms and chip.vendor == "NVIDIA":
            ran = products(chip)
            for row, rate, peak in zip(ran.rows, ran.flops_per_s, ran.peaks, strict=True):
                if row["conditions"]["M"] == row["conditions"]["N"] <= MOST:
                    found.append((row, row["conditions"]["M"], rate / peak))
    rows, sizes, shares = zip(*found, strict=True) if found else ((), (), ())
    return Squares(rows, np.array(sizes, dtype=int), np.array(shares))
