"""Batch: how many rows share one read of the weights before the arithmetic sets the pace.

    m x f >= weights + m x a      f: bytes that the memory delivers during one row's arithmetic
                                  a: bytes of one row, its inputs and its outputs

So m = weights / (f - a): more than the ridge point suggests, since each further row brings bytes of its own.
"""

from math import ceil

import numpy as np

from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.hardware import AChip, Format, format_bytes
from accelerator_lib.roofline.roof import ridge_of
from accelerator_lib.workload.work import own_or


@checked
def critical_batch(d_in: Whole(), d_out: Whole(), chip: AChip, dtype: Format = "bf16", weight_dtype: Format = None):
    """Fewest rows for which a d_in -> d_out layer is compute-bound; None where no batch is enough."""
    weights = d_in * d_out * format_bytes(own_or(weight_dtype, dtype))
    spare = 2 * d_in * d_out / ridge_of(chip, dtype) - (d_in + d_out) * format_bytes(dtype)
    enough = np.vectorize(lambda bytes, left: None if left <= 0 else max(1, ceil(bytes / left)), otypes=[object])
    return enough(weights, spare)[()]
