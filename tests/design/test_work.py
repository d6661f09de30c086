"""Jobs: products against counts of parameters and of arithmetic from other chapters."""

import pytest

from accelerator_lib import design, llm
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import work
from accelerator_lib.workload.networks import convolutions


def inner(job):
    """Weights in the products of a step: each matrix once."""
    return sum(p.n * p.k * p.count for p in job.products if not p.fused)


@pytest.mark.parametrize("make", [work.decode, work.prefill, work.training])
@pytest.mark.parametrize("id", ["llama-2-7b", "llama-3-8b", "llama-2-70b"])
def test_a_model_s_products_hold_its_weights_but_for_norms_and_one_table(make, id):
    job, model = make(id), llm.model(id)
    norms = (2 * model.layers + 1) * model.d_model
    assert inner(job) == llm.param_count(id) - norms - model.vocab * model.d_model
    assert job.weights == llm.param_count(id)


def test_the_cache_is_that_of_chapter_10():
    job = work.decode()
    assert 2 * job.cached == 32 * 4096 * llm.kv_bytes_per_token("llama-3-8b") == 2 * job.cache_read
    assert 2 * work.prefill().cached == 8192 * llm.kv_bytes_per_token("llama-3-8b")


def test_causal_attention_is_half_of_every_table():
    job, model = work.prefill("llama-3-8b", 1024), llm.model("llama-3-8b")
    whole = model.layers * model.heads * 2 * 1024**2 * model.head_dim
    assert sum(p.macs for p in job.products if p.fused) == whole / 2
    several = work.training_like("any", 24, 2048, 512, 56)
    assert sum(p.macs for p in several.products if p.fused) == 24 * 56 * 2 * 512**2 * 2048 / 2


def test_training_counts_three_times():
    once, job = work.prefill("llama-2-70b", 4096), work.training()
    head = llm.model("llama-2-70b")
    assert job.macs == 3 * (once.macs + (4096 - 1) * head.vocab * head.d_model)
    assert 2 * job.macs == pytest.approx(6 * job.weights * 4096, rel=0.04)  # attention, less the table


def test_vision_is_the_network_of_chapter_1():
    layers = convolutions("resnet-50", 32)
    assert 2 * work.vision().macs == sum(conv.flops for _, conv in layers)
    assert sum(p.count for p in work.vision().products) == len(layers) == 53


def test_a_recommender_is_nearly_all_table():
    job = work.recommender()
    tables = 204_184_588 * 128
    assert job.weights - tables == inner(job) and inner(job) / tables < 1e-3
    assert 2 * job.looked_up / job.tokens == 214 * 256
    assert sum(p.count for p in job.products) == 14


def test_published_training_runs_have_the_parameters_of_their_table():
    job = work.training_like("7B", 32, 4096, 2048, 6)
    assert job.weights == inner(job) == 12 * 32 * 4096**2 + 50368 * 4096
    assert job.tokens == 6 * 2048


def test_jobs_are_found_by_name():
    assert list(work.jobs()) == ["decode", "prefill", "training", "vision", "recommender"]
    assert all(isinstance(p.m, float) for job in work.jobs().values() for p in job.products)
    with pytest.raises(UnknownName, match="did you mean 'decode'"):
        design.evaluate("h100-sxm5", "decod")
    with pytest.raises(TypeError, match="job must be a name"):
        design.evaluate("h100-sxm5", 3)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, float("nan"), 10**9, None])
def test_sizes_are_checked(wrong):
    with pytest.raises((ValueError, TypeError)):
        work.decode(batch=wrong)
    with pytest.raises((ValueError, TypeError)):
        work.training(tokens=wrong)
    with pytest.raises((ValueError, TypeError)):
        work.recommender(wrong)
