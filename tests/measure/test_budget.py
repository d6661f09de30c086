from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.measure.budget import Budget, spread_out
from accelerator_lib.checks.inputs import UnknownName


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_seconds_are_dealt_out_by_weight():
    clock = Clock()
    budget = Budget(60, {"products": 3, "streams": 2, "decode": 1}, clock)
    assert budget.open("products") == 30
    assert budget.allows(30) and not budget.allows(30.1)


def test_what_a_group_leaves_goes_to_those_after_it_and_what_it_takes_too_much_is_theirs_as_well():
    clock = Clock()
    budget = Budget(60, {"products": 3, "streams": 2, "decode": 1}, clock)
    budget.open("products")
    clock.now += 6
    assert budget.open("streams") == pytest.approx(54 * 2 / 3)
    clock.now += 60
    assert budget.left == 0 and budget.open("decode") == 0
    assert not budget.allows(0.001)


def test_a_group_that_is_not_planned_and_seconds_that_are_none_are_one_line():
    with pytest.raises(UnknownName, match="did you mean 'streams'"):
        Budget(10, {"streams": 1}).share("stream")
    for wrong in (0, -1, float("nan"), 1e9):
        with pytest.raises(ValueError, match="seconds"):
            Budget(wrong, {"streams": 1})


@given(st.integers(0, 300))
def test_every_place_comes_once_and_the_ends_first(count):
    order = spread_out(count)
    assert sorted(order) == list(range(count))
    assert set(order[:2]) == {0, count - 1} if count > 1 else order == list(range(count))


@given(st.integers(8, 300), st.data())
def test_wherever_one_stops_no_gap_is_much_wider_than_if_all_were_alike(count, draw):
    stop = draw.draw(st.integers(3, count))
    done = sorted(spread_out(count)[:stop])
    assert max(right - left for left, right in pairwise(done)) <= 4 * count / stop
