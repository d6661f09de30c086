import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
