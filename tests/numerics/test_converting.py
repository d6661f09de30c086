"""Conversions by strings of bits: the same as by remainders, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.frames.numerics import STEPS, convert_steps
from accelerator_lib.numerics import ELEMENTS, quantize
from accelerator_lib.numerics.formats import MODES, OVERFLOWS


def last(*given, **more):
    return list(convert_steps(*given, **more))[-1]


def test_three_tenths_by_hand():
    found = last(0.3, "fp16")  # 1.2 x 2^-2; 0.2 is 0.0011 0011 0011 ...
    assert (found.exponent, found.kept, found.guard, found.rest[:4], found.sticky) == (
        -2,
        "10011001100",
        "1",
        "1001",
        1,
    )
    assert found.up and found.rounded == "10011001101" and not found.carries
    assert found.code == "0" + f"{15 - 2:05b}" + "0011001101" and found.value == 0.300048828125
    assert found.error_ulp == pytest.approx(0.2) and found.cut_off == pytest.approx(0.8)


def test_ties_go_to_the_even_code():
    half = last(2.0**-25, "fp16")
    assert half.shift == 11 and half.guard == "1" and not half.sticky and not half.up and half.value == 0
    assert last(3 * 2.0**-25, "fp16").value == 2 * 2.0**-24
    assert last(1.5 * 2.0**-25, "fp16").value == 2.0**-24
    assert last(464, "e4m3").value == 448 and last(2049, "fp16").value == 2048 and last(2051, "fp16").value == 2052


def test_a_carry_raises_the_exponent():
    found = last(1.9999, "bf16")
    assert found.carries and found.value == 2 and found.code == "0" + "10000000" + "0000000"
    small = last(1.9999 * 2.0**-15, "fp16")  # the largest subnormal and a bit: the smallest normal
    assert small.shift == 1 and not small.carries and small.code == "0000010000000000"


def test_what_is_too_large_saturates_or_says_so():
    assert last(465, "e4m3").value == 448 and last(465, "e4m3").beyond
    assert (
        np.isnan(last(465, "e4m3", overflow="infinity").value)
        and last(465, "e4m3", overflow="infinity").code[1:] == "1" * 7
    )
    assert last(65519, "fp16").value == 65504 and last(-65520, "fp16", overflow="infinity").value == -np.inf
    assert last(1e6, "e2m1", overflow="infinity").value == 6


@pytest.mark.parametrize("name", ELEMENTS)
def test_every_step_tells_of_one_conversion(name):
    states = list(convert_steps(0.3, name))
    assert tuple(state.step for state in states) == STEPS
    assert len({state.code for state in states}) == 1 and len(states[0].code) == ELEMENTS[name].bits


@given(
    st.floats(-(2.0**20), 2.0**20), st.sampled_from([*ELEMENTS]), st.sampled_from(MODES), st.sampled_from(OVERFLOWS),
    st.integers(0, 99),
)  # fmt: skip
@settings(max_examples=500, deadline=None)
def test_bits_and_remainders_agree(x, name, mode, overflow, seed):
    found = last(x, name, mode, overflow, np.random.default_rng(seed))
    wanted = quantize(x, name, mode, overflow, np.random.default_rng(seed))
    assert np.array_equal(found.value, wanted, equal_nan=True) and np.signbit(wanted) in (
        found.negative,
        np.isnan(wanted),
    )
    if np.isfinite(wanted):
        assert int(found.code, 2) == ELEMENTS[name].code(np.copysign(wanted, x))
        assert found.error_ulp <= (0.5 if mode == "even" else 1) or found.beyond


def test_what_cannot_be_is_one_clear_line():
    with pytest.raises(ValueError, match="^x is not a number"):
        convert_steps(float("nan"), "fp16")
    with pytest.raises(TypeError, match="^x must be one number"):
        convert_steps([1.0], "fp16")
    with pytest.raises(KeyError, match="mode 'evn' is unknown; did you mean 'even'"):
        convert_steps(1.0, "fp16", "evn")
