"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law

from accelerator_lib import energy
from accelerator_lib.energy import Power


@pytest.mark.parametrize("settings", [(2e12, 250.0, 3e14, 0.5), (1e11, 1300.0, 3e15, 5.0)])
def test_a_chips_budget(settings):
    found = law("energy", "chip-function", "budget")(*settings)
    assert found == {"estimate": pytest.approx(energy.chips.parts(*settings, overhead=0.2)), "TDP": {"TDP": 400}}


@pytest.mark.parametrize(("operations", "each", "fetch"), [(1, 0.1, 80.0), (2, 0.75, 30.0), (2048, 3.0, 0.0)])
def test_an_instructions_overhead(operations, each, fetch):
    found = law("energy", "overhead-function", "overhead")(operations, each, fetch)
    known = energy.instructions.instruction(operations, each, fetch)
    assert found["overhead"] == pytest.approx(known.overhead_share)
    assert found["pJ for each"] == pytest.approx(known.pj_per_operation)


@pytest.mark.parametrize("clock", [0.3, 0.55, 1.0, 1.3])
@pytest.mark.parametrize("lowest", [0.5, 0.8, 1.0])
def test_a_slower_clock(clock, lowest):
    found = law("energy", "clock-function", "slower")(clock, 80, 50, lowest)
    assert found["work for each joule"] == pytest.approx(energy.gain(clock, Power(80, 250, 50, 0.3, lowest)))
    assert found["power"] == pytest.approx(energy.watts(clock, Power(80, 250, 50, 0.3, lowest)) / 380)


@pytest.mark.parametrize("clock", [0.3, 1.0, 1.3])
@pytest.mark.parametrize("idle", [0.0, 0.5, 1.0])
def test_a_job_and_the_wait_after_it(clock, idle):
    found = law("energy", "rest-function", "rest")(clock, 80, idle)
    assert found["the job"] == pytest.approx(energy.watts(clock, Power(80, 250, 50, 0.3, 0.5)) / clock)
    assert found["waiting"] == pytest.approx(energy.waiting(clock, 80, idle))


@pytest.mark.parametrize(("watts", "duty"), [(0.05, 0.01), (2.0, 0.05), (15.0, 1.0)])
def test_a_battery(watts, duty):
    found = law("energy", "battery-function", "battery")(watts, 10, duty, 0.01)
    assert found["always on"] == pytest.approx(energy.battery_hours(10, watts))
    assert found["at your share of the time"] == pytest.approx(energy.battery_hours(10, watts, duty, 0.01))


@pytest.mark.parametrize("chips", [1, 8, 10_000])
def test_a_year_of_a_rack(chips):
    found = law("energy", "rack-function", "rack")(chips, 700, 1.3, 0.15, 0.7)
    assert found["with cooling and losses"] == pytest.approx(energy.year(700, chips, 1.3, 0.15, 0.7).cost)
    assert found["the machines alone"] == pytest.approx(energy.year(700, chips, 1.0, 0.15, 0.7).cost)
