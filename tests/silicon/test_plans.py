"""Floor plans with stacks of HBM."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import silicon
from accelerator_lib.silicon.plans import Plan


def test_the_area_of_a_plan_is_the_sum_of_its_parts():
    plan = Plan(144, 50e6, 5)
    assert plan.parts == {"units": pytest.approx(489.6), "SRAM": pytest.approx(12), "interfaces": 40, "fixed": 150}
    assert plan.area_mm2 == pytest.approx(691.6) and plan.problem == ""
    width, height = plan.size_mm
    assert width * height == pytest.approx(plan.area_mm2) and height == 30
    assert Plan(4, 2e6, 2).size_mm[1] == pytest.approx((Plan(4, 2e6, 2).area_mm2 * 33 / 26) ** 0.5)


@given(st.integers(1, 150), st.floats(1e6, 2e8), st.integers(1, 6))
def test_every_plan_that_can_be_built_fits_and_its_edges_hold_its_stacks(units, store, stacks):
    plan = Plan(units, store, stacks)
    if plan.problem:
        return
    width, height = plan.size_mm
    assert silicon.fits_field(width, height)
    assert -(-stacks // 2) * plan.pitch_mm <= height + 1e-9


def test_what_cannot_be_built_says_why():
    assert "room for 6" in Plan(100, 1e7, 7).problem
    assert "exposure field" in Plan(220, 1e7, 1).problem
    with pytest.raises(ValueError, match="units"):
        Plan(0, 1e7, 1)
    with pytest.raises(ValueError, match="sram_bytes"):
        Plan(10, float("nan"), 1)
    with pytest.raises(ValueError, match="pitch_mm = 0"):
        Plan(10, 1e7, 1, pitch_mm=0)
