"""Making a die, and using it."""

from math import floor, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, energy, silicon
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.silicon import carbon


def test_a_large_die_by_hand():
    grams = 2.75 * 583 + (430 + 225) / 2 + 500
    assert carbon.making("N5").total == pytest.approx(grams)
    good = floor(silicon.dies_per_wafer(814)) * silicon.die_yield(814, 0.1)
    assert silicon.carbon_per_good_die(814, 0.1, "N5") == pytest.approx(grams / 1000 * pi * 15**2 / good)
    assert silicon.carbon_per_good_die(814, 0.1, "N5") == pytest.approx(58.2638, rel=1e-4)


def test_a_year_is_that_of_the_chapter_before():
    kwh = energy.year(700, 1, 1.0, 0, 1.0).kwh
    assert carbon.use_kg(700) == pytest.approx(kwh * carbon.grid() / 1000) == pytest.approx(3575, abs=1)


@given(st.floats(20, 858), st.floats(0.01, 0.5), st.sampled_from(carbon.FAB))
def test_more_area_more_defects_or_a_later_node_emit_more(area, density, node):
    one = silicon.carbon_per_good_die(area, density, node)
    assert silicon.carbon_per_good_die(area, density + 0.05, node) > one
    assert silicon.carbon_per_good_die(area * 1.1, density, node) > one
    order = [silicon.carbon_per_good_die(area, density, name) for name in carbon.FAB]
    assert order == sorted(order)
    assert silicon.carbon_per_good_die(area, density, node, 0) < one  # a clean grid leaves gases and materials


def test_the_parts_are_those_of_the_data():
    part = carbon.making("N7", 0)
    fab = data.load("silicon")["fab"]["N7"]
    assert part.energy == 0 and part.materials == 500
    assert part.gases == (fab["gases_g"]["at_95"] + fab["gases_g"]["at_99"]) / 2 == 275


def test_bad_input_is_one_clear_line():
    with pytest.raises(UnknownName, match="N2"):
        silicon.carbon_per_good_die(814, 0.1, "N2")
    with pytest.raises(ValueError, match="watts"):
        carbon.use_kg(float("nan"))
    with pytest.raises(ValueError, match="g_per_kwh"):
        carbon.making("N5", -1)
