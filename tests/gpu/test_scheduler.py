import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_cycle
from accelerator_lib.gpu import scheduler


@given(st.integers(1, 64), st.integers(1, 60), st.integers(1, 4))
def test_the_scheduler_reaches_what_littles_law_says(warps, latency, loads):
    *_, last = scheduler.schedule(warps, latency, loads, 50 * latency)
    assert last.utilization == pytest.approx(float(scheduler.utilization(warps, latency, loads)), rel=0.03, abs=0.002)


def test_a_warp_waits_its_latency_and_never_has_more_under_way_than_it_may():
    slots = list(scheduler.schedule(3, 10, 2, 100))
    assert all(slot.under_way.max() <= 2 for slot in slots)
    issues = [slot.cycle for slot in slots if slot.doing[0] == scheduler.ISSUED]
    assert all(third - first >= 10 for first, third in zip(issues, issues[2:], strict=False))


def test_four_warps_issue_in_turn_and_then_nobody_for_16_cycles():
    issuing = [slot.issuing for slot in scheduler.schedule(4, 20, 1, 24)]
    assert issuing == [0, 1, 2, 3, *[None] * 16, 0, 1, 2, 3]


@given(st.integers(1, 64), st.integers(1, 60), st.integers(1, 4))
def test_one_warp_at_most_issues_and_it_is_the_one_named(warps, latency, loads):
    for slot in scheduler.schedule(warps, latency, loads, 60):
        assert np.flatnonzero(slot.doing == scheduler.ISSUED).tolist() == [slot.issuing] * (slot.issuing is not None)


def test_more_warps_than_an_sm_holds_are_refused_before_the_first_cycle():
    with pytest.raises(ValueError, match="warps = 65 is outside the allowed range, 1 to 64"):
        scheduler.schedule(warps=65)


def test_a_load_is_back_a_latency_after_it_was_issued_and_then_its_warp_may_issue():
    *_, last = by_cycle(2, 6, 1, 8)
    assert [(load.warp, load.number, load.issued, load.back) for load in last.loads] == [
        (0, 1, 0, 6),
        (1, 1, 1, 7),
        (0, 2, 6, 12),
        (1, 2, 7, 13),
    ]
    assert last.lost == (2, 3, 4, 5) and last.now.until.tolist() == [12, 13]


@given(st.integers(1, 64), st.integers(1, 60), st.integers(1, 8))
def test_every_cycle_is_issued_or_lost_and_loads_under_way_are_those_not_back(warps, latency, loads):
    for state in by_cycle(warps, latency, loads, 80):
        assert sorted([load.issued for load in state.loads] + [*state.lost]) == [*range(state.now.cycle + 1)]
        flying = [load for load in state.loads if load.back > state.now.cycle]
        assert np.bincount([load.warp for load in flying], minlength=warps).tolist() == state.now.under_way.tolist()
        places = {(load.warp, load.slot) for load in flying}
        assert len(places) == len(flying)  # no two in the same place
        assert state.now.under_way.max() <= state.deep and all(slot < state.deep for _, slot in places)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 4))
def test_until_is_the_first_cycle_in_which_a_warp_is_ready_again(warps, latency, loads):
    slots = list(scheduler.schedule(warps, latency, loads, 100))
    for slot in slots:
        for warp, until in enumerate(slot.until):
            assert slot.cycle < until
            between = slots[slot.cycle + 1 : until]
            assert all(later.doing[warp] == scheduler.WAITING for later in between)
            assert until >= len(slots) or slots[until].doing[warp] != scheduler.WAITING


def test_a_history_that_every_cycle_tells_anew_has_a_limit():
    with pytest.raises(ValueError, match="cells of its history are more .*lower cycles"):
        by_cycle(64, 1, 64, 100_000)
    assert len(list(by_cycle(4, 20, 1, 1000))) == 1000
