"""Numbers in few bits: formats, rounding, scales, sums, and what they buy.

formats     Format, FORMATS: every code, and how a number becomes one
converting  the same bit by bit, for looking at           scales      integers, zero points, blocks, signal to noise
sums        accumulators of few bits                      watching    a block, and a sum, step by step
reach       where gradients land among the codes
"""

from accelerator_lib.numerics.converting import Conversion, convert_steps
from accelerator_lib.numerics.formats import ELEMENTS, FORMATS, INTEGERS, Format, quantize
from accelerator_lib.numerics.reach import landed, ruled
from accelerator_lib.numerics.scales import (
    affine_quantize,
    bits_per_element,
    block_quantize,
    block_scales,
    int_quantize,
    mx_block_scale,
    snr_db,
)
from accelerator_lib.numerics.sums import accumulate
from accelerator_lib.numerics.watching import block_steps, outlier, sum_steps, terms

__all__ = [
    "ELEMENTS",
    "FORMATS",
    "INTEGERS",
    "Conversion",
    "Format",
    "accumulate",
    "affine_quantize",
    "bits_per_element",
    "block_quantize",
    "block_scales",
    "block_steps",
    "convert_steps",
    "int_quantize",
    "landed",
    "mx_block_scale",
    "outlier",
    "quantize",
    "ruled",
    "snr_db",
    "sum_steps",
    "terms",
]
