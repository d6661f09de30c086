"""Running sums: where they stop, what promotion and draws do, and number by number against `quantize`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.numerics import ELEMENTS, FORMATS, accumulate, quantize, sum_of_ones
from accelerator_lib.numerics.formats import MODES


@pytest.mark.parametrize(("name", "stops"), [("e4m3", 16), ("bf16", 256), ("fp16", 2048), ("fp32", 4096)])
def test_ones_stop_where_half_a_step_is_one(name, stops):
    sums = list(accumulate(np.ones(4096), name))
    assert sums[-1] == stops and sums[:16] == list(range(1, 17))
    assert stops == min(4096, 2 ** (FORMATS[name].mantissa_bits + 1))
    assert sum_of_ones(4096, name) == stops and sum_of_ones(4096, FORMATS[name], chunk=8) == 4096


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ELEMENTS)
def test_the_sum_of_one_number_at_a_time_is_that_of_quantize(name, mode):
    terms = np.random.default_rng(4).standard_normal(300) * 2.0 ** np.random.default_rng(5).integers(-3, 3, 300)
    draws, total, wanted = np.random.default_rng(6), 0.0, []
    for term in terms:
        total = quantize(total + term, name, mode, rng=draws)
        wanted.append(total)
    assert list(accumulate(terms, name, mode=mode, rng=np.random.default_rng(6))) == wanted


def test_bf16_against_jax():
    import jax
    import jax.numpy as jnp

    terms = np.random.default_rng(1).random(512).astype(np.float32)
    step = jax.jit(lambda total, term: (total.astype(jnp.float32) + term).astype(jnp.bfloat16))
    total, theirs = jnp.zeros((), jnp.bfloat16), []
    for term in terms:
        total = step(total, term)
        theirs.append(float(total))
    assert list(accumulate(terms, "bf16")) == theirs  # fp32 adds a bf16 and a term: one more rounding, harmless here


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=60), st.integers(1, 9))
@settings(deadline=None)
def test_promotion_in_fp32_stays_near_and_no_chunk_is_one_sum(terms, chunk):
    exact, size = np.cumsum(terms), np.cumsum(np.abs(terms))
    promoted = np.array(list(accumulate(terms, "fp16", chunk)))
    assert np.all(np.abs(promoted - exact) <= size * (chunk + 1) * 2.0**-10 + len(terms) * 2.0**-24)
    assert list(accumulate(terms, "fp16", len(terms) + 1)) == list(accumulate(terms, "fp16"))


def test_stochastic_sums_are_right_on_average():
    ends = [
        list(accumulate(np.ones(1024), "bf16", mode="stochastic", rng=np.random.default_rng(s)))[-1] for s in range(60)
    ]
    assert np.mean(ends) == pytest.approx(1024, abs=4 * np.std(ends) / len(ends) ** 0.5)
    assert list(accumulate(np.ones(600), "bf16", mode="stochastic")) == list(
        accumulate(np.ones(600), "bf16", mode="stochastic")
    )


def test_what_cannot_be_is_one_clear_line():
    with pytest.raises(ValueError, match="^chunk = 0 is outside"):
        accumulate([1.0], "bf16", 0)
    with pytest.raises(ValueError, match="^terms is not a number"):
        accumulate([1.0, float("nan")], "bf16")
    with pytest.raises(TypeError, match="stochastic rounding needs rng"):
        list(accumulate([1.0], "bf16", mode="stochastic", rng=3))
