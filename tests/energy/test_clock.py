import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import energy
from accelerator_lib.energy import clock
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


@given(st.floats(1, 500), st.floats(10, 900), st.floats(0.2, 1.5))
def test_the_best_clock_is_the_best_of_all_clocks(static, dynamic, exponent):
    best = energy.best_clock(static, dynamic, exponent)
    clocks = np.linspace(0.3, 1.3, 500)
    others = energy.watts(clocks, static, dynamic, exponent) / clocks
    assert energy.watts(best, static, dynamic, exponent) / best <= others.min() * (1 + 1e-9)


def test_the_optimum_of_the_curriculum():
    best = energy.best_clock(100, 300)
    assert best == pytest.approx(0.5503, abs=0.0005) and energy.gain(best, 100, 300) == pytest.approx(
        1.4675, abs=0.0005
    )
    assert energy.best_clock(0, 300) == 0.3 and energy.best_clock(100, 300, 0) == 1.3
    assert energy.best_clock(300, 300) > energy.best_clock(100, 300)


@given(st.floats(0.35, 1.0), st.floats(0, 100), st.floats(100, 500))
def test_a_cap_is_kept_exactly_or_does_not_bind(cap, static, dynamic):
    watts = cap * (static + dynamic)
    if watts <= static:
        return
    clock = energy.capped_clock(watts, static, dynamic)
    assert clock <= 1 and energy.watts(clock, static, dynamic) == pytest.approx(min(watts, static + dynamic), rel=1e-6)


@given(st.floats(0.3, 1.0), st.floats(0, 300), st.floats(50, 600))
def test_a_capped_job_takes_the_power_of_its_clock_for_the_time_of_its_clock(share, static, dynamic):
    job = energy.capped(share, static, dynamic)
    if job.clock is None:
        assert job.seconds is None and job.joules is None
        assert share * (static + dynamic) <= static * 1.0001
        return
    assert job.seconds == pytest.approx(1 / job.clock)
    watts = energy.watts(job.clock, static, dynamic)
    assert job.joules == pytest.approx(watts / (static + dynamic) * job.seconds)


def test_a_cap_of_all_the_power_changes_nothing():
    assert energy.capped(1.0, 100, 300) == clock.Capped(1.0, 1.0, 1.0)


def test_power_at_half_the_clock_by_hand():
    assert energy.watts(0.5, 100, 400) == 150 and energy.watts(0.5, 100, 400, voltage_exponent=0) == 300
    assert energy.gain(0.5, 100, 400) == pytest.approx(0.5 * 500 / 150)
