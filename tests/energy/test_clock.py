import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import energy
from accelerator_lib.energy import clock

CLOCKS = np.linspace(0.3, 1.3, 500)


@given(st.floats(0, 500), st.floats(10, 900), st.floats(0, 300), st.floats(0, 1.5), st.floats(0, 1))
def test_the_best_clock_is_the_best_of_all_clocks(constant, dynamic, leaking, exponent, idle):
    def joules(f):
        return energy.watts(f, constant, dynamic, leaking, exponent) / f + energy.waiting(f, constant, idle)

    best = energy.best_clock(constant, dynamic, leaking, exponent, idle)
    assert 0.3 <= best <= 1.3 and joules(best) <= joules(CLOCKS).min() * (1 + 1e-9)


def test_without_a_constant_part_the_lowest_clock_wins_however_much_leaks():
    assert all(energy.best_clock(0, 300, leaking) == 0.3 for leaking in (0, 100, 1000))
    assert energy.best_clock(100, 300, idle=1.0) == 0.3  # nothing ends with the job


def test_the_best_clock_by_hand():
    assert energy.best_clock(100, 300) == pytest.approx((1 / 6) ** (1 / 3))
    assert energy.best_clock(100, 300, 250) == pytest.approx((1 / 6) ** (1 / 3))  # leakage moves no optimum at e = 1
    assert energy.best_clock(200, 100, 0, idle=0.5) == pytest.approx(0.5 ** (1 / 3))
    assert energy.gain(0.5, 25, 100, 75) == pytest.approx(0.5 * 200 / (25 + 37.5 + 12.5))


def test_a_voltage_at_its_floor_saves_nothing():
    assert energy.best_clock(100, 300, voltage_exponent=0) == 1.3 and energy.best_clock(0, 300, 50, 0) == 1.3


@given(st.floats(1.001, 700), st.floats(0, 100), st.floats(100, 500), st.floats(0, 200), st.floats(0, 1.5))
def test_a_cap_is_kept_exactly_or_does_not_bind(cap, constant, dynamic, leaking, exponent):
    job = energy.capped(cap, constant, dynamic, leaking, exponent)
    if job.clock is None or job.clock < 0.01:  # beyond the clocks that `watts` takes
        return
    drawn = energy.watts(job.clock, constant, dynamic, leaking, exponent)
    whole = constant + leaking + dynamic
    assert job.clock <= 1 and drawn == pytest.approx(min(cap, whole), rel=1e-6)
    assert job.seconds == pytest.approx(1 / job.clock) and job.joules == pytest.approx(drawn / whole * job.seconds)


@given(st.floats(150, 400), st.floats(0, 100), st.floats(0, 100))
def test_who_leaks_more_is_slower_under_the_same_cap(cap, leaking, more):
    jobs = [energy.capped(cap, 60, 240, leaks) for leaks in (leaking, leaking + more)]
    assert jobs[0].seconds <= jobs[1].seconds * (1 + 1e-12)


def test_a_cap_of_all_the_power_changes_nothing():
    assert energy.capped(450, 100, 300, 50) == clock.Capped(1.0, 1.0, 1.0)


def test_a_capped_clock_by_hand():
    """At half the clock and voltage 400 W are 50, and the constant 100 stay; with 80 W of leakage 40 more."""
    assert energy.capped_clock(150, 100, 400) == pytest.approx(0.5)
    assert energy.capped_clock(190, 100, 400, 80) == pytest.approx(0.5)
    assert energy.capped_clock(300, 100, 400, voltage_exponent=0) == pytest.approx(0.5)
    half = energy.capped(150, 100, 400)
    assert (half.clock, half.seconds, half.joules) == pytest.approx((0.5, 2, 150 / 500 * 2))


def test_no_clock_is_slow_enough_for_a_cap_below_what_is_always_drawn():
    assert energy.capped(100, 100, 300) == clock.Capped(None, None, None)
    with pytest.raises(ValueError, match="150 W is not above the constant power of 150 W"):
        energy.capped_clock(150, 100, 300, 50, voltage_exponent=0)


def test_power_at_half_the_clock_by_hand():
    assert energy.watts(0.5, 100, 400) == 150 and energy.watts(0.5, 100, 400, voltage_exponent=0) == 300
    assert energy.watts(0.5, 100, 400, 80) == 190
    assert energy.gain(0.5, 100, 400) == pytest.approx(0.5 * 500 / 150)


def test_what_is_drawn_while_waiting():
    assert energy.waiting(0.3, 100, 1.0) == 0 and energy.waiting(1.0, 90, 0.5) == pytest.approx(45 * (1 / 0.3 - 1))
