"""Clocks, caps, batteries and racks; laws of the cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import law

from accelerator_lib import data, energy
from accelerator_lib.energy import Power, clock

CLOCKS = np.linspace(0.3, 1.3, 500)
THRESHOLD = st.floats(0, 0.8)
ROWS = {row["id"]: row for row in data.load("energy")["clock_and_cap"]}


@given(st.floats(0, 500), st.floats(10, 900), st.floats(0, 300), THRESHOLD, THRESHOLD, st.floats(0, 1))
def test_the_best_clock_is_the_best_of_all_clocks(constant, dynamic, leaking, threshold, floor, idle):
    power = Power(constant, dynamic, leaking, threshold, floor)

    def joules(f):
        return energy.watts(f, power) / f + energy.waiting(f, constant, idle)

    best = energy.best_clock(power, idle=idle)
    assert 0.3 <= best <= 1.3 and joules(best) <= joules(CLOCKS).min() * (1 + 1e-9)


@given(st.floats(0, 300), st.floats(50, 500), st.floats(0, 300), st.floats(0, 0.8))
def test_the_best_clock_is_the_root_of_a_cubic(constant, dynamic, leaking, threshold):
    """Second road, a closed form: f^3 + t/s f^2 = (constant + t leaking) / (2 s^2 dynamic), s = 1 - t."""
    slope = 1 - threshold
    free = (constant + threshold * leaking) / (2 * slope**2 * dynamic)
    roots = np.roots([1, threshold / slope, 0, -free])
    want = max(root.real for root in roots if abs(root.imag) < 1e-6)
    best = energy.best_clock(Power(constant, dynamic, leaking, threshold), low=0.01, high=100)
    assert best == pytest.approx(max(want, 0.01), rel=1e-3, abs=1e-3)


def test_on_the_floor_a_slower_clock_saves_no_voltage():
    """By hand: V = 0.5 + 0.5 f reaches 0.7 at f = 0.4; below, switching takes 250 x 0.49 J, and all else takes longer."""
    power = Power(100, 250, 50, 0.5, 0.7)
    assert power.crawl == pytest.approx(0.4) and power.standing == 135 and Power(100, 250, 50, 0.5, 0.4).crawl == 0
    assert energy.voltage(np.array([0.2, 0.4, 0.6]), 0.5, 0.7) == pytest.approx([0.7, 0.7, 0.8])
    assert energy.dvfs(0.2, 0.5, 0.7).power == pytest.approx(0.49 * 0.2)
    for f in (0.1, 0.2, 0.4):
        assert energy.watts(f, power) / f == pytest.approx((100 + 35) / f + 122.5)
    # Nothing ends with the job: without a floor, crawl; with one, no slower than its clock. Above it, nothing changes.
    crawling = [energy.best_clock(Power(100, 250, 0, 0.5, floor), idle=1.0) for floor in (0.0, 0.7, 0.8)]
    assert crawling == pytest.approx([0.3, 0.4, 0.6])
    assert energy.best_clock(power) == energy.best_clock(Power(100, 250, 50, 0.5)) > 0.4
    assert energy.best_clock(Power(0, 250, 0, 0.5, 0.9), high=0.6) == 0.6
    assert energy.capped_clock(100 + 35 + 250 * 0.49 * 0.2, power) == pytest.approx(0.2)


def test_leakage_moves_the_best_clock():
    # The textbook result: with nothing constant, more leakage moves the best clock up, and a slower one costs more.
    best = [energy.best_clock(Power(0, 250, leaking, 0.3), low=0.05) for leaking in (0, 50, 100, 150, 300)]
    assert best[0] == 0.05 and best == sorted(best) and len(set(best)) == len(best)
    for leaking, least in zip((50, 100, 150, 300), best[1:], strict=True):
        power = Power(0, 250, leaking, 0.3)
        at = [energy.job(f, power).joules for f in (least / 2, least, 1.5 * least)]
        assert min(at) == at[1] and leaking * 0.3 == pytest.approx(2 * 250 * 0.7 * least**2 * (0.3 + 0.7 * least))
    # A watt that leaks at a voltage that the clock cannot lower is as good as `threshold` constant watts.
    for leaking in (0, 50, 150):
        assert energy.best_clock(Power(100, 250, leaking, 0.3)) == pytest.approx(
            energy.best_clock(Power(100 + 0.3 * leaking, 250, 0, 0.3))
        )
    assert energy.best_clock(Power(0, 300, 100, 0.3)) > 0.3
    assert all(energy.best_clock(Power(0, 300, leaking)) == 0.3 for leaking in (0, 100, 1000))
    assert (
        energy.best_clock(Power(100, 300))
        == energy.best_clock(Power(100, 300, 250))
        == pytest.approx((1 / 6) ** (1 / 3))
    )
    assert energy.best_clock(Power(200, 100), idle=0.5) == pytest.approx(0.5 ** (1 / 3))
    assert energy.best_clock(Power(100, 300), idle=1.0) == 0.3  # nothing ends with the job


@pytest.mark.parametrize("row", ["rtxpro6000_pi_fp32", "rtxpro6000_pi_fp64"])
def test_the_model_meets_the_powers_that_were_measured_at_locked_clocks(row):
    """Two watts fitted to eight powers, threshold 0.5 and floor 0.7: none is more than 7 % off."""
    clocks, watts = np.array(ROWS[row]["mhz"]) / max(ROWS[row]["mhz"]), np.array(ROWS[row]["watts"])
    shape = np.stack([np.ones_like(clocks), energy.dvfs(clocks, 0.5, 0.7).power], axis=1)
    fit, *_ = np.linalg.lstsq(shape / watts[:, None], np.ones_like(watts))
    assert (fit > 0).all() and np.abs(shape @ fit / watts - 1).max() < 0.07
    joules = watts * np.array(ROWS[row]["seconds"])
    best = energy.best_clock(Power(fit[0], fit[1], 0, 0.5, 0.7))
    assert 0 < joules.argmin() < len(joules) - 1  # a least energy between the slowest and the fastest
    assert best == pytest.approx(clocks[joules.argmin()], abs=0.15)


CAPS = st.floats(1.001, 700), st.floats(0, 100), st.floats(100, 500), st.floats(0, 200)


@given(*CAPS, THRESHOLD)
def test_a_cap_is_kept_exactly_or_does_not_bind(cap, constant, dynamic, leaking, threshold):
    power = Power(constant, dynamic, leaking, threshold)
    job = energy.capped(cap, power)
    if job is None:
        assert cap <= energy.watts(0.01, power)
        return
    drawn = energy.watts(job.clock, power)
    assert job.clock <= 1 and drawn == pytest.approx(min(cap, power.nominal), rel=1e-6)
    assert job.seconds == pytest.approx(1 / job.clock)
    assert job.joules == pytest.approx(energy.job(job.clock, power).joules, rel=1e-6)


@given(st.floats(150, 400), st.floats(0, 100), st.floats(0, 100))
def test_who_leaks_more_is_slower_under_the_same_cap(cap, leaking, more):
    jobs = [energy.capped(cap, Power(60, 240, leaks, 0.3)) for leaks in (leaking, leaking + more)]
    assert jobs[1] is None or jobs[0].seconds <= jobs[1].seconds * (1 + 1e-12)


def test_caps_by_hand():
    job = energy.capped(450, Power(100, 300, 50))
    assert job == clock.Job(1.0, 450, 450) and job.joules == job.seconds == 1
    # At half the clock and voltage 400 W are 50, and the constant 100 stay; with 80 W of leakage 40 more.
    assert energy.capped_clock(150, Power(100, 400)) == pytest.approx(0.5)
    assert energy.capped_clock(190, Power(100, 400, 80)) == pytest.approx(0.5)
    assert energy.capped_clock(100 + 52 + 84.5, Power(100, 400, 80, 0.3)) == pytest.approx(0.5)
    half = energy.capped(150, Power(100, 400))
    assert (half.clock, half.seconds, half.joules) == pytest.approx((0.5, 2, 150 / 500 * 2))
    assert energy.capped(100, Power(100, 300)) is None


def test_watts_by_hand():
    assert energy.voltage(0.5, 0.3) == pytest.approx(0.65) and energy.voltage(0.5, 0.5) == 0.75
    assert energy.voltage(1.0, 0.3) == 1 and energy.voltage(0.5) == 0.5
    assert energy.watts(0.5, Power(100, 400)) == 150
    assert energy.watts(0.5, Power(100, 400, 80)) == 190
    assert energy.watts(0.5, Power(100, 400, 80, 0.3)) == pytest.approx(100 + 52 + 84.5)
    job = energy.job(0.5, Power(100, 400))
    assert job.joules == pytest.approx(2 * 150 / 500) and job.verdict == "less energy"
    assert energy.job(0.5, Power(400, 100)).verdict == "more energy"
    assert energy.waiting(0.3, 100, 1.0) == 0 and energy.waiting(1.0, 90, 0.5) == pytest.approx(45 * (1 / 0.3 - 1))


def test_a_token_as_it_was_printed():
    joules = energy.served()["Llama 3.1 8B on one H100"]["joules"]  # as W / (tokens/s), printed beside them
    assert joules[::3] == pytest.approx([486 / 1070, 610 / 5147, 688 / 9806], rel=0.002)


def test_measured_runs_by_hand():
    """A rate gives the time as 1 / rate; joules are watts x time; all relative to the run at the highest."""
    locked, capped = energy.sweeps("mhz"), energy.sweeps("cap_w")
    at, seconds, joules = locked["arithmetic, A100"]
    assert (at[0], seconds[0], joules[0]) == pytest.approx((1005 / 1410, 16.35 / 11.84, 135.2 * 16.35 / (296 * 11.84)))
    at, seconds, joules = locked["reading memory, A100"]
    assert seconds[0] == pytest.approx(1687.4 / 1690.8) and joules[0] == pytest.approx(145.1 / 1690.8 / (228 / 1687.4))
    at, seconds, joules = capped["products, B300"]
    assert (at[2], seconds[2], joules[2]) == pytest.approx((700 / 999, 0.6497 / 0.5004, 0.4496 / 0.4999), rel=1e-3)
    at, seconds, joules = capped["reading memory, A100"]  # it draws 228 W: a cap of 250 W does not bind
    assert at[0] == pytest.approx(150 / 228) and (at[4:] == 1).all() and seconds[0] == pytest.approx(1687.4 / 1648.8)
    assert len(locked) + len(capped) == len(ROWS)
    for at, seconds, joules in (*locked.values(), *capped.values()):
        assert len(at) == len(seconds) == len(joules) and (np.diff(at) >= 0).all()
        assert at[-1] == seconds[-1] == joules[-1] == 1


def test_what_the_model_misses_of_an_a100():
    """At 0.71 of its clock no watts bring the line down to the dot: switching alone would leave 0.73 of the energy."""
    (at, *_), _, (joules, *_) = energy.sweeps("mhz")["arithmetic, A100"]
    least = energy.job(at, Power(0, 250, 0, 0.5, 0.7)).joules
    assert least == pytest.approx((0.5 + 0.5 * at) ** 2) and least > 1.1 * joules
    model = energy.job(at, Power(100, 250, 50, 0.5, 0.7)).joules
    volts = (1 + at) / 2
    assert model == pytest.approx((100 / at + 50 * volts / at + 250 * volts**2) / 400) == pytest.approx(0.959, abs=1e-3)


@pytest.mark.parametrize("clock", [0.3, 0.55, 1.0, 1.3])
def test_a_slower_clock(clock):
    slower, power = law("energy", "clock-function", "slower"), Power(80, 250, 50, 0.5, 0.7)
    assert slower(clock, 80, 50, "reading memory, A100")["all together"] == pytest.approx(energy.watts(clock, power))
    found = slower(clock, 80, 50)
    assert found["all together"] == pytest.approx(energy.watts(clock, power) / clock)
    assert found["all together"] == pytest.approx(380 * energy.job(clock, power).joules)
