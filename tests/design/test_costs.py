"""Dollars and other machines: hours, offers, a chip of one's own, analog arrays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import law

from accelerator_lib import data, design
from accelerator_lib.design import costs, exotic

RENTS, RATES = st.floats(0.2, 20), st.floats(1, 20_000)


def test_a_million_tokens_by_hand():
    assert costs.usd_per_million_tokens(3.0, 2000) == pytest.approx(3 / 7.2e6 * 1e6)
    assert costs.usd_per_million_tokens(3.0, 2000, 0.6) == pytest.approx(0.6944444)
    assert costs.usd_per_million_tokens(3.0, 146) == pytest.approx(5.71, abs=0.005)
    rates = np.array([146.0, 2000.0])
    assert costs.usd_per_million_tokens(3.0, rates).shape == (2,)


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


ROWS = data.load("prices")


def test_every_row_has_a_seller_a_date_a_source_and_a_basis():
    for row in (*ROWS["hours"], *ROWS["ranges"]):
        assert row["source"] in ROWS["sources"] and row["basis"] in {"seen", "seen_secondary", "recalled"}
        assert row["as_of"] and row.get("provider", row.get("seller"))
    for row in ROWS["hours"]:
        assert 0.1 < row["usd_per_hour"] < 50 and row["n"] >= 1
    assert all(0 < row["low"] < row["high"] for row in ROWS["ranges"])
    for table in ("design", "converters"):
        assert all(row["source"] in ROWS["sources"] and 0 < row["low"] <= row["high"] for row in ROWS[table])


def test_break_even_by_hand():
    assert costs.break_even_units(30e6, 500, 7000) == pytest.approx(30e6 / 6500)
    assert costs.break_even_units(30e6, 7000, 7000) is None is costs.break_even_units(1, 2, 1)


@given(st.floats(1, 600), st.integers(50, 5000), st.integers(6000, 50_000))
def test_at_break_even_both_cost_the_same(once, own, bought):
    units = costs.break_even_units(once * 1e6, own, bought)
    assert once * 1e6 + units * own == pytest.approx(units * bought)


ROWS_ANALOG = (16, 32, 64, 128, 256, 512)


def test_energy_by_hand_and_the_same_seed_is_the_same_run():
    assert exotic.analog_pj(128, 9, 10) == pytest.approx(1.28)
    assert exotic.analog_pj(512, 6, 10) == pytest.approx(0.04)
    assert exotic.simulate(64, 6, 10.0, 0.01, 3) == exotic.simulate(64, 6, 10.0, 0.01, 3)
    assert exotic.simulate(64, 6, 10.0, 0.01, 3) != exotic.simulate(64, 6, 10.0, 0.01, 4)


@pytest.mark.parametrize("rows", ROWS_ANALOG)
def test_exact_sums_cost_the_same_at_any_size(rows):
    assert exotic.analog_pj(rows, exotic.exact_bits(rows), 10) == pytest.approx(1.28)


@pytest.mark.parametrize("rows", ROWS_ANALOG)
def test_with_that_many_bits_every_result_is_the_exact_integer_and_with_fewer_not(rows):
    bits = int(exotic.exact_bits(rows))
    exact = exotic.simulate(rows, bits)
    assert exact.wrong == 0 and exact.bits is None and exact.step == 1 and exact.sum == exact.read
    assert exotic.simulate(rows, bits - 2).wrong > 0.5
    assert 3 * rows <= 2**bits - 1  # no sum is beyond the converter


@pytest.mark.parametrize("rows", ROWS_ANALOG[1:])
@pytest.mark.parametrize("fewer", (2, 3))
def test_the_error_is_that_of_a_rounding_converter(rows, fewer):
    """Closed form: each of 32 sums is rounded to a step, an error of step / sqrt(12) or a little more, weighed and added."""
    bits = int(exotic.exact_bits(rows)) - fewer
    found = exotic.simulate(rows, bits)
    weights = 4.0 ** np.add.outer(2 * np.arange(4), np.arange(8))  # squares of 4^slice x 2^bit
    step, grain = found.step, 1.0
    rounding = np.sqrt(weights.sum() * (step**2 / 12 + grain / 6))  # sums are whole: a few more ties
    spread = np.std(_exact(rows))
    assert found.error == pytest.approx(rounding / spread, rel=0.25)


def _exact(rows):
    draw = np.random.default_rng(0)
    weights = draw.integers(0, 256, (rows, exotic.COLUMNS))
    return draw.integers(0, 256, (exotic.VECTORS, rows)) @ weights


@pytest.mark.parametrize("rows, bits", [(1, 1), (2, 2), (4, 3), (16, 4)])
def test_a_run_is_what_one_converter_after_the_other_reads(rows, bits):
    """Second road: every cell, pulse and conversion on its own; the largest code is all ones."""
    draw = np.random.default_rng(0)
    weights, inputs = draw.integers(0, 256, (rows, exotic.COLUMNS)), draw.integers(0, 256, (exotic.VECTORS, rows))
    step, off = max(1, 4 * rows // 2**bits), []
    for vector in inputs.tolist():
        for column in weights.T.tolist():
            total = 0
            for slice_ in range(4):
                for bit in range(8):
                    current = sum((w >> 2 * slice_ & 3) * (x >> bit & 1) for w, x in zip(column, vector, strict=True))
                    total += 4**slice_ * 2**bit * step * min(round(current / step), 2**bits - 1)
            off.append(abs(total - sum(w * x for w, x in zip(column, vector, strict=True))))
    found = exotic.simulate(rows, bits)
    assert found.wrong == pytest.approx(np.mean(np.array(off) > 0)) and found.steps == 2**bits - 1
    assert found.error * np.std(inputs @ weights) == pytest.approx(np.sqrt(np.mean(np.square(off, dtype=float))))


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(ROWS_ANALOG), st.integers(4, 11))
def test_a_bit_less_never_helps_and_energy_doubles_with_each(rows, bits):
    one, two = exotic.simulate(rows, bits), exotic.simulate(rows, bits + 1)
    assert two.error <= one.error and two.pj == pytest.approx(2 * one.pj)


def test_cells_that_are_off_cost_bits_whatever_the_converter():
    found = [exotic.simulate(128, 11, 10.0, spread).error for spread in (0.0, 0.01, 0.02, 0.05)]
    assert found == sorted(found) and found[0] == 0 < found[1]
    assert exotic.simulate(128, 9, spread=0.02).bits == pytest.approx(5.2, abs=0.1)
    assert exotic.simulate(128, 9, spread=0.05).bits < 4.5
    assert exotic.simulate(128, 9).bits is None


@pytest.mark.parametrize(("rows", "bits"), [(512, 6), (512, 5), (128, 5)])
def test_a_range_of_what_occurs_rounds_as_its_standard_deviation_says(rows, bits):
    """Closed form, uniform numbers: a pulse is 1 in half of the cases, a cell 0 to 3: variance 1.1875 for each row."""
    step = 2 * exotic.WIDE * np.sqrt(1.1875 * rows) / (2**bits - 1)
    weights = 4.0 ** np.add.outer(2 * np.arange(4), np.arange(8))
    rounding = np.sqrt(weights.sum() * step**2 / 12)
    found = [exotic.simulate(rows, bits, seed=seed, spans="what occurs").error for seed in range(10)]
    exact = np.sqrt(rows * (256**2 - 1) / 12 * (2 * 127.5**2 + (256**2 - 1) / 12))  # of a product of two uniform ones
    assert np.mean(found) == pytest.approx(rounding / exact, rel=0.2)


def test_the_range_decides_as_much_as_the_bits():
    def bits(adc, spans, drawn="uniform"):
        return [exotic.simulate(512, adc, seed=seed, spans=spans, drawn=drawn).bits for seed in range(20)]

    possible, occurs = bits(6, "every possible sum"), bits(6, "what occurs")
    bell = bits(6, "what occurs", "bell-shaped weights, ReLU inputs")
    for found, mean, std in ((possible, 1.8, 0.14), (occurs, 5.2, 0.15), (bell, 3.7, 0.17)):
        assert np.mean(found) == pytest.approx(mean, abs=0.1) and np.std(found) == pytest.approx(std, abs=0.06)
    wrong = [exotic.simulate(512, 8, seed=seed, spans="what occurs").wrong for seed in range(20)]
    assert np.mean(wrong) < 0.02  # a step for every integer within the range; what lies beyond is cut


def test_a_range_of_what_occurs_by_one_converter_after_the_other():
    """Second road: mean and deviation of a trial run, then every conversion on its own."""
    draw = np.random.default_rng(0)
    weights = draw.integers(0, 256, (64, exotic.COLUMNS))
    inputs, trial = (draw.integers(0, 256, (exotic.VECTORS, 64)) for _ in range(2))
    total, slack = np.zeros((exotic.VECTORS, exotic.COLUMNS)), 2**5 - 1
    for slice_ in range(4):
        for bit in range(8):
            tried, sums = ((one >> bit & 1) @ (weights >> 2 * slice_ & 3) for one in (trial, inputs))
            low, step = np.floor(max(tried.mean() - 4 * tried.std(), 0)), max(1, 8 * tried.std() / slack)
            total += 4**slice_ * 2**bit * (low + step * np.clip(np.rint((sums - low) / step), 0, slack))
    exact = inputs @ weights
    found = exotic.simulate(64, 5, spans="what occurs")
    assert found.error == pytest.approx(np.sqrt(np.mean((total - exact) ** 2)) / np.std(exact))


@given(st.integers(10, 10**6), st.floats(1, 600), st.integers(50, 5000), st.integers(500, 50_000))
def test_a_chip_of_ones_own(units, once, own, bought):
    here = law("design", "volume-function", "volumes")(units, once, own, bought)
    assert here["a chip of your own"] * units == pytest.approx(once * 1e6 + units * own)
    even = design.break_even_units(once * 1e6, own, bought)
    if even is not None and abs(units - even) > 1:
        assert (here["a chip of your own"] < here["bought"]) == (units > even)


def test_the_crossbar_stands_beside_what_digital_takes():
    array, others = law("design", "crossbar-function", "crossbar")(64, 8, 10.0, 0.0)
    assert array.pj == pytest.approx(design.analog_pj(64, 8, 10.0)) and array.bits is None
    assert list(others.values()) == [exotic.digital_pj(), exotic.digital_pj(1)]
