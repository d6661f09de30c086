"""Attention of a prompt, timed alone: blocks of queries against the keys that they may see, softmax beside products.

    seconds = launch + max(blocks, memory)
    blocks  = the longer of: all blocks over all SMs, and the longest block alone, each with the fill of its waves
    a block = max(products at the share of the peak, and the softmax of its scores, one SM; keys and values as one SM
              reads them of the cache)

Query heads that share keys may be packed into one block of rows: the kernel is taken to do what is done first. A window
cuts what a query sees; an encoder's queries see all keys. The bound counts each pair of a query and a key that it sees.
"""

import numpy as np

from accelerator_lib.validation.profile.products import beyond, smooth

ROWS, KEYS = (64, 128), 64  # rows of a block of queries; keys of a step
FREE = {"share": (0.1, 0.65, 1.0), "cache": (0.5, 30.0, 300.0), "fill_us": (0.1, 4.0, 40.0)}
FREE |= {"launch_us": (0.3, 8.0, 500.0), "memory": (0.3, 0.78, 1.0)}
FREE |= {"softmax": (1e-4, 0.006, 0.3)}  # clocks of an SM for a score


def work(batch, tokens, cached, heads, kv_heads, head_dim, window, causal, kv_bytes, chip):
    """What attention over new tokens asks of a chip, for each way of packing: arrays [rows, ways] and [rows]."""
    every = cached + tokens
    seen = np.where(window > 0, np.minimum(window, every), every)  # by the last token
    growing = np.clip(seen - cached, 0, tokens)  # tokens of which each sees one more than the one before
    flat = growing * (cached + (growing + 1) / 2) + (tokens - growing) * seen
    flat = np.where(causal, flat, tokens * every)  # pairs of one head
    ways, sms, clock = {name: [] for name in ("waves", "blocks", "long", "mean")}, chip["sms"], chip["clock"]
    for packed in (True, False):
        group = heads / kv_heads if packed else np.ones_like(heads)
        for rows in ROWS:
            blocks = batch * heads / group * np.ceil(tokens * group / rows)
            span = np.maximum(1, rows // group)  # tokens of a block
            longest = np.where(causal, np.minimum(every, seen + span), every)
            mean = np.where(causal, np.minimum(flat / tokens + span / 2, longest), every)
            ways["waves"].append(np.ceil(blocks / sms))
            ways["blocks"].append(blocks / sms)
            for name, keys in (("long", longest), ("mean", mean)):
                padded = np.ceil(keys / KEYS) * KEYS
                scores = rows * padded
                parts = 4 * scores * head_dim / (chip["peak"] / sms), scores / clock
                ways[name].append(np.stack([*parts, padded * 2 * head_dim * kv_bytes / clock]))
    moved = 4 * batch * tokens * heads * head_dim + 2 * batch * every * kv_heads * head_dim * kv_bytes
    width = np.where(head_dim == 192, 160, head_dim)  # keys of 192, values of 128
    needed = moved * width / head_dim - 2 * batch * cached * kv_heads * width * kv_bytes  # a window needs few old ones
    flops = 4 * batch * heads * flat * width
    asked = {name: np.stack(its, its[0].ndim) for name, its in ways.items()}
    asked |= {"read": np.where(moved > chip["l2"], moved / chip["bandwidth"], 0.0)}
    return asked | {"least": np.maximum(flops / chip["peak"], beyond(needed, chip))}


def seconds(work, share, cache, fill_us, launch_us, memory, softmax):
    """(time of each attention [s], {limit: the part of it})"""
    one = lambda parts: np.maximum(parts[0] / share + parts[1] * softmax, parts[2] / cache)  # noqa: E731
    fill = fill_us * 1e-6
    blocks = np.maximum(work["waves"] * fill + work["blocks"] * one(work["mean"]), fill + one(work["long"])).min(1)
    read = work["read"] / memory
    launch = np.full_like(read, launch_us * 1e-6)
    return launch + smooth(blocks, read), {"launch": launch, "waves of blocks": blocks, "memory bandwidth": read}
