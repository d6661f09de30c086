"""Numbers in few bits: formats, rounding, scales, sums, and what they buy.

formats     Format, FORMATS: every code, and how a number becomes one
scales      integers, zero points, blocks, an outlier     sums        accumulators of few bits
reach       where gradients land among the codes          lowbit      a small network trained in few bits
masters     weights under tiny updates                    amax        scales from the history of a tensor
gptq        rounding input by input                       regimes     what fewer bits buy on the roofline
sparsity    zeros that are skipped, or not                tradeoff    bits against signal, loud channels
budget      the bits of a language model                  published   models beside measurements
calibration integers over a distribution                  recorded    what training gave, for questions
"""

from accelerator_lib.numerics import amax, budget, calibration, lowbit, masters, published, recorded, sparsity, tradeoff
from accelerator_lib.numerics.formats import ELEMENTS, FORMATS, INTEGERS, Format, quantize
from accelerator_lib.numerics.gptq import gptq_steps
from accelerator_lib.numerics.reach import landed, ruled
from accelerator_lib.numerics.regimes import regimes, unfused_seconds
from accelerator_lib.numerics.scales import (
    affine_quantize,
    bits_per_element,
    block_quantize,
    block_scales,
    int_quantize,
    lost_beside,
    mx_block_scale,
    outlier,
    snr_db,
)
from accelerator_lib.numerics.sparsity import sparse_bytes_ratio
from accelerator_lib.numerics.sums import HOPPER_FP8, accumulate, sum_of_ones, terms
