"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import numerics
from accelerator_lib.numerics import lowbit, published


@pytest.mark.parametrize("one", published.fp8_gemms(), ids=lambda one: f"{one.n}-{one.m}")
def test_a_kernel_that_quantises(one):
    fp8 = law("numerics", "fp8-function", "fp8")
    alone = fp8(one.m, 0.0, one.n)
    assert alone["roofline alone"] == alone["roofline and such a kernel"] == pytest.approx(one.roofline_ratio)
    if one.alone:  # with the time that was measured for it, the curve passes near the point
        near = fp8(one.m, 1e6 * one.quantise_seconds, one.n)["roofline and such a kernel"]
        assert near == pytest.approx(one.measured_ratio, rel=0.1)


@pytest.mark.parametrize("formats", ["E4M3 both ways", "int8 both ways"])
@pytest.mark.parametrize("scaling", ["static", "dynamic", "tensor"])
def test_a_training_run(formats, scaling):
    run = law("numerics", "train-function", "train")(formats, 8, scaling)
    name = formats.split()[0].lower()
    wanted = lowbit.watch(name, name, 2.0**8, scaling == "dynamic", scaling == "tensor")
    assert next(run) is next(wanted)  # the very same run, kept


@pytest.mark.parametrize("chip", ["h100-sxm5", "tpu-v4"])
def test_four_ways_to_use_int8(chip):
    assert law("numerics", "halved-function", "halved")(chip) == pytest.approx(numerics.opening.gains(chip))


@pytest.mark.parametrize("bits", [4, 8])
def test_clipping_and_rounding(bits):
    x = np.random.default_rng(8).standard_normal(2**18)
    lost = law("numerics", "clip-function", "clip")(2.5, bits, "normal")
    steps = np.linspace(-2.5, 2.5, 2**bits - 1)
    nearest = steps[np.searchsorted((steps[1:] + steps[:-1]) / 2, x)]
    assert -10 * np.log10(lost["together"]) == pytest.approx(numerics.snr_db(x, nearest), abs=0.05)
    assert lost["rounding"] + lost["clipping"] == pytest.approx(lost["together"])
