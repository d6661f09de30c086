"""Reach: octaves against all codes, shares against a million drawn gradients."""

import numpy as np
import pytest

from accelerator_lib.numerics import ELEMENTS, Format, landed, quantize, ruled
from accelerator_lib.numerics.reach import FEW


@pytest.mark.parametrize(
    "format",
    [f for f in ELEMENTS.values() if f.bits <= 16]
    + [Format(1, 0), Format(1, 5), Format(3, 0), Format(5, 2, None, "fn")],
)
def test_octaves_count_the_codes(format):
    values = format.values()
    exponents = np.frexp(values[values > 0])[1] - 1
    counted = dict(zip(*np.unique(exponents, return_counts=True), strict=True))
    assert {one.exponent: one.codes for one in ruled(format).octaves} == counted
    assert all(one.subnormal == (one.exponent < format.min_exponent) for one in ruled(format).octaves)


@pytest.mark.parametrize(("name", "median", "deviation", "scale"), [
    ("fp16", -24, 3, 0), ("fp16", -24, 3, 33), ("e5m2", -24, 3, 20), ("e4m3", -24, 5, 23), ("bf16", -40, 8, 0),
    ("e2m1", 0, 2, 1),
])  # fmt: skip
def test_shares_are_those_of_drawn_gradients(name, median, deviation, scale):
    drawn = 2.0 ** np.random.default_rng(1).normal(median, deviation, 1_000_000)
    moved, format = drawn * 2.0**scale, ELEMENTS[name]
    found = landed(name, median, deviation, scale)
    stored = quantize(moved, format)
    over = moved > format.max + 2.0 ** (format.max_exponent - format.mantissa_bits) / 2
    wanted = {
        "vanish": np.mean(stored == 0),
        "overflow": np.mean(over),
        "subnormal": np.mean((stored > 0) & (moved < format.min_normal)),
    }
    for fate, share in wanted.items():
        assert found.share(fate) == pytest.approx(share, abs=2e-3)
    assert sum(bar.share for bar in found.bars) == pytest.approx(1)


@pytest.mark.parametrize(("name", "low", "high"), [("fp16", 6, 33), ("e5m2", 14, 32.9), ("e4m3", 21, 25.88)])
def test_the_window_of_scales_loses_little_at_each_end(name, low, high):
    window = landed(name, -24, 3).window
    assert window == pytest.approx((low, high), abs=0.05)
    assert landed(name, -24, 3, window[0]).share("vanish") == pytest.approx(FEW)
    assert landed(name, -24, 3, window[1]).share("overflow") == pytest.approx(FEW)


def test_a_third_of_the_gradients_vanish_in_fp16_none_in_bf16_and_no_scale_saves_a_wide_cloud():
    assert landed("fp16", -24, 3).share("vanish") == pytest.approx(0.37, abs=0.001)
    assert landed("bf16", -24, 3).share("vanish") < 1e-12
    assert landed("e4m3", -24, 5).window is None


def test_what_cannot_be_is_one_clear_line():
    with pytest.raises(ValueError, match="no number but 0"):
        landed(Format(1, 0), -24, 3)
    with pytest.raises(ValueError, match="^deviation = 0 is outside"):
        landed("fp16", -24, 0)
    with pytest.raises(KeyError, match="format 'fp15' is unknown"):
        ruled("fp15")
