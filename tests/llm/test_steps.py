"""Weights, steps, passes and the two phases of an answer: by hand, by loops over tokens, and against each other."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accelerator_lib import hardware, llm, roofline
from accelerator_lib.llm import counts, phases, steps
from accelerator_lib.llm.passes import SCORE_BYTES, Work, work
from accelerator_lib.workload import models, transformer
from accelerator_lib.workload.work import Gemm


@pytest.mark.parametrize("id", [id for id, one in models.models().items() if one.kv_width])
def test_the_count_from_the_shape_is_that_of_the_table(id):
    record = models.models()[id]
    assert llm.param_count(id) == llm.param_count(llm.model(id)) == counts.of(llm.model(id)).weights == record.params
    assert llm.param_count(id, active=True) == counts.of(llm.model(id)).active == record.active_params


def test_weights_by_hand_and_where_the_formula_does_not_cover_the_shape():
    shape = llm.model("llama-3-70b")
    square, narrow, wide = 8192 * 8192, 8192 * 1024, 8192 * 28672
    layer = 2 * square + 2 * narrow + 3 * wide + 2 * 8192
    assert llm.param_count(shape) == 80 * layer + 8192 + 2 * 128256 * 8192
    latent = counts.of(llm.model("deepseek-v3"))
    assert (latent.weights, latent.active) == (671_026_419_200, 37_552_297_472)  # published: 671 and 37 billion


def test_caches_and_weights_that_a_step_reads():
    assert llm.kv_bytes_per_token("llama-2-7b") == 32 * 2 * 4096 * 2
    assert llm.kv_bytes_per_token("llama-3-70b", "int8") == 80 * 2 * 8 * 128
    assert llm.kv_bytes_per_token("llama-2-7b", "int4") == 32 * 2 * 4096 / 2
    assert llm.kv_bytes_per_token("deepseek-v3") == 61 * 576 * 2
    dense, mixture = (counts.of(llm.model(id)) for id in ("llama-3-8b", "mixtral-8x7b"))
    assert dense.read(1) == dense.read(512) == 8_030_261_248 - 128_256 * 4096
    assert mixture.read(1) == pytest.approx(mixture.met)
    assert mixture.read(10_000) == pytest.approx(llm.param_count("mixtral-8x7b") - 32_000 * 4096)
    assert counts.of(llm.model("deepseek-v3")).read(1) == pytest.approx(37e9, rel=0.03)  # published, and from its shape


@settings(max_examples=60)
@given(st.integers(1, 256), st.integers(1, 256), st.integers(1, 512))
def test_a_step_reads_no_fewer_experts_than_a_token_picks_and_no_more_than_there_are(count, active, batch):
    active = min(active, count)
    read = llm.experts_read(count, active, batch)
    assert active - 1e-9 <= read <= min(count, batch * active) + 1e-9
    assert llm.experts_read(count, active, batch + 1) >= read


A100, H100 = hardware.chip("a100-80gb-sxm"), hardware.chip("h100-sxm5")
MODELS = st.sampled_from(["llama-2-7b", "llama-3-8b", "llama-3-70b", "mixtral-8x7b"])


@pytest.mark.parametrize("batch", [1, 17, 200])
def test_the_arithmetic_of_a_step_is_the_sum_over_its_products(batch):
    one, context = llm.model("llama-3-8b"), 700
    parts = [*transformer.projections(batch, one.d_model, one.kv_width).values()]
    parts += transformer.mlp(batch, one.d_model, one.d_ff).values()
    flops = one.layers * sum(part.flops for part in parts) + Gemm(batch, one.vocab, one.d_model).flops
    flops += batch * one.layers * 2 * Gemm(1, context, one.d_model).flops  # scores, weighted sum
    rest = 2 * batch * one.d_model * (2 * one.layers + 1)  # norms: counted, too
    assert llm.decode_step(one, H100, batch, context).flops == flops + rest


def test_formats_chips_and_arrays():
    whole, halved = (llm.decode_step("llama-2-7b", A100, 4, 512, *dtypes) for dtypes in ((), ("int8", "int8")))
    assert halved.memory_seconds == whole.memory_seconds / 2 and halved.compute_seconds == whole.compute_seconds
    spread = llm.decode_step("llama-2-7b", A100, 4, 512, n_chips=4)
    assert spread.seconds == pytest.approx(whole.seconds / 4)
    assert llm.decode_step("llama-2-7b", A100, 4, 512, math_dtype="int8").compute_seconds == whole.compute_seconds / 2
    batch = np.array([1, 8, 512])
    many = llm.decode_step("mixtral-8x7b", H100, batch, 128)
    each = [llm.decode_step("mixtral-8x7b", H100, int(one), 128) for one in batch]
    assert list(many.seconds) == pytest.approx([one.seconds for one in each])
    assert list(many.bound) == [one.bound for one in each]


def test_a_prompt_is_arithmetic_unless_it_is_short():
    flops, seconds = llm.prefill("llama-2-7b", A100, 2048)
    assert (
        flops == 2 * 6_476_271_616 * 2048 + 2 * 131_072_000 + 2 * 32 * 4096 * 2048 * 2049 and seconds == flops / 312e12
    )
    assert llm.prefill("llama-2-7b", A100, 2048, mfu=0.5)[1] == 2 * seconds
    assert llm.prefill("llama-2-7b", A100, 2048, causal=False)[0] - flops == 2 * 32 * 4096 * 2048 * 2047
    assert llm.prefill("llama-2-7b", A100, 16)[1] == 2 * 6_607_343_616 / 2.039e12
    assert llm.prefill("llama-2-7b", A100, 2048, n_chips=8)[1] == pytest.approx(seconds / 8)


@settings(max_examples=60, deadline=None)
@given(MODELS, st.sampled_from([A100, H100]), st.integers(1, 4096))
def test_at_the_critical_batch_both_take_as_long(model, chip, context):
    batch = llm.critical_batch(model, chip, context)
    if batch is None:
        assert llm.decode_step(model, chip, 10**6, context).bound == "memory"
        return
    assume(2 <= batch < 9e5)
    for users, bound in ((int(batch) - 1, "memory"), (int(batch) + 2, "compute")):
        assert llm.decode_step(model, chip, users, context).bound == bound


@settings(max_examples=60)
@given(MODELS, st.integers(1, 32_768), st.integers(1, 10**6))
def test_no_batch_brings_more_tokens_a_second_than_the_most(model, context, users):
    most = steps.most_tokens_per_s(model, H100, context)
    assert llm.decode_step(model, H100, users, context).tokens_per_s <= most * (1 + 1e-12)
    assert llm.decode_step(model, H100, 10**9, context).tokens_per_s == pytest.approx(most, rel=1e-3)


def test_steps_by_hand():
    step = llm.decode_step("llama-2-7b", A100, 1, 1024)
    assert step.bytes_moved == 2 * 6_607_343_616 + 1024 * 524_288
    assert step.flops == 2 * 6_607_343_616 + 4 * 32 * 4096 * 1024
    assert step.seconds == step.memory_seconds == step.bytes_moved / 2.039e12 and step.bound == "memory"
    assert step.tokens_per_s == 1 / step.seconds
    assert steps.most_tokens_per_s("llama-2-7b", A100, 1024) == pytest.approx(2.039e12 / (1024 * 524_288))
    assert llm.critical_batch("llama-3-8b", H100, 393) > 1e4 and llm.critical_batch("llama-3-8b", H100, 394) is None
    read = steps.read("llama-2-7b", A100, 8, 1024)
    assert read.weights_seconds + 8 * read.cache_seconds == pytest.approx(read.step.seconds)
    assert read.longer == pytest.approx(1.2732851321026273)


@given(MODELS, st.integers(1, 300), st.integers(0, 20_000))
def test_one_new_token_is_a_decode_step(name, batch, cached):
    whole = llm.decode_step(name, "h100-sxm5", batch, cached + 1)
    found = work(name, 1, batch, cached)
    assert found.bytes_moved == pytest.approx(whole.bytes_moved)
    assert found.flops == pytest.approx(whole.flops)


@given(MODELS, st.integers(1, 5000))
def test_a_prompt_is_a_prefill(name, tokens):
    flops, _ = llm.prefill(name, "h100-sxm5", tokens)
    assert work(name, tokens).flops == pytest.approx(flops)


@given(st.integers(1, 40), st.integers(0, 40), st.integers(1, 3))
def test_pairs_of_tokens_counted_one_by_one(new, cached, batch):
    shape = llm.model("llama-3-8b")
    pairs = batch * sum(column <= cached + row for row in range(new) for column in range(cached + new))
    assert work(shape, new, batch, cached).attention_flops == 4 * shape.layers * shape.d_model * pairs
    square = batch * new * (cached + new)
    apart = work(shape, new, batch, cached, fused=False)
    read = batch * (cached + new) * llm.kv_bytes_per_token(shape) * shape.heads / shape.kv_heads
    assert apart.attention_flops == 4 * shape.layers * shape.d_model * square
    assert apart.attention_bytes == pytest.approx(read + SCORE_BYTES * shape.layers * shape.heads * square)


@given(st.integers(1, 64), st.integers(1, 64))
def test_two_pieces_compute_what_the_whole_does_but_for_one_row_of_the_head(first, second):
    pieces = work("llama-2-7b", first).flops + work("llama-2-7b", second, cached=first).flops
    head = 2 * counts.of(llm.model("llama-2-7b")).table
    assert pieces - work("llama-2-7b", first + second).flops == pytest.approx(head)


@given(MODELS, st.integers(1, 600), st.floats(1e11, 1e13), st.floats(1e13, 1e15), st.floats(1, 9))
def test_faster_is_never_slower_and_no_order_beats_the_least(name, tokens, rate, peak, faster):
    found = work(name, tokens)
    seconds = found.seconds(rate, peak, 1e-5)
    assert found.least_seconds(rate, peak) <= seconds
    assert found.seconds(rate * faster, peak, 1e-5) <= seconds
    assert found.seconds(rate, peak * faster, 1e-5) <= seconds
    assert found.seconds(rate, peak, 1e-5, attention_bytes_per_s=rate / faster) >= seconds


def test_kernels_one_after_another_and_stored_bytes_by_hand():
    both = Work(layers=10, tokens=1, weight_bytes=100, weight_flops=400, attention_bytes=60, attention_flops=20)
    assert both.seconds(10, 100, 0.5) == 10 + 6 + 5  # weights wait for memory, so does attention
    assert both.seconds(100, 10) == 40 + 2  # arithmetic both times
    assert both.least_seconds(10, 100) == 16
    packed = work("llama-3-8b", 1, stored_bytes=4e9).weight_bytes
    shape = llm.model("llama-3-8b")
    assert packed == pytest.approx(4e9 * (1 - counts.of(shape).table / llm.param_count(shape)))


@settings(max_examples=40)
@given(MODELS, st.integers(1, 32_768), st.integers(1, 512))
def test_users_move_decode_to_the_right_and_never_past_the_limit(model, context, users):
    placed = phases.phases(model, A100, context, users)
    assert placed.decode.intensity < placed.most_intensity
    one_more = phases.phases(model, A100, context, users + 1)
    assert one_more.decode.intensity > placed.decode.intensity or llm.model(model).experts > 1
    many = phases.phases(model, A100, context, 10**6)
    assert many.decode.intensity == pytest.approx(many.most_intensity, rel=0.01) or context < 1000


def test_answers_by_hand_and_what_they_do_to_the_others():
    placed = phases.phases("llama-2-7b", A100, 1024, 1)
    assert placed.most_intensity == pytest.approx(25.6, abs=0.05)
    assert placed.ridge_point == roofline.ridge_of(A100) == pytest.approx(153, abs=0.1)
    assert placed.decode.intensity == 1 < placed.ridge_point < placed.prefill.intensity and placed.fits
    one = phases.answer("llama-2-7b", A100, 2048, 100)
    gaps = [llm.decode_step("llama-2-7b", A100, 1, 2048 + n).seconds for n in range(1, 100)]
    assert list(one.gaps) == pytest.approx(gaps) and len(one.times) == 100
    assert one.first == llm.prefill("llama-2-7b", A100, 2048, mfu=0.5)[1] == one.times[0]
    assert one.done == pytest.approx(one.times[-1]) and one.next_first == one.done + one.first
    assert one.mean_gap == pytest.approx(np.mean(gaps))
    two = phases.answer("llama-2-7b", A100, 2048, 2)  # one step after the prompt
    assert list(two.gaps) == pytest.approx(gaps[:1]) and two.mean_gap == pytest.approx(gaps[0])
    short, long = (phases.answer("llama-2-7b", A100, 2048, output) for output in (1, 2048))
    assert short.first == long.first and long.next_first > short.next_first == 2 * short.first
    assert short.mean_gap is None and short.done == short.first
    assert phases.answer("llama-2-7b", A100, 49_409, 1).attention_share == pytest.approx(0.5, abs=1e-5)
    assert phases.answer("llama-2-7b", A100, 16, 1).first == short.read_seconds
    assert short.fits and not phases.answer("llama-2-7b", A100, 131_072, 1).fits
