"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.exercises import systolic as exercises
from accelerator_course.exercises.slips import systolic as slips
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

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
    "06.4": [
        (slips.weights_at_once, "total_cycles(2, 8, 8, 4, 4, 'ws', True, False)"),
        (slips.ramps_for_every_fold, "total_cycles(6, 8, 8, 4, 4, 'ws', True, False)"),
        (slips.folds_in_fractions, "total_cycles("),
        (slips.draining_forgotten, "total_cycles(8, 8, 2, 4, 4, 'os', True, True)"),
        (slips.rows_and_columns_exchanged, "total_cycles("),
        (lambda m, n, k, rows, cols, dataflow, overlap, drain: m * n * k, "total_cycles(4, 4, 4, 4, 4, 'os'"),
    ],
}


def test_a_grid_computes_the_product_only_with_a_staircase():
    a, b = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[7, 8], [9, 1], [2, 3]])
    staircase = [[1, None], [2, 4], [3, 5], [None, 6]]  # by hand: what enters in cycles 0 to 3
    assert exercises.multiplied(staircase, b).tolist() == [[31, 19], [85, 55]] == (a @ b).tolist()
    at_once = [[1, 4], [2, 5], [3, 6], [None, None]]
    assert not np.array_equal(exercises.multiplied(at_once, b), a @ b)


sizes, edges = st.integers(1, 12), st.integers(1, 5)


@given(sizes, sizes, sizes, edges, edges, st.sampled_from(["os", "ws", "is"]), st.booleans(), st.booleans())
def test_folds_played_one_by_one_take_what_stepping_and_both_formulas_say(m, n, k, rows, cols, flow, overlap, drain):
    run = m, n, k, rows, cols, flow, overlap, drain and flow == "os"
    steps = systolic.steps(np.ones((m, k), int), np.ones((k, n), int), *run[3:])
    closed = systolic.cycles(Gemm(m, n, k), *run[3:]).total
    assert exercises.played(*run) == len(list(steps)) == closed == exercises.total_cycles(*run)
