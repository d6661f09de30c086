"""Counting: factors, means and medians, each on a second road."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.validation import counting

SIZES = st.floats(1e-3, 1e3)


@given(SIZES, SIZES)
def test_a_factor_is_the_same_from_both_sides_and_one_at_least(a, b):
    off = counting.factor_off(a, b)
    assert off == pytest.approx(max(a, b) / min(a, b)) and off == pytest.approx(counting.factor_off(b, a))


@pytest.mark.parametrize("calls", [1, 2, 10, 100])
def test_a_mean_with_the_first_call_is_the_mean_of_the_list(calls):
    assert counting.mean_with_first(0.3, 0.002, calls) == pytest.approx(np.mean([0.3, *[0.002] * (calls - 1)]))


def test_the_least_error_and_a_launch_as_long_as_the_work():
    assert counting.rate_with_launch(1e9, 1e-5, 1e-5) == pytest.approx(
        0.5 * counting.rate_with_launch(1e9, 1e-5, 1e-12)
    )
    assert counting.keep(1.4, 1.2, 1.1, 1.3, 1.5) == 3 and counting.keep(1.1, 1.2, 1.2, 1.2, 1.2) == 1


@pytest.mark.parametrize(("rows", "high"), [(1, 0), (4, 2), (5, 4), (9, 1), (12, 12)])
def test_a_coin_thrown_in_every_way(rows, high):
    ways = [sum(way) for way in product((0, 1), repeat=rows)]
    uneven = sum(abs(2 * heads - rows) >= abs(2 * high - rows) for heads in ways)
    assert counting.by_coin(rows, high) == pytest.approx(uneven / len(ways))


@pytest.mark.parametrize("rows", [1, 2, 40, 1000, 10**4])
def test_a_coin_that_falls_on_one_side_only_has_two_ways_to_do_so(rows):
    assert counting.by_coin(rows, rows) == counting.by_coin(rows, 0) == 2.0 ** (1 - rows)
    assert counting.by_coin(rows, rows // 2) == 1


def test_chance_has_twice_the_room_with_twice_the_groups_and_no_more_heads_than_throws():
    with pytest.raises(ValueError, match="5 of 4 cannot be"):
        counting.by_coin(4, 5)
    assert counting.by_chance(16, 12, 1) == counting.by_coin(16, 12)
    assert counting.by_chance(16, 12, 20) == pytest.approx(20 * 2 * sum(comb(16, n) for n in range(12, 17)) / 2**16)


@pytest.mark.parametrize(("rows", "odd"), [(4, 2), (10, 3), (15, 3)])
def test_just_these_rows_are_one_of_all_choices(rows, odd):
    assert counting.selections(rows, odd) == len(list(combinations(range(rows), odd)))


@given(SIZES, SIZES, SIZES)
def test_the_middle_is_the_median(a, b, c):
    assert counting.middle(a, b, c) == np.median([a, b, c])
