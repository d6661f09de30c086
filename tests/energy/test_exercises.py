"""The keys of the exercises found again on another road."""

import pytest

from accelerator_course.exercises import energy as exercises
from accelerator_lib import energy


def test_the_clock_that_is_searched_is_where_the_slope_is_zero():
    """Second road: d/df of (constant + 0.5 leaking) / f + 0.5 leaking + dynamic V^2, and the library's own halving."""
    for constant, leaking, dynamic in exercises.MACHINES:
        f, gain = exercises.searched(constant, leaking, dynamic)
        slope = 2 * dynamic * 0.5 * f**2 * (0.5 + 0.5 * f)
        assert slope == pytest.approx(constant + 0.5 * leaking, rel=2e-3) or (f == 0.4 and slope > constant)
        power = energy.Power(constant, dynamic, leaking, 0.5, 0.7)
        known = energy.best_clock(power, low=0.01, high=5)
        assert f == pytest.approx(known, abs=1e-4)
        assert gain == pytest.approx(1 / energy.job(known, power).joules, rel=1e-4)


def test_the_bill_that_is_walked_is_the_one_that_is_counted():
    for job in exercises.JOBS:
        for scope in exercises.PRICES:
            assert exercises.walked(job, scope) == pytest.approx(exercises.joules(job, scope))


def test_the_prices_of_a_multiply_add_are_those_of_the_table():
    for dtype, pj in exercises.MAC.items():
        assert pj == pytest.approx(energy.mac_pj(dtype, accumulator="int32" if dtype == "int8" else "fp32"))
