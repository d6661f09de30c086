"""Passes: counted by loops over tokens, against decode_step and prefill, and the laws of kernels one after another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.llm.counts import table_weights
from accelerator_lib.llm.passes import SCORE_BYTES, Work, work

NAMES = st.sampled_from(["llama-2-7b", "llama-3-8b", "llama-3-70b", "mixtral-8x7b"])


@given(NAMES, st.integers(1, 300), st.integers(0, 20_000))
def test_one_new_token_is_a_decode_step(name, batch, cached):
    whole = llm.decode_step(name, "h100-sxm5", batch, cached + 1)
    found = work(name, 1, batch, cached)
    assert found.bytes_moved == pytest.approx(whole.bytes_moved)
    assert found.flops == pytest.approx(whole.flops)


@given(NAMES, st.integers(1, 5000))
def test_a_prompt_is_a_prefill(name, tokens):
    flops, _ = llm.prefill(name, "h100-sxm5", tokens)
    assert work(name, tokens).flops == pytest.approx(flops)


@given(st.integers(1, 40), st.integers(0, 40), st.integers(1, 3))
def test_pairs_of_tokens_counted_one_by_one(new, cached, batch):
    shape = llm.model("llama-3-8b")
    pairs = sum(
        1 for _ in range(batch) for row in range(new) for column in range(cached + new) if column <= cached + row
    )
    assert work(shape, new, batch, cached).attention_flops == 4 * shape.layers * shape.d_model * pairs
    square = batch * new * (cached + new)
    apart = work(shape, new, batch, cached, fused=False)
    read = batch * (cached + new) * llm.kv_bytes_per_token(shape) * shape.heads / shape.kv_heads
    assert apart.attention_flops == 4 * shape.layers * shape.d_model * square
    assert apart.attention_bytes == pytest.approx(read + SCORE_BYTES * shape.layers * shape.heads * square)


@given(st.integers(1, 64), st.integers(1, 64))
def test_two_pieces_compute_what_the_whole_does_but_for_one_row_of_the_head(first, second):
    pieces = work("llama-2-7b", first).flops + work("llama-2-7b", second, cached=first).flops
    assert pieces - work("llama-2-7b", first + second).flops == pytest.approx(2 * table_weights("llama-2-7b"))


@given(NAMES, st.integers(1, 600), st.floats(1e11, 1e13), st.floats(1e13, 1e15), st.floats(1, 9))
def test_faster_is_never_slower_and_no_order_beats_the_least(name, tokens, rate, peak, faster):
    found = work(name, tokens)
    seconds = found.seconds(rate, peak, 1e-5)
    assert found.least_seconds(rate, peak) <= seconds
    assert found.seconds(rate * faster, peak, 1e-5) <= seconds
    assert found.seconds(rate, peak * faster, 1e-5) <= seconds
    assert found.seconds(rate, peak, 1e-5, attention_bytes_per_s=rate / faster) >= seconds


def test_kernels_one_after_another_by_hand():
    both = Work(layers=10, tokens=1, weight_bytes=100, weight_flops=400, attention_bytes=60, attention_flops=20)
    assert both.seconds(10, 100, 0.5) == 10 + 6 + 5  # weights wait for memory, so does attention
    assert both.seconds(100, 10) == 40 + 2  # arithmetic both times
    assert both.least_seconds(10, 100) == 16


def test_stored_bytes_are_those_of_all_weights():
    packed = work("llama-3-8b", 1, stored_bytes=4e9).weight_bytes
    shape = llm.model("llama-3-8b")
    assert packed == pytest.approx(4e9 * (1 - table_weights(shape) / llm.param_count(shape)))


@pytest.mark.parametrize("wrong", [{"new": 0}, {"batch": 0}, {"cached": -1}, {"cached": float("nan")}])
def test_what_is_no_pass_is_said_in_one_line(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        work("llama-2-7b", **({"new": 1} | wrong))
    with pytest.raises(UnknownName):
        work("llama-9", 1)
    with pytest.raises(UnknownName):
        work("llama-2-7b", 1, kv_dtype="fp12")
    assert issubclass(NotAvailable, ValueError)
