"""Products of matrices, timed alone: tiles in waves, operands from the cache or from memory, what is done before.

    seconds = launch + activations + max(tiles, memory)                      (a smooth maximum)
    tiles   = waves x (fill + max(FLOP of a tile / peak of an SM, its operands / what an SM reads of the cache))
    memory  = bytes / bandwidth, for what the cache does not still hold; a profile that turns through several copies of
              the weights finds them cold until all copies fit

The library of the framework is taken to pick the tile, and how often k is split, that is done first; parts of a split
product are added up in a second, short kernel. Activations that come in 16 bits are read, scaled and written in 8 or 4
first. Where rows of the result are no multiple of 16 bytes, a slower kernel makes each tile (uneven; rows of operands
were not timed). The bound: all FLOP at the peak, and what no cache can hold, at the full bandwidth.
"""

import numpy as np

from accelerator_lib import data

TILES = tuple((m, n) for m in (16, 64, 128, 256) for n in (32, 64, 128, 256) if m * n <= 128 * 256)
SPLITS = (1, 2, 4, 8, 16)
SHORTEST = 64, 128  # k of a step of a tile; of a part of a split product
SHARP = 4  # of the smooth maximum: 1 would add up
PARTIAL = 0.5  # of the cache's size: from all hits to none
QUANTISED = {"fp8", "fp8_block", "nvfp4", "sq"}  # of 16-bit activations, before the product
FORMATS = data.load("kernel_times")["formats"]  # bytes of an activation, of a weight; what is multiplied
WEIGHT_ONLY = {"int8_wo", "int4_wo"}
FREE = {  # constant: (least, start, most)
    "share": (0.2, 0.75, 1.0),  # of the peak, the clock under load
    "cache": (1.0, 45.0, 300.0),  # bytes a clock that an SM reads of the cache
    "fill_us": (0.1, 2.0, 20.0),  # before a wave of tiles multiplies
    "launch_us": (0.3, 1.0, 500.0),
    "memory": (0.3, 0.75, 1.0),  # share of the bandwidth
    "scaled": (0.02, 0.5, 50.0),  # rate at which activations are read and written anew, of the bandwidth
    "copies": (1.0, 6.0, 16.0),  # of the weights that a profile turns through
}


def uneven(n, families):
    """How many times as long tiles of rows of n numbers take, as a card of their family did; 2 x odd as odd."""
    found = np.ones(len(n))
    for family, times in data.load("kernel_times")["uneven"].items():
        for multiple in sorted(times):
            found[(families == family) & (n % 8 > 0) & (n % multiple == 0)] = times[multiple]
    return found


def work(m, n, k, activations, weights, quantised, slower, chip):
    """What a product asks of a chip, tile by tile: arrays [products, tiles x splits] and [products]."""
    tile_m, tile_n, split = (np.array(each) for each in zip(*((*t, s) for t in TILES for s in SPLITS), strict=True))
    m, n, k, sms = (np.asarray(each, float)[:, None] for each in (m, n, k, chip["sms"]))
    deep = np.maximum(np.ceil(k / split), SHORTEST[0])
    clock = chip["clock"][:, None] * 1.0
    flat = [each[:, 0] for each in (m, n, k)]
    weight_bytes = flat[1] * flat[2] * weights
    moved = flat[0] * flat[2] * activations + weight_bytes + 2 * flat[0] * flat[1]
    asked = {"waves": np.ceil(np.ceil(m / tile_m) * np.ceil(n / tile_n) * split / sms) * slower[:, None]}
    asked |= {"multiplied": 2 * tile_m * tile_n * deep / (chip["peak"][:, None] / sms)}
    asked |= {"loaded": (tile_m * activations[:, None] + tile_n * weights[:, None]) * deep / clock}
    asked |= {"added": np.where(split > 1, m * n * 4 * split / (clock * sms), 0.0), "split": 1.0 * (split > 1)}
    asked |= {"barred": (split > 1) & (k / split < SHORTEST[1]), "moved": moved, "weight_bytes": weight_bytes}
    asked |= {"scaled": np.where(quantised, 3 * flat[0] * flat[2] / chip["bandwidth"], 0.0)}
    asked |= {"rate": chip["bandwidth"], "held": chip["l2"]}
    return asked | {"least": np.maximum(2 * flat[0] * flat[1] * flat[2] / chip["peak"], beyond(moved, chip))}


def beyond(moved, chip):
    """Least time [s] of what no cache can hold."""
    return np.maximum(moved - chip["l2"], 0) / chip["bandwidth"]


def smooth(*parts):
    """A maximum [s] that is a little longer where two of its parts are alike."""
    return sum(each**SHARP for each in parts) ** (1 / SHARP)


def seconds(work, share, cache, fill_us, launch_us, memory, scaled, copies):
    """(time of each product [s], {limit: the part of it})"""
    tiles = work["waves"] * (fill_us * 1e-6 + np.maximum(work["multiplied"] / share, work["loaded"] / cache))
    tiles = np.where(work["barred"], np.inf, tiles + work["split"] * fill_us * 1e-6 + work["added"] / cache).min(1)
    turned = work["moved"] + (copies - 1) * work["weight_bytes"]
    cold = np.clip((turned / work["held"] - 1) / PARTIAL, 0, 1)
    read = cold * work["moved"] / (memory * work["rate"])
    before = launch_us * 1e-6 + work["scaled"] / scaled
    return before + smooth(tiles, read), {"launch": before, "waves of tiles": tiles, "memory bandwidth": read}
