import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

sizes, edges = st.integers(1, 7), st.integers(1, 4)


def test_two_by_two_outputs_are_complete_on_their_diagonals():
    """By hand: dot products of 3; PE (r, c) makes its last one in cycle r + c + 2."""
    run = systolic.record(np.ones((2, 3)), np.ones((3, 2)), 2, 2)
    first, last = run.completion
    assert first.tolist() == last.tolist() == [[2, 3], [3, 4]]
    assert [run.progress(at).tolist() for at in (1, 3, 4)] == [[[0, 0], [0, 0]], [[2, 2], [2, 0]], [[2, 2], [2, 2]]]
    assert run.busy.tolist() == [0.25, 0.75, 1, 0.75, 0.25] and run.utilization == pytest.approx(0.6)


def test_a_result_of_two_folds_is_first_a_part_then_the_whole():
    run = systolic.record(np.ones((1, 4)), np.ones((4, 1)), 2, 1, "ws")
    first, last = run.completion
    assert first < last == len(run) - 1
    assert [int(run.progress(at)[0, 0]) for at in (first - 1, first, last)] == [0, 1, 2]


@given(sizes, sizes, sizes, edges, edges, st.sampled_from(list(systolic.DATAFLOWS)), st.booleans())
def test_the_busy_share_of_a_recording_is_that_of_the_closed_form(m, n, k, rows, cols, dataflow, overlap):
    run = systolic.record(np.ones((m, k), int), np.ones((k, n), int), rows, cols, dataflow, overlap)
    want = systolic.cycles(Gemm(m, n, k), rows, cols, dataflow, overlap)
    assert len(run) == want.total and run.utilization == pytest.approx(want.utilization)
    assert np.all(run.progress(len(run) - 1) == 2)


@given(sizes, sizes, sizes, edges, edges, st.sampled_from(list(systolic.DATAFLOWS)))
def test_progress_is_what_the_outputs_of_each_cycle_show(m, n, k, rows, cols, dataflow):
    """Second road: with ones, a result is complete when k has come out."""
    run = systolic.record(np.ones((m, k), int), np.ones((k, n), int), rows, cols, dataflow)
    for at, cycle in enumerate(run.cycles):
        assert np.array_equal(run.progress(at), (cycle.outputs > 0).astype(int) + (cycle.outputs == k))


def test_a_result_of_zero_is_complete_at_the_end():
    run = systolic.record(np.zeros((2, 2), int), np.ones((2, 2), int), 2, 2)
    assert np.all(run.progress(len(run) - 2) == 0) and np.all(run.progress(len(run) - 1) == 2)
