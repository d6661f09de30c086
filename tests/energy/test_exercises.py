"""Wrong solutions of the exercises, and their keys found again on another road."""

import pytest

from accelerator_course.exercises import energy as exercises
from accelerator_course.exercises.slips import energy as slips
from accelerator_lib import energy


def as_many_as_allowed(budget, n, k, level, most):
    return "fp16", most


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "08.1": [
        (slips.narrowest_first, "20 µJ a row, 4096 x 4096, hbm2_low, at most 128 rows"),
        (slips.arithmetic_forgotten, "20 µJ a row, 4096 x 4096, hbm2_low, at most 128 rows"),
        (slips.rounded_down, "20 µJ a row, 4096 x 4096, hbm2_low, at most 128 rows"),
        (slips.always_two_bytes, "20 µJ a row, 4096 x 4096, hbm2_low, at most 64 rows"),
        (as_many_as_allowed, "20 µJ a row, 4096 x 4096, hbm2_low, at most 128 rows"),
    ],
    "08.2": [
        (slips.leakage_in_proportion, "90 W constant, 60 W leaking and 240 W dynamic, the clock"),
        (slips.leakage_constant, "90 W constant, 60 W leaking and 240 W dynamic, the clock"),
        (slips.leakage_left_out, "90 W constant, 60 W leaking and 240 W dynamic, the clock"),
        (slips.least_power, "90 W constant, 60 W leaking and 240 W dynamic, the clock"),
        (slips.time_forgotten, "90 W constant, 60 W leaking and 240 W dynamic, the gain"),
        (lambda c, leaks, d: (1.0, 1.0), "90 W constant, 60 W leaking and 240 W dynamic, the clock"),
    ],
    "08.3": [
        (slips.every_memory_is_hbm2, "For t4"),
        (slips.sums_no_wider_than_products, "For v100-sxm2-32gb"),
        (slips.a_mac_for_each_flop, "For v100-sxm2-32gb"),
    ],
}

HARMLESS = {
    "08.1": ["arithmetic <= budget"],  # equal: no number of rows is enough, in the next format neither
    "08.2": ["low, high = (0.01, 11.0)", "low, high = (0.01, 9.0)", "joules(left) <= joules(right)"],  # a wide range
}


def test_the_clock_that_is_searched_is_where_the_slope_is_zero():
    """Second road: d/df of (constant + 0.3 leaking) / f + 0.7 leaking + dynamic V^2, and the library's own halving."""
    for constant, leaking, dynamic in exercises.MACHINES:
        f, gain = exercises.searched(constant, leaking, dynamic)
        slope = 2 * dynamic * 0.7 * f**2 * (0.3 + 0.7 * f)
        assert slope == pytest.approx(constant + 0.3 * leaking, rel=2e-3)
        known = energy.best_clock(energy.Power(constant, dynamic, leaking, 0.3), low=0.01, high=3)
        assert f == pytest.approx(known, abs=1e-4)
        assert gain == pytest.approx(energy.gain(known, energy.Power(constant, dynamic, leaking, 0.3)), rel=1e-4)
