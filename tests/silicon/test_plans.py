"""Floor plans with stacks of HBM."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import roofline, silicon
from accelerator_lib.inputs import NotAvailable
from accelerator_lib.silicon import plans
from accelerator_lib.silicon.plans import Plan
from accelerator_lib.workload import Gemm


def test_the_area_of_a_plan_is_the_sum_of_its_parts():
    plan = Plan(144, 50e6, 5)
    assert plan.parts == {"units": pytest.approx(489.6), "SRAM": pytest.approx(12), "interfaces": 40, "fixed": 150}
    assert plan.area_mm2 == pytest.approx(691.6) and plan.problem == ""
    width, height = plan.size_mm
    assert width * height == pytest.approx(plan.area_mm2) and height == 33
    assert Plan(4, 2e6, 2).size_mm[1] == pytest.approx((Plan(4, 2e6, 2).area_mm2 * 33 / 26) ** 0.5)


@given(st.integers(1, 150), st.floats(1e6, 2e8), st.integers(1, 6))
def test_every_plan_that_can_be_built_fits_and_its_edges_hold_its_stacks(units, store, stacks):
    plan = Plan(units, store, stacks)
    if plan.problem:
        return
    width, height = plan.size_mm
    assert silicon.fits_field(width, height)
    assert -(-stacks // 2) * plan.pitch_mm <= height + 1e-9


def test_a_layer_is_what_the_roofline_says_while_the_store_is_large():
    served, plan = plans.serve(Plan(144, 1e8, 5), 512), Plan(144, 1e8, 5)
    gemm = Gemm(512, 8192, 8192)
    assert served.seconds == pytest.approx(gemm.flops / roofline.attainable(
        gemm.flops / (2 * (gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n)), plan.flops_per_s, plan.bytes_per_s
    ))  # fmt: skip
    assert served.usd_seconds == plan.total_usd * served.seconds


def test_little_sram_moves_more():
    small, large = (plans.serve(Plan(144, store, 1), 4096).memory_seconds for store in (1e6, 1e8))
    assert small > 2 * large


def test_the_fast_table_prices_dies_as_the_models_do():
    usd, working = plans._dies(6)
    for i, j, k in ((0, 0, 0), (5, 20, 3), (2, 40, 6), (5, 50, 7)):
        plan = Plan(plans.UNITS[j], plans.STORES[k], i + 1)
        assert working[j] == plan.working
        if plan.area_mm2 > 858:
            assert usd[i, j, k] == float("inf")
        else:
            assert usd[i, j, k] == pytest.approx(plan.usd["die"], rel=1e-9)


@pytest.mark.parametrize(("m", "floor_gb"), [(1, 0), (256, 0), (512, 0), (1024, 0), (4096, 0), (4096, 80), (300, 20)])
def test_the_cheapest_is_found_by_trying_all_one_by_one(m, floor_gb):
    found = plans.cheapest(m, floor_gb)
    assert found.plan.capacity_bytes >= floor_gb * 1e9
    best = found.usd_seconds
    for stacks in range(1, 7):
        for units in plans.UNITS[::5]:
            for store in plans.STORES[::3]:
                plan = Plan(units, store, stacks)
                if not plan.problem and plan.capacity_bytes >= floor_gb * 1e9:
                    assert plans.serve(plan, m).usd_seconds >= best * (1 - 1e-9)


def test_prompt_and_decode_want_different_chips():
    stacks = {m: plans.cheapest(m).plan.stacks for m in (1, 64, 128, 256, 512, 1024, 4096)}
    assert stacks == {1: 6, 64: 6, 128: 6, 256: 6, 512: 4, 1024: 2, 4096: 1}
    units = [plans.cheapest(m).plan.units for m in (1, 64, 256)]
    assert units == sorted(units) and units[0] <= 8
    assert plans.cheapest(4096, 80).plan.stacks == 5


def test_what_cannot_be_built_says_why():
    assert "room for 6" in plans.serve(Plan(100, 1e7, 7), 1).plan.problem
    assert "exposure field" in plans.serve(Plan(220, 1e7, 1), 1).plan.problem
    with pytest.raises(NotAvailable, match="do not hold 141 GB"):
        plans.cheapest(1, 141)
    with pytest.raises(TypeError, match="must be a Plan"):
        plans.serve(7, 1)
    with pytest.raises(ValueError, match="units"):
        Plan(0, 1e7, 1)
    with pytest.raises(ValueError, match="sram_bytes"):
        Plan(10, float("nan"), 1)
    with pytest.raises(ValueError, match="m = 0"):
        plans.cheapest(0)
