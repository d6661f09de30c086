"""Areas and prices: against chapter 9, and against published dies and estimates."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, design, silicon
from accelerator_lib.design import bill
from accelerator_lib.design.facts import assumed, process

D = design.Design(edge=256, arrays=6, sram_mb=64, stacks=6, clock_hz=2.4e9, link_bytes_per_s=300e9)


def test_a_pe_and_what_feeds_it():
    assert [design.pe_um2(edge) for edge in (64, 128, 256, 512)] == [3490.0, 2500.5, 2500.5, 2500.5]
    assert design.pe_um2(128, 0.0) == design.pe_um2(128, 1.0) == design.pe_um2(128)
    assert design.pe_um2(64, 0.0, 0.0) == 596 + 1830 and design.pe_um2(64, 1.0, 0.0) == 596 + 2 * 1830


def test_below_128_wires_set_the_area_and_from_128_on_multipliers_do():
    """CACM 63(7), 2020: sixteen arrays of 64 need more area than four of 128, which take about as much as one of 256."""
    for share, rows in ((0.0, 1.0), (0.5, 16.0), (1.0, 64.0)):
        sixteen, four, one = (65_536 * design.pe_um2(edge, share, rows) for edge in (64, 128, 256))
        assert sixteen > four == one


def test_areas_add_up():
    h100 = design.real("h100-sxm5")
    assert design.area_mm2(h100) == pytest.approx(816.12724, rel=1e-8)
    assert design.area_mm2("tpu-v4") == pytest.approx(8 * 128**2 * 2500.5e-6 + 0.775 * 160 + 56 * 4)
    bare = replace(D, stacks=0)
    assert design.area_mm2(D) - design.area_mm2(bare) == pytest.approx(6 * 56 / 1.2)
    assert sum(bill.areas(D.machine())) == design.area_mm2(D)


@given(st.floats(50, 858), st.sampled_from((5, 7)))
def test_a_good_die_costs_what_chapter_9_says(area, node):
    dies, works = silicon.dies_per_wafer(area), silicon.die_yield(area, 0.1)
    assert bill.die_usd(area, process(node)) == pytest.approx(process(node).wafer_usd / (dies * works))


def test_prices_beside_published_estimates():
    known = data.load("design")["prices"]["estimates"]
    assert design.chip_usd("h100-sxm5") == pytest.approx(3116.12440, rel=1e-8)
    assert design.chip_usd("h100-sxm5") == pytest.approx(known["h100-sxm5"]["usd"], rel=0.07)
    low, high = known["b200"]["between"]
    assert low < design.chip_usd("b200") < high and round(design.chip_usd("b200")) == 5779


def test_two_dies_are_two_dies():
    two = replace(D, arrays=14, dies=2)
    one = bill.usd(D.machine(), design.area_mm2(D)) - assumed().package_usd
    assert design.chip_usd(two) > 2 * bill.die_usd(design.area_mm2(two) / 2, process(5))
    assert design.chip_usd(two) < design.chip_usd(replace(two, dies=1)) and one > 0


def test_an_hour():
    assert design.usd_per_hour(D, 1000) - design.usd_per_hour(D, 500) == pytest.approx(0.065)
    assert design.usd_per_hour("h100-sxm5", 430.39105) == pytest.approx((3116.1244 + 3000) / 35040 + 0.13 * 0.43039105)


def test_arrays_of_designs():
    edges = np.array([16.0, 256.0])
    assert bill.pe(edges, 0.5, 16).tolist() == [design.pe_um2(16), design.pe_um2(256)]


@pytest.mark.parametrize("call", [
    lambda: design.pe_um2(0), lambda: design.pe_um2(64, 1.5), lambda: design.pe_um2(float("nan")),
    lambda: design.usd_per_hour(D, -1), lambda: design.chip_usd(None), lambda: design.pe_um2(64, 0.5, -1),
])  # fmt: skip
def test_bad_input(call):
    with pytest.raises((ValueError, TypeError)):
        call()
