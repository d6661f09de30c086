"""Dual numbers against small differences and against JAX."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.design.dual import Dual, on_dual, variables

value = st.floats(0.5, 8)


def law(x, y, on):
    """Something with every operation in it."""
    both = x * y - 3 / x + (2 - y) ** 2 + x / y - x
    return on.sqrt(on.maximum(both, 0.25) + 1) * on.exp(-x) + on.where(x > y, x, 2 * y) + on.minimum(x, 3.0) * 5 - (-y)


@given(value, value)
def test_slopes_are_those_of_small_differences(x, y):
    on, step = on_dual(smooth=True), 1e-6
    both = x * y - 3 / x + (2 - y) ** 2 + x / y - x
    if min(abs(x - y), abs(x - 3), abs(both - 0.25)) < 1e-3:
        return  # at a kink there is no slope
    found = law(*variables((x, y)), on)
    assert found.value == pytest.approx(law(x, y, on))
    by_x = (law(x + step, y, on) - law(x - step, y, on)) / (2 * step)
    by_y = (law(x, y + step, on) - law(x, y - step, on)) / (2 * step)
    assert found.slopes == pytest.approx([by_x, by_y], rel=1e-4, abs=1e-4)


def test_slopes_are_those_of_jax():
    import jax
    import jax.numpy as jnp

    from accelerator_lib.design.numbers import on_jax

    for x, y in ((1.5, 2.5), (4.0, 2.0), (3.0, 3.0)):  # the last at two kinks
        mine = law(*variables((x, y)), on_dual(smooth=True)).slopes
        theirs = jax.grad(lambda both: law(both[0], both[1], on_jax(smooth=True)))(jnp.array([x, y]))
        assert mine == pytest.approx(np.asarray(theirs), rel=1e-4)


def test_rounding_up_is_a_staircase_or_a_ramp():
    (x,) = variables((2.5,))
    built, smooth = on_dual(), on_dual(smooth=True)
    assert built.ceil(x) == 3 and built.floor(x) == 2  # plain numbers: no slope at all
    assert smooth.ceil(x).value == 2.5 and smooth.ceil(x).slopes == [1] and smooth.floor(x).slopes == [1]
    assert smooth.ceil(0.2 * x).value == 1 and smooth.ceil(0.2 * x).slopes == [0]


def test_arrays_broadcast_and_are_summed():
    x, y = variables((2.0, 3.0))
    rows = np.array([1.0, 2.0, 4.0])
    found = (rows * x + y / rows).sum(0)
    assert isinstance(found, Dual) and found.value == 14 + 3 * 1.75 and list(found.slopes) == [7, 1.75]
    assert (rows / x).value.tolist() == [0.5, 1, 2] and (x**2).slopes.tolist() == [4, 0]
    assert x < y and y > 2 and x <= 2 and y >= x
