"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import silicon


@pytest.mark.parametrize("alpha", [0.5, 3, 100])
def test_four_models(alpha):
    x, rates = 8.14 * 0.1, law("silicon", "models-function", "models")(814, 0.1, alpha)
    assert rates["Poisson"] == pytest.approx(np.exp(-x)) and rates["Seeds"] == pytest.approx(1 / (1 + x))
    assert rates["Murphy"] == pytest.approx(((1 - np.exp(-x)) / x) ** 2)
    assert rates["negative binomial"] == pytest.approx((1 + x / alpha) ** -alpha)


@pytest.mark.parametrize("tested", [True, False])
def test_a_package_costs_what_a_simulated_line_spends_for_each_that_works(tested):
    """Second road: dies are made, some bad ones pass the test, packages are joined, and the bad ones are thrown away."""
    draw, n, usual = np.random.default_rng(19), 400_000, silicon.bill.USUAL
    parts = law("silicon", "bill-function", "paid")(2, 8, tested, 1e6)
    good = draw.random(n) < silicon.package.piece_yield(800, usual["d0"], usual["spare"])
    passed = good[good | (draw.random(n) > usual["found"] * tested)]
    pairs = passed[: len(passed) // 2 * 2].reshape(-1, 2).all(1)
    works = pairs & (draw.random(len(pairs)) < usual["joins"])
    base = silicon.bill.FACTS["base_mm2"] * usual["base"]
    spent = n / 64 * usual["wafer"] + len(pairs) * (8 * usual["stack"] + base)
    assert spent / works.sum() == pytest.approx(sum(parts.values()) - parts["design"], rel=0.01)
    assert parts["design"] == 540 and np.floor(silicon.dies_per_wafer(800)) == 64


def test_swings_are_sorted_and_what_is_published_lies_where_the_bill_says():
    whole = law("silicon", "bill-function", "whole_bill")
    usual, said = whole(), silicon.bill.FACTS["published"]
    assert [*usual.apart.values()] == sorted(usual.apart.values(), reverse=True)
    assert usual.bill["lost"] == pytest.approx(said["lost"], rel=0.03)  # what holds was read off it
    assert said["between"][0] < usual.total - usual.bill["design"] < said["between"][1]
    assert sum(said[part] for part in ("dies", "memory", "base", "lost")) == pytest.approx(said["usd"], rel=0.01)
    bare, untested = (whole(1, 0, tested) for tested in (True, False))
    assert bare.total == pytest.approx(untested.total) and bare.bill["base"] == 0  # nothing else is lost


@pytest.mark.parametrize("days", [1, 365, 2000])
def test_what_using_a_chip_emits(days):
    here = law("silicon", "carbon-function", "made_and_used")(days, 300, 50, "N7")
    assert here["using the chip"] == pytest.approx(0.3 * 24 * days * 0.05)
    assert here["making its die"] == silicon.carbon_per_good_die(814, 0.1, "N7")
