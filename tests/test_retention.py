"""Simulated learners (benchmarks/retention.py): what reviews at 90 % spare beside the boxes that the course had before."""

import pytest
from benchmarks import retention


@pytest.mark.parametrize("curve", retention.CURVES)
def test_reviews_at_nine_in_ten_are_less_than_half_and_cost_few_points_of_recall(curve):
    (many, held), (few, kept) = (
        retention.mean(curve, wait, 3) for wait in (retention.fixed((1, 3, 7, 21)), retention.by_fsrs(0.9))
    )
    assert few < many / 2 and held - 0.07 < kept < held


@pytest.mark.parametrize("curve", retention.CURVES)
def test_of_even_intervals_a_third_is_enough_for_no_less_recall(curve):
    (many, held), (few, kept) = (
        retention.mean(curve, wait, 3) for wait in (retention.fixed((14,)), retention.by_fsrs(0.94))
    )
    assert few < 0.7 * many and kept >= held - 0.002
