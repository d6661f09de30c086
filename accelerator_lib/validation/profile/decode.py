"""Attention of one new token, timed alone: keys and values of all tokens before it, read once for each group of heads.

    seconds = launch + max(blocks, memory)
    blocks  = waves x fill + the tokens of a block as one SM reads them; the cache of a sequence may be split into parts
              that are added up after
    memory  = bytes / bandwidth, where they do not fit into the L2

Query heads that share keys read them together, up to `packed` of them; a larger group takes another kernel, in which
each head reads for itself. The kernel is taken to split as is done first. The bound: what no cache can hold, once, at
the full bandwidth. A profile may give keys and values one memory (TensorRT-LLM's does: its kernels read half of what
they seem to), so half of them is counted; of a row that names no framework three quarters, half in the bound.
"""

import numpy as np

from accelerator_lib.validation.profile.products import beyond, smooth

SPLITS, SHORTEST, STEP = (1, 2, 4, 8, 16, 32, 64), 64, 64  # parts of a sequence; tokens of a part, of a step
DISTINCT = {"TRTLLM": 0.5, "": 0.75}  # of keys and values, in the profile of a framework
# reads: bytes a clock of an SM; add_us: the parts of a split sequence; packed: query heads that read keys together
FREE = {"reads": (0.5, 15.0, 300.0), "fill_us": (0.05, 1.0, 40.0), "launch_us": (0.3, 7.0, 500.0)}
FREE |= {"memory": (0.3, 0.8, 1.0), "add_us": (0.01, 2.0, 50.0), "packed": (1.0, 32.0, 128.0)}


def work(batch, cached, heads, kv_heads, head_dim, window, kv_bytes, distinct, chip):
    """What one step of attention asks of a chip, for each split: arrays [rows, splits] and [rows]."""
    batch, heads, kv_heads, head_dim = (np.asarray(each, float) for each in (batch, heads, kv_heads, head_dim))
    tokens = np.where(window > 0, np.minimum(cached, window), cached) * 1.0
    split, clock, sms = np.array(SPLITS), chip["clock"][:, None], chip["sms"][:, None]
    per = np.ceil(np.ceil(tokens[:, None] / split) / STEP) * STEP
    values = np.where(head_dim == 192, 128, head_dim)  # of heads whose keys are 192 wide
    once = batch * tokens * kv_heads * (head_dim + values) * kv_bytes
    beside = 4 * batch * heads * head_dim
    asked = {"sequences": (batch * kv_heads)[:, None], "group": (heads / kv_heads)[:, None], "split": split, "sms": sms}
    asked |= {"loaded": per * (2 * head_dim * kv_bytes)[:, None] / clock, "rate": chip["bandwidth"], "held": chip["l2"]}
    asked |= {"barred": (split > 1) & (tokens[:, None] / split < SHORTEST), "moved": distinct * once + beside}
    return asked | {"least": beyond(np.where(distinct < 1, 0.5, 1.0) * once, chip)}


def seconds(work, reads, fill_us, launch_us, memory, add_us, packed):
    """(time of each step [s], {limit: the part of it})"""
    times = np.where(work["group"] > np.round(packed), work["group"], 1.0)
    blocks = work["sequences"] * times * work["split"] / work["sms"]
    time = np.ceil(blocks) * fill_us * 1e-6 + np.maximum(1, blocks) * work["loaded"] / reads
    time = np.where(work["barred"], np.inf, time + (work["split"] > 1) * add_us * 1e-6).min(1)
    read = np.where(work["moved"] > work["held"], work["moved"] / (memory * work["rate"]), 0.0)
    launch = np.full_like(read, launch_us * 1e-6)
    return launch + smooth(time, read), {"launch": launch, "reading keys and values": time, "memory bandwidth": read}
