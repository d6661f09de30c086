import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import silicon
from accelerator_lib.silicon import falling
from accelerator_lib.silicon.falling import GOOD, SALVAGED, SCRAP


def last(**how):
    *_, state = silicon.fall(**how)
    return state


def test_as_many_defects_as_the_density_says_and_all_on_the_wafer():
    runs = [list(silicon.defects(seed, 0.1)) for seed in range(200)]
    counts = np.array(list(map(len, runs)))
    expected = 0.1 * np.pi * 15**2
    assert counts.mean() == pytest.approx(expected, rel=0.03) and counts.var() == pytest.approx(expected, rel=0.25)
    assert all(np.hypot(*point) <= 150 for run in runs for point in run)
    assert list(silicon.defects(3, 0.1)) == runs[3] != runs[4] and not list(silicon.defects(3, 0.0))


def test_clustering_keeps_the_mean_and_adds_spread():
    counts = [[len(list(silicon.defects(seed, 0.1, alpha))) for seed in range(200)] for alpha in (None, 1, 0.2)]
    means, spreads = np.mean(counts, 1), np.std(counts, 1)
    assert means == pytest.approx([70.7] * 3, rel=0.06) and spreads[0] < spreads[1] < spreads[2]


@pytest.mark.parametrize("alpha", [None, 3, 1])
@pytest.mark.parametrize("spare", [0, 3])
def test_many_wafers_have_the_yield_of_the_formula(alpha, spare):
    sold = [last(alpha=alpha, spare=spare, seed=seed).sold for seed in range(150)]
    formula = last(alpha=alpha, spare=spare).formula
    assert np.mean(sold) == pytest.approx(formula, abs=0.015)  # three standard errors
    assert 0.035 < np.std(sold) < 0.08  # one wafer scatters by 6 points


@pytest.mark.parametrize("d0, none, three", [(0.02, 0.85, 0.86), (0.5, 0.02, 0.08)])
def test_at_equal_density_clusters_raise_the_yield(d0, none, three):
    assert [next(silicon.fall(800, d0, alpha)).formula for alpha in (None, 3)] == pytest.approx(
        [none, three], abs=0.005
    )


@settings(max_examples=25)
@given(st.floats(50, 858), st.floats(0, 0.5), st.sampled_from([None, 1, 3]), st.integers(0, 16), st.integers(0, 9))
def test_each_defect_can_only_spoil(area, d0, alpha, spare, seed):
    states = list(silicon.fall(area, d0, alpha, spare, seed=seed))
    assert len(states) == states[0].most + 1 and states[0].counts == (len(states[0].cut.centres), 0, 0)
    before = None
    for n, state in enumerate(states):
        assert len(state.points) == n and sum(state.counts) == len(state.cut.centres)
        if before is not None:
            assert (state.states >= before.states).all() and (state.states != before.states).sum() <= 1
        before = state


@pytest.mark.parametrize("spare", [0, 2])
def test_dies_counted_one_defect_at_a_time(spare):
    state = last(defects_per_cm2=0.4, spare=spare, seed=7)
    for die in range(len(state.cut.centres)):
        bad, dead = set(), False
        for x, y in state.points:
            dx, dy = x - state.cut.corners[die][0], y - state.cut.corners[die][1]
            if 0 <= dx <= state.cut.width and 0 <= dy <= state.cut.height:
                boxes = state.units.boxes()
                hit = [i for i, (a, b, w, h) in enumerate(boxes) if a <= dx < a + w and b <= dy < b + h]
                bad.update(hit)
                dead = dead or not hit
        want = SCRAP if dead or len(bad) > spare else SALVAGED if bad else GOOD
        assert state.states[die] == want and state.bad_units[die] == len(bad)
        points, units = state.within(die)
        assert len(points) == len(units) and set(units[units >= 0]) == bad


def test_what_cannot_fall_is_refused():
    for how in (
        {"area_mm2": 50_000},
        {"defects_per_cm2": -0.1},
        {"defects_per_cm2": 1e6},
        {"alpha": 0},
        {"share": 1.5},
        {"count": 0},
        {"seed": -1},
    ):
        with pytest.raises((ValueError, TypeError)):
            next(silicon.fall(**how))
    for how in ({"patch_mm": 3}, {"patch_mm": (0, 3)}, {"middle_mm": (1, "a")}):
        with pytest.raises((ValueError, TypeError)):
            next(silicon.defects(1, 0.1, 3, **how))
    with pytest.raises(TypeError, match="need a Cut"):
        next(falling.landed("a wafer", [], 0.6, 144, 0, 1.0))
