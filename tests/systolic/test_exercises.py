"""The keys of the exercises found again on another road."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.exercises import systolic as exercises
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm


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
