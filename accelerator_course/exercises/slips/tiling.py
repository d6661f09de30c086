"""Slips of the exercises of chapter 4."""

import numpy as np

from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.tiling import best_tile, blocked_matmul, online_softmax

WRITTEN = " + left.shape[0] * right.shape[1]"
writes_forgotten = changed(blocked_matmul, WRITTEN, "")
every_matrix_once = changed(blocked_matmul, "return result, moved", "return result, a.size + b.size + result.size")
ragged_tiles_counted_full = changed(
    blocked_matmul, f"left.size + right.size{WRITTEN}", "(tile_m + tile_n) * a.shape[1] + tile_m * tile_n"
)

output_not_rescaled = changed(online_softmax, "output * scale", "output")


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


stages_forgotten = changed(best_tile, "depth * 2 * stages", "depth * 2")
every_register_taken = changed(best_tile, "< registers", "<= registers")
sums_of_two_bytes = changed(best_tile, "4 * tile_m", "2 * tile_m")
one_pot = changed(
    best_tile, "<= shared and 4 * tile_m * tile_n < registers", "+ 4 * tile_m * tile_n < shared + registers"
)
square_tiles_only = changed(best_tile, "tile_n in EDGES", "tile_n in [tile_m]")
one_row_of_tiles = changed(best_tile, "rows in ROWS", "rows in [1]")
the_largest_tile_first = changed(
    best_tile, "tile in tiles", "tile in [min(tiles, key=lambda tile: tiling.gemm_bytes(Gemm(m, n, k), *tile))]"
)
