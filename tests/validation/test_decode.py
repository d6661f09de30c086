"""Decode: one row by hand, laws over every published row, rows of other wordings, hostile ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib.validation import KINDS, decode
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.door import guarded
from accelerator_lib.validation.record import read

IDEAL = Constants(dict.fromkeys(decode.FREE, 0.0) | {"share": 1.0, "sm_rate": 1e30})
START = Constants({name: start for name, (_, start, _) in decode.FREE.items()})
RUN = {"batch": 1, "generated_tokens": 512, "weights_gib": 14.96, "software": "llama.cpp, 2024-05"}
GOOD = stated("decode", "RTX 4090 24GB", "Llama-3 8B F16 decode", "tokens_per_s", "tokens/s", **RUN)


def asked(constants=START, **changes):
    conditions = {**GOOD["conditions"], **changes.pop("conditions", {})}
    conditions = {key: value for key, value in conditions.items() if value is not None}
    return guarded(decode, read({**GOOD, **changes, "conditions": conditions}, KINDS), constants)


def test_one_row_by_hand():
    """Weights without the table of inputs, and the mean of 0 to 512 cached tokens, at 1,008 GB/s."""
    weights = 14.96 * 2**30 * (1 - 128256 * 4096 / 8030261248)
    cache = (1 + 256) * 32 * 2 * 8 * 128 * 2
    assert asked(IDEAL).bound == pytest.approx(1008e9 / (weights + cache))
    again = 4 * cache + 20 * 32 * 32 * 257  # every query head reads its group's cache; scores of 20 bytes
    assert asked(IDEAL).value == pytest.approx(1008e9 / (weights + again))


def test_launches_and_all_reduces_add_up_by_hand():
    known = {**IDEAL.values, "layer_seconds": 1e-4, "reduce_seconds": 1e-5}
    row = {"device": "A100 80GB", "n_devices": 8, "workload": "Llama-2-7B decode"}
    said = {"weights": "bf16", "weights_gib": None, "software": None, "generated_tokens": None, "tensor_parallel": 8}
    bytes_moved = 2 * (6738415616 - 32000 * 4096) + 2 * 32 * 4096 * 2
    wire = 2 * 7 / 8 * 4096 * 2 / 300e9
    seconds = bytes_moved / 8 / 2039e9 + 32 * 1e-4 + 64 * (wire + 1e-5)
    assert asked(Constants(known), **row, conditions=said).value == pytest.approx(1 / seconds)


@given(st.floats(0.4, 1.0), st.floats(1e-5, 1e-3), st.floats(1.01, 2))
def test_slower_parts_are_never_faster(share, layer, more):
    base = {**START.values, "share": share, "layer_seconds": layer}
    value = asked(Constants(base)).value
    assert asked(Constants({**base, "share": share / more})).value <= value
    assert asked(Constants({**base, "layer_seconds": layer * more})).value < value
    assert asked(Constants(base), conditions={"generated_tokens": 8192}).value < value


def test_layers_one_after_the_other_gain_nothing_and_shared_layers_do():
    one = asked().value
    split = "Llama-3 8B F16 decode, layers split over GPUs one after the other"
    assert asked(n_devices=4, workload=split).value == one
    row = {"device": "A100", "conditions": {"software": None}}
    assert asked(**row, n_devices=4).value > asked(**row).value


def test_units_and_wordings():
    rate, gap = asked(), asked(unit="ms", metric="time_per_output_token")
    assert gap.value == pytest.approx(1e3 / rate.value) and gap.bound == pytest.approx(1e3 / rate.bound)
    for workload in ("llama 3.1 8b", "LLaMA-3-8B F16", "Meta-Llama-3-8B-Instruct", "Llama3-8B"):
        assert asked(workload=workload).value == rate.value
    for written in (512.0, "512", "up to 512"):
        assert asked(conditions={"generated_tokens": written}).value == rate.value


def test_a_row_that_counts_no_chips_runs_on_one_if_it_holds_the_weights_or_on_what_its_name_counts():
    assert asked(n_devices=None).value == asked().value
    many = {"workload": "Llama-2-70B", "conditions": {"weights_gib": None, "weights": "fp16", "software": None}}
    assert asked(**many, device="8x H100 SXM", n_devices=None) == asked(**many, device="H100 SXM", n_devices=8)


def test_eager_waits_for_python():
    row = {"device": "A100", "conditions": {"software": None, "weights": "bf16", "weights_gib": None}}
    assert asked(**row, workload="Llama-3 8B, plain eager execution").value < asked(**row).value / 2
