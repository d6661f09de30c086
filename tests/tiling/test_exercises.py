"""The keys of the exercises found again on another road."""

import pytest

from accelerator_course import exercises as course
from accelerator_course.exercises import tiling as exercises


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
    assert (
        "stages multiply the shared memory" in course.check("04.4", course.find("04.4").wrong["stages_forgotten"]).slip
    )
