"""Memory: what fits, fewer KV heads, and what is set aside for a cache against what is in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import hardware, llm
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.llm import room

A100 = hardware.chip("a100-80gb-sxm")
MODELS = st.sampled_from(["llama-2-7b", "llama-3-8b", "mixtral-8x7b", "deepseek-v3"])


@settings(max_examples=80)
@given(MODELS, st.integers(1, 131_072), st.sampled_from(["bf16", "int8", "int4"]), st.integers(1, 16))
def test_the_largest_batch_fits_and_one_more_does_not(model, context, dtype, chips):
    most = llm.max_batch(model, A100, context, dtype, n_chips=chips)
    if most:
        assert room.held(model, A100, most, context, dtype, dtype, chips).fits
    assert not room.held(model, A100, most + 1, context, dtype, dtype, chips).fits


def test_bits_of_the_cache_count_more_than_bits_of_the_weights():
    most = [llm.max_batch("llama-2-7b", A100, 4096, weight_dtype=w, kv_dtype=kv) for w, kv in
            (("bf16", "bf16"), ("int4", "bf16"), ("bf16", "int8"))]  # fmt: skip
    assert most == [27, 31, 54]


def test_shares_by_hand():
    held = room.held("llama-2-7b", A100, 32, 2048)
    assert held.kv_bytes == 32 * 2048 * 524_288 and held.needed_bytes == held.kv_bytes + 2 * 6_738_415_616
    assert (held.kv_share, held.kv_of_capacity) == pytest.approx((0.718, 0.429), abs=0.001)
    assert room.held("llama-2-7b", A100, 1, 256).kv_share == pytest.approx(0.01, abs=0.0005)
    assert llm.max_batch("llama-3-70b", A100, 128) == 0


def test_fewer_heads_shrink_the_cache_and_a_little_of_the_weights():
    full, shared = llm.model("llama-2-7b"), room.with_kv("llama-2-7b", 8)
    assert llm.kv_bytes_per_token(full) == 4 * llm.kv_bytes_per_token(shared)
    assert llm.param_count(full) - llm.param_count(shared) == 32 * 2 * 4096 * 24 * 128
    assert room.with_kv(full, 32) is full and room.with_kv(full) is full
    latent = room.with_kv(full, latent=576)
    assert llm.kv_bytes_per_token(latent) == 32 * 576 * 2
    assert room.held(latent, A100, 1, 1).weights_bytes == 2 * full.params
    with pytest.raises(ValueError, match="evenly among 5"):
        room.with_kv("llama-2-7b", 5)
    with pytest.raises(NotAvailable, match="compressed"):
        room.with_kv("deepseek-v3", 8)


def test_what_is_set_aside_by_hand():
    lengths = [37, 512, 1200, 90]
    assert llm.kv_utilization(lengths) == sum(lengths) / (4 * 2048)
    assert llm.kv_utilization(lengths, block=16) == sum(lengths) / ((3 + 32 + 75 + 6) * 16)
    assert llm.kv_utilization(lengths, block=1) == 1 and llm.kv_utilization(7, max_len=14) == 0.5
    with pytest.raises(ValueError, match="1200 tokens is longer than the 1,024"):
        llm.kv_utilization(lengths, max_len=1024)
    for wrong in ([], [0], [1.5], ["a"], [float("nan")]):
        with pytest.raises((ValueError, TypeError), match="lengths"):
            llm.kv_utilization(wrong)
