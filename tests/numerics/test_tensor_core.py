"""Inside a tensor core: by hand, against whole numbers, and as an H100 and an H200 added."""

from fractions import Fraction

import numpy as np
import pytest

from accelerator_lib.data.kernels import timed
from accelerator_lib.numerics import tensor_core


def test_what_lies_below_the_step_is_cut_off():
    group = np.zeros((1, 32))
    group[0, :3] = 4.0, 2.0**-11, 2.0**-12  # the largest exponent is 2: with 13 fraction bits a step is 2^-11
    assert tensor_core.added(np.zeros(1), group, 13)[0] == 4 + 2.0**-11
    assert tensor_core.added(np.full(1, 64.0), group, 13)[0] == 68.0  # beside a sum of 64 both are below a step of 2^-7
    assert tensor_core.added(np.zeros(1), np.zeros((1, 32)), 13)[0] == 0


def by_whole_numbers(products, bits):
    """The same in exact arithmetic, one term at a time."""
    total = Fraction(0)
    for start in range(0, len(products), tensor_core.GROUP):
        terms = [*map(Fraction, products[start : start + tensor_core.GROUP].tolist()), total]
        whole = sum(cut(one, max(map(abs, terms)), bits) for one in terms)
        total = cut(whole, whole, bits)
    return float(total)


def cut(one, beside, bits):
    step = Fraction(2) ** (int(np.frexp(float(beside))[1]) - 1 - bits)
    return step * int(one / step)


@pytest.mark.parametrize("bits", [6, 13, 20])
@pytest.mark.parametrize("mean", [0.0, 1.0])
def test_as_exact_arithmetic_adds(bits, mean):
    products, sums = tensor_core.dots(mean)[:2, :512], np.zeros(2)
    for start in range(0, 512, 32):
        sums = tensor_core.added(sums, products[:, start : start + 32], bits)
    assert sums.tolist() == [by_whole_numbers(each, bits) for each in products]


@pytest.mark.parametrize("system", ["h100_sxm", "h200_sxm"])
@pytest.mark.parametrize("mean", [0.0, 1.0])
@pytest.mark.parametrize(("how", "at"), [("fp8_fast", 0), ("fp8_exact", 1)])
def test_thirteen_bits_are_what_hopper_keeps(system, mean, how, at):
    found = timed("rounding", system=system, how=how, mean=mean)
    lengths = found["k"] <= tensor_core.LONGEST
    off = {}
    for bits in (12, 13, 14):
        told = np.array([tensor_core.errors(bits, mean)[k][at] for k in found["k"][lengths].tolist()])
        off[bits] = np.abs(np.log(told / found["of_magnitudes"][lengths]))
    assert off[13].max() < 0.3 and min(off[12].min(), off[14].min()) > 0.4


def test_no_error_passes_the_bound_and_none_is_left_with_many_bits():
    for mean in (0.0, 1.0):
        for bits in (6, 13, 20):
            assert all(max(its) < terms * 2.0**-bits for terms, its in tensor_core.errors(bits, mean).items())
        assert max(tensor_core.errors(40, mean)[4096]) == 0
