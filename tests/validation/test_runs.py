from dataclasses import replace

import pytest

from accelerator_lib import hardware
from accelerator_lib.validation import runs
from accelerator_lib.validation.runs import best_attention, best_product, read_run


def run(workload="Llama 3 8B training", device="A100 80GB", n=8, metric="mfu", source=None, **said):
    return read_run(device, n, workload, metric, tuple(sorted(said.items())), source)


def test_best_rates_are_published_ones_over_the_peak():
    assert best_product(hardware.chip("a100-80gb-sxm")) == pytest.approx(271.2 / 312)
    assert best_product(hardware.chip("h100-sxm5")) == pytest.approx(794.5 / 989.4)
    assert best_product(hardware.chip("tpu-v4")) == 0.8  # of which none is published here
    assert best_attention("ampere", "flashattention-2") == pytest.approx(230 / 312)
    assert best_attention("hopper", "") == pytest.approx(335 / 989.4 / 2)


def test_a_mixture_of_experts_talks_more_the_further_its_experts_lie():
    near, far = (run("DeepSeek-V3 training", "H800", 2048, expert_parallel=each, dtype="fp8") for each in (8, 64))
    assert 0 < near.talk < far.talk and run("DeepSeek-V3 training", "H800", 1).talk == 0
    assert run("Llama 3 8B training, int8", "TPU v5e").peak == hardware.chip("tpu-v5e").peak("int8")


@pytest.mark.parametrize(("said", "share"), [
    ("none", 0), ("None (stored)", 0), (False, 0), ("selective", 0), ("selective, per layer", 0.5), ("full", 1),
    ("every second layer", 0.5), (True, 1), ("full activation checkpointing", 1),
])  # fmt: skip
def test_what_is_computed_again_is_read_from_the_words(said, share):
    found, bare = run(recomputation=said), run(recomputation="none")
    assert found.work.layers / bare.work.layers == pytest.approx(1 + share / 3)


def test_where_a_row_is_silent_a_hardware_utilisation_means_all_of_it():
    assert run(metric="hfu").work.hfu_over_mfu == pytest.approx(4 / 3, rel=0.04)
    assert run().work.hfu_over_mfu == 1
    assert run("GPT 22B training, selective recomputation").work.hfu_over_mfu < 1.1
    assert run("Llama 3 8B training without activation checkpointing").work.again == 0


def test_attention_lies_in_memory_where_the_row_or_the_year_says_so():
    tiled = run().work.moved
    assert run(attention="no FlashAttention").work.moved > tiled
    assert run(source="megatron2021").work.moved > tiled == run(source="torchtitan").work.moved
    assert run(source="megatron2021", attention="FlashAttention").work.moved == tiled


def test_formats_of_the_layers():
    assert run(device="H100").dtype is None and run(device="H100", dtype="bf16").peak == 989.4e12
    assert run(device="H100", dtype="FP8 e4m3").peak == hardware.chip("h100-sxm5").peak("fp8")
    assert run(device="V100").peak == hardware.chip("v100-sxm2-32gb").peak("fp16")


def test_a_step_is_spread_as_stated_or_as_it_must_be():
    assert run(n=1).talk == run("Mixtral 8x7B", n=1).talk == run("540B", "TPU v4", 4096).talk == 0
    assert run("175B", n=96).talk > 0 == run("1B", n=96).talk  # no chip holds 175 billion weights
    piped = run("Llama 3 405B", "H100", 256, tensor_parallel=8, pipeline_parallel=16, data_parallel=2, batch=64)
    assert piped.idle == pytest.approx(15 / 8 / 32)
    assert run("Llama 3 405B", "H100", 256, tp=8, pp=16, dp=2, batch=64, interleave=2).idle == pytest.approx(
        15 / 2 / 32
    )
    dealt = [run(sharding="FSDP", micro_batch=each, seq=8192).talk for each in (1, 4)]
    assert dealt[0] == pytest.approx(4 * dealt[1])


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_model_is_cut_where_weights_gradients_and_optimiser_fit_no_chip(monkeypatch, share):
    """Bytes of each weight: 2, its gradient 2, and 4 each for the optimiser's own copy and its two moments."""
    known = runs.named

    def as_large(device):
        chip, family = known(device)
        return replace(chip, capacity_bytes=share * (2 + 2 + 3 * 4) * model.params), family

    model = run("Llama 3 8B training").model
    monkeypatch.setattr(runs, "named", as_large)
    said = ("A100 80GB", 8, "Llama 3 8B training", "mfu", (("flop_count", "6N"),))
    assert (read_run.__wrapped__(*said).talk > 0) == (share < 1)
