import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import energy
from accelerator_lib.design import exotic


def test_by_hand():
    assert exotic.photonic_pj(edge=64, reuse=1, adc_pj=2.56, dac_pj=1.0) == pytest.approx(1.055625)
    assert exotic.digital_pj() == pytest.approx(0.1) == energy.mac_pj("int8", accumulator="int32")
    assert exotic.break_even_density(3) == 0.25 and exotic.sparse_work(0.25, 3) == 1


@given(st.integers(1, 600), st.integers(1, 500))
def test_light_by_counting_conversions(edge, reuse):
    """Another road: conversions of a mesh that multiplies `reuse` vectors and is then set anew."""
    adc, dac = 2.56, 1.0
    vectors = reuse * edge * (adc + dac)  # every element in and out
    setting = edge * edge * dac
    macs = reuse * edge * edge
    assert exotic.photonic_pj(edge, reuse, adc, dac) == pytest.approx((vectors + setting) / macs)


@given(st.floats(0, 1), st.floats(0, 20))
def test_zeros_pay_below_the_break_even_density_and_not_above(density, overhead):
    even = exotic.break_even_density(overhead)
    if abs(density - even) > 1e-9:
        assert (exotic.sparse_work(density, overhead) < 1) == (density < even)


def test_zeros_counted_in_a_real_array():
    draw = np.random.default_rng(0)
    weights = draw.random((200, 200)) * (draw.random((200, 200)) < 0.2)
    work = np.count_nonzero(weights) * (1 + 3) / weights.size
    assert work == pytest.approx(exotic.sparse_work(np.count_nonzero(weights) / weights.size, 3))


@given(st.floats(0, 1), st.sampled_from([1, 2, 8, 32]))
def test_spikes_grow_with_rate_and_steps(rate, steps):
    one = energy.access_pj(1, "sram_32kb") + 0.03
    assert exotic.spike_pj(rate, steps) == pytest.approx(rate * steps * one)


def test_reading_the_weight_is_what_costs():
    assert exotic.digital_pj(1) > 10 * exotic.digital_pj() and exotic.spike_pj(1, 1) < exotic.digital_pj(1)


def test_arrays_go_through_and_what_cannot_be():
    assert exotic.photonic_pj(np.array([16, 512]), 10).shape == (2,)
    with pytest.raises(ValueError, match="reuse = 0 is outside"):
        exotic.photonic_pj(64, 0)
    with pytest.raises(ValueError, match="density = 2 is outside"):
        exotic.sparse_work(2, 1)
    with pytest.raises(ValueError, match="reads = -1 is outside"):
        exotic.digital_pj(-1)
