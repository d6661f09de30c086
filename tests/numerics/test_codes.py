"""Codes: every format, a number that becomes a code, what lies over them."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.frames.numerics import STEPS, convert_steps
from accelerator_lib.numerics import ELEMENTS, FORMATS, INTEGERS, Format, calibration, landed, quantize, reach, ruled
from accelerator_lib.numerics.formats import MODES, OVERFLOWS
from accelerator_lib.numerics.reach import FEW

SMALL = {  # of at most 8 bits: every code
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
}
LARGE = {"fp16": np.float16, "bf16": ml_dtypes.bfloat16}
OTHERS = {Format(4, 3): ml_dtypes.float8_e4m3, Format(3, 4): ml_dtypes.float8_e3m4, Format(4, 3, 8, "all"): None}


def decoded(format, dtype):
    """{code: value} by ml_dtypes."""
    codes = np.arange(2**format.bits, dtype=np.uint16 if format.bits > 8 else np.uint8)
    with np.errstate(invalid="ignore"):
        return dict(zip(codes.tolist(), codes.view(dtype).astype(float).tolist(), strict=True))


def reference(x, format, mode, draw=None):
    """The magnitude that stands for x, by fractions: the codes below and above, and which is chosen; None: beyond."""
    size, step = abs(Fraction(x)), Fraction(2) ** (format.min_exponent - format.mantissa_bits)
    while size >= step * 2 ** (format.mantissa_bits + 1):
        step *= 2
    below, part = divmod(size, step)
    up = {"even": part * 2 > step or (part * 2 == step and below % 2), "zero": False}.get(mode)
    if mode == "stochastic":
        up = part + Fraction(draw) * step >= step
    found = (below + bool(up)) * step
    return None if found > Fraction(format.max) else float(found)


@pytest.mark.parametrize("name", SMALL)
def test_every_code_of_a_small_format_is_that_of_ml_dtypes(name):
    format, known = FORMATS[name], decoded(FORMATS[name], SMALL[name])
    finite = {code: value for code, value in known.items() if np.isfinite(value)}
    assert sorted(set(finite.values())) == list(format.values())
    assert format.max == max(finite.values()) and format.min_subnormal == min(v for v in finite.values() if v > 0)
    assert all(format.code(value) == code for code, value in finite.items())
    assert all(quantize(value, name) == value for value in finite.values())


@pytest.mark.parametrize("name", LARGE)
def test_every_code_of_a_16_bit_format(name):
    format, known = FORMATS[name], decoded(FORMATS[name], LARGE[name])
    finite = np.array([code for code, value in known.items() if np.isfinite(value)])
    values = np.array([known[code] for code in finite])
    assert np.array_equal(np.unique(values), format.values())
    assert np.array_equal(format.code(values), finite)


def draws(count, low, high):
    """float32 numbers of both signs, over all octaves from 2^low to 2^high; a quarter of them just between codes."""
    rng = np.random.default_rng(7)
    x = rng.choice([-1.0, 1.0], count) * 2.0 ** rng.uniform(low, high, count)
    return x.astype(np.float32)


@pytest.mark.parametrize(("name", "low", "high"), [("fp16", -27, 17), ("bf16", -126, 127)])
def test_a_million_numbers_get_the_16_bit_patterns_of_ml_dtypes(name, low, high):
    x = draws(1_000_000, low, high)
    x[::4] = (x[::4].view(np.uint32) & 0xFFFF8000).view(np.float32)  # ties of bf16, and short numbers
    x[1::4] = (x[1::4].view(np.uint32) & 0xFFFFF000).view(np.float32)  # ties of fp16
    with np.errstate(over="ignore"):
        theirs = x.astype(LARGE[name])
    found = FORMATS[name].quantize(x, overflow="infinity")
    assert np.array_equal(found, theirs.astype(float))
    finite = np.isfinite(found)
    assert np.array_equal(FORMATS[name].code(found[finite]), theirs[finite].view(np.uint16))


@pytest.mark.parametrize("name", SMALL)
def test_a_seeded_hundred_thousand_round_as_in_ml_dtypes(name):
    format = FORMATS[name]
    x = draws(100_000, -20, np.log2(format.max))
    between = np.array(format.values())
    x = np.concatenate([x, ((between[1:] + between[:-1]) / 2).astype(np.float32)])  # every tie
    ours = format.quantize(x)
    assert np.array_equal(ours, x.astype(SMALL[name]).astype(float))
    assert np.array_equal(np.signbit(ours), np.signbit(x))


@pytest.mark.parametrize(("format", "dtype"), [(f, d) for f, d in OTHERS.items() if d])
def test_formats_that_have_no_name_here_are_those_of_ml_dtypes(format, dtype):
    finite = [value for value in decoded(format, dtype).values() if np.isfinite(value)]
    assert sorted(set(finite)) == list(format.values())


@pytest.mark.parametrize("name", ELEMENTS)
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_that_of_whole_numbers(name, mode):
    format, rng = ELEMENTS[name], np.random.default_rng(5)
    top, low = np.log2(format.max), np.log2(format.min_subnormal)
    x = rng.choice([-1.0, 1.0], 600) * 2.0 ** rng.uniform(low - 3, min(top + 1, low + 60), 600)
    values = FORMATS["e2m1"].values() * format.min_subnormal
    x = np.concatenate([x, (values[1:] + values[:-1]) / 2])
    draws = np.random.default_rng(9).random(len(x))
    found = quantize(x, format, mode, rng=np.random.default_rng(9))
    wanted = [reference(one, format, mode, draw) for one, draw in zip(x.tolist(), draws.tolist(), strict=True)]
    assert np.abs(found).tolist() == [format.max if want is None else want for want in wanted]
    beyond = [want is None for want in wanted]
    wide = np.abs(quantize(x, format, mode, "infinity", np.random.default_rng(9)))[beyond]
    ends = {"ieee": np.inf, "fn": np.nan, "all": format.max}[format.flavor] if mode != "zero" else format.max
    assert np.array_equal(wide, np.full(sum(beyond), ends), equal_nan=True)


@given(
    st.integers(1, 8), st.integers(0, 10), st.sampled_from(["ieee", "fn", "all"]), st.floats(-1e6, 1e6), st.floats(0, 1)
)
@settings(max_examples=300, deadline=None)
def test_any_format_keeps_its_own_numbers_and_goes_to_a_neighbour(exponent_bits, mantissa_bits, flavor, x, other):
    format = Format(exponent_bits, mantissa_bits, None, flavor)
    found = format.quantize(x)
    assert format.quantize(found) == found == -format.quantize(-x) and abs(found) <= format.max
    assert format.quantize(x + other) >= found  # rounding keeps the order
    if format.bits <= 12:
        values = format.values()
        assert found in values and abs(found - x) == np.abs(values - x).min()


def test_formats_without_a_name_and_fp32():
    known = [v for v in decoded(Format(4, 3, 8, "all"), ml_dtypes.float8_e4m3fnuz).values() if np.isfinite(v)]
    assert sorted(known) == list(Format(4, 3, 8, "all").values())  # one zero, and NaN in the place of the other
    x = np.random.default_rng(1).standard_normal(100_000) * 2.0 ** np.random.default_rng(2).integers(-149, 127, 100_000)
    assert np.array_equal(FORMATS["fp32"].quantize(x), x.astype(np.float32).astype(float))
    assert FORMATS["fp32"].max == np.finfo(np.float32).max
    assert FORMATS["fp32"].min_subnormal == float(np.finfo(np.float32).smallest_subnormal)
    assert FORMATS["bf16"].max == float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    values = Format(1, 4).values()
    assert np.ptp(np.diff(values)) == 0 and values[-1] == 15 * Format(1, 4).min_subnormal
    assert INTEGERS["int8"].values().tolist() == [k / 64 for k in range(-127, 128)]
    assert INTEGERS["int4"].max / INTEGERS["int4"].min_subnormal == 7
    assert Format(1, 0).max == 0 == Format(1, 0).quantize(3.0)


def test_stochastic_rounding_is_right_on_average_and_never_unseeded():
    x = np.full(100_000, 1 + 2.0**-10)  # an eighth of a step of bf16
    found = FORMATS["bf16"].quantize(x, mode="stochastic", rng=np.random.default_rng(3))
    assert set(found) == {1.0, 1 + 2.0**-7} and abs(np.mean(found > 1) - 1 / 8) < 4 * (7 / 64 / 100_000) ** 0.5


def last(*given, **more):
    return list(convert_steps(*given, **more))[-1]


def test_conversions_by_hand():
    found = last(0.3, "fp16")  # 1.2 x 2^-2; 0.2 is 0.0011 0011 0011 ...
    assert (found.exponent, found.kept, found.guard) == (-2, "10011001100", "1")
    assert (found.rest[:4], found.sticky) == ("1001", 1)
    assert found.up and found.rounded == "10011001101" and not found.carries
    assert found.code == "0" + f"{15 - 2:05b}" + "0011001101" and found.value == 0.300048828125
    assert found.error_ulp == pytest.approx(0.2) and found.cut_off == pytest.approx(0.8)
    half = last(2.0**-25, "fp16")
    assert half.shift == 11 and half.guard == "1" and not half.sticky and not half.up and half.value == 0
    assert last(3 * 2.0**-25, "fp16").value == 2 * 2.0**-24
    assert last(1.5 * 2.0**-25, "fp16").value == 2.0**-24
    assert last(464, "e4m3").value == 448 and last(2049, "fp16").value == 2048 and last(2051, "fp16").value == 2052
    found = last(1.9999, "bf16")
    assert found.carries and found.value == 2 and found.code == "0" + "10000000" + "0000000"
    small = last(1.9999 * 2.0**-15, "fp16")  # the largest subnormal and a bit: the smallest normal
    assert small.shift == 1 and not small.carries and small.code == "0000010000000000"
    assert last(465, "e4m3").value == 448 and last(465, "e4m3").beyond
    beyond = last(465, "e4m3", overflow="infinity")
    assert np.isnan(beyond.value) and beyond.code[1:] == "1" * 7
    assert last(65519, "fp16").value == 65504 and last(-65520, "fp16", overflow="infinity").value == -np.inf
    assert last(1e6, "e2m1", overflow="infinity").value == 6


@pytest.mark.parametrize("name", ELEMENTS)
def test_every_step_tells_of_one_conversion(name):
    states = list(convert_steps(0.3, name))
    assert tuple(state.step for state in states) == STEPS
    assert len({state.code for state in states}) == 1 and len(states[0].code) == ELEMENTS[name].bits


HOW = st.tuples(*map(st.sampled_from, ([*ELEMENTS], MODES, OVERFLOWS)))


@given(st.floats(-(2.0**20), 2.0**20), HOW, st.integers(0, 99))
@settings(max_examples=500, deadline=None)
def test_bits_and_remainders_agree(x, how, seed):
    (name, mode, _), found = how, last(x, *how, np.random.default_rng(seed))
    wanted = quantize(x, *how, np.random.default_rng(seed))
    assert np.array_equal(found.value, wanted, equal_nan=True)
    assert np.signbit(wanted) in (found.negative, np.isnan(wanted))
    if np.isfinite(wanted):
        assert int(found.code, 2) == ELEMENTS[name].code(np.copysign(wanted, x))
        assert found.error_ulp <= (0.5 if mode == "even" else 1) or found.beyond


LISTED = [f for f in ELEMENTS.values() if f.bits <= 16]
LISTED += [Format(1, 0), Format(1, 5), Format(3, 0), Format(5, 2, None, "fn")]


@pytest.mark.parametrize("format", LISTED)
def test_octaves_count_the_codes(format):
    values = format.values()
    exponents = np.frexp(values[values > 0])[1] - 1
    counted = dict(zip(*np.unique(exponents, return_counts=True), strict=True))
    assert {one.exponent: one.codes for one in ruled(format).octaves} == counted
    assert all(one.subnormal == (one.exponent < format.min_exponent) for one in ruled(format).octaves)


CLOUDS = [("fp16", -24, 3, 0), ("fp16", -24, 3, 33), ("e5m2", -24, 3, 20), ("e4m3", -24, 5, 23), ("bf16", -40, 8, 0)]


@pytest.mark.parametrize("name, median, deviation, scale", [*CLOUDS, ("e2m1", 0, 2, 1)])
def test_shares_are_those_of_drawn_gradients(name, median, deviation, scale):
    drawn = 2.0 ** np.random.default_rng(1).normal(median, deviation, 1_000_000)
    moved, format = drawn * 2.0**scale, ELEMENTS[name]
    found = landed(name, median, deviation, scale)
    stored = quantize(moved, format)
    over = moved > format.max + 2.0 ** (format.max_exponent - format.mantissa_bits) / 2
    wanted = {"vanish": stored == 0, "overflow": over, "subnormal": (stored > 0) & (moved < format.min_normal)}
    for fate, so in wanted.items():
        assert found.share(fate) == pytest.approx(np.mean(so), abs=2e-3)
    assert sum(bar.share for bar in found.bars) == pytest.approx(1)


@pytest.mark.parametrize(("name", "low", "high"), [("fp16", 6, 33), ("e5m2", 14, 32.9), ("e4m3", 21, 25.88)])
def test_the_window_of_scales_loses_little_at_each_end(name, low, high):
    window = landed(name, -24, 3).window
    assert window == pytest.approx((low, high), abs=0.05)
    assert landed(name, -24, 3, window[0]).share("vanish") == pytest.approx(FEW)
    assert landed(name, -24, 3, window[1]).share("overflow") == pytest.approx(FEW)


@pytest.mark.parametrize("zero_point", [False, True])
@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("shape", calibration.SHAPES)
def test_every_value_goes_to_the_nearest_integer(shape, bits, zero_point):
    x, grid = calibration.sample(shape), calibration.gridded(shape, bits, zero_point)
    assert len(grid.codes) == 2**bits - (not zero_point) and 0 in grid.at
    nearest = grid.at[np.abs(x[:, None] - grid.at).argmin(axis=1)]
    noise = np.sum((x - nearest) ** 2)
    assert grid.snr_db == pytest.approx(10 * np.log10(np.sum(x**2) / noise), abs=0.15)  # the zero point is rounded, too
    assert grid.used.sum() <= len(np.unique(nearest)) + 1 and grid.counts.sum() == len(x)


def test_grids_with_a_zero_point():
    alone, with_zero = (calibration.gridded("after ReLU", 8, zero).snr_db for zero in (False, True))
    assert with_zero - alone == pytest.approx(6.02, abs=0.3)
    even, shifted = (calibration.gridded("weights", 8, zero).snr_db for zero in (False, True))
    assert abs(shifted - even) < 1
    assert calibration.gridded("after ReLU", 4).used.mean() == pytest.approx(8 / 15)
    assert calibration.sample("after ReLU").min() == 0 and calibration.sample("weights").mean() == pytest.approx(
        0, abs=0.1
    )
    assert -0.18 < calibration.sample("after GELU").min() < -0.16
    # After ReLU 15 codes instead of 7 over the same range; weights gain from unequal ends alone, small blocks more.
    relu, weights = calibration.zero_point_gains("after ReLU"), calibration.zero_point_gains("weights")
    assert relu.mean() == pytest.approx(20 * np.log10(15 / 7), abs=0.1)
    assert 20 * np.log10(15 / 14) < weights.mean() < calibration.zero_point_gains("weights", size=32).mean()


def test_clouds_of_gradients():
    assert landed("fp16", -24, 3).share("vanish") == pytest.approx(0.37, abs=0.001)
    assert landed("bf16", -24, 3).share("vanish") < 1e-12
    assert landed("e4m3", -24, 5).window is None
    run = list(reach.slide())
    assert [run[0].median, run[-1].median, len(run)] == [0, -24, 25] and list(run[0].rulers) == list(reach.RULERS)
    assert run[-1].rulers["fp16"].lost == pytest.approx(0.37, abs=0.001) and run[-1].middle == -24


@pytest.mark.parametrize("name", ["fp16", "e5m2"])
def test_the_least_factor_that_saves_a_gradient(name):
    for exponent in range(27, 31):
        factor, tiny = reach.rescue(exponent, name), 2.0**-exponent
        assert quantize(factor * tiny, name) > 0 == quantize(factor / 2 * tiny, name)
        assert reach.rescue(exponent, name, True) * tiny == FORMATS[name].min_normal
