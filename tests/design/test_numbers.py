"""Three kinds of arithmetic say the same; the smooth one rounds nothing."""

import math

import numpy as np
import pytest

from accelerator_lib.design.numbers import PLAIN, on_jax, on_numpy


@pytest.mark.parametrize("on", [PLAIN, on_numpy(), on_jax()], ids=["plain", "numpy", "jax"])
def test_each_operation(on):
    assert float(on.maximum(2.0, 3.0)) == 3 and float(on.minimum(2.0, 3.0)) == 2
    assert float(on.where(True, 4.0, 5.0)) == 4 and float(on.where(False, 4.0, 5.0)) == 5
    assert float(on.sqrt(9.0)) == 3 and float(on.exp(1.0)) == pytest.approx(math.e)
    assert float(on.ceil(2.1)) == 3 and float(on.floor(2.9)) == 2
    assert on.keep(on) is on


def test_arrays_go_element_by_element():
    values = np.array([0.2, 1.0, 3.7])
    for on in (on_numpy(), on_jax()):
        assert np.asarray(on.ceil(values)).tolist() == [1, 1, 4]


def test_smooth_rounds_nothing_but_keeps_at_least_one():
    smooth = on_jax(smooth=True)
    assert [float(smooth.ceil(v)) for v in (0.2, 1.0, 3.75)] == [1, 1, 3.75]
    assert float(smooth.floor(3.75)) == 3.75
