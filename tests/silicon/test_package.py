"""Packages of one die or of several."""

from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon import package


def test_the_worked_example_by_hand():
    each = 17000 / (floor(silicon.dies_per_wafer(420)) * silicon.die_yield(420, 0.1))
    cost = silicon.package_cost(800, 2)
    assert (cost.silicon, cost.assembly) == (pytest.approx(2 * each), 100)
    assert cost.total == pytest.approx((2 * each + 100) / 0.99**2) == pytest.approx(487.42327, rel=1e-6)
    whole = [silicon.package_cost(800, n).total for n in (1, 2, 3, 4)]
    assert [round(usd) for usd in whole] == [561, 487, 532, 612]


def test_one_piece_pays_for_nothing_but_its_silicon():
    cost = silicon.package_cost(800, 1, link=0.15, assembly=500, bond_yield=0.5)
    assert (cost.assembly, cost.lost) == (0, 0)
    assert cost.total == silicon.cost_per_good_die(17000, 800, 0.1)


def test_what_is_lost_is_what_a_simulated_line_throws_away():
    draw, (pieces, bond) = np.random.default_rng(9), (4, 0.9)
    cost = silicon.package_cost(800, pieces, bond_yield=bond)
    works = (draw.random((200_000, pieces)) < bond).all(axis=1)
    spent = len(works) * (cost.silicon + cost.assembly)
    assert spent / works.sum() == pytest.approx(cost.total, rel=0.01)


@given(st.floats(100, 1600), st.integers(1, 8), st.floats(0.0, 0.5), st.floats(0.95, 1))
def test_parts_add_up_and_every_worse_assumption_costs_more(total, pieces, density, bond):
    try:
        cost = silicon.package_cost(total, pieces, 17000, density, bond_yield=bond)
    except NotAvailable:
        assert package.piece_mm2(total, pieces) > 858
        return
    assert cost.silicon > 0 and cost.assembly == 100 * (pieces - 1) and cost.lost >= 0
    assert cost.total == pytest.approx(cost.silicon + cost.assembly + cost.lost)
    assert silicon.package_cost(total, pieces, 17000, density + 0.1, bond_yield=bond).total > cost.total
    assert silicon.package_cost(total, pieces, 17000, density, assembly=200, bond_yield=bond).total >= cost.total


def test_two_pieces_win_from_about_660_and_never_at_a_low_density():
    def wins(total, density=0.1, spare=0.0):
        one, two = (silicon.package_cost(total, n, 17000, density, spare=spare).total for n in (1, 2))
        return two < one

    assert not wins(640) and wins(660)
    assert not any(wins(total, density) for total in range(200, 859, 20) for density in (0.02, 0.05))
    assert not any(wins(total, spare=0.03) for total in range(200, 859, 20))  # spares everywhere: the monolith


def test_spare_units_lift_the_yield_as_the_model_says():
    units = floor(0.6 * 800 / 3.4)
    assert units == 141
    expected = silicon.harvested_yield(800, 0.1, units, 4, 3.4)
    assert package.piece_yield(800, 0.1, 0.03) == expected > package.piece_yield(800, 0.1)
    assert silicon.package_cost(800, 1, spare=0.03).total == pytest.approx(363, abs=0.5)
    assert silicon.package_cost(800, 2, spare=0.03).total == pytest.approx(406, abs=0.5)
    assert package.piece_yield(50, 0.1, 0.03) == silicon.die_yield(50, 0.1)  # 8 units: not one whole spare


def test_the_stepper_yields_what_package_cost_returns():
    states = list(package.splits(1000, 0.1, 50))
    assert [state.pieces for state in states] == list(range(1, 9))
    assert not states[0].fits and states[0].best is None and states[0].cost is None
    for state in states[1:]:
        assert state.cost.total == silicon.package_cost(1000, state.pieces, assembly=50).total
        assert state.piece_mm2 == pytest.approx(1050 / state.pieces)
        assert state.best == min(range(2, state.pieces + 1), key=lambda n: state.costs[n].total)
    assert states[-1].most == max(cost.total for cost in states[-1].costs.values() if cost)
    assert len({state.most for state in states}) == 1


def test_four_small_dies_against_one_large_one_as_it_was_published():
    row = data.load("silicon")["split_die"]
    four, one = (silicon.cost_per_good_die(1, row[name], 0.1) for name in ("piece_mm2", "one_mm2"))
    assert 4 * four / one == pytest.approx(0.558, abs=2e-3) and row["cost_ratio"] == 0.59
    assert 4 * row["piece_mm2"] == pytest.approx((1 + row["more_area"]) * row["one_mm2"], rel=0.01)
    ratio = lambda d: 4 * silicon.cost_per_good_die(1, 213, d) / silicon.cost_per_good_die(1, 777, d)  # noqa: E731
    assert ratio(0.088) == pytest.approx(0.59, abs=0.003)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((900, 1), NotAvailable, "exposure field"),
        ((1800, 2), NotAvailable, "945 mm²"),
        ((0, 1), ValueError, "total_mm2"),
        ((float("nan"), 1), ValueError, "total_mm2"),
        ((800, 0), ValueError, "pieces"),
        ((800, 2.5), ValueError, "pieces"),
        ((800, 2, -1), ValueError, "wafer_cost"),
        ((800, 2, 17000, 0.1, -0.1), ValueError, "link"),
        ((800, 2, 17000, 0.1, 0.05, 100, 0), ValueError, "bond_yield"),
        (("800", 2), TypeError, "total_mm2"),
    ],
)
def test_bad_input_is_one_clear_line(arguments, error, says):
    with pytest.raises(error, match=says):
        silicon.package_cost(*arguments)
