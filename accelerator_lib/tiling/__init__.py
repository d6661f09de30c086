"""Tiling: how many bytes a product, a chain or attention moves when the chip holds only a piece of it at a time.

products      a product in tiles, in waves of tiles that share a cache; what no tiling can beat; steps apart or fused
budgets       the room that a tile takes      attention   scores in memory, or never
softmax       in one pass, block by block
eager         attention, step by step
"""

from accelerator_lib.tiling import eager, softmax
from accelerator_lib.tiling.attention import attention_bytes, attention_flops, attention_seconds, causal_share
from accelerator_lib.tiling.budgets import Budget, Choice, budget, filled, sm_room
from accelerator_lib.tiling.products import (
    chain_bytes,
    gemm_bytes,
    intensity,
    io_lower_bound_words,
    largest_tile_bytes,
    square,
    wave_bytes,
)
