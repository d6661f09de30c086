"""Tiling: how many bytes a product, a chain or attention moves when the chip holds only a piece of it at a time.

products      a product in tiles
bound         what no tiling can beat         budgets     the room that a tile takes
fusion        steps apart or fused, and what a compiler put into one kernel
attention     scores in memory, or never
softmax       in one pass, block by block     pallas      two real kernels
forecast      published speeds                stages      buffers in flight
eager         attention, step by step
"""

from accelerator_lib.tiling import eager, fusion, pallas, softmax
from accelerator_lib.tiling.attention import ALGORITHMS, attention_bytes, attention_flops, attention_seconds
from accelerator_lib.tiling.bound import io_lower_bound_words, largest_tile_bytes
from accelerator_lib.tiling.budgets import Budget, Choice, budget, max_square_tile, sm_room
from accelerator_lib.tiling.forecast import Forecast
from accelerator_lib.tiling.fusion import chain_bytes
from accelerator_lib.tiling.products import gemm_bytes, intensity, square
from accelerator_lib.tiling.stages import Staged, staged

__all__ = [
    "ALGORITHMS",
    "Budget",
    "Choice",
    "Forecast",
    "Staged",
    "attention_bytes",
    "attention_flops",
    "attention_seconds",
    "budget",
    "chain_bytes",
    "eager",
    "fusion",
    "gemm_bytes",
    "intensity",
    "io_lower_bound_words",
    "largest_tile_bytes",
    "max_square_tile",
    "pallas",
    "sm_room",
    "softmax",
    "square",
    "staged",
]
