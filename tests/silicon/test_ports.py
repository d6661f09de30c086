"""A floor plan on the next process."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, silicon
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.silicon import ports

SHARES = st.tuples(st.floats(0, 1), st.floats(0, 1)).filter(lambda pair: sum(pair) <= 1)


def test_the_published_port_from_n7_to_n5():
    row = data.load("silicon")["ported"]
    ratio = silicon.ported_area(row["logic"], row["sram"], row["analog"], "N5") / 100
    low, high = row["smaller_by"]
    assert 1 - ratio == pytest.approx(0.34, abs=0.002) and low - 0.01 <= 1 - ratio <= high


def test_areas_by_hand():
    assert silicon.ported_area(60, 30, 10, "N7") == 100
    assert silicon.ported_area(184, 27, 5, "N5") == pytest.approx(100 + 21 + 5)
    assert silicon.ported_area(184, 27, 5, "N3E") == pytest.approx(62.5 + 21 + 5)
    many = silicon.ported_area(np.array([184.0, 0.0]), 27, 5, "N5")
    assert np.allclose(many, [126, 26])


@given(SHARES, st.floats(50, 858))
def test_no_part_grows_and_analog_stays(shares, area):
    sram, analog = shares
    states = list(ports.port(sram, analog, area))
    assert [state.node.name for state in states] == ["N7", "N5", "N3E"]
    assert states[0].area_mm2 == pytest.approx(area)
    for before, after in pairwise(states):
        assert all(after.parts[part] <= before.parts[part] + 1e-9 for part in before.parts)
        assert after.parts["analog"] == before.parts["analog"] == pytest.approx(analog * area)
        assert after.before == (*before.before, before)
    assert states[2].parts["SRAM"] == states[1].parts["SRAM"]  # the cell did not shrink


def test_the_die_of_memory_costs_more_on_the_last_node():
    dollars = {
        sram: [round(state.usd) for state in ports.port(sram, analog, 800)]
        for sram, analog in ((0.05, 0.05), (0.6, 0.1))
    }
    assert dollars == {0.05: [330, 206, 139], 0.6: [330, 300, 308]}


def test_prices_are_of_one_source_and_each_node_has_one():
    quotes = {row["node"]: row["usd"] for row in data.load("silicon")["wafer_prices"]["unofficial"]["rows"]}
    assert {name: node.wafer_usd for name, node in ports.nodes().items()} == {n: quotes[n] for n in ports.nodes()}
    assert ports.node("N2").logic is None and "unofficial" in ports.price_basis()
    for name in ("N7", "N5", "N3E"):
        by_port = list(ports.port(0.3, 0.1, 400))[("N7", "N5", "N3E").index(name)]
        own = silicon.cost_per_good_die(quotes[name], by_port.area_mm2, 0.1)
        assert by_port.usd == own


def test_bad_input_is_one_clear_line():
    with pytest.raises(NotAvailable, match="N2"):
        silicon.ported_area(60, 30, 10, "N2")
    with pytest.raises(UnknownName, match="N5"):
        silicon.ported_area(60, 30, 10, "n5")
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="logic"):
            silicon.ported_area(wrong, 30, 10, "N5")
    with pytest.raises(ValueError, match="at most all of it"):
        list(ports.port(0.8, 0.3))
