"""Squares: published products whose result is square, as shares of their chip's peak, beside what waves leave of it.

Facts: roofline.measured, which reads them from the data.
"""

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.checks.signature import Single, checked
from accelerator_lib.data import kept
from accelerator_lib.gpu.grid import Sms
from accelerator_lib.roofline import products

MOST = 8192  # rows and columns; beyond, hundreds of waves are full


@checked
@kept
def published(sms: Single(Sms) = 132):
    """([rows of each], [share of the peak for its format]) on all GPUs with so many SMs, up to MOST rows."""
    found = []
    for chip in hardware.chips().values():
        if chip.units == sms and chip.vendor == "NVIDIA":
            ran = products(chip)
            for row, rate, peak in zip(ran.rows, ran.flops_per_s, ran.peaks, strict=True):
                if row["conditions"]["M"] == row["conditions"]["N"] <= MOST:
                    found.append((row["conditions"]["M"], rate / peak))
    return tuple(np.array(found).reshape(-1, 2).T)
