import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon import salvage


@given(st.integers(1, 256), st.floats(0.01, 1), st.floats(5, 40), st.floats(5, 40))
def test_units_are_equal_lie_on_the_die_and_do_not_overlap(count, share, width, height):
    unit = share * width * height / count
    made = salvage.units(width, height, count, unit)
    boxes = made.boxes()
    assert made.count == len(boxes) == count
    assert boxes[:, 2] * boxes[:, 3] == pytest.approx(np.full(count, unit))
    assert (boxes[:, :2] >= -1e-9).all() and (boxes[:, :2] + boxes[:, 2:] <= [width + 1e-6, height + 1e-6]).all()
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    assert list(made.of(middles)) == list(range(count))


def test_points_outside_the_units():
    made = salvage.units(26, 33, 144, 3.4)
    points = np.random.default_rng(1).random((40_000, 2)) * [26, 33]
    assert (made.of(points) >= 0).mean() == pytest.approx(144 * 3.4 / 858, abs=0.01)


def test_spare_units_of_a_die_like_h100():
    found = silicon.spares(814, 0.1, 144, 3, 3.4)
    assert [found.yields[n] for n in (0, 1, 3, 12)] == pytest.approx([0.47, 0.67, 0.728, 0.729], abs=0.004)
    assert found.ceiling == pytest.approx(silicon.die_yield(814 - 144 * 3.4, 0.1)) and found.here == found.yields[3]
    assert found.enough == 3


def test_a_coarse_spare_forgives_more_hits_and_the_same_area_in_fine_ones_as_many_and_more():
    coarse, fine = silicon.spares(814, 0.1, 4, 0, 122.0), silicon.spares(814, 0.1, 64, 0, 122.0 / 16)
    assert fine.yields[1] < coarse.yields[1] < fine.yields[16]


def test_how_many_are_enough():
    assert silicon.spares(814, 3.0, 250, 0, 3.0).enough is None
    assert silicon.spares(800, 0.1, 100, 0, 8.0).ceiling == 1


def test_what_does_not_fit_is_said():
    with pytest.raises(NotAvailable, match="count = 256: 256 units of 3.4 mm² need 870 mm², more than the die's 814"):
        silicon.spares(814, 0.1, 256, 0, 3.4)
    with pytest.raises(ValueError, match="spare"):
        silicon.spares(814, 0.1, 144, 17, 3.4)
