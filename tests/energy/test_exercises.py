"""Wrong solutions of the exercises, and their keys found again on another road."""

import pytest

from accelerator_lib.exercises import energy as exercises
from accelerator_lib.exercises.slips import energy as slips


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
        (slips.leakage_moves_it, "100 W constant, 50 W leaking and 250 W dynamic, the clock"),
        (slips.two_forgotten, "100 W constant, 50 W leaking and 250 W dynamic, the clock"),
        (slips.three_for_two, "100 W constant, 50 W leaking and 250 W dynamic, the clock"),
        (slips.time_forgotten, "100 W constant, 50 W leaking and 250 W dynamic, the gain"),
        (lambda c, leaks, d: (1.0, 1.0), "100 W constant, 50 W leaking and 250 W dynamic, the clock"),
    ],
    "08.3": [
        (slips.every_memory_is_hbm2, "For t4"),
        (slips.sums_no_wider_than_products, "For v100-sxm2-32gb"),
        (slips.a_mac_for_each_flop, "For v100-sxm2-32gb"),
    ],
}

HARMLESS = {"08.1": ["arithmetic <= budget"]}  # equal: no number of rows is enough, in the next format neither


def test_the_clock_that_is_searched_is_where_the_slope_is_zero():
    for constant, leaking, dynamic in exercises.MACHINES:
        f, gain = exercises.searched(constant, leaking, dynamic)
        assert 2 * dynamic * f**3 == pytest.approx(
            constant, rel=2e-3
        )  # d/df (constant / f + leaking + dynamic f^2) = 0
        joules = 1.5 * constant / f + leaking  # there dynamic f^3 is constant / 2
        assert gain == pytest.approx((constant + leaking + dynamic) / joules, rel=2e-3)
