"""How many chips hold a model."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.design import chips_for_weights, ladder
from accelerator_lib.workload.models import models

MODELS = sorted(id for id, model in models().items() if model.kv_width)


def test_the_rungs_of_llama_2_70b():
    found = ladder.ladder("llama-2-70b")
    chips = {rung.record.id: rung.for_weights for rung in found.rungs}
    assert (chips["groq-lpu"], chips["a100-80gb-sxm"], chips["wse-3"]) == (600, 2, 4)
    assert {r.record.id: r.for_weights for r in ladder.ladder("llama-2-70b", 4).rungs}["groq-lpu"] == 150
    assert found.cache_bytes == 0 and all(rung.for_all == rung.for_weights for rung in found.rungs)


def test_32_requests_of_4096_tokens_take_43_gb_more():
    found = ladder.ladder("llama-2-70b", 16, 4096, 32)
    by_hand = 2 * 80 * 8 * 128 * 2 * 4096 * 32  # keys and values, layers, heads, width, bytes, tokens, requests
    assert found.cache_bytes == by_hand == pytest.approx(42.9e9, rel=2e-3)
    assert {r.record.id: (r.for_weights, r.for_all) for r in found.rungs}["groq-lpu"] == (600, 787)


@given(st.sampled_from(MODELS), st.sampled_from(ladder.BITS), st.integers(1, 200_000), st.integers(0, 512))
def test_so_many_chips_hold_it_and_one_less_does_not(model, bits, context, batch):
    found = ladder.ladder(model, bits, context, batch)
    needed = llm.param_count(model) * bits / 8 + batch * context * llm.kv_bytes_per_token(model)
    assert found.needed_bytes == pytest.approx(needed)
    for rung in found.rungs:
        each = rung.record.memory_bytes
        assert (rung.for_all - 1) * each < needed * (1 + 1e-12) and needed <= rung.for_all * each * (1 + 1e-12)
        assert rung.for_weights == chips_for_weights(llm.param_count(model), bits / 8, each) <= rung.for_all


def test_rungs_rise_and_lie_between_a_tenth_and_300_gb():
    sizes = [rung.record.memory_bytes for rung in ladder.ladder().rungs]
    assert sizes == sorted(sizes) and sizes[0] >= 0.1e9 and sizes[-1] <= 300e9
    chips = [rung.for_all for rung in ladder.ladder().rungs]
    assert chips == sorted(chips, reverse=True) and chips[0] == ceil(llm.param_count("llama-2-70b") * 2 / 230e6)


def test_a_model_whose_weights_do_not_follow_from_its_widths_is_told_so():
    with pytest.raises(NotAvailable, match="compressed"):
        ladder.ladder("deepseek-v3")


@pytest.mark.parametrize(
    "given", [{"bits": 5}, {"bits": True}, {"context": 0}, {"batch": -1}, {"batch": 1.5}, {"context": float("nan")}]
)
def test_bad_input_is_one_clear_line(given):
    with pytest.raises((ValueError, TypeError), match=next(iter(given))):
        ladder.ladder(**given)
