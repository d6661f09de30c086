from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import codesign
from accelerator_lib.codesign import mobile, nas

points = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40)


def brute(pairs):
    """Values of the front: what no other point beats."""
    beats = lambda a, b: a[0] >= b[0] and a[1] <= b[1] and a != b  # noqa: E731
    return {one for one in pairs if not any(beats(other, one) for other in pairs)}


@given(points)
def test_the_front_is_what_nothing_beats(pairs):
    front = codesign.pareto(pairs)
    assert {pairs[i] for i in front} == brute(pairs) and len({pairs[i] for i in front}) == len(front)
    costs, goods = [pairs[i][1] for i in front], [pairs[i][0] for i in front]
    assert costs == sorted(costs) and goods == sorted(goods)


def test_rewards_of_the_paper_and_of_a_limit():
    assert codesign.nas_reward(0.75, 100, 80) == pytest.approx(0.75 * 1.25**-0.07)
    assert codesign.nas_reward(0.7, 60, 80, 0, -1) == 0.7
    assert codesign.nas_reward(0.7, 160, 80, 0, -1) == pytest.approx(0.35)
    line = codesign.nas_reward(np.array([0.7, 0.7]), np.array([60, 160]), 80, 0, -1)
    assert line.tolist() == [0.7, pytest.approx(0.35)]


@given(st.floats(5, 200), st.floats(5, 200), st.floats(-0.5, 0))
def test_with_equal_exponents_the_target_scales_all_alike(one, other, w):
    found = [[codesign.nas_reward(n.accuracy, n.ms["pixel1"], t, w) for n in mobile.measured()] for t in (one, other)]
    ratios = np.divide(*found)
    assert np.allclose(ratios, ratios[0])


@pytest.mark.parametrize("target, accuracy", [(20, 67.5), (40, 73.3), (60, 75.2), (100, 76.1), (150, 77.2)])
def test_a_limit_picks_the_most_accurate_below_it_here(target, accuracy):
    below = max(one.accuracy for one in mobile.measured() if one.ms["pixel1"] <= target)
    assert nas.winner(target, 0, -1).accuracy == accuracy == below


def test_at_80_ms_a_limit_ties_51_and_78_ms_and_the_winner_is_the_faster():
    last = list(nas.arrive("ms on Pixel 1", 80, 0, -1))[-1]
    assert sorted(last.seconds[i] for i in last.tied) == [51.2, 78]
    assert nas.winner(80, 0, -1).ms["pixel1"] == 51.2


@pytest.mark.parametrize("across", nas.ACROSS)
def test_the_front_that_grew_is_the_front_of_all(across):
    states = list(nas.arrive(across))
    last = states[-1]
    assert len(states) == last.total == len(last.arrived)
    pairs = [(one.accuracy, cost) for one, cost in zip(last.arrived, last.costs, strict=True)]
    assert {pairs[i] for i in last.front} == brute(pairs)
    assert last.rewards[last.best] == max(last.rewards)
    for before, after in pairwise(states):
        newest = len(after.arrived) - 1
        assert set(after.front) == (set(before.front) - set(after.pushed)) | ({newest} & set(after.front))
        assert (after.news == "joins the front") == (newest in after.front)


def test_over_work_the_front_is_another_one():
    times, work = (list(nas.arrive(across))[-1] for across in ("ms on Pixel 1", "multiply-adds"))
    assert {times.arrived[i].name for i in times.front} != {work.arrived[i].name for i in work.front}


def test_all_on_the_level_curve_are_as_good_as_the_best():
    state = list(nas.arrive(target=80, w=-0.1, beta=-1))[-1]
    for ms in (5, 60, 80, 81, 200):
        level = state.level(ms)
        assert codesign.nas_reward(level, ms, 80, -0.1, -1) == pytest.approx(state.rewards[state.best])
    assert state.level(state.seconds[state.best]) == pytest.approx(state.arrived[state.best].accuracy)


@pytest.mark.parametrize("bad", [[], [(1, 2, 3)], [(1, float("nan"))], "front"])
def test_points_that_are_no_pairs_are_answered(bad):
    with pytest.raises(ValueError):
        codesign.pareto(bad)


def test_weights_that_reward_slowness_are_refused():
    with pytest.raises(ValueError, match="w = 0.1"):
        codesign.nas_reward(75, 80, 80, 0.1)


@pytest.mark.parametrize("points", [None, "front", [1, 2], [(1, float("nan"))], [("a", "b")]])
def test_points_that_are_none_are_answered(points):
    with pytest.raises(ValueError, match="points must be"):
        nas.pareto(points)
