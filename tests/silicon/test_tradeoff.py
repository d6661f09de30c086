"""Dollars and seconds of floor plans."""

import pytest

from accelerator_lib import roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon import tradeoff
from accelerator_lib.silicon.plans import Plan
from accelerator_lib.workload import Gemm


def test_a_layer_is_what_the_roofline_says_while_the_store_is_large():
    served, plan = tradeoff.serve(Plan(144, 1e8, 5), 512), Plan(144, 1e8, 5)
    gemm = Gemm(512, 8192, 8192)
    assert served.seconds == pytest.approx(gemm.flops / roofline.attainable(
        gemm.flops / (2 * (gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n)), plan.flops_per_s, plan.bytes_per_s
    ))  # fmt: skip
    assert served.usd_seconds == plan.total_usd * served.seconds


def test_little_sram_moves_more():
    small, large = (tradeoff.serve(Plan(144, store, 1), 4096).memory_seconds for store in (1e6, 1e8))
    assert small > 2 * large


def test_the_fast_table_prices_dies_as_the_models_do():
    usd, working = tradeoff._dies(6)
    for i, j, k in ((0, 0, 0), (5, 20, 3), (2, 40, 6), (5, 50, 7)):
        plan = Plan(tradeoff.UNITS[j], tradeoff.STORES[k], i + 1)
        assert working[j] == plan.working
        if plan.area_mm2 > 858:
            assert usd[i, j, k] == float("inf")
        else:
            assert usd[i, j, k] == pytest.approx(plan.usd["die"], rel=1e-9)


@pytest.mark.parametrize(("m", "floor_gb"), [(1, 0), (256, 0), (512, 0), (1024, 0), (4096, 0), (4096, 80), (300, 20)])
def test_the_cheapest_is_found_by_trying_all_one_by_one(m, floor_gb):
    found = tradeoff.cheapest(m, floor_gb)
    assert found.plan.capacity_bytes >= floor_gb * 1e9
    best = found.usd_seconds
    for stacks in range(1, 7):
        for units in tradeoff.UNITS[::5]:
            for store in tradeoff.STORES[::3]:
                plan = Plan(units, store, stacks)
                if not plan.problem and plan.capacity_bytes >= floor_gb * 1e9:
                    assert tradeoff.serve(plan, m).usd_seconds >= best * (1 - 1e-9)


def test_prompt_and_decode_want_different_chips():
    stacks = {m: tradeoff.cheapest(m).plan.stacks for m in (1, 64, 128, 256, 512, 1024, 4096)}
    assert stacks == {1: 6, 64: 6, 128: 6, 256: 6, 512: 4, 1024: 2, 4096: 1}
    units = [tradeoff.cheapest(m).plan.units for m in (1, 64, 256)]
    assert units == sorted(units) and units[0] <= 8
    assert tradeoff.cheapest(4096, 80).plan.stacks == 5


def test_bad_input_is_one_clear_line():
    with pytest.raises(NotAvailable, match="do not hold 141 GB"):
        tradeoff.cheapest(1, 141)
    with pytest.raises(TypeError, match="must be a Plan"):
        tradeoff.serve(7, 1)
    with pytest.raises(ValueError, match="m = 0"):
        tradeoff.cheapest(0)
