"""The arithmetic inside: rounding against Format.quantize, gradients against automatic ones, in JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from accelerator_lib.numerics import lowbit, quantize
from accelerator_lib.numerics.lowbit_steps import IN_JAX

DRAW = np.random.default_rng(5)
NUMBERS = (DRAW.standard_normal(20_000) * 2.0 ** DRAW.integers(-24, 12, 20_000)).astype(np.float32)


@pytest.mark.parametrize("name", [name for name in lowbit.TRAINED if name != "fp32"])
def test_rounding_is_that_of_the_format(name):
    form = lowbit.TRAINED[name]
    found, over, lost, some = IN_JAX.rounded(NUMBERS, lowbit._traced(form), False)
    wanted = quantize(NUMBERS, name)
    assert np.array_equal(np.asarray(found, float), wanted)
    assert (
        over == bool((np.abs(quantize(NUMBERS, name, overflow="infinity")) > form.max).any()) or form.flavor != "ieee"
    )
    assert lost == np.sum((wanted == 0) & (NUMBERS != 0)) and some == np.sum(NUMBERS != 0)


@pytest.mark.parametrize("name", ["e4m3", "int8", "int4", "e2m1"])
@pytest.mark.parametrize("size", [1e-6, 1.0, 3e4])
def test_a_scale_of_a_tensor_is_a_power_of_two_that_just_fits(name, size):
    form, x = lowbit.TRAINED[name], np.float32(size) * NUMBERS[:500]
    found, over, *_ = IN_JAX.rounded(x, lowbit._traced(form), True)
    stretch = 2.0 ** np.floor(np.log2(form.max / np.abs(x).max()))
    assert not over and np.array_equal(np.asarray(found, float), quantize(x * stretch, name) / stretch)


def test_gradients_are_those_of_automatic_differentiation():
    fp32 = lowbit._traced(lowbit.TRAINED["fp32"])
    weights = lowbit._layers(np.random.default_rng(1))
    inputs, arms = lowbit._data()
    x, y = inputs[:64], arms[:64]

    def loss(weights):
        h = x
        for weight in weights[:-1]:
            h = jnp.maximum(h @ weight, 0)
        return -jax.nn.log_softmax((h @ weights[-1])[:, :3])[jnp.arange(64), y].mean()

    outputs, kept = IN_JAX.forward_pass(weights, x, fp32, False)
    gradient = np.zeros((64, 64), np.float32)
    gradient[:, :3] = (jax.nn.softmax(outputs[:, :3]) - jax.nn.one_hot(y, 3)) / 64
    found, over, *_ = IN_JAX.backward_pass(kept, gradient, fp32, False)
    assert np.allclose(found, jax.grad(loss)(jnp.asarray(weights)), atol=1e-6) and not over


def test_stochastic_weights_are_right_on_average():
    weight = np.full((1, 40, 50), 1 + 1 / 512, np.float32)  # a quarter of a step of bf16 above 1
    noise = np.random.default_rng(2).random(weight.shape, np.float32)
    kept = np.asarray(IN_JAX.stored(weight, noise, 2))
    assert set(np.unique(kept)) == {1.0, 1 + 1 / 128} and (kept > 1).mean() == pytest.approx(0.25, abs=0.03)
    assert (np.asarray(IN_JAX.stored(weight, noise, 1)) == 1).all()
    assert np.array_equal(IN_JAX.stored(weight, noise, 0), weight)


@pytest.mark.parametrize("value", [2.0**-126, 1e-3, 1.0, 1.5, 3.0, 2.0**127])
def test_exponents_are_read_from_the_bits(value):
    assert IN_JAX.exponent(jnp.float32(value)) == np.frexp(np.float32(value))[1] - 1
    assert IN_JAX.power(jnp.int32(np.log2(2.0**5))) == 32
