"""Scales: by hand, by loops over blocks, and what must hold for any block."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accelerator_lib.numerics import (
    ELEMENTS,
    FORMATS,
    affine_quantize,
    bits_per_element,
    block_quantize,
    block_scales,
    int_quantize,
    mx_block_scale,
    snr_db,
)
from accelerator_lib.numerics.scales import SCALE_BITS

NORMAL = np.random.default_rng(0).standard_normal(2**14)
BLOCKS = arrays(float, st.integers(1, 70), elements=st.floats(-1e4, 1e4))


def looped(x, element, block, scale):
    """block_quantize number by number, nearest code by search."""
    element, found = ELEMENTS[element], []
    codes = element.values()
    tensor = np.float32(np.abs(x).max() / element.max / 448) if scale == "e4m3" else 1
    for start in range(0, len(x), block):
        own = x[start : start + block]
        most = np.abs(own).max()
        if scale == "e8m0":
            step = 2.0 ** (np.floor(np.log2(most)) - np.floor(np.log2(element.max)))
        else:
            stored = {"fp32": np.float32, "fp16": np.float16}.get(scale)
            wanted = most / element.max
            step = float(stored(wanted)) if stored else FORMATS["e4m3"].quantize(wanted / float(tensor)) * float(tensor)
        found += [codes[np.abs(codes * step - one).argmin()] * step for one in own]
    return np.array(found)


@pytest.mark.parametrize("scale", SCALE_BITS)
@pytest.mark.parametrize("element", ["e2m1", "int4", "int8", "e4m3", "e2m3"])
def test_blocks_are_what_a_loop_gives(element, scale):
    x = NORMAL[:200] * np.repeat(2.0 ** np.random.default_rng(1).integers(-4, 5, 8), 25)
    assert block_quantize(x, element, 16, scale) == pytest.approx(looped(x, element, 16, scale), rel=1e-12)


def test_the_scale_of_mx_is_a_power_of_two_from_the_largest_exponent():
    assert mx_block_scale(100, 2) == 16 and mx_block_scale(7.9, 2) == 1 and mx_block_scale(8, 2) == 2
    assert list(mx_block_scale(np.array([1e-300 + 1, 6.0]), 2)) == [0.25, 1]
    assert mx_block_scale(1e-30, 127) == 2.0**-127  # the smallest that eight bits can hold


def test_integers_by_hand():
    q, scale = int_quantize([0.1, -0.7, 2.4, 5.2], 8)
    assert q.tolist() == [2, -17, 59, 127] and scale == 5.2 / 127
    q, scale = int_quantize([0.1, -0.7, 2.4, 5.2], 8, largest=2.54)
    assert q.tolist() == [5, -35, 120, 127] and scale == 0.02
    assert int_quantize(np.zeros(3), 4)[0].tolist() == [0, 0, 0]


def test_a_zero_point_uses_all_codes_and_keeps_zero():
    q, scale, zero = affine_quantize([0.0, 1.0, 3.0], 2)
    assert q.tolist() == [0, 1, 3] and (scale, zero) == (1.0, 0)
    q, scale, zero = affine_quantize([-1.0, 0.0, 2.0], 4)
    assert q.tolist() == [0, 5, 15] and zero == 5 and scale == 0.2
    assert affine_quantize([2.0, 3.0], 8)[2] == 0  # the range is widened to zero
    q, scale, zero = affine_quantize([-9.0, 0.0, 9.0], 4, low=0.0, high=1.5)
    assert q.tolist() == [0, 0, 15] and affine_quantize([0.0, 0.0], 4)[0].tolist() == [0, 0]


@given(BLOCKS, st.integers(2, 16))
@settings(deadline=None)
def test_integers_are_within_half_a_step(x, bits):
    q, scale = int_quantize(x, bits)
    assert np.abs(x - scale * q).max() <= scale * (0.5 + 1e-9) and np.abs(q).max() < 2 ** (bits - 1)
    q, scale, zero = affine_quantize(x, bits)
    assert np.abs(x - scale * (q - zero)).max() <= scale * (1 + 1e-9) and q.min() >= 0 and q.max() < 2**bits


@given(BLOCKS, st.sampled_from(["e2m1", "int4", "e4m3", "int8"]), st.integers(1, 33), st.sampled_from(["e8m0", "fp32"]))
@settings(deadline=None)
def test_twice_is_once_signs_mirror_and_powers_of_two_pass_through(x, element, block, scale):
    once = block_quantize(x, element, block, scale)
    assert once.shape == x.shape and np.array_equal(-once, block_quantize(-x, element, block, scale))
    if scale == "e8m0":
        assert np.array_equal(block_quantize(once, element, block, scale), once)
        if np.abs(x[x != 0]).min(initial=1) > 1e-20:
            assert np.array_equal(block_quantize(2.0**10 * x, element, block, scale), 2.0**10 * once)


def test_the_plan_s_ratios_of_normal_numbers():
    def snr(block, scale, element="e2m1"):
        return snr_db(NORMAL, block_quantize(NORMAL, element, block, scale))

    assert snr(32, "e8m0") == pytest.approx(18.79, rel=1e-3) and snr(16, "e4m3") == pytest.approx(20.52, rel=1e-3)
    even = 10 * np.log10(np.mean(NORMAL**2) / ((np.abs(NORMAL).max() / 127) ** 2 / 12))  # noise of an even grid
    assert snr(2**14, "fp32", "int8") == pytest.approx(even, abs=0.1)
    assert snr(128, "fp16", "int4") == pytest.approx(18.6, abs=0.2)


def test_a_scale_that_eight_bits_cannot_hold_leaves_zeros():
    x = np.array([1e6] + [0.0] * 3 + [1e-4] * 4)
    found = block_quantize(x, "e2m1", 4, "e4m3")
    assert found[0] == pytest.approx(1e6, rel=1e-6) and not found[4:].any()
    assert not block_quantize(np.zeros(8), "e2m1", 4, "e4m3").any() and block_quantize(3.0, "e2m1", 4, "e8m0") == 3
    assert block_scales([0.0, 3.0], "e2m1", "e8m0").tolist() == [0, 0.5]


def test_a_last_block_may_be_shorter_and_any_shape_goes():
    x = NORMAL[:70].reshape(2, 35)
    found = block_quantize(x, "int8", 16, "fp32")
    assert found.shape == x.shape
    assert np.array_equal(found[1, 32:], block_quantize(x[1, 32:], "int8", 16, "fp32"))


def test_bits_and_decibels():
    assert (
        bits_per_element(4, 32, 8) == 4.25
        and bits_per_element(4, 16, 8) == 4.5
        and bits_per_element(4, 128, 16) == 4.125
    )
    assert snr_db([3.0, 4.0], [3.0, 4.5]) == pytest.approx(20)
    half = np.linspace(-1, 1, 10_001)  # noise of an even grid: step^2 / 12
    q, scale = int_quantize(half, 8)
    assert snr_db(half, scale * q) == pytest.approx(10 * np.log10((1 / 3) / (scale**2 / 12)), abs=0.05)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: block_quantize([1.0], "e2m1", 0, "e8m0"), "block = 0 is outside"),
        (lambda: block_quantize([1.0], "e2m1", 4, "e8m1"), "scale 'e8m1' is unknown; did you mean 'e8m0'"),
        (lambda: block_quantize([np.nan], "e2m1", 4, "e8m0"), "x is not a number"),
        (lambda: int_quantize([1.0], 1), "bits = 1 is outside the allowed range, 2 to 16"),
        (lambda: int_quantize([1.0], 4, largest=0), "largest = 0 is outside"),
        (lambda: snr_db([0.0], [1.0]), "x holds no signal"),
        (lambda: snr_db([1.0], [1.0]), "y is x itself"),
        (lambda: int_quantize([1.0], 4, largest=[1.0, 2.0]), "largest must be one number"),
        (lambda: snr_db([1.0], [1.0, 2.0]), "x and y must have one shape"),
        (lambda: bits_per_element(4, 0, 8), "block = 0 is outside"),
        (lambda: mx_block_scale(0, 2), "largest = 0 is outside"),
    ],
)
def test_what_cannot_be_is_one_clear_line(call, line):
    with pytest.raises((ValueError, TypeError, KeyError), match="^.?" + line):
        call()
