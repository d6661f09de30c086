"""Habits: what five ways of timing would print of one kernel."""

import numpy as np
import pytest

from accelerator_course import views
from accelerator_course.measure import habits
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.machine.timing import History, history

RUN = History(0.3, 8e-6, (5e-3, 4e-3, 3e-3, 3e-3, 2e-3, 2e-3, 2.2e-3, 1.9e-3, 9e-3))


def test_each_way_prints_its_own_number():
    printed = {way: habits.reported("small", RUN, way).seconds for way in habits.WAYS}
    assert printed["the first call"] == 0.3 and printed["asked for, not waited for"] == 8e-6
    assert printed["mean of all calls"] == pytest.approx((0.3 + sum(RUN.seconds)) / 10)
    assert printed["the best run"] == 1.9e-3 and printed["median, warmed up"] == pytest.approx(2e-3)


def test_the_band_is_the_middle_of_the_warm_runs_and_the_factor_is_against_their_median():
    found = habits.reported("small", RUN, "the first call")
    warm = sorted(RUN.seconds[habits.WARM :])
    assert warm[0] <= found.low <= found.median <= found.high <= warm[-1]
    assert found.factor == pytest.approx(0.3 / np.median(warm))


def test_few_runs_are_all_warm():
    short = History(0.3, 8e-6, (2e-3, 4e-3))
    assert habits.median(short) == pytest.approx(3e-3) and habits.reported("small", short).warm == 2


def test_the_sentence_counts_the_calls_that_the_median_is_of():
    found = habits.reported("small", RUN, "mean of all calls")
    assert found.warm == len(RUN.seconds) - habits.WARM == 5
    assert "the median of 5 warm calls" in views.measure.Habits().say(found)


def test_an_unknown_way_is_one_line():
    with pytest.raises(UnknownName, match="median"):
        habits.reported("small", RUN, "median, warmed")


def test_a_function_is_compiled_in_its_first_call_and_each_later_one_is_kept():
    traced = []

    def double(x):
        traced.append(x)  # runs when it is traced, not when it is called
        return 2 * x

    found = history(double, np.ones(8, np.float32), runs=5)
    assert len(traced) == 1 and len(found.seconds) == 5
    assert found.first > 0 and found.asked > 0 and min(found.seconds) > 0


def test_all_kernels_are_timed_and_progress_is_told():
    asked = []

    def timer(function, *arrays, runs):
        asked.append((function(*arrays).shape, runs))
        return RUN

    *before, last = habits.habits(runs=3, timer=timer)
    assert [each.fraction for each in before] == [0, pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert last.result == dict.fromkeys(habits.EDGES, RUN)
    assert asked == [((edge, edge), 3) for edge in habits.EDGES.values()]
