"""Integers over a distribution: the grid is evenly spaced, and what is stored lies on it."""

import numpy as np
import pytest

from accelerator_lib.numerics import calibration


@pytest.mark.parametrize("zero_point", [False, True])
@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("shape", calibration.SHAPES)
def test_every_value_goes_to_the_nearest_integer(shape, bits, zero_point):
    x, grid = calibration.sample(shape), calibration.gridded(shape, bits, zero_point)
    assert len(grid.codes) == 2**bits - (not zero_point) and 0 in grid.at
    nearest = grid.at[np.abs(x[:, None] - grid.at).argmin(axis=1)]
    noise = np.sum((x - nearest) ** 2)
    assert grid.snr_db == pytest.approx(10 * np.log10(np.sum(x**2) / noise), abs=0.15)  # the zero point is rounded, too
    assert grid.used.sum() <= len(np.unique(nearest)) + 1 and grid.counts.sum() == len(x)


def test_a_zero_point_is_worth_a_bit_where_nothing_is_negative():
    alone, with_zero = (calibration.gridded("after ReLU", 8, zero).snr_db for zero in (False, True))
    assert with_zero - alone == pytest.approx(6.02, abs=0.3)
    even, shifted = (calibration.gridded("weights", 8, zero).snr_db for zero in (False, True))
    assert abs(shifted - even) < 1
    assert calibration.gridded("after ReLU", 4).used.mean() == pytest.approx(8 / 15)


def test_shapes_are_what_they_say():
    assert calibration.sample("after ReLU").min() == 0 and calibration.sample("weights").mean() == pytest.approx(
        0, abs=0.1
    )
    assert -0.18 < calibration.sample("after GELU").min() < -0.16
    with pytest.raises(KeyError, match="shape 'after relu' is unknown; did you mean 'after ReLU'"):
        calibration.gridded("after relu", 4)
    with pytest.raises(ValueError, match="^bits = 9 is outside"):
        calibration.gridded("weights", 9)


def test_what_a_zero_point_brings_to_many_samples():
    """After ReLU 15 codes instead of 7 over the same range; weights gain from unequal ends alone, small blocks more."""
    relu, weights = calibration.zero_point_gains("after ReLU"), calibration.zero_point_gains("weights")
    assert relu.mean() == pytest.approx(20 * np.log10(15 / 7), abs=0.1)
    assert 20 * np.log10(15 / 14) < weights.mean() < calibration.zero_point_gains("weights", size=32).mean()
