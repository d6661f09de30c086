"""Serving: rows by hand, room for caches, bounds of every published row, wordings and hostile rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import llm, validation
from accelerator_lib.validation import KINDS, serving
from accelerator_lib.validation import constants as fitted
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.door import guarded
from accelerator_lib.validation.prefill import stream_share
from accelerator_lib.validation.record import read

START = Constants({name: start for name, (_, start, _) in serving.FREE.items()})
SAID = {"batch": 60, "tensor_parallel": 1, "input_tokens": 128, "output_tokens": 2048, "dtype": "fp16"}
METRIC = "output_tokens_per_s_per_gpu"
GOOD = stated("serving", "A100 80GB SXM", "Llama-7B offline generation", METRIC, "tokens/s", **SAID)


def asked(constants=START, **changes):
    conditions = {**GOOD["conditions"], **changes.pop("conditions", {})}
    conditions = {key: value for key, value in conditions.items() if value is not None}
    return guarded(serving, read({**GOOD, **changes, "conditions": conditions}, KINDS), constants)


def test_one_row_by_hand():
    """60 prompts read in one pass, then 2,048 steps that read the weights and 60 caches of 1,153 tokens."""
    shape = llm.model("llama-2-7b")
    table, body = 32000 * 4096, 6738415616 - 2 * 32000 * 4096
    rate, peak = stream_share(serving.named("A100")[0]) * 2039e9, 0.7 * 312e12
    layers = 32 * fitted.of("decode")[0]("layer_seconds")
    step = 2 * (body + table) / rate + 60 * 1153 * llm.kv_bytes_per_token(shape) / rate + layers
    read = (2 * body * 128 + 2 * table) * 60 / peak
    attention = max(4 * 32 * 4096 * 60 * 128 * 129 / 2 / peak, 60 * 128 * llm.kv_bytes_per_token(shape) / rate)
    assert asked().value == pytest.approx(60 * 2048 / (2048 * step + read + attention + layers))
    moved = 2 * (body + table) + 60 * 1153 * llm.kv_bytes_per_token(shape)  # the prompts give the first tokens
    assert asked().bound == pytest.approx(60 * 2048 / (2047 * moved / 2039e9))


def test_requests_a_second_and_the_time_of_a_token_are_the_same_run():
    tokens = asked().value
    assert asked(unit="1/s", metric="requests_per_s").value == pytest.approx(tokens / 2048)
    each = asked(unit="ms", metric="time_per_output_token")
    assert each.bound < each.value < 60 / tokens * 1e3  # prompts are read before


def test_the_room_is_that_of_the_chapter():
    chip, shape = serving.named("H100 SXM")[0], llm.model("llama-3-8b")
    context = 2176 * llm.kv_bytes_per_token(shape, "fp8")
    assert serving._room(chip, 1, shape.params, context) == llm.max_batch(shape, chip, 2176, "fp8")


def test_as_few_chips_a_copy_as_hold_it():
    chip = serving.named("H100 SXM")[0]
    each = 424 * llm.kv_bytes_per_token("llama-2-70b", "fp8")
    assert serving._few(chip, 8, 69e9, each) == (2, 4)
    assert serving._few(chip, 8, 143e9, each) == (4, 2)
    assert serving._few(chip, 1, 69e9, each) == (1, 1)


@given(st.floats(0.2, 1.0), st.floats(0, 1e-4))
def test_slower_parts_are_never_faster(share, host):
    known = {"share": share, "share_8": share, "host_seconds": host}
    came = {"batch": None, "requests": 1000}
    value = asked(Constants(known), conditions=came).value
    assert asked(Constants({**known, "share": share / 2}), conditions=came).value < value
    assert asked(Constants({**known, "host_seconds": host + 1e-5}), conditions=came).value < value


def test_units_and_wordings():
    each = asked(n_devices=4, workload="Llama-70B fp16", conditions={"tensor_parallel": 4})
    whole = asked(n_devices=4, workload="Llama-70B", conditions={"tensor_parallel": 4}, metric="output_tokens_per_s")
    assert whole.value == pytest.approx(4 * each.value)
    both = asked(metric="total_tokens_per_s").value
    assert both == pytest.approx(asked().value * (128 + 2048) / 2048)
    assert asked(conditions={"dtype": None}, workload="Llama 2 7B FP16").value == asked().value
    many = asked(conditions={"batch": None}, workload="Llama 2 7B FP16, 1,000 requests").value
    assert many == asked(conditions={"batch": None, "requests": 1000}).value


def test_a_stated_batch_that_does_not_fit_is_said_so():
    """60 caches of 2,176 tokens: 68 GB of 85.9; 80 are 91. A step of 256 streams of 70B on two chips: 567 GB of 160."""
    assert "not fit" not in asked().why
    assert asked(conditions={"batch": 80}).why.endswith(
        " The stated batch does not fit: 13 GiB of weights and 85 GiB of caches on 1 x A100 80GB SXM4 of 80 GiB."
    )
    many = {"batch": 256, "prompt_tokens": 4096, "generated_tokens": 1024, "dtype": "fp16"}
    row = stated("decode", "H100 SXM", "Llama 2 70B", "tokens_per_s", "tokens/s", **many)
    told = [validation.predict(row | {"n_devices": chips}).why for chips in (2, 8)]
    assert "128 GiB of weights and 400 GiB of caches on 2 x" in told[0] and "not fit" not in told[1]
