"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np

from accelerator_course.exercises import tiling as exercises
from accelerator_course.exercises.slips import tiling as slips
from accelerator_lib import tiling
from accelerator_lib.workload import Gemm


def ragged_edge_left_out(a, b, tile_m, tile_n):
    m, n = a.shape[0] // tile_m * tile_m, b.shape[1] // tile_n * tile_n
    result, size = (
        np.zeros((a.shape[0], b.shape[1])),
        lambda left, right: left.size + right.size + len(left) * len(right.T),
    )
    result[:m, :n], moved = slips.blocked_with(a[:m], b[:, :n], tile_m, tile_n, size)
    return result, moved


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "04.1": [
        (slips.writes_forgotten, "64 x 64 x 32 in tiles of 16 x 16"),
        (slips.every_matrix_once, "64 x 64 x 32 in tiles of 16 x 16"),
        (slips.ragged_tiles_counted_full, "70 x 50 x 33 in tiles of 32 x 16"),
        (ragged_edge_left_out, "70 x 50 x 33 in tiles of 32 x 16"),
    ],
    "04.2": [
        (slips.softmax_of_each_block, "Blocks of 1"),
        (slips.no_maximum, "scores up to 1,000"),
        (slips.output_not_rescaled, "Blocks of 1"),
    ],
    "04.3": [
        (slips.a_tile_of_128, "128 x 128 moves"),
        (lambda budget: (224, 192), "224 x 192 moves"),
        (slips.a_tile_of_256, "256 x 256 needs"),
        (lambda budget: (226, 226), "must be multiples of 32"),
    ],
}
HARMLESS = {  # changed lines of the worked solution that give the same answer, or one within the tolerance
    "04.2": ["maximum, total, output = (-np.inf"],  # the first block scales what was there before by e^-inf
    "04.3": ["range(32, 51", "fitting ="],  # the best tile lies inside the range, and the budget has room to spare
}


def test_the_least_traffic_is_that_of_all_tiles_tried():
    edge, limit = exercises.EDGE, exercises.LIMIT
    moved = {}
    for tile_m in range(32, edge + 1, 32):
        for tile_n in range(32, edge + 1, 32):
            if (tile_m + tile_n) * 32 * 2 * 2 + 4 * tile_m * tile_n <= limit:
                strips = len(range(0, edge, tile_m)) + len(range(0, edge, tile_n))  # each is a pass over a matrix
                moved[tile_m, tile_n] = (strips + 1) * edge * edge * 2
    least = min(moved.values())
    assert least == exercises.LEAST_BYTES
    assert {tile for tile in moved if moved[tile] == least} == {(192, 256), (256, 192), (224, 224)}
    assert tiling.gemm_bytes(Gemm(edge, edge, edge), 192, 256) == least
