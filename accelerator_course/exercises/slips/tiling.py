"""Slips of the exercises of chapter 4."""

from functools import partial
from itertools import product

import numpy as np

from accelerator_course.exercises.tiling import EDGES, ROWS
from accelerator_lib import tiling
from accelerator_lib.workload import Gemm


def ragged_tiles_counted_full(a, b, tile_m, tile_n):
    k = a.shape[1]
    return blocked_with(a, b, tile_m, tile_n, lambda left, right: tile_m * k + k * tile_n + tile_m * tile_n)


def every_matrix_once(a, b, tile_m, tile_n):
    return a @ b, a.size + b.size + a.shape[0] * b.shape[1]


def blocked_with(a, b, tile_m, tile_n, counted):
    """The product tile by tile, with another count."""
    result, moved = np.zeros((a.shape[0], b.shape[1])), 0
    for i in range(0, a.shape[0], tile_m):
        for j in range(0, b.shape[1], tile_n):
            left, right = a[i : i + tile_m], b[:, j : j + tile_n]
            result[i : i + tile_m, j : j + tile_n] = left @ right
            moved += counted(left, right)
    return result, moved


writes_forgotten = partial(blocked_with, counted=lambda left, right: left.size + right.size)


def softmax_of_each_block(scores, values, block):
    output = 0
    for start in range(0, len(scores), block):
        weights = np.exp(scores[start : start + block] - scores[start : start + block].max())
        output = output + weights / weights.sum() @ values[start : start + block]
    return output


def no_maximum(scores, values, block):
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(scores)
        return weights @ values / weights.sum()


def output_not_rescaled(scores, values, block):
    maximum, total, output = -np.inf, 0.0, np.zeros(values.shape[1])
    for start in range(0, len(scores), block):
        own = scores[start : start + block]
        largest = max(maximum, own.max())
        weights = np.exp(own - largest)
        total = total * np.exp(maximum - largest) + weights.sum()
        output = output + weights @ values[start : start + block]
        maximum = largest
    return output / total


def the_largest_tile_first(m, n, k, shared, registers, depth, stages):
    fits = [tile for tile in product(EDGES, EDGES) if legal(*tile, shared, registers, depth, stages)]
    chosen = min(fits, key=lambda tile: tiling.gemm_bytes(Gemm(m, n, k), *tile))
    return searched(m, n, k, shared, registers, depth, stages, keep=lambda *way: way[:2] == chosen)


def legal(tile_m, tile_n, shared, registers, depth, stages, apart=True):
    strips, sums = (tile_m + tile_n) * depth * 2 * stages, 4 * tile_m * tile_n
    return strips <= shared and sums < registers if apart else strips + sums < shared + registers


def searched(m, n, k, shared, registers, depth, stages, pairs=None, spare=0, sums=1, apart=True, keep=None):
    """The search, with one thing changed."""
    room = shared, sums * registers + spare, depth, pairs or stages
    tiles = [tile for tile in product(EDGES, EDGES) if legal(*tile, *room, apart)]
    ways = [(*tile, rows) for tile in tiles for rows in ROWS if keep is None or keep(*tile, rows)]
    moved = tiling.wave_bytes(Gemm(m, n, k), *np.array(ways).T)
    return ways[int(np.argmin(moved))]


stages_forgotten = partial(searched, pairs=1)
every_register_taken = partial(searched, spare=1)
sums_of_two_bytes = partial(searched, sums=2)
one_pot = partial(searched, apart=False)
square_tiles_only = partial(searched, keep=lambda tile_m, tile_n, rows: tile_m == tile_n)
one_row_of_tiles = partial(searched, keep=lambda tile_m, tile_n, rows: rows == 1)
