"""Attention: the scores through memory, or never there.

    standard   b (4 N^2 + 4 N d)                  for each head
    flash      b (2 N d + 2 N d ceil(N / rows)), or 4 N d b where a cache catches K and V

Forward only, no mask. Source: T. Dao et al., "FlashAttention", 2022.
"""

import numpy as np

from accelerator_lib.checks.signature import Number, OneOf, Switch, Whole, checked
from accelerator_lib.hardware import AChip, Format, format_bytes

ALGORITHMS = ("standard", "flash")
Tokens, Width, Heads, Batch = (Whole(high=most) for most in (10**8, 10**5, 10**5, 10**7))


@checked
def attention_bytes(
    tokens: Tokens,
    head_dim: Width,
    heads: Heads = 1,
    batch: Batch = 1,
    dtype: Format = "fp16",
    algorithm: OneOf(ALGORITHMS) = "standard",
    block_rows: Tokens = 128,
    kv_cached: Switch = False,
):
    """Traffic [byte] of attention, forward, no mask: scores and weights through memory, or never there (flash)."""
    row = heads * batch * tokens * format_bytes(dtype)  # one number for every token
    if algorithm == "standard":
        return row * (4 * tokens + 4 * head_dim)
    passes = 1 if kv_cached else -(-tokens // block_rows)  # over K and V
    return row * (2 * head_dim + 2 * head_dim * passes)


@checked
def attention_flops(tokens: Tokens, head_dim: Width, heads: Whole() = 1, batch: Whole() = 1):
    """Work [FLOP] of the two products, forward, no mask; flash does the same and a little more."""
    return 4.0 * tokens * tokens * head_dim * heads * batch


@checked
def causal_share(tokens: Tokens, block: Tokens):
    """Share of the blocks of scores that a causal mask leaves: those on the diagonal, computed whole, and below it."""
    blocks = -(-tokens // block)
    return (blocks + 1) / (2 * blocks)


@checked
def attention_seconds(
    tokens: Tokens,
    head_dim: Width,
    heads: Heads,
    batch: Batch,
    chip: AChip,
    algorithm: OneOf(ALGORITHMS) = "standard",
    reached: Number(low=1e-3, high=1) = 1.0,
):
    """Time [s] of attention on a chip: the longer of traffic at its bandwidth and work at a share of its fp16 peak.
    Flash is taken with K and V cached."""
    moved = attention_bytes(tokens, head_dim, heads, batch, "fp16", algorithm, kv_cached=algorithm == "flash")
    worked = attention_flops(tokens, head_dim, heads, batch) / (reached * chip.peak("fp16"))
    return np.maximum(moved / chip.need("bytes_per_s"), worked)
