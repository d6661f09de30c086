"""Scales, sums and weights in few bits."""

from itertools import pairwise

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accelerator_course.frames.numerics import BLOCK_STEPS, block_steps, shown, sum_steps
from accelerator_lib import numerics
from accelerator_lib.numerics import (
    ELEMENTS,
    FORMATS,
    HOPPER_FP8,
    accumulate,
    affine_quantize,
    amax,
    bits_per_element,
    block_quantize,
    block_scales,
    gptq,
    int_quantize,
    lost_beside,
    masters,
    mx_block_scale,
    outlier,
    quantize,
    snr_db,
    sparse_bytes_ratio,
    sum_of_ones,
    terms,
)
from accelerator_lib.numerics.formats import MODES
from accelerator_lib.numerics.scales import ODD, SCALE_BITS
from accelerator_lib.numerics.sums import TERMS

NORMAL = np.random.default_rng(0).standard_normal(2**14)
BLOCKS = arrays(float, st.integers(1, 70), elements=st.floats(-1e4, 1e4))


def looped(x, element, block, scale):
    """block_quantize number by number, nearest code by search."""
    element, found = ELEMENTS[element], []
    codes = element.values()
    tensor = np.float32(np.abs(x).max() / element.max / 448) if scale == "e4m3" else 1
    for start in range(0, len(x), block):
        own = x[start : start + block]
        most = np.abs(own).max()
        if scale == "e8m0":
            step = 2.0 ** (np.floor(np.log2(most)) - np.floor(np.log2(element.max)))
        elif scale == "e8m0 up":
            step = 2.0 ** np.ceil(np.log2(most / element.max))
        else:
            stored = {"fp32": np.float32, "fp16": np.float16}.get(scale)
            wanted = most / element.max
            step = float(stored(wanted)) if stored else FORMATS["e4m3"].quantize(wanted / float(tensor)) * float(tensor)
        found += [codes[np.abs(codes * step - one).argmin()] * step for one in own]
    return np.array(found)


@pytest.mark.parametrize("scale", SCALE_BITS)
@pytest.mark.parametrize("element", ["e2m1", "int4", "int8", "e4m3", "e2m3"])
def test_blocks_are_what_a_loop_gives(element, scale):
    x = NORMAL[:200] * np.repeat(2.0 ** np.random.default_rng(1).integers(-4, 5, 8), 25)
    assert block_quantize(x, element, 16, scale) == pytest.approx(looped(x, element, 16, scale), rel=1e-12)


@given(BLOCKS, st.integers(2, 16))
@settings(deadline=None)
def test_integers_are_within_half_a_step(x, bits):
    q, scale = int_quantize(x, bits)
    assert np.abs(x - scale * q).max() <= scale * (0.5 + 1e-9) + 1e-320 and np.abs(q).max() < 2 ** (bits - 1)
    q, scale, zero = affine_quantize(x, bits)
    assert np.abs(x - scale * (q - zero)).max() <= scale * (1 + 1e-9) + 1e-320 and q.min() >= 0 and q.max() < 2**bits


@given(BLOCKS, st.sampled_from(["e2m1", "int4", "e4m3", "int8"]), st.integers(1, 33), st.sampled_from(["e8m0", "fp32"]))
@settings(deadline=None)
def test_twice_is_once_signs_mirror_and_powers_of_two_pass_through(x, element, block, scale):
    once = block_quantize(x, element, block, scale)
    assert once.shape == x.shape and np.array_equal(-once, block_quantize(-x, element, block, scale))
    if scale == "e8m0":
        assert np.array_equal(block_quantize(once, element, block, scale), once)
        if np.abs(x[x != 0]).min(initial=1) > 1e-20:
            assert np.array_equal(block_quantize(2.0**10 * x, element, block, scale), 2.0**10 * once)


def test_integers_and_blocks_by_hand():
    assert mx_block_scale(100, 2) == 16 and mx_block_scale(7.9, 2) == 1 and mx_block_scale(8, 2) == 2
    assert list(mx_block_scale(np.array([1e-300 + 1, 6.0]), 2)) == [0.25, 1]
    assert mx_block_scale(1e-30, 127) == 2.0**-127  # the smallest that eight bits can hold
    q, scale = int_quantize([0.1, -0.7, 2.4, 5.2], 8)
    assert q.tolist() == [2, -17, 59, 127] and scale == 5.2 / 127
    q, scale = int_quantize([0.1, -0.7, 2.4, 5.2], 8, largest=2.54)
    assert q.tolist() == [5, -35, 120, 127] and scale == 0.02
    assert int_quantize(np.zeros(3), 4)[0].tolist() == [0, 0, 0]
    q, scale, zero = affine_quantize([0.0, 1.0, 3.0], 2)
    assert q.tolist() == [0, 1, 3] and (scale, zero) == (1.0, 0)
    q, scale, zero = affine_quantize([-1.0, 0.0, 2.0], 4)
    assert q.tolist() == [0, 5, 15] and zero == 5 and scale == 0.2
    assert affine_quantize([2.0, 3.0], 8)[2] == 0  # the range is widened to zero
    q, scale, zero = affine_quantize([-9.0, 0.0, 9.0], 4, low=0.0, high=1.5)
    assert q.tolist() == [0, 0, 15] and affine_quantize([0.0, 0.0], 4)[0].tolist() == [0, 0]
    x = np.array([1e6] + [0.0] * 3 + [1e-4] * 4)
    found = block_quantize(x, "e2m1", 4, "e4m3")
    assert found[0] == pytest.approx(1e6, rel=1e-6) and not found[4:].any()
    assert not block_quantize(np.zeros(8), "e2m1", 4, "e4m3").any() and block_quantize(3.0, "e2m1", 4, "e8m0") == 3
    assert block_scales([0.0, 3.0], "e2m1", "e8m0").tolist() == [0, 0.5]
    x = NORMAL[:70].reshape(2, 35)
    found = block_quantize(x, "int8", 16, "fp32")
    assert found.shape == x.shape
    assert np.array_equal(found[1, 32:], block_quantize(x[1, 32:], "int8", 16, "fp32"))


def test_ratios_of_normal_numbers():
    def snr(block, scale, element="e2m1"):
        return snr_db(NORMAL, block_quantize(NORMAL, element, block, scale))

    assert snr(32, "e8m0") == pytest.approx(18.79, rel=1e-3) and snr(16, "e4m3") == pytest.approx(20.52, rel=1e-3)
    even = 10 * np.log10(np.mean(NORMAL**2) / ((np.abs(NORMAL).max() / 127) ** 2 / 12))  # noise of an even grid
    assert snr(2**14, "fp32", "int8") == pytest.approx(even, abs=0.1)
    assert snr(128, "fp16", "int4") == pytest.approx(18.6, abs=0.2)
    assert [bits_per_element(4, *scale) for scale in ((32, 8), (16, 8), (128, 16))] == [4.25, 4.5, 4.125]
    assert snr_db([3.0, 4.0], [3.0, 4.5]) == pytest.approx(20)
    half = np.linspace(-1, 1, 10_001)  # noise of an even grid: step^2 / 12
    q, scale = int_quantize(half, 8)
    assert snr_db(half, scale * q) == pytest.approx(10 * np.log10((1 / 3) / (scale**2 / 12)), abs=0.05)


SIZES = st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=40)


@given(SIZES, st.integers(1, 60), st.sampled_from(["e4m3", "e5m2"]), st.integers(0, 4))
def test_a_loop_finds_the_same_scales(sizes, history, format, margin):
    found = amax.delayed(sizes, history, format, margin)
    for step, scale in enumerate(found.scales):
        known = max(sizes[max(0, step - history) : step] or [sizes[0]])
        assert scale == pytest.approx(FORMATS[format].max / 2**margin / known)
        assert found.clipped[step] == (sizes[step] * scale > FORMATS[format].max * (1 + 1e-12))


@pytest.mark.parametrize("history", [1, 16, 1024])
def test_a_spike_is_clipped_whatever_the_history(history):
    found = amax.delayed(amax.magnitudes(16.0), history)
    assert found.clipped[amax.AT] and found.worst > 8


def test_a_long_history_clips_less_and_wastes_more():
    sizes = amax.magnitudes(16.0)
    short, long = amax.delayed(sizes, 1), amax.delayed(sizes, 1024)
    assert short.clipped.sum() > 100 * long.clipped.sum() >= 100
    after = slice(amax.AT + 2, amax.AT + 1000)
    assert long.headroom_octaves[after].mean() > 4 > 1 > short.headroom_octaves[after].mean()
    assert long.headroom_octaves[-1] < 2  # 1,024 steps later the spike is forgotten


@given(SIZES)
def test_with_a_margin_nothing_that_grows_less_is_clipped(sizes):
    spread = np.log2(max(sizes) / min(sizes))
    if spread < 7.9:
        assert not amax.delayed(sizes, 1, margin=8).clipped.any()


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
    draws = [np.random.default_rng(seed) for seed in range(60)]
    ends = [list(accumulate(np.ones(1024), "bf16", mode="stochastic", rng=draw))[-1] for draw in draws]
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


def last(size, block, element, scale, count=32):
    *_, state = block_steps(outlier(size, count), element, block, scale)
    return state


@pytest.mark.parametrize("scale", ["e8m0", "e4m3", "fp32"])
@pytest.mark.parametrize("element", ["e2m1", "int4", "e4m3"])
@pytest.mark.parametrize("block", [8, 32])
def test_step_by_step_is_what_block_quantize_gives(element, scale, block):
    for size in (1.0, 16.0, 100.0, 1000.0):
        state = last(size, block, element, scale)
        assert state.back.ravel() == pytest.approx(
            block_quantize(state.values.ravel(), element, block, scale), rel=1e-15
        )
        assert set(np.abs(state.stored).ravel()) <= set(state.codes)
    if element == "int4":
        assert state.codes.tolist() == list(range(8))


def test_outliers_step_by_step():
    states = list(block_steps(outlier(100.0, 32), "e2m1", 16, "e8m0"))
    assert tuple(state.step for state in states) == BLOCK_STEPS and states[0].hit == 0 and states[0].block == 16
    assert np.sum(np.abs(states[0].values) > 1) == 1 and states[0].values[0, ODD] == 100
    assert not last(8.0, 32, "e2m1", "e8m0").lost.any()
    eight = last(8.0, 32, "e2m1", "e8m0")
    assert snr_db(eight.others(eight.values), eight.others(eight.back)) == pytest.approx(8, abs=0.2)
    for size in (16.0, 100.0, 1000.0):
        assert last(size, 32, "e2m1", "e8m0").lost.sum() == 31
    assert lost_beside(100.0, 32, "e2m1", "e8m0") == 31 and lost_beside(8.0, 32, "e2m1", "e8m0") == 0
    assert last(100.0, 8, "e2m1", "e8m0").lost.sum() == 7
    wide = last(1000.0, 32, "e4m3", "fp32")
    assert snr_db(wide.others(wide.values), wide.others(wide.back)) == pytest.approx(32, abs=0.5)


@pytest.mark.parametrize("chunk", [None, 8, 128])
@pytest.mark.parametrize("kind", TERMS)
def test_sums_step_by_step_are_those_of_accumulate(kind, chunk):
    given = terms(kind, 600)
    states, sums = list(sum_steps(given, "bf16", chunk)), list(accumulate(given, "bf16", chunk))
    assert [state.number for state in states] == shown(600)
    assert all(state.sum == sums[state.number - 1] for state in states)
    assert states[-1].exact == pytest.approx(given.sum(), rel=1e-12) and states[-1].most >= abs(states[-1].sum)
    assert states[-1].sums.tolist() == [state.sum for state in states]
    for state in states:
        assert abs(state.held - state.wanted) <= state.ulp / 2
        if chunk and state.number % chunk == 1:
            assert state.before == 0


def test_sums_that_stick_and_errors_that_grow():
    states = list(sum_steps(np.ones(600), "bf16"))
    assert not states[0].stuck and states[-1].stuck
    assert states[-1].before == states[-1].held == 256 and states[-1].ulp == 2
    assert next(s.number for s in states if s.stuck) == min(n for n in shown(600) if n > 256)
    # Error over the square root of the number of terms, over 40 draws: about twice for four times the terms.
    errors = {length: [] for length in (256, 1024, 4096)}
    for seed in range(40):
        given = terms("products of both signs", 4096, seed)
        error = np.abs(np.array(list(accumulate(given, "bf16"))) - np.cumsum(given))
        for length, found in errors.items():
            found.append(error[length - 1] / length**0.5)
    small, middle, large = (np.mean(np.square(found)) ** 0.5 for found in errors.values())
    assert middle / small == pytest.approx(2, rel=0.35) and large / middle == pytest.approx(2, rel=0.35)


@pytest.fixture(scope="module")
def run():
    return list(numerics.gptq_steps(*gptq.example(0.7), 4))


def test_weights_get_worse_and_outputs_better(run):
    first, last = run[0], run[-1]
    assert first.weight_snr_db == float("inf") and len(run) == 65
    assert last.weight_snr_db < last.plain_weight_snr_db - 4
    assert last.output_snr_db > last.plain_output_snr_db + 1


@pytest.mark.parametrize("seed", range(3))
def test_more_correlation_more_gain(seed):
    gains = []
    for share in (0.0, 0.5, 0.9):
        *_, last = numerics.gptq_steps(*gptq.example(share, seed))
        gains.append(last.output_snr_db - last.plain_output_snr_db)
    assert gains == sorted(gains) and abs(gains[0]) < 0.4


def test_uncorrelated_inputs_are_rounded_plainly():
    x = np.repeat(np.eye(8), 4, axis=0) * np.arange(1, 9)  # X^T X is diagonal
    *_, last = numerics.gptq_steps(np.random.default_rng(0).standard_normal((8, 5)), x, 3)
    assert np.array_equal(last.weights, last.plain)


def test_the_output_error_from_x_itself(run):
    """The second road: X W, not X^T X."""
    w, x = gptq.example(0.7)
    last = run[-1]
    assert last.output_snr_db == pytest.approx(numerics.snr_db(x @ w, x @ last.weights), abs=1e-6)


def test_each_step_is_the_least_squares_answer():
    """The second road: what the others become is found by solving for them, not from a factor of the inverse."""
    w, x = gptq.example(0.7)
    w, x = w[:10, :4], x[:, :10]
    moment = x.T @ x
    damped = moment + np.eye(10) * 0.01 * np.trace(moment) / 10
    run = list(numerics.gptq_steps(w, x, 4))
    for before, after in pairwise(run):
        j = before.done
        error = after.weights[j] - before.weights[j]
        rest = slice(j + 1, None)
        wanted = before.weights[rest] - np.linalg.solve(damped[rest, rest], np.outer(damped[rest, j], error))
        assert np.allclose(after.weights[rest], wanted)


@settings(max_examples=25)
@given(st.integers(2, 8), st.integers(0, 2**31), st.integers(1, 12), st.integers(1, 6))
def test_every_weight_ends_on_its_grid(bits, seed, inputs, outputs):
    draw = np.random.default_rng(seed)
    w = draw.standard_normal((inputs, outputs))
    *_, last = numerics.gptq_steps(w, draw.standard_normal((20, inputs)), bits)
    steps = last.weights / last.steps
    assert np.allclose(steps, np.rint(steps)) and np.abs(steps).max() <= 2 ** (bits - 1) - 1 + 1e-9


def test_two_of_four_by_hand():
    for bits in (4, 8, 16, 32):
        dense, kept = 4 * bits, 2 * bits + 2 * 2  # two values, two places of two bits
        assert sparse_bytes_ratio(bits) == kept / dense == 0.5 + 1 / bits


@pytest.mark.parametrize("update", [1e-4, 1e-3, 0.0123])
def test_as_ml_dtypes_adds(update):
    found = masters.updated(1000, update)
    for name, kind in (("FP32 master", np.float32), ("fp16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        weight = np.float64(1)
        for _ in range(1000):
            weight = np.float64(kind(weight + update))
        assert found[name] == pytest.approx(weight, rel=1e-6)


@given(st.lists(st.integers(0, 4000), min_size=1, max_size=5))
def test_arrays_are_points(counts):
    found = masters.updated(counts)
    for name, values in found.items():
        assert [masters.updated(count)[name] for count in counts] == values.tolist()


def test_masters_by_hand():
    found = masters.updated(1000, 0.001)
    assert found["bf16"] == 1 and found["fp16"] == pytest.approx(1.9766, abs=1e-4)
    assert found["FP32 master"] == pytest.approx(2, abs=1e-4)
    draws = [masters.updated(1000, 0.001, seed)["bf16, stochastic"] for seed in range(20)]
    assert np.mean(draws) == pytest.approx(2, abs=0.05) and np.std(draws) > 0.01
    assert set(masters.updated(0).values()) == {1.0}
