"""What a die, a package, a floor plan and its port to the next process cost, in dollars and in carbon."""

from itertools import pairwise
from math import floor, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames import silicon as frames
from accelerator_lib import data, roofline, silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon import carbon, package, plans, ports
from accelerator_lib.silicon.choices import choices, priced
from accelerator_lib.silicon.plans import Plan
from accelerator_lib.workload import Gemm


@pytest.mark.parametrize(
    "d0, model, times",
    [(0.1, "murphy", 3.2), (0.1, "seeds", 2.9), (0.1, "poisson", 3.3), (0.02, "murphy", 2.4), (0.5, "murphy", 6.9)],
)
def test_twice_the_area(d0, model, times):
    small, large = silicon.cost_per_good_die(17000, np.array([400.0, 800.0]), d0, model)
    assert large / small == pytest.approx(times, abs=0.05)


@given(st.floats(50, 2000), st.floats(0, 0.5))
def test_a_larger_die_is_dearer_and_a_dirtier_wafer_too(area, d0):
    here = silicon.cost_per_good_die(1.0, area, d0)
    assert silicon.cost_per_good_die(1.0, area * 1.2, d0) > here
    assert silicon.cost_per_good_die(1.0, area, d0 + 0.01) > here
    assert silicon.cost_per_good_die(2.0, area, d0) == pytest.approx(2 * here)


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


def test_dies_and_packages_by_hand():
    dies, rate = 143, ((1 - np.exp(-0.4)) / 0.4) ** 2
    assert silicon.cost_per_good_die(17000, 400, 0.1) == pytest.approx(17000 / (dies * rate))
    each = 17000 / (floor(silicon.dies_per_wafer(420)) * silicon.die_yield(420, 0.1))
    cost = silicon.package_cost(800, 2)
    assert (cost.silicon, cost.assembly) == (pytest.approx(2 * each), 100)
    assert cost.total == pytest.approx((2 * each + 100) / 0.99**2) == pytest.approx(487.42327, rel=1e-6)
    whole = [silicon.package_cost(800, n).total for n in (1, 2, 3, 4)]
    assert [round(usd) for usd in whole] == [561, 487, 532, 612]
    cost = silicon.package_cost(800, 1, link=0.15, assembly=500, bond_yield=0.5)
    assert (cost.assembly, cost.lost) == (0, 0)
    assert cost.total == silicon.cost_per_good_die(17000, 800, 0.1)

    def wins(total, density=0.1, spare=0.0):
        one, two = (silicon.package_cost(total, n, 17000, density, spare=spare).total for n in (1, 2))
        return two < one

    assert not wins(640) and wins(660)
    assert not any(wins(total, density) for total in range(200, 859, 20) for density in (0.02, 0.05))
    assert not any(wins(total, spare=0.03) for total in range(200, 859, 20))  # spares everywhere: the monolith


def test_the_stepper_yields_what_package_cost_returns():
    states = list(frames.splits(1000, 0.1, 50))
    assert [state.pieces for state in states] == list(range(1, 9))
    assert not states[0].fits and states[0].best is None and states[0].cost is None
    for state in states[1:]:
        assert state.cost.total == silicon.package_cost(1000, state.pieces, assembly=50).total
        assert state.piece_mm2 == pytest.approx(1050 / state.pieces)
        assert state.best == min(range(2, state.pieces + 1), key=lambda n: state.costs[n].total)
    assert states[-1].most == max(cost.total for cost in states[-1].costs.values() if cost)
    assert len({state.most for state in states}) == 1


def test_pieces_with_spares_and_as_published():
    units = floor(0.6 * 800 / 3.4)
    assert units == 141
    expected = silicon.harvested_yield(800, 0.1, units, 5, 3.4)  # 4.23 units, rounded up
    assert package.piece_yield(800, 0.1, 0.03) == expected > package.piece_yield(800, 0.1)
    assert silicon.package_cost(800, 1, spare=0.03).total == pytest.approx(363, abs=0.5)
    assert silicon.package_cost(800, 2, spare=0.03).total == pytest.approx(405, abs=0.5)
    assert package.piece_yield(50, 0.1, 0.03) == silicon.harvested_yield(50, 0.1, 8, 1, 3.4)  # at least one
    assert package.piece_yield(5, 0.1, 0.03) == silicon.die_yield(5, 0.1)  # too small for a unit
    assert [package.whole_spares(0.03, units) for units in (0, 24, 100, 101)] == [0, 1, 3, 4]
    row = data.load("silicon")["split_die"]
    four, one = (silicon.cost_per_good_die(1, row[name], 0.1) for name in ("piece_mm2", "one_mm2"))
    assert 4 * four / one == pytest.approx(0.558, abs=2e-3) and row["cost_ratio"] == 0.59
    assert 4 * row["piece_mm2"] == pytest.approx((1 + row["more_area"]) * row["one_mm2"], rel=0.01)
    ratio = lambda d: 4 * silicon.cost_per_good_die(1, 213, d) / silicon.cost_per_good_die(1, 777, d)  # noqa: E731
    assert ratio(0.088) == pytest.approx(0.59, abs=0.003)


DESIGN = {"units": 48, "unit_mm2": 6.25, "shared_mm2": 200, "assembly": 40}


def test_one_way_to_make_a_design_by_hand():
    one = priced(**DESIGN, defects_per_cm2=0.2, pieces=4, share=0.03, node="N5")
    area = (13 * 6.25 / 1.84 + 50) * 1.05  # 12 units and the one spare to which 0.36 are rounded up
    good = silicon.harvested_yield(area, 0.2, 13, 1, 6.25 / 1.84)
    each = 16000 / (floor(silicon.dies_per_wafer(area)) * good)
    assert (one.spare, one.piece_mm2) == (1, pytest.approx(area))
    assert one.usd == pytest.approx((4 * each + 3 * 40) / 0.99**4)
    whole = priced(**DESIGN, defects_per_cm2=0.1, pieces=1, share=0.0, node="N7")
    assert (whole.spare, whole.piece_mm2) == (0, 500)
    assert whole.usd == silicon.cost_per_good_die(10000, 500, 0.1)


@given(st.floats(0.01, 0.5), st.floats(0, 200))
def test_all_ways_are_tried_once_and_come_in_order(density, assembly):
    found = choices(**DESIGN | {"assembly": assembly}, d0=dict.fromkeys(("N7", "N5", "N3E"), density))
    assert len({one.name for one in found}) == len(found) == 5 * 3 * 3
    assert [one.usd for one in found] == sorted(one.usd for one in found)


@given(st.floats(10, 2000), st.floats(10, 2000), st.floats(0, 500), st.floats(0.9, 1))
def test_the_cheaper_way_is_the_less_of_two(whole, half, assembly, bond):
    two = (2 * half + assembly) / bond**2
    found = package.cheaper(whole, half, assembly, bond)
    assert found.usd == pytest.approx(min(whole, two))
    assert package.cheaper(300, 50).usd == pytest.approx(200 / 0.99**2)  # joined for 100 dollars, 1 % of joints fail
    assert found.way == ("one die" if whole <= two * (1 + 1e-12) else "two halves")


SHARES = st.tuples(st.floats(0, 1), st.floats(0, 1)).filter(lambda pair: sum(pair) <= 1)


@given(SHARES, st.floats(50, 858))
def test_no_part_grows_and_analog_stays(shares, area):
    sram, analog = shares
    states = list(ports.port(sram, analog, area))
    assert [state.node.name for state in states] == ["N7", "N5", "N3E"]
    assert states[0].area_mm2 == pytest.approx(area)
    for before, after in pairwise(states):
        assert all(after.parts[part] <= before.parts[part] + 1e-9 for part in before.parts)
        assert after.parts["analog"] == before.parts["analog"] == pytest.approx(analog * area)
        assert after.before == (*before.before, before) and after.smaller == pytest.approx(
            1 - after.area_mm2 / before.area_mm2
        )
        assert after.dearer == pytest.approx(after.usd / before.usd - 1)
        assert np.prod(after.size_mm) == pytest.approx(after.area_mm2) and after.size_mm[1] / after.size_mm[
            0
        ] == pytest.approx(33 / 26)
    assert states[2].parts["SRAM"] == states[1].parts["SRAM"]  # the cell did not shrink


def test_ports_by_hand():
    row = data.load("silicon")["ported"]
    ratio = silicon.ported_area(row["logic"], row["sram"], row["analog"], "N5") / 100
    low, high = row["smaller_by"]
    assert 1 - ratio == pytest.approx(0.34, abs=0.002) and low - 0.01 <= 1 - ratio <= high
    assert silicon.ported_area(60, 30, 10, "N7") == 100
    assert silicon.ported_area(184, 27, 5, "N5") == pytest.approx(100 + 21 + 5)
    assert silicon.ported_area(184, 27, 5, "N3E") == pytest.approx(62.5 + 21 + 5)
    many = silicon.ported_area(np.array([184.0, 0.0]), 27, 5, "N5")
    assert np.allclose(many, [126, 26])
    shares = {0.05: 0.05, 0.6: 0.1}  # of SRAM: of analog
    dollars = {sram: [round(state.usd) for state in ports.port(sram, shares[sram], 800)] for sram in shares}
    assert dollars == {0.05: [330, 206, 139], 0.6: [330, 300, 308]}
    quotes = {row["node"]: row["usd"] for row in data.load("silicon")["wafer_prices"]["unofficial"]["rows"]}
    assert {name: node.wafer_usd for name, node in ports.nodes().items()} == {n: quotes[n] for n in ports.nodes()}
    assert ports.node("N2").logic is None
    for name in ("N7", "N5", "N3E"):
        by_port = list(ports.port(0.3, 0.1, 400))[("N7", "N5", "N3E").index(name)]
        own = silicon.cost_per_good_die(quotes[name], by_port.area_mm2, 0.1)
        assert by_port.usd == own


@given(st.integers(1, 150), st.floats(1e6, 2e8), st.integers(1, 6))
def test_every_plan_that_can_be_built_fits_and_its_edges_hold_its_stacks(units, store, stacks):
    plan = Plan(units, store, stacks)
    if plan.problem:
        return
    width, height = plan.size_mm
    assert silicon.fits_field(width, height)
    assert -(-stacks // 2) * plan.pitch_mm <= height + 1e-9


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


def test_plans_by_hand():
    plan = Plan(144, 50e6, 5)
    assert plan.parts == {"units": pytest.approx(489.6), "SRAM": pytest.approx(12), "interfaces": 40, "fixed": 150}
    assert plan.area_mm2 == pytest.approx(691.6) and plan.problem == ""
    width, height = plan.size_mm
    assert width * height == pytest.approx(plan.area_mm2) and height == 30
    assert Plan(4, 2e6, 2).size_mm[1] == pytest.approx((Plan(4, 2e6, 2).area_mm2 * 33 / 26) ** 0.5)
    assert "room for 6" in Plan(100, 1e7, 7).problem and Plan(100, 1e7, 7).free_sites == -1
    assert "exposure field" in Plan(220, 1e7, 1).problem
    served, plan = plans.serve(Plan(144, 1e8, 5), 512), Plan(144, 1e8, 5)
    gemm = Gemm(512, 8192, 8192)
    intensity = gemm.flops / (2 * (gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n))
    attainable = roofline.attainable(intensity, plan.flops_per_s, plan.bytes_per_s)
    assert served.seconds == pytest.approx(gemm.flops / attainable)
    assert served.usd_seconds == plan.total_usd * served.seconds and served.times(served) == 1
    assert {plans.serve(plan, m).bound for m in (1, 4096)} == {"memory", "compute"}
    assert plans._dies(6)[0][4, 35, 5] == pytest.approx(Plan(144, 1e8, 5).usd["die"])  # all at once, and one alone
    small, large = (plans.serve(Plan(144, store, 1), 4096).memory_seconds for store in (1e6, 1e8))
    assert small > 2 * large
    stacks = {m: plans.cheapest(m).plan.stacks for m in (1, 64, 128, 256, 512, 1024, 4096)}
    assert stacks == {1: 6, 64: 6, 128: 6, 256: 6, 512: 4, 1024: 2, 4096: 1}
    units = [plans.cheapest(m).plan.units for m in (1, 64, 256)]
    assert units == sorted(units) and units[0] <= 8
    assert plans.cheapest(4096, 80).plan.stacks == 5


@given(st.floats(20, 858), st.floats(0.01, 0.5), st.sampled_from(carbon.FAB))
def test_more_area_more_defects_or_a_later_node_emit_more(area, density, node):
    one = silicon.carbon_per_good_die(area, density, node)
    assert silicon.carbon_per_good_die(area, density + 0.05, node) > one
    assert silicon.carbon_per_good_die(area * 1.1, density, node) > one
    order = [silicon.carbon_per_good_die(area, density, name) for name in carbon.FAB]
    assert order == sorted(order)
    assert silicon.carbon_per_good_die(area, density, node, 0) < one  # a clean grid leaves gases and materials


def test_carbon_by_hand():
    grams = 2.75 * 583 + (430 + 225) / 2 + 500
    assert sum(carbon.making("N5").values()) == pytest.approx(grams)
    good = floor(silicon.dies_per_wafer(814)) * silicon.die_yield(814, 0.1)
    assert silicon.carbon_per_good_die(814, 0.1, "N5") == pytest.approx(grams / 1000 * pi * 15**2 / good)
    assert silicon.carbon_per_good_die(814, 0.1, "N5") == pytest.approx(58.2638, rel=1e-4)
    assert 0.7 * 8760 * carbon.grid() / 1000 == pytest.approx(3575, abs=1)  # kg of a year of 700 W
    assert carbon.making("N7", 0) == {"energy": 0, "gases": (350 + 200) / 2, "materials": 500}
    assert plans.most_stacks(33, 10, 1e6, 300)[:2] == (6, "edge")
    assert plans.most_stacks(33, 10, 1000, 300) == (3, "dollars", 6)
