from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.design import volume

WAYS = {"CPU": (0, 30_000, 0), "GPU": (0.3e6, 10_000, 2), "FPGA": (2e6, 7_000, 9), "ASIC": (30e6, 500, 24)}


def test_break_even_by_hand():
    assert volume.break_even_units(30e6, 500, 7000) == pytest.approx(30e6 / 6500)
    assert volume.break_even_units(30e6, 7000, 7000) is None is volume.break_even_units(1, 2, 1)


@given(st.floats(1, 600), st.integers(50, 5000), st.integers(6000, 50_000))
def test_at_break_even_both_cost_the_same(once, own, bought):
    units = volume.break_even_units(once * 1e6, own, bought)
    assert once * 1e6 + units * own == pytest.approx(units * bought)
    below, above = int(units), int(units) + 1
    if below >= 1:
        assert volume.total_usd(below, once * 1e6, own) >= volume.total_usd(below, 0, bought) * (1 - 1e-12)
    assert volume.total_usd(above, once * 1e6, own) <= volume.total_usd(above, 0, bought) * (1 + 1e-12)


@given(st.integers(1, 10**6), st.integers(0, 36))
def test_the_choice_is_the_cheapest_of_those_in_time_by_trying_all(units, deadline):
    found = volume.choose(WAYS, units, deadline)
    totals = {name: once + units * each for name, (once, each, months) in WAYS.items() if months <= deadline}
    assert found.best.total == min(totals.values()) and totals[found.best.name] == found.best.total
    assert found.cheapest.total <= found.best.total


def test_the_order_of_the_ways_changes_with_the_volume():
    best = [volume.choose(WAYS, units, 36).best.name for units in (10, 100, 1000, 10_000)]
    assert best == ["CPU", "GPU", "FPGA", "ASIC"]
    edges = [volume.break_even_units(*step) for step in ((0.3e6, 1e4, 3e4), (1.7e6, 7e3, 1e4), (28e6, 500, 7e3))]
    for edge, (before, after) in zip(edges, pairwise(best), strict=True):
        assert volume.choose(WAYS, int(edge * 0.99), 36).best.name == before
        assert volume.choose(WAYS, int(edge * 1.01) + 1, 36).best.name == after


def test_nothing_in_time_is_no_choice():
    late = {"ASIC": (1, 1, 24)}
    found = volume.choose(late, 5, 12)
    assert found.best is None and found.cheapest.name == "ASIC" and not found.ways[0].in_time


def test_what_cannot_be():
    with pytest.raises(ValueError, match="ways is a dict"):
        volume.choose({}, 1, 1)
    with pytest.raises(ValueError, match="GPU.* needs three numbers"):
        volume.choose({"GPU": (1, 2)}, 1, 1)
    with pytest.raises(ValueError, match="units = 0 is outside"):
        volume.total_usd(0, 1, 1)
