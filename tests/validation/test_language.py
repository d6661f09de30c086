"""Names of language models and formats as sources write them; shapes that only these measurements need."""

from pathlib import Path

import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.llm.counts import of
from accelerator_lib.validation import language
from accelerator_lib.validation.devices import named

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))


def row(workload="", **conditions):
    return {"id": "", "workload": workload, "n_devices": 1, "device": "", "conditions": conditions}


@pytest.mark.parametrize("workload, id", TABLE["a_model_is_known_by_any_wording"])
def test_a_model_is_known_by_any_wording(workload, id):
    assert language.shape(row(workload)).id == id
    assert language.shape(row(workload.upper())).id == id
    assert language.shape(row("some words", model=id if "llama" in id else workload)).id == id


@pytest.mark.parametrize("workload", ["", "Llama", "Llama-3.2-11B", "Llama-2-8B", "Qwen2 7B", "a 7B model"])
def test_a_model_of_unknown_shape_is_said_so(workload):
    with pytest.raises(NotAvailable, match="no model"):
        language.shape(row(workload))


TIED = {"gemma-2-2b", "gemma-2-9b", "gemma-2-27b", "llama-3.2-1b", "llama-3.2-3b", "gpt-3-175b", "opt-13b"}  # one table


@pytest.mark.parametrize("id", sorted(language.own_models()))
def test_shapes_have_as_many_weights_as_are_published(id):
    one = language.own_models()[id]
    assert of(one).weights - one.vocab * one.d_model * (id in TIED) == pytest.approx(
        one.params, rel=0.018
    )  # heads as wide as the model


@pytest.mark.parametrize("text, dtype, bits", TABLE["formats_as_sources_write_them"])
def test_formats_as_sources_write_them(text, dtype, bits):
    assert language.formats(row(weights=text)) == (dtype, bits)
    assert language.formats(row(f"Llama-2-7B {text} decode")) == (dtype, bits)
    assert language.formats(row("Llama-2-7B bf16", dtype=text)) == (dtype, bits)  # what is stated goes first


def test_chips_that_lack_a_format_widen_numbers_first():
    a100, h100 = named("A100")[0], named("H100")[0]
    assert language.peak(a100, "fp8", 64) == a100.peak("fp16")
    assert language.peak(h100, "fp8", 64) == h100.peak("fp8")
    assert language.half_sums(named("RTX 4090")[0]) == 2 and language.half_sums(a100) == 1


def test_tokens_as_sources_write_them():
    assert language.tokens(row(prompt="about 90 tokens of text"), "prompt_tokens", "prompt") == 90
    assert language.tokens(row(generated_tokens="up to 1,024"), "generated_tokens") == 1024
    assert language.tokens(row(prompt_tokens=0), "prompt_tokens", default=0) == 0
    assert language.tokens(row(), "prompt_tokens", default=7) == 7
    with pytest.raises(NotAvailable, match="prompt_tokens"):
        language.tokens(row(), "prompt_tokens")


def test_memory_that_a_name_states():
    assert language.memory_gb("M3 10-core GPU 16GB") == 16 and language.memory_gb("M2 Ultra 192 GiB") == 192
    assert language.memory_gb("A100") is None
