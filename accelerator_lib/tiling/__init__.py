"""Tiling: how many bytes a product, a chain or attention moves when the chip holds only a piece of it at a time.

products      a product in tiles, and in waves of tiles that share a cache
bound         what no tiling can beat         budgets     the room that a tile takes
fusion        steps apart or fused            attention   scores in memory, or never
softmax       in one pass, block by block     pallas      two real kernels
eager         attention, step by step         stages      buffers in flight
"""

from accelerator_lib.tiling import eager, pallas, softmax
from accelerator_lib.tiling.attention import (
    ALGORITHMS,
    attention_bytes,
    attention_flops,
    attention_seconds,
    causal_share,
)
from accelerator_lib.tiling.bound import io_lower_bound_words, largest_tile_bytes
from accelerator_lib.tiling.budgets import Budget, Choice, budget, filled, sm_room
from accelerator_lib.tiling.fusion import chain_bytes
from accelerator_lib.tiling.products import gemm_bytes, intensity, square, wave_bytes
from accelerator_lib.tiling.stages import staged
