"""Weights and caches are counted from the shape, and the facts and a simulation say the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.llm import counts
from accelerator_lib.workload import models


@pytest.mark.parametrize("id", [id for id, one in models.models().items() if one.kv_width])
def test_the_count_from_the_shape_is_that_of_the_table(id):
    record = models.models()[id]
    assert llm.param_count(id) == llm.param_count(llm.model(id)) == counts.weights(id) == record.params
    assert llm.param_count(id, active=True) == counts.active_weights(id) == record.active_params


def test_by_hand():
    shape = llm.model("llama-3-70b")
    square, narrow, wide = 8192 * 8192, 8192 * 1024, 8192 * 28672
    layer = 2 * square + 2 * narrow + 3 * wide + 2 * 8192
    assert llm.param_count(shape) == 80 * layer + 8192 + 2 * 128256 * 8192


def test_a_shape_that_the_formula_does_not_cover_is_refused_and_its_published_total_counts():
    with pytest.raises(NotAvailable, match="compressed"):
        llm.param_count("deepseek-v3")
    with pytest.raises(KeyError, match="llama-3-70b"):
        llm.param_count("llama3-70b")
    assert (counts.weights("deepseek-v3"), counts.active_weights("deepseek-v3")) == (671e9, 37e9)


def test_a_cache_is_two_vectors_a_layer_or_one_latent():
    assert llm.kv_bytes_per_token("llama-2-7b") == 32 * 2 * 4096 * 2
    assert llm.kv_bytes_per_token("llama-3-70b", "int8") == 80 * 2 * 8 * 128
    assert llm.kv_bytes_per_token("llama-2-7b", "int4") == 32 * 2 * 4096 / 2
    assert llm.kv_bytes_per_token("deepseek-v3") == 61 * 576 * 2
    with pytest.raises(KeyError, match="bf16"):
        llm.kv_bytes_per_token("llama-2-7b", "bf61")


@settings(max_examples=60)
@given(st.integers(1, 256), st.integers(1, 256), st.integers(1, 512))
def test_a_step_reads_no_fewer_experts_than_a_token_picks_and_no_more_than_there_are(count, active, batch):
    active = min(active, count)
    read = llm.experts_read(count, active, batch)
    assert active - 1e-9 <= read <= min(count, batch * active) + 1e-9
    assert llm.experts_read(count, active, batch + 1) >= read


def test_weights_that_a_step_reads():
    assert (
        counts.weights_read("llama-3-8b", 1) == counts.weights_read("llama-3-8b", 512) == 8_030_261_248 - 128_256 * 4096
    )
    assert counts.weights_read("mixtral-8x7b", 1) == pytest.approx(counts.weights_met("mixtral-8x7b"))
    assert counts.weights_read("mixtral-8x7b", 10_000) == pytest.approx(llm.param_count("mixtral-8x7b") - 32_000 * 4096)
    assert counts.weights_read("deepseek-v3", 1) == pytest.approx(37e9, rel=0.03)  # published, and from its shape
