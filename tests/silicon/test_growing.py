import numpy as np
import pytest

from accelerator_lib import silicon
from accelerator_lib.silicon import growing


def test_the_defects_stay_while_the_die_grows():
    states = list(silicon.grow())
    assert [state.area for state in states] == list(growing.AREAS)
    assert all(state.wafer.points is not None and len(state.wafer.points) == states[0].wafer.most for state in states)
    assert all(np.array_equal(state.wafer.points, states[0].wafer.points) for state in states)
    assert all(state.wafer.cut.fits for state in states) and states[-1].area == 858


def test_dollars_for_a_good_square_millimetre():
    first, *_, end = silicon.grow()
    assert first.expected == pytest.approx(0.27, abs=0.005) and end.expected == pytest.approx(0.745, abs=0.005)
    for state in (first, end):
        assert state.expected == pytest.approx(silicon.cost_per_good_die(17000, state.area, 0.1) / state.area)
        sold = state.wafer.counts[0] + state.wafer.counts[1]
        assert state.counted[-1] == pytest.approx(17000 / (sold * state.area))


def test_many_wafers_follow_the_formula_of_even_defects():
    large = [list(silicon.grow(seed=seed))[-1].wafer.sold for seed in range(30)]
    assert np.mean(large) == pytest.approx(silicon.die_yield(858, 0.1, "poisson"), abs=0.03)


def test_spare_units_make_a_large_die_cheaper():
    none, three = (list(silicon.grow(spare=spare))[-1] for spare in (0, 3))
    assert three.expected < none.expected and three.counted[-1] < none.counted[-1]


def test_a_wafer_without_a_good_die():
    *_, end = silicon.grow(defects_per_cm2=5.0)
    assert np.isnan(end.counted[-1]) and np.isfinite(end.expected)
