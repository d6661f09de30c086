"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import silicon


@pytest.mark.parametrize("alpha", [0.5, 3, 100])
def test_four_models(alpha):
    x, rates = 8.14 * 0.1, law("silicon", "models-function", "models")(814, 0.1, alpha)
    assert rates["Poisson"] == pytest.approx(np.exp(-x)) and rates["Seeds"] == pytest.approx(1 / (1 + x))
    assert rates["Murphy"] == pytest.approx(((1 - np.exp(-x)) / x) ** 2)
    assert rates["negative binomial"] == pytest.approx((1 + x / alpha) ** -alpha)


@pytest.mark.parametrize("total", [200, 640, 858, 860, 1600])
@pytest.mark.parametrize("link", [0.0, 0.05, 0.15])
def test_one_die_two_pieces_or_four(total, link):
    here = law("silicon", "crossing-function", "crossing")(total, 0.1, link, 0.98)
    for name, pieces in (("one die", 1), ("two pieces", 2), ("four pieces", 4)):
        area = total / pieces * (1 + link * (pieces > 1))
        if area > 858:
            assert here[name] is None
            continue
        each = 17_000 / (np.floor(silicon.dies_per_wafer(area)) * silicon.die_yield(area, 0.1))
        whole = (pieces * each + 100 * (pieces - 1)) / (0.98**pieces if pieces > 1 else 1)
        assert here[name] == pytest.approx(whole)


@pytest.mark.parametrize("days", [1, 365, 2000])
def test_what_using_a_chip_emits(days):
    here = law("silicon", "carbon-function", "made_and_used")(days, 300, 50, "N7")
    assert here["using the chip"] == pytest.approx(0.3 * 24 * days * 0.05)
    assert here["making its die"] == silicon.carbon_per_good_die(814, 0.1, "N7")
