"""The grid and its front: against one design at a time, and against a search through all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import design
from accelerator_lib.design import explore
from accelerator_lib.design.grid import AXES, PES, undominated

BEST = design.Design(edge=256, arrays=6, sram_mb=64, stacks=6, clock_hz=2.4e9, link_bytes_per_s=300e9, node=5)


def test_so_many_are_legal_and_the_best_is_this_one():
    found = explore.grid(watts=700)
    assert found.size == 100_800 and found.legal == 12_092
    assert found.best("value") == found.best() == BEST
    assert found.value.ravel()[found.top()] == pytest.approx(1.17509440, rel=1e-7)
    assert [len(found.front(over)) for over in ("dollars", "watts")] == [229, 98]


def test_edges_of_128_and_256_tie_under_every_brief_and_the_first_place_changes_hands():
    for watts, first in ((300, 128), (700, 256), (1000, 256)):
        found = explore.grid(watts=watts)
        worth = {e: np.where(a, v, 0).max() for e, a, v in zip(AXES["edge"], found.allowed, found.value, strict=True)}
        assert max(worth, key=worth.get) == first == found.best().edge
        assert 0.98 < worth[128] / worth[256] < 1.02 and max(worth[16], worth[32]) < 0.9 * worth[128]


def test_the_opening_ties_with_the_best_of_the_grid():
    """Below 10 % is a tie: so the capstone ranks groups, not places."""
    opening, found = design.score(design.Design(128, 20, 128, 6, 1.5e9, 300e9)).value, explore.grid(watts=700)
    assert opening > 0.9 * found.value.ravel()[found.top()]
    assert np.sum(np.where(found.allowed, found.value, 0) > 0.9 * found.value.ravel()[found.top()]) == 297


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


def test_an_older_node_has_a_grid_of_its_own_and_nothing_is_better():
    old, new = explore.grid(node=7), explore.grid(node=5)
    assert 0 < old.legal < new.legal and old.best().node == 7
    assert old.value.ravel()[old.top()] < new.value.ravel()[new.top()]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"node": 3}, "node must be 7 or 5"),
        ({"watts": float("nan")}, "watts is not a number"),
        ({"watts": -1}, "watts = -1"),
        ({"mix": {"decoding": 1}}, "did you mean 'decode'"),
        ({"mix": {"decode": 0}}, "weight above 0"),
    ],
)
def test_bad_input_is_answered_in_one_line(asked, line):
    with pytest.raises((ValueError, KeyError, TypeError)) as error:
        explore.grid(**asked)
    assert line in str(error.value) and "\n" not in str(error.value)


def test_where_nothing_is_legal_it_says_so():
    with pytest.raises(ValueError, match="allow more watts"):
        explore.grid(watts=20).best()
    assert len(explore.grid(watts=20).front()) == 0
    with pytest.raises(KeyError, match="did you mean"):
        explore.grid().front("dollar")
