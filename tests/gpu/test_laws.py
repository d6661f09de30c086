"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law


def test_copies_overlap_with_arithmetic_whoever_makes_them():
    pipeline = law("gpu", "tma-function", "pipeline")
    one, two = pipeline(1, 2e-6, 3e-6).seconds, pipeline(2, 2e-6, 3e-6).seconds
    assert one == pytest.approx(12 * 5e-6) and two == pytest.approx(2e-6 + 12 * 3e-6)
