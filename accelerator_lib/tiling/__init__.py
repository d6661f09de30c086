"""Tiling: how many bytes a product, a chain or attention moves when the chip holds only a piece of it at a time.

products      tiles, their budgets, the lower bound    chains        element-wise steps, apart or fused
attention     scores in memory, or never there         softmax       in one pass, block by block
fusion        what a compiler put into one kernel      pallas        two real kernels
"""

from accelerator_lib.tiling import fusion, pallas, softmax
from accelerator_lib.tiling.attention import ALGORITHMS, attention_bytes, attention_flops, attention_seconds
from accelerator_lib.tiling.chains import chain_bytes
from accelerator_lib.tiling.products import (
    Budget,
    budget,
    gemm_bytes,
    intensity,
    io_lower_bound_words,
    max_square_tile,
    square,
    tiles,
)

__all__ = [
    "ALGORITHMS",
    "Budget",
    "attention_bytes",
    "attention_flops",
    "attention_seconds",
    "budget",
    "chain_bytes",
    "fusion",
    "gemm_bytes",
    "intensity",
    "io_lower_bound_words",
    "max_square_tile",
    "pallas",
    "softmax",
    "square",
    "tiles",
]
