import pytest

from accelerator_lib import energy
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_a_year_and_a_battery_by_hand():
    year = energy.year(1000, 2, overhead=1.5, price_per_kwh=0.2)
    assert (year.kwh, year.cost) == (pytest.approx(26_280), pytest.approx(5256))
    assert year.cooling_kwh == pytest.approx(26_280 / 3)
    assert energy.battery_hours(50, 5) == 10 and energy.battery_hours(10, 1, 0.1, 0.0) == pytest.approx(100)


def test_cooling_is_what_the_building_adds():
    year = energy.year(700, 8, overhead=1.3)
    assert year.cooling_share == pytest.approx(0.3 / 1.3) and energy.year(700, 8, overhead=1.0).cooling_share == 0
    assert energy.year(700, 8, load=[0, 1]).cooling_share.tolist() == pytest.approx([0, 0.3 / 1.3])  # one stands still
