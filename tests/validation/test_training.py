"""Training: runs and decoders as rows state them, and their rates by hand and by law."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data, hardware
from accelerator_lib.validation import NotAvailable, predict, runs
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.door import KINDS
from accelerator_lib.validation.record import read
from accelerator_lib.validation.runs import best_attention, best_product, context, decoder, plain, read_run
from accelerator_lib.validation.training import FREE, estimate

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

FULL = Constants({"product_share": 1.0, "attention_share": 1.0, "traffic_share": 1.0, "talk_exposed": 0.0})
START = Constants({name: start for name, (_, start, _) in FREE.items()})


def row(workload="Llama 3 8B training", device="A100 80GB", n=8, metric="mfu", unit="%", **conditions):
    return stated("training", device, workload, metric, unit, n, **conditions)


def told(*given, constants=START, **more):
    return estimate(read(row(*given, **more), KINDS), constants)


def test_a_decoder_on_one_chip_by_hand():
    """24 layers, 2,048 wide, 2,048 tokens, nothing talks: products at the best published rate, 271.2 of 312 TFLOP/s."""
    found = told("MPT-style decoder", n=1, layers=24, d_model=2048, seq=2048, constants=FULL)
    parameters = 12 * 24 * 2048**2 + 50368 * 2048 + 2048**2
    products = 6 * (12 * 24 * 2048**2 + 50368 * 2048) / 271.2e12
    attention = 7 * 24 * 2048 * 2048 / (230e12 / 2)
    elements = 24 * 3 * (4 * 3 * 2048 + 3 * 5461) * 2 + 6 * 4 * 50368
    credited = 6 * parameters + 12 * 24 * 2048 * 2048
    assert found.value == pytest.approx(
        100 * credited / (products + attention + elements / 2.039e12) / 312e12, rel=2e-3
    )
    assert found.bound == pytest.approx(100 * credited / (6 * (parameters - 2048**2) + 6 * 24 * 2048 * 2048), rel=2e-3)


def test_mfu_hfu_rates_and_tokens_are_of_the_same_time():
    mfu = told(recomputation="full").value
    assert told(metric="hfu", recomputation="full").value / mfu == pytest.approx(4 / 3, rel=0.04)
    assert told(metric="throughput_per_gpu", unit="TFLOP/s", recomputation="full").value == pytest.approx(3.12 * mfu)
    each = told(metric="tokens_per_s_per_gpu", unit="tokens/s", recomputation="full").value
    credited = 6 * 8030261248 + 12 * 32 * 4096 * 8192
    assert each * credited / 3.12e12 == pytest.approx(mfu)
    assert told(metric="tokens_per_s", unit="tokens/s", recomputation="full").value == pytest.approx(8 * each)
    step = told(metric="step_time", unit="s", sharding="FSDP", batch=64, seq=8192).value
    dealt = told(metric="tokens_per_s_per_gpu", unit="tokens/s", sharding="FSDP", seq=8192).value
    assert step == pytest.approx(8 * 8192 / dealt)
    assert predict(row(unit="1")).value == pytest.approx(predict(row()).value / 100)


def test_a_count_that_includes_recomputation_is_an_hfu():
    rate = {"workload": "GPT 7.5B training", "metric": "throughput_per_gpu", "unit": "TFLOP/s"}
    plain = told(**rate, recomputation="full")
    counted = told(**rate, flop_count="with full activation recomputation")
    assert 1.3 < counted.value / plain.value <= 4 / 3


@given(st.integers(256, 65536))
def test_an_mfu_falls_with_what_is_computed_again_and_never_passes_its_bound(seq):
    found = [told(seq=seq, recomputation=each) for each in ("none", "selective", "selective, per layer", "full")]
    values = [each.value for each in found]
    assert values[0] == max(values) and values[-1] == min(values)
    assert all(each.value < each.bound for each in found)


def test_the_mask_lets_the_bound_pass_a_hundred_percent():
    short, long = (told(seq=seq).bound for seq in (512, 65536))
    assert 100 < short < long < 200


@pytest.mark.parametrize("n", [64, 512])
def test_more_chips_for_the_same_tokens_only_talk_and_wait_more(n):
    few, many = (told("7B", n=each, sharding="FSDP", micro_batch=1, seq=1024).value for each in (8, n))
    assert many < few < told("7B", n=1, sharding="FSDP", micro_batch=1, seq=1024).value
    wide = told("7B", n=n, sharding="FSDP", micro_batch=16, seq=1024).value
    assert wide > many


def test_fewer_micro_batches_leave_stages_waiting():
    said = {"tensor_parallel": 8, "pipeline_parallel": 16, "data_parallel": 128, "seq": 8192}
    found = [told("Llama 3 405B", "H100", 16384, **said, batch_per_dp=batch) for batch in (16, 32, 160)]
    values = [each.value for each in found]
    assert values == sorted(values)
    assert found[0].bound / found[1].bound == pytest.approx((1 + 15 / 8 / 32) / (1 + 15 / 8 / 16))


def test_early_sources_kept_their_scores_in_memory():
    early = {**row("GPT 1.7B training", seq=2048), "source": "megatron2021"}
    assert predict(early).value < predict(row("GPT 1.7B training", seq=2048)).value
    assert predict({**early, "source": ["x"]}).value == predict({**early, "source": "nobody"}).value


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


@pytest.mark.parametrize(("said", "share"), TABLE["what_is_computed_again_is_read_from_the_words"])
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


def row_decoders(workload, **conditions):
    return {"id": "", "workload": workload, "conditions": conditions}


def test_the_convention_of_the_rows():
    """12 L d^2 + 50,368 d + seq d, as it reproduces their printed utilisations."""
    found = decoder(row_decoders("MPT-style decoder 7B training", layers=32, d_model=4096, seq=2048))
    assert found.params == 12 * 32 * 4096**2 + 50368 * 4096 + 2048 * 4096
    assert (found.heads, found.head_dim, found.kv_width) == (32, 128, 4096)


@pytest.mark.parametrize(("size", "width"), TABLE["a_size_alone_gives_about_the_width_that_such_models_had"])
def test_a_size_alone_gives_about_the_width_that_such_models_had(size, width):
    found = decoder(row_decoders(f"GPT {size} training"))
    assert found.d_model == pytest.approx(width, rel=0.16) and found.params == float(size[:-1]) * 1e9


@given(st.floats(1.5e8, 1e12))
def test_weights_of_a_guessed_shape_are_those_of_its_name(size):
    found = decoder(row_decoders(f"a {size / 1e9:.6f}B model"))
    counted = 12 * found.layers * found.d_model**2 + found.vocab * found.d_model
    assert counted == pytest.approx(size, rel=0.35)
    assert found.kv_width == found.d_model


def test_names_come_before_sizes_and_models_have_their_contexts():
    assert decoder(row_decoders("Llama-3.1-70B pre-training")).id == "llama-3-70b"
    assert decoder(row_decoders("training", model="llama-2-13b")).id == "llama-2-13b"
    assert context(row_decoders("Llama3-8B")) == 8192 and context(row_decoders("Llama2-13B")) == 4096
    assert context(row_decoders("Llama 3 405B")) == 8192 and context(row_decoders("7B")) == 2048
    assert context(row_decoders("7B", seq=512)) == context(row_decoders("7B", sequence_length=512.0)) == 512


@pytest.mark.parametrize("workload", ["training", "a MoE of 100B", "8x22B", "0B", "", "B", "DeepSeek 16B"])
def test_what_names_no_dense_size_is_refused(workload):
    with pytest.raises(NotAvailable):
        decoder(row_decoders(workload))


def test_odd_widths_have_whole_heads():
    for width in (1, 7, 80, 100, 1000, 2560, 4096):
        found = plain(2, width, 1000)
        assert found.heads * found.head_dim == width
