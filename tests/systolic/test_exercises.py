"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import systolic as exercises
from accelerator_course.exercises.slips import systolic as slips
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "06.1": [
        (slips.sum_not_kept, "a of "),
        (slips.turned_round, "a of "),
        (slips.added, "a of "),
        (slips.outputs_always_stay, "weights stay, a of "),
    ],
    "06.2": [
        (slips.row_by_row_at_once, "a of 3 x 3, cycle 0: into row 1 goes nothing"),
        (slips.one_cycle_late, "a of 1 x 1, cycle 0: into row 0 goes a[0, 0]"),
        (slips.all_end_with_the_first_row, "a of 3 x 3, cycle 3: into row 1 goes a[1, 2]"),
        (slips.wraps_around, "a of 3 x 3, cycle 0: into row 1 goes nothing"),
        (slips.zeros_for_nothing, "a of 1 x 1, cycle 1: into row 0 goes nothing"),
    ],
    "06.3": [
        (slips.loading_not_hidden, "the cycles of all jobs"),
        (slips.one_array_only, "size 4096, limit 10,000,000,000 another edge"),
        (slips.limit_forgotten, "numbers pass edges of 32. Too many"),
        (lambda size, limit: (256, 0), "another edge within the limit needs fewer cycles than 256"),
        (lambda size, limit: exercises.choose(4096, max(limit, 10**9)), "size 1000, limit 100,000,000"),
        (lambda size, limit: (100, 0), "an edge of 32, 64, 128, 256"),
    ],
}


def test_a_grid_computes_the_product_only_with_a_staircase():
    a, b = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[7, 8], [9, 1], [2, 3]])
    staircase = [[1, None], [2, 4], [3, 5], [None, 6]]  # by hand: what enters in cycles 0 to 3
    assert exercises.multiplied(staircase, b).tolist() == [[31, 19], [85, 55]] == (a @ b).tolist()
    at_once = [[1, 4], [2, 5], [3, 6], [None, None]]
    assert not np.array_equal(exercises.multiplied(at_once, b), a @ b)


@pytest.mark.parametrize("m", exercises.ROWS_OF_INPUTS)
@pytest.mark.parametrize("edge, arrays", [(256, 1), (128, 4), (32, 64)])
def test_folds_played_one_by_one_take_what_the_closed_form_says(m, edge, arrays):
    for size in (4096, 1000, 100):
        closed = systolic.cycles(Gemm(m, size, size), edge, edge, "ws", overlap=True, arrays=arrays).total
        assert exercises.played(m, size, edge, arrays) == closed


def test_the_cycles_of_both_designs_by_hand():
    """256 folds for each array: 255 steps of max(M, edge), then M + 3 edge - 2 of the last."""
    large = [66_047, 66_054, 66_110, 131_838, 1_049_342]
    small = [33_023, 33_030, 33_086, 131_454, 1_048_958]
    played = exercises.played
    assert [played(m, 4096, 256, 1) for m in exercises.ROWS_OF_INPUTS] == large
    assert [played(m, 4096, 128, 4) for m in exercises.ROWS_OF_INPUTS] == small
    assert played(64, 4096, 128, 1) == 1023 * 128 + 64 + 382


@pytest.mark.parametrize("size", [256, 1000, 4096])
@pytest.mark.parametrize("edge", exercises.EDGES)
def test_what_passes_the_edges_counted_fold_by_fold_is_the_closed_form(size, edge):
    jobs = [Gemm(m, size, size) for m in exercises.ROWS_OF_INPUTS]
    assert exercises.crossed(size, edge) == sum(systolic.traffic(job, edge, edge, "ws").total for job in jobs)


def test_a_tighter_limit_makes_the_best_edge_larger():
    limits = [exercises.crossed(4096, edge) for edge in exercises.EDGES]
    assert [exercises.choose(4096, limit)[0] for limit in limits] == [32, 64, 128, 256]
