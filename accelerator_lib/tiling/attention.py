"""Attention: the scores through memory, or never there.

    standard   b (4 N^2 + 4 N d)                  for each head
    flash      b (2 N d + 2 N d ceil(N / rows)), or 4 N d b where a cache catches K and V

Forward only, no mask. Source: T. Dao et al., "FlashAttention", 2022.
"""

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import flag, one_of, real, whole

ALGORITHMS = ("standard", "flash")


def attention_bytes(
    tokens, head_dim, heads=1, batch=1, dtype="fp16", algorithm="standard", block_rows=128, kv_cached=False
):
    """Traffic [byte] of attention, forward, no mask: scores and weights through memory, or never there (flash)."""
    n, d = whole("tokens", tokens, high=10**8), whole("head_dim", head_dim, high=10**5)
    many = whole("heads", heads, high=10**5) * whole("batch", batch, high=10**7) * format_bytes(dtype)
    if one_of("algorithm", algorithm, ALGORITHMS) == "standard":
        return many * (4.0 * n * n + 4.0 * n * d) if isinstance(n, np.ndarray) else many * (4 * n * n + 4 * n * d)
    passes = -(-n // whole("block_rows", block_rows, high=10**8))
    return many * (4 * n * d if flag("kv_cached", kv_cached) else 2 * n * d + 2 * n * d * passes)


def attention_flops(tokens, head_dim, heads=1, batch=1):
    """Work [FLOP] of the two products, forward, no mask; flash does the same and a little more."""
    n = real("tokens", tokens, low=1, high=1e8)
    return 4.0 * n * n * whole("head_dim", head_dim, high=10**5) * whole("heads", heads) * whole("batch", batch)


def attention_seconds(tokens, head_dim, heads, batch, chip, algorithm="standard", reached=1.0):
    """Time [s] of attention on a chip: the longer of traffic at its bandwidth and work at a share of its fp16 peak.

    Flash is taken with K and V cached."""
    chip = hardware.chip(chip)
    moved = attention_bytes(tokens, head_dim, heads, batch, "fp16", algorithm, kv_cached=algorithm == "flash")
    rate = real("reached", reached, low=1e-3, high=1) * chip.peak("fp16")
    return np.maximum(moved / chip.need("bytes_per_s"), attention_flops(tokens, head_dim, heads, batch) / rate)
