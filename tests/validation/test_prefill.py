"""Prefill: rows by hand, pieces and unpacking, bounds of every published row, wordings and hostile rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib.validation import KINDS, prefill
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.door import guarded, predict
from accelerator_lib.validation.record import read

START = Constants({name: start for name, (_, start, _) in prefill.FREE.items()})
SAID = {"batch": 1, "prompt_tokens": 2048, "dtype": "fp8", "tensor_parallel": 1}
GOOD = stated("prefill", "H100 SXM", "Llama-7B time to first token", "time_to_first_token", "ms", **SAID)
PIECES = {"device": "RTX 4090 24GB", "workload": "Llama-3 8B prefill", "metric": "tokens_per_s", "unit": "tokens/s"}


def asked(constants=START, **changes):
    conditions = {**GOOD["conditions"], **changes.pop("conditions", {})}
    conditions = {key: value for key, value in conditions.items() if value is not None}
    return guarded(prefill, read({**GOOD, **changes, "conditions": conditions}, KINDS), constants)


def test_one_row_by_hand():
    """2,048 tokens of Llama 2 7B in 8 bits: the layers' weights and one row of the head, and causal attention."""
    table = 32000 * 4096
    flops = 2 * (6738415616 - 2 * table) * 2048 + 2 * table + 4 * 32 * 4096 * 2048 * 2049 / 2
    assert asked().bound == pytest.approx(flops / 1978.9e12 * 1e3)
    known = Constants({"share": 0.5, "layer_seconds": 1e-4})
    assert asked(known).value == pytest.approx(flops / (0.5 * 1978.9e12) * 1e3 + 3.2)


def test_pieces_cover_a_prompt():
    for prompt in (1, 511, 512, 513, 8192, 10_000):
        found = prefill._pieces(prompt, True)
        assert sum(new for new, _ in found) == prompt and max(new for new, _ in found) <= 512
        assert [at for _, at in found] == [sum(new for new, _ in found[:here]) for here in range(len(found))]
        assert prefill._pieces(prompt, False) == [(prompt, 0)]


def test_packed_weights_are_unpacked_for_each_piece():
    said = {"dtype": None, "software": "llama.cpp", "prompt_tokens": 1024}
    packed = asked(**PIECES, conditions={**said, "weights_gib": 4.58})
    whole = asked(**PIECES, conditions={**said, "weights_gib": 14.96})
    rate = prefill.stream_share(prefill.named("rtx-4090")[0]) * 1008e9
    extra = 2 * (4.58 * 2**30 * (1 - 128256 * 4096 / 8030261248) + 2 * 8030261248) / rate
    assert 1024 / packed.value == pytest.approx(1024 / whole.value + extra, rel=0.02)


@given(st.floats(0.2, 1.0), st.floats(1e-5, 1e-3), st.integers(200, 8000))
def test_longer_prompts_take_longer_and_a_larger_share_less(share, layer, prompt):
    known = {"share": share, "layer_seconds": layer}
    value = asked(Constants(known), conditions={"prompt_tokens": prompt}).value
    assert asked(Constants(known), conditions={"prompt_tokens": prompt + 64}).value > value
    assert asked(Constants({**known, "share": share / 2}), conditions={"prompt_tokens": prompt}).value > value


def test_units_and_wordings():
    base = asked()
    assert asked(n_devices=None, conditions={"prompt_tokens": "2,048 tokens"}).value == base.value
    assert asked(workload="Llama-2-7B", conditions={"dtype": "FP8 e4m3"}).value == base.value
    assert asked(metric="tokens_per_s", unit="tokens/s").value == pytest.approx(2048 / base.value * 1e3)
    row = {**GOOD, "unit": "s"}
    assert predict(row).value == pytest.approx(predict(GOOD).value / 1e3)


def test_several_chips_talk():
    one, four = asked(), asked(n_devices=4, conditions={"tensor_parallel": 4})
    assert one.value / 4 < four.value < one.value


def test_a_prompt_goes_by_several_names():
    assert asked(conditions={"prompt_tokens": None, "seq": 2048}).value == asked().value
    assert asked(conditions={"prompt_tokens": None}, workload="Llama-7B pp2048").value == asked().value
    assert asked(metric="ttft").value == asked().value
