"""The arithmetic in NumPy beside that in JAX: roundings to the bit, a step and a whole run as closely as sums allow."""

import sys

import numpy as np
import pytest

from accelerator_lib.numerics import lowbit
from accelerator_lib.numerics.lowbit_steps import IN_JAX, IN_NUMPY

DRAW = np.random.default_rng(5)
NUMBERS = (DRAW.standard_normal(20_000) * 2.0 ** DRAW.integers(-24, 12, 20_000)).astype(np.float32)


@pytest.mark.parametrize("name", list(lowbit.TRAINED))
@pytest.mark.parametrize("per_tensor", [False, True])
def test_rounding_is_that_of_jax(name, per_tensor):
    form = lowbit._traced(lowbit.TRAINED[name])
    for x in (NUMBERS, np.zeros(8, np.float32), np.float32(1e-6) * NUMBERS[:100]):
        here, there = (module.rounded(x, form, per_tensor) for module in (IN_NUMPY, IN_JAX))
        assert all(np.array_equal(a, b) for a, b in zip(here, there, strict=True))


def test_weights_are_stored_as_in_jax():
    weight, noise = NUMBERS.reshape(100, 200), np.random.default_rng(2).random((100, 200), np.float32)
    for kind in range(3):
        assert np.array_equal(IN_NUMPY.stored(weight, noise, kind), IN_JAX.stored(weight, noise, kind))


def test_gradients_are_those_of_jax():
    form, weights = lowbit._traced(lowbit.TRAINED["e4m3"]), lowbit._layers(np.random.default_rng(1))
    x = lowbit._data()[0][:64]
    gradient = np.random.default_rng(3).standard_normal((64, 64)).astype(np.float32)
    outputs, kept = IN_NUMPY.forward_pass(weights, x, form, False)
    others, theirs = IN_JAX.forward_pass(weights, x, form, False)
    assert np.allclose(outputs, others, atol=1e-4)
    here, there = (
        module.backward_pass(each, gradient, form, False) for module, each in ((IN_NUMPY, kept), (IN_JAX, theirs))
    )
    assert np.allclose(here[0], there[0], atol=1e-3) and here[1:] == tuple(map(int, there[1:]))


@pytest.mark.parametrize(
    "how",
    [
        ("e4m3", "e4m3", 2.0**16, True),
        ("int8", "int8", 1.0, False, True),
        ("fp32", "fp32", 1.0, False, False, "bf16 stochastic", 0.003),
    ],
)
def test_a_run_learns_what_it_learns_in_jax(how, monkeypatch):
    """Fifty steps: sums in another order part two runs slowly, and a chaotic one does not come back."""
    with_jax = lowbit.Run(*_whole(how)).at(5)
    monkeypatch.setitem(sys.modules, "jax", None)
    lowbit._program.cache_clear()
    try:
        without = lowbit.Run(*_whole(how)).at(5)
    finally:
        lowbit._program.cache_clear()
    assert np.array_equal(without.skipped, with_jax.skipped) and np.array_equal(without.scales, with_jax.scales)
    assert without.losses == pytest.approx(with_jax.losses, abs=0.02)
    assert without.zero_share == pytest.approx(with_jax.zero_share, abs=0.01)


def _whole(how):
    usual = ("fp32", "fp32", 1.0, False, False, "fp32", 0.05, 0)
    return (*how, *usual[len(how) :])
