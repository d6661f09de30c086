import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, design, hardware, silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.design import costs, machine

RENTS, RATES = st.floats(0.2, 20), st.floats(1, 20_000)


def test_a_million_tokens_by_hand():
    assert costs.usd_per_million_tokens(3.0, 2000) == pytest.approx(3 / 7.2e6 * 1e6)
    assert costs.usd_per_million_tokens(3.0, 2000, 0.6) == pytest.approx(0.6944444)
    assert costs.usd_per_million_tokens(3.0, 146) == pytest.approx(5.71, abs=0.005)


@given(RENTS, RATES, st.floats(0.05, 1))
def test_a_million_tokens_are_the_hours_that_a_simulated_year_takes(rent, rate, use):
    """Another road: tokens of a thousand hours, of which a share is worked."""
    hours = 1000
    made, paid = hours * use * 3600 * rate, hours * rent
    assert costs.usd_per_million_tokens(rent, rate, use) == pytest.approx(paid / made * 1e6)


@given(RENTS, RATES, st.floats(0.05, 1), st.floats(1.01, 3))
def test_a_token_is_dearer_with_the_rent_and_cheaper_with_pace_and_use(rent, rate, use, more):
    base = costs.usd_per_million_tokens(rent, rate, use)
    assert costs.usd_per_million_tokens(rent * more, rate, use) == pytest.approx(base * more)
    assert costs.usd_per_million_tokens(rent, rate * more, use) == pytest.approx(base / more)
    assert costs.usd_per_million_tokens(rent, rate, use / more) == pytest.approx(base * more)


def test_arrays_go_through():
    rates = np.array([146.0, 2000.0])
    assert costs.usd_per_million_tokens(3.0, rates).shape == (2,)


def test_the_bill_of_an_h100_is_what_the_model_of_a_whole_chip_gives_and_near_the_published_estimate():
    chip = hardware.chip("h100-sxm5")
    bill = costs.bill(chip.die_mm2, 80, 5)
    assert bill.total == pytest.approx(design.chip_usd(machine.real("h100-sxm5")), rel=2e-3)  # its area is computed
    published = data.load("design")["prices"]["estimates"]["h100-sxm5"]
    assert bill.total == pytest.approx(published["usd"], rel=0.08)
    assert bill.memory == pytest.approx(published["hbm"], rel=0.15)


@given(st.floats(50, 858))
def test_good_dies_pay_for_the_wafer(area):
    bill = costs.bill(area, 0, 0)
    assert bill.good_die * bill.dies * bill.good == pytest.approx(bill.wafer)
    whole = silicon.cost_per_good_die(16_000, area, 0.1)  # with whole dies only, so a little dearer
    assert bill.good_die <= whole <= bill.good_die * bill.dies / (bill.dies - 1)


def test_the_chain_ends_with_the_price_of_a_token_and_moves_one_thing_at_a_time():
    run = list(costs.chain())
    assert [link.stage for link in run] == [0, 1, 2, 3, 3, 3, 3, 3, 4, 5, 6, 7]
    assert [link.stacks for link in run] == [0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5, 5]
    end = run[-1]
    assert end.used == costs.usd_per_million_tokens(end.rent, end.tokens_per_s, end.use)
    assert end.full == pytest.approx(end.used * end.use) and end.price == pytest.approx(9 * end.bill.total)
    assert len(end.centres) == round(end.bill.dies) == 63


@given(RENTS, RATES, st.floats(1, 10))
def test_price_and_rent_do_not_touch_each_other(rent, rate, markup):
    one, *_, end = costs.chain("h100-sxm5", rent, rate, 0.5, markup)
    assert one.bill == end.bill and end.used == costs.usd_per_million_tokens(rent, rate, 0.5)
    assert end.owned == pytest.approx((markup * end.bill.total + 3000) / 35040 + 0.7 * 0.13)


@pytest.mark.parametrize("id", ["a100-80gb-sxm", "h100-sxm5"])
def test_dies_on_the_drawn_wafer_do_not_overlap_and_lie_inside(id):
    link = next(iter(costs.chain(id)))
    at, (wide, high) = np.array(link.centres), link.sides
    apart = np.abs(at[:, None] - at[None])
    apart[np.arange(len(at)), np.arange(len(at))] = 1e9
    assert not ((apart[..., 0] < wide) & (apart[..., 1] < high)).any()
    assert np.hypot(np.abs(at[:, 0]) + wide / 2, np.abs(at[:, 1]) + high / 2).max() < 150


def test_an_hour_owned_is_capital_and_electricity():
    assert costs.owned_usd_per_hour(28_000, 0) == pytest.approx(31_000 / 35_040)
    assert costs.owned_usd_per_hour(0, 1000, 0.5, 2.0) - costs.owned_usd_per_hour(0, 0) == pytest.approx(1.0)


def test_what_cannot_be():
    with pytest.raises(NotAvailable, match="what AWS Trainium .* is made of is not in the table"):
        costs.chain("trainium1")
    with pytest.raises(ValueError, match="use = 0 is outside"):
        costs.usd_per_million_tokens(3.0, 2000, 0)
    with pytest.raises(ValueError, match="markup = 1000 is outside"):
        costs.chain("h100-sxm5", markup=1000)
    with pytest.raises(KeyError, match="h100-sxm5"):
        costs.chain("h100-sxm")
