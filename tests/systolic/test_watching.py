import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.systolic import cycle_by_cycle, side_by_side
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

sizes, edges = st.integers(1, 7), st.integers(1, 4)


def ones(m, n, k):
    return np.ones((m, k), int), np.ones((k, n), int)


def test_two_by_two_outputs_are_complete_on_their_diagonals():
    """By hand: dot products of 3; PE (r, c) makes its last one in cycle r + c + 2."""
    run = list(cycle_by_cycle(*ones(2, 2, 3), 2, 2))
    assert [run[at].complete.tolist() for at in (1, 3, 4)] == [[[0, 0], [0, 0]], [[2, 2], [2, 0]], [[2, 2], [2, 2]]]
    assert run[-1].busy.tolist() == [0.25, 0.75, 1, 0.75, 0.25]
    assert [watched.phase for watched in run] == ["up", "up", "full", "down", "down"]


def test_a_result_of_two_folds_is_first_a_part_then_the_whole():
    run = list(cycle_by_cycle(*ones(1, 1, 4), 2, 1, "ws"))
    told = [int(watched.complete[0, 0]) for watched in run]
    assert told == sorted(told) and set(told) == {0, 1, 2} and told[-1] == 2 and told[-2] == 1


@given(sizes, sizes, sizes, edges, edges, st.sampled_from(list(systolic.DATAFLOWS)), st.booleans())
def test_a_run_is_as_long_and_as_busy_as_the_closed_form_says(m, n, k, rows, cols, dataflow, overlap):
    run = list(cycle_by_cycle(*ones(m, n, k), rows, cols, dataflow, overlap))
    want = systolic.cycles(Gemm(m, n, k), rows, cols, dataflow, overlap)
    assert {watched.length for watched in run} == {len(run)} == {want.total}
    assert run[-1].busy.mean() == pytest.approx(want.utilization)
    assert np.all(run[-1].complete == 2)


@given(sizes, sizes, sizes, edges, edges, st.sampled_from(list(systolic.DATAFLOWS)))
def test_what_is_complete_is_what_the_outputs_of_each_cycle_show(m, n, k, rows, cols, dataflow):
    """Second road: with ones, a result is complete when k has come out."""
    for watched in cycle_by_cycle(*ones(m, n, k), rows, cols, dataflow):
        outputs = watched.now.outputs
        assert np.array_equal(watched.complete, (outputs > 0).astype(int) + (outputs == k))


def test_a_result_of_zero_is_complete_when_it_has_left():
    run = list(cycle_by_cycle(np.zeros((2, 2), int), np.ones((2, 2), int), 2, 2))
    assert [watched.complete.sum() for watched in run] == [0, 2, 6, 8]


def test_the_next_cycles_are_seen_before_they_come():
    run = list(cycle_by_cycle(*ones(3, 3, 4), 3, 3))
    for at, watched in enumerate(run):
        assert [later.cycle for later in watched.ahead] == list(range(at + 1, min(at + 5, len(run))))


def test_the_first_state_does_not_wait_for_the_last():
    first = next(cycle_by_cycle(*ones(1024, 1024, 4096), 1024, 1024))
    assert first.now.active.sum() == 1 and first.length == 1024 + 1024 + 4096 - 2


def test_of_two_runs_side_by_side_the_shorter_one_waits_at_its_end():
    pairs = list(side_by_side(*(cycle_by_cycle(*ones(2, 2, 2), 2, 2, flow) for flow in ("os", "ws"))))
    assert [(left.now.cycle, right.now.cycle) for left, right in pairs] == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
        (3, 4),
        (3, 5),
    ]
