import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import silicon


def test_a_price_by_hand():
    dies, rate = 143, ((1 - np.exp(-0.4)) / 0.4) ** 2
    assert silicon.cost_per_good_die(17000, 400, 0.1) == pytest.approx(17000 / (dies * rate))


@pytest.mark.parametrize(
    "d0, model, times",
    [(0.1, "murphy", 3.2), (0.1, "seeds", 2.9), (0.1, "poisson", 3.3), (0.02, "murphy", 2.4), (0.5, "murphy", 6.9)],
)
def test_twice_the_area(d0, model, times):
    small, large = silicon.cost_per_good_die(17000, np.array([400.0, 800.0]), d0, model)
    assert large / small == pytest.approx(times, abs=0.05)


@given(st.floats(50, 2000), st.floats(0, 0.5))
def test_a_larger_die_is_dearer_and_a_dirtier_wafer_too(area, d0):
    here = silicon.cost_per_good_die(1.0, area, d0)
    assert silicon.cost_per_good_die(1.0, area * 1.2, d0) > here
    assert silicon.cost_per_good_die(1.0, area, d0 + 0.01) > here
    assert silicon.cost_per_good_die(2.0, area, d0) == pytest.approx(2 * here)


def test_what_is_refused():
    with pytest.raises(ValueError, match="not one die of 46,225 mm² fits"):
        silicon.cost_per_good_die(17000, 46225, 0.1)
    with pytest.raises(ValueError, match="no die of 5,000 mm² works"):
        silicon.cost_per_good_die(17000, 5000, 100, "poisson")
    with pytest.raises(ValueError, match="wafer_cost"):
        silicon.cost_per_good_die(-1, 400, 0.1)
