"""Counting: factors, means and medians, each on a second road."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.validation import counting

SIZES = st.floats(1e-3, 1e3)
ROWS = st.lists(st.tuples(SIZES, SIZES, st.floats(0.1, 10)), min_size=1, max_size=9)


@given(SIZES, SIZES)
def test_a_factor_is_the_same_from_both_sides_and_one_at_least(a, b):
    off = counting.factor_off(a, b)
    assert off == pytest.approx(max(a, b) / min(a, b)) and off == pytest.approx(counting.factor_off(b, a))


@pytest.mark.parametrize("calls", [1, 2, 10, 100])
def test_a_mean_with_the_first_call_is_the_mean_of_the_list(calls):
    assert counting.mean_with_first(0.3, 0.002, calls) == pytest.approx(np.mean([0.3, *[0.002] * (calls - 1)]))


def test_a_launch_as_long_as_the_work_halves_the_rate():
    assert counting.rate_with_launch(1e9, 1e-5, 1e-5) == pytest.approx(
        0.5 * counting.rate_with_launch(1e9, 1e-5, 1e-12)
    )


def test_rows_for_each_constant():
    assert counting.left_over(60, 7) == pytest.approx(60 / 7)


@given(ROWS)
def test_no_ratio_is_less_wrong_than_the_weighted_median(rows):
    """The least of a sum of distances lies at one of its points: try them all."""
    bounds, measured, weights = map(np.array, zip(*rows, strict=True))

    def wrong(share):
        return float(np.sum(weights * np.abs(np.log(share * bounds / measured))))

    best = wrong(counting.best_share(bounds, measured, weights))
    assert best <= min(wrong(m / b) for b, m in zip(bounds, measured, strict=True)) + 1e-9


def test_a_weight_of_three_is_three_rows():
    heavy = counting.best_share([1, 1, 1], [0.2, 0.5, 0.9], [1, 1, 3])
    assert heavy == counting.best_share([1] * 5, [0.2, 0.5, 0.9, 0.9, 0.9]) == 0.9


@given(ROWS)
def test_least_squares_leave_no_slope(rows):
    bounds, measured, _ = map(np.array, zip(*rows, strict=True))
    share = counting.least_squares(bounds, measured)
    assert float(np.sum(bounds * (share * bounds - measured))) == pytest.approx(0, abs=1e-6 * float((bounds**2).sum()))


def test_typical_is_the_median_of_the_logs():
    assert counting.typical([1, 1, 1], [0.5, 0.25, 1], 0.5) == pytest.approx(np.log(2))
    assert counting.typical([1, 1], [0.5, 1], 0.5) == pytest.approx(np.log(2) / 2)


@pytest.mark.parametrize(
    "arguments", [([], []), ([1, 2], [1]), ([1, -2], [1, 1]), ([1, float("nan")], [1, 1]), ([1], [1], [1, 2])]
)
def test_bad_rows_are_one_line(arguments):
    with pytest.raises((ValueError, TypeError)) as error:
        counting.best_share(*arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("rows", "high"), [(1, 0), (4, 2), (5, 4), (9, 1), (12, 12)])
def test_a_coin_thrown_in_every_way(rows, high):
    ways = [sum(way) for way in product((0, 1), repeat=rows)]
    uneven = sum(abs(2 * heads - rows) >= abs(2 * high - rows) for heads in ways)
    assert counting.by_coin(rows, high) == pytest.approx(uneven / len(ways))


@pytest.mark.parametrize("rows", [1, 2, 40, 1000, 10**4])
def test_a_coin_that_falls_on_one_side_only_has_two_ways_to_do_so(rows):
    assert counting.by_coin(rows, rows) == counting.by_coin(rows, 0) == 2.0 ** (1 - rows)
    assert counting.by_coin(rows, rows // 2) == 1


def test_more_heads_than_throws_are_refused():
    with pytest.raises(ValueError, match="5 of 4 cannot be"):
        counting.by_coin(4, 5)
