"""Running sums: where they stop, what promotion and draws do, and number by number against `quantize`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.numerics import ELEMENTS, FORMATS, HOPPER_FP8, accumulate, quantize, sum_of_ones, terms
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


def _aligned(terms, group=32, bits=14):
    """As Hopper does it: so many products and the sum are cut to `bits` below the largest of them, then added."""
    total = 0.0
    for at in range(0, len(terms), group):
        parts = np.append(terms[at : at + group], total)
        step = 2.0 ** (np.frexp(np.abs(parts).max())[1] - bits)
        total = float((np.trunc(parts / step) * step).sum())
    return total


@pytest.mark.parametrize("seed", range(4))
def test_fourteen_bits_lose_what_hopper_loses(seed):
    """One after the other, in groups of 32, and as half a step for every addition: about 8 % of products of one sign."""
    products = terms("products of one sign", 4096, seed)
    sums = list(accumulate(products, HOPPER_FP8, mode="zero"))
    lost = 1 - sums[-1] / products.sum()
    assert 0.07 < lost < 0.09
    assert 1 - _aligned(products) / products.sum() == pytest.approx(lost, abs=0.006)
    assert sum(2.0 ** (np.frexp(total)[1] - 15) for total in sums) / products.sum() == pytest.approx(lost, rel=0.1)
    promoted = list(accumulate(products, HOPPER_FP8, 128, "zero"))[-1]
    assert 1 - promoted / products.sum() < lost / 20


def test_fourteen_bits_are_a_mask_of_float64():
    total, want = 0.0, []
    for term in terms("products of one sign", 500, 1):
        bits = np.float64(total + term).view(np.uint64) & ~np.uint64(2 ** (52 - 13) - 1)
        want.append(total := float(bits.view(np.float64)))
    assert list(accumulate(terms("products of one sign", 500, 1), HOPPER_FP8, mode="zero")) == want


def test_what_cannot_be_is_one_clear_line():
    with pytest.raises(ValueError, match="^chunk = 0 is outside"):
        accumulate([1.0], "bf16", 0)
    with pytest.raises(ValueError, match="^terms is not a number"):
        accumulate([1.0, float("nan")], "bf16")
    with pytest.raises(TypeError, match="stochastic rounding needs rng"):
        list(accumulate([1.0], "bf16", mode="stochastic", rng=3))


def test_adding_32_aligned_products_at_a_time_loses_as_much_as_adding_one_by_one():
    """Hopper cuts 32 products and the sum to 14 bits of the largest of them; the chapter adds one after the other."""
    one_sign = np.asarray(terms("products of one sign", 4096, 0))
    total = 0.0
    for group in one_sign.reshape(-1, 32):
        step = 2.0 ** (np.frexp([total, *group])[1].max() - 14)
        total = step * (np.trunc(total / step) + np.trunc(group / step).sum())
        step = 2.0 ** (np.frexp(total)[1] - 14)
        total = step * np.trunc(total / step)
    alone = list(accumulate(one_sign, HOPPER_FP8, None, "zero"))[-1]
    assert total == pytest.approx(alone, rel=0.003) and alone < 0.93 * one_sign.sum()
