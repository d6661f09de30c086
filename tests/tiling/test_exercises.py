"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_course import exercises as course
from accelerator_course.exercises import tiling as exercises
from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.slips import tiling as slips


def ragged_edge_left_out(a, b, tile_m, tile_n):
    m, n = a.shape[0] // tile_m * tile_m, b.shape[1] // tile_n * tile_n
    result = np.zeros((a.shape[0], b.shape[1]))
    result[:m, :n], moved = exercises.blocked_matmul(a[:m], b[:, :n], tile_m, tile_n)
    return result, moved


last_of_several = changed(exercises.best_tile, "np.argmin(moved)", "np.flatnonzero(moved == moved.min())[-1]")


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
    "04.4": [
        (slips.stages_forgotten, "bytes of shared memory; 65,536 are there"),
        (slips.every_register_taken, "may be taken"),
        (slips.sums_of_two_bytes, "may be taken"),
        (slips.one_pot, "are there"),
        (slips.square_tiles_only, "are possible"),
        (slips.the_largest_tile_first, "are possible"),
        (slips.one_row_of_tiles, "are possible"),
        (lambda *given: (226, 226, 1), "multiples of 32"),
        (lambda *given: (32, 32), "three whole numbers"),
        (last_of_several, "which comes first"),
    ],
}
HARMLESS = {  # changed lines of the worked solution that give the same answer, or one within the tolerance
    "04.2": ["maximum, total, output = (-np.inf"],  # the first block scales what was there before by e^-inf
}
SEARCHES = ["04.4"]


@pytest.mark.parametrize("seed", exercises.WANTED)
def test_the_best_tile_is_that_of_all_ways_walked_one_by_one(seed):
    m, n, k, shared, registers, depth, stages = exercises.hidden(seed)
    best = None
    for tile_m in range(32, 513, 32):
        for tile_n in range(32, 513, 32):
            if stages * depth * 2 * (tile_m + tile_n) > shared or 4 * tile_m * tile_n >= registers:
                continue
            for rows in (1, 2, 3, 4, 6, 9, 12, 18, 27, 36, 54, 108):
                down, across = len(range(0, m, rows * tile_m)), len(range(0, n, 108 // rows * tile_n))
                moved = 2 * (across * m * k + down * k * n + m * n)
                if best is None or moved < best[0]:
                    best = moved, (tile_m, tile_n, rows)
    assert exercises.best_tile(*exercises.hidden(seed)) == best[1] == exercises.WANTED[seed]


def test_the_slip_that_the_exercise_is_made_for_is_named():
    assert "stages multiply the shared memory" in course.check("04.4", slips.stages_forgotten).slip
