"""Many designs: the grid and its front, fronts that grow, slopes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import design
from accelerator_lib.design import explore
from accelerator_lib.design.explore import BATCH, BUDGET, STRATEGIES
from accelerator_lib.design.grid import AXES, PES, undominated

BEST = design.Design(edge=256, arrays=6, sram_mb=64, stacks=6, clock_hz=2.4e9, link_bytes_per_s=300e9, node=5)


def test_the_best_of_both_nodes_and_the_opening():
    found = explore.grid(watts=700)
    assert found.size == 100_800 and found.legal == 12_092
    assert found.best("value") == found.best() == BEST
    assert found.value.ravel()[found.top()] == pytest.approx(1.17509440, rel=1e-7)
    assert [len(found.front(over)) for over in ("dollars", "watts")] == [229, 98]
    # Below 10 % is a tie: so the capstone ranks groups, not places.
    opening, found = design.score(design.Design(128, 20, 128, 6, 1.5e9, 300e9)).value, explore.grid(watts=700)
    assert opening > 0.9 * found.value.ravel()[found.top()]
    assert np.sum(np.where(found.allowed, found.value, 0) > 0.9 * found.value.ravel()[found.top()]) == 297
    old, new = explore.grid(node=7), explore.grid(node=5)
    assert 0 < old.legal < new.legal and old.best().node == 7
    assert old.value.ravel()[old.top()] < new.value.ravel()[new.top()]


def test_edges_of_128_and_256_tie_under_every_brief_and_the_first_place_changes_hands():
    for watts, first in ((300, 128), (700, 256), (1000, 256)):
        found = explore.grid(watts=watts)
        worth = {e: np.where(a, v, 0).max() for e, a, v in zip(AXES["edge"], found.allowed, found.value, strict=True)}
        assert max(worth, key=worth.get) == first == found.best().edge
        assert 0.98 < worth[128] / worth[256] < 1.02 and max(worth[16], worth[32]) < 0.9 * worth[128]


@pytest.mark.parametrize(
    ("job", "stacks"), [("decode", {6}), ("prefill", {2, 3}), ("training", {2, 3}), ("vision", {0})]
)
def test_every_corner_wins_a_job(job, stacks):
    assert explore.grid(mix={job: 1}).best().stacks in stacks


@given(st.integers(0, 100_799), st.sampled_from([(None, 700.0), ({"vision": 2, "decode": 1}, 400.0)]))
@settings(max_examples=60, deadline=None)
def test_every_place_is_what_evaluating_that_design_says(place, asked):
    mix, watts = asked
    found = explore.grid(watts, mix)
    steps = np.unravel_index(place, found.allowed.shape)
    edge = AXES["edge"][steps[0]]
    if AXES["steps"][steps[1]] * PES % edge**2:
        assert not found.allowed.ravel()[place]
        return
    one = found.design(place)
    assert found.allowed.ravel()[place] == (not design.violations(one, watts, mix))
    alone = design.score(one, mix)
    for name in ("score", "value", "watts", "usd_per_hour"):
        assert getattr(found, name).ravel()[place] == pytest.approx(getattr(alone, name), rel=1e-9)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_a_front_is_what_no_pair_beats(points):
    cost, merit = (np.array([point[i] for point in points], float) for i in (0, 1))
    kept = undominated(cost, merit)
    beaten = [
        any((c <= a and m > b) or (c < a and m >= b) for c, m in points) for a, b in points
    ]  # brute force, both ways to be beaten
    assert {points[i] for i in kept} == {point for point, bad in zip(points, beaten, strict=True) if not bad}
    assert np.all(np.diff(cost[kept]) > 0) and np.all(np.diff(merit[kept]) > 0)


def test_where_nothing_is_legal_it_says_so():
    assert len(explore.grid(watts=20).front()) == 0


SEEDS = range(1, 11)


@pytest.mark.parametrize("over", ["dollars", "watts"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_states_add_up_and_the_front_is_that_of_what_was_tried(strategy, over):
    states = list(explore.fronts(strategy, over, seed=3))
    assert [len(state.tried) for state in states] == list(range(BATCH, BUDGET + 1, BATCH))
    for state in states:
        legal = np.flatnonzero(state.legal)
        again = legal[undominated(state.cost[legal], state.score[legal])]
        assert np.array_equal(state.front, again) and state.legal[state.front].all()
    assert all(a.grown <= b.grown + 1e-12 and a.share <= b.share for a, b in pairwise(states))
    assert 0 < states[-1].grown <= 1 + 1e-12 and 0 < states[-1].share <= 1
    one = int(states[-1].tried[states[-1].front[-1]])
    alone = design.score(states[-1].found.design(one))
    assert states[-1].score[states[-1].front[-1]] == pytest.approx(alone.score)
    cost = alone.usd_per_hour if over == "dollars" else alone.watts
    assert states[-1].cost[states[-1].front[-1]] == pytest.approx(cost)


def test_seeds_and_strategies_of_a_race():
    a, b, c = (list(explore.fronts("evolution", seed=seed))[-1].tried for seed in (1, 1, 2))
    assert np.array_equal(a, b) and not np.array_equal(a, c)
    mean = {name: np.mean([list(explore.fronts(name, seed=s))[-1].grown for s in SEEDS]) for name in STRATEGIES[:2]}
    assert mean["evolution"] > mean["random"] + 0.02
    children = explore._children(np.array([5000]), np.zeros(0, int), 50, np.random.default_rng(1))
    moved = np.array(np.unravel_index(children, explore.SHAPE)) != np.array(np.unravel_index([5000], explore.SHAPE))
    assert moved.sum(0).max() == 2  # knobs
    a, b = (list(explore.fronts("grid", seed=seed))[-1].tried for seed in (1, 2))
    assert np.array_equal(a, b) and len(set(a.tolist())) == BUDGET
    assert len(list(explore.fronts("grid", budget=1000))[-1].tried) == 1000


MINE = design.Design(128, 20, 128, 6, 1.5e9, 300e9, node=5)
OTHERS = (
    design.Design(256, 6, 64, 6, 2.4e9, 300e9),
    design.Design(64, 100, 32, 3, 0.9e9, 900e9, node=7),
    design.Design(16, 640, 16, 5, 1e9, 100e9),
)


def test_the_numbers_of_twenty_arrays():
    found = explore.elasticities(MINE)
    assert [round(found[name], 2) for name in ("edge", "clock_hz", "arrays")] == [0.85, 0.52, 0.43]
    assert found["stacks"] == pytest.approx(0.395, abs=1e-3)
    built = explore.elasticities(MINE, smooth=False)
    assert built["arrays"] == 0 and built["edge"] == pytest.approx(-0.004, abs=5e-4)
    apart = explore.stepped(MINE)
    assert apart["arrays"] == pytest.approx(0.43, abs=5e-3) and apart["edge"] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("mine", [MINE, *OTHERS, replace(OTHERS[0], dtype="fp8"), replace(MINE, dtype="int8")])
def test_where_nothing_is_rounded_the_slope_is_that_of_a_small_step(mine):
    """The clock is rounded nowhere."""
    slope = explore.elasticities(mine, smooth=False)["clock_hz"]
    faster, slower = (design.score(replace(mine, clock_hz=mine.clock_hz * f)).score for f in (1.001, 0.999))
    assert slope == pytest.approx((faster / slower - 1) / 0.002, rel=0.02)
    assert explore.stepped(mine, step=0.001)["clock_hz"] == pytest.approx(slope, rel=0.02)


def test_a_design_that_cannot_do_a_job_has_no_slope():
    none = replace(MINE, stacks=0)
    assert set(explore.elasticities(none).values()) == set(explore.stepped(none).values()) == {0.0}
    assert explore.elasticities(none, mix={"vision": 1})["clock_hz"] > 0.5
