"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import law

from accelerator_lib import design, hardware, llm, roofline
from accelerator_lib.design import costs, exotic


@pytest.mark.parametrize("price, watts, kwh, facility", [(28_000, 700, 0.13, 1.3), (1000, 10, 0.5, 2.0)])
def test_an_hour_of_an_owner(price, watts, kwh, facility):
    here = law("design", "owning-function", "owning")(price, watts, kwh, facility)
    assert here["an hour"] == pytest.approx(100 * costs.owned_usd_per_hour(price, watts, kwh, facility))
    assert here["electricity and cooling"] == pytest.approx(100 * kwh * facility * watts / 1000)


@pytest.mark.parametrize("model", ["llama-3-8b", "llama-3-70b"])
@pytest.mark.parametrize("users", [1, 64])
@pytest.mark.parametrize("bits", [16, 4])
def test_a_promise_takes_what_a_decode_step_of_chapter_10_reads(model, users, bits):
    here = law("design", "promise-function", "promise")(model, users, 0.05, bits)
    weights = llm.param_count(model) * bits / 8
    caches = users * 4096 * llm.kv_bytes_per_token(model)
    assert here.capacity_bytes == pytest.approx(weights + caches, rel=0.01)
    if bits == 16:
        step = llm.decode_step(model, "h100-sxm5", users, 4096)
        reading = step.seconds * hardware.chip("h100-sxm5").bytes_per_s  # memory decides, with so few users
        assert here.bytes_per_s * 0.05 == pytest.approx(reading, rel=0.01)


@given(st.integers(10, 10**6), st.floats(1, 600), st.integers(50, 5000), st.integers(500, 50_000))
def test_a_chip_of_ones_own(units, once, own, bought):
    here = law("design", "volume-function", "volumes")(units, once, own, bought)
    assert here["a chip of your own"] * units == pytest.approx(design.total_usd(units, once * 1e6, own))
    even = design.break_even_units(once * 1e6, own, bought)
    if even is not None and abs(units - even) > 1:
        assert (here["a chip of your own"] < here["bought"]) == (units > even)


@given(st.floats(1, 1e4), st.sampled_from([16, 64, 512]), st.floats(0.1, 50), st.floats(0.05, 20))
def test_light(reuse, edge, adc, dac):
    here = law("design", "light-function", "light")(reuse, edge, adc, dac)
    assert here["in light"] == pytest.approx(exotic.photonic_pj(edge, reuse, adc, dac))


@given(st.floats(0, 1), st.floats(0, 15))
def test_zeros(density, overhead):
    here = law("design", "zeros-function", "zeros")(density, overhead)
    assert here["the non-zeros alone"] == pytest.approx(exotic.sparse_work(density, overhead))


@given(st.floats(0, 0.99), st.floats(1, 1e6))
def test_burnt_in_is_amdahl(share, speedup):
    here = law("design", "burnt-function", "burnt")(share, speedup)
    assert here["the whole"] == pytest.approx(roofline.amdahl(share, speedup))


def test_the_crossbar_stands_beside_what_digital_takes():
    array, others = law("design", "crossbar-function", "crossbar")(64, 8, 10.0, 0.0)
    assert array.pj == pytest.approx(design.analog_pj(64, 8, 10.0)) and array.bits is None
    assert list(others.values()) == [exotic.digital_pj(), exotic.digital_pj(1)]
