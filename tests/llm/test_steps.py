"""Decode, prefill, the batch at which arithmetic takes over; and where both lie on the roofline."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accelerator_lib import hardware, llm
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.workload import transformer
from accelerator_lib.workload.work import Gemm

A100, H100 = hardware.chip("a100-80gb-sxm"), hardware.chip("h100-sxm5")
MODELS = st.sampled_from(["llama-2-7b", "llama-3-8b", "llama-3-70b", "mixtral-8x7b"])


def test_one_user_by_hand():
    step = llm.decode_step("llama-2-7b", A100, 1, 1024)
    assert step.bytes_moved == 2 * 6_607_343_616 + 1024 * 524_288
    assert step.flops == 2 * 6_607_343_616 + 4 * 32 * 4096 * 1024
    assert step.seconds == step.memory_seconds == step.bytes_moved / 2.039e12 and step.bound == "memory"
    assert step.tokens_per_s == 1 / step.seconds


@pytest.mark.parametrize("batch", [1, 17, 200])
def test_the_arithmetic_of_a_step_is_the_sum_over_its_products(batch):
    one, context = llm.model("llama-3-8b"), 700
    parts = [*transformer.projections(batch, one.d_model, one.kv_width).values()]
    parts += transformer.mlp(batch, one.d_model, one.d_ff).values()
    flops = one.layers * sum(part.flops for part in parts) + Gemm(batch, one.vocab, one.d_model).flops
    flops += batch * one.layers * 2 * Gemm(1, context, one.d_model).flops  # scores, weighted sum
    rest = 2 * batch * one.d_model * (2 * one.layers + 1)  # norms: counted, too
    assert llm.decode_step(one, H100, batch, context).flops == flops + rest


def test_formats_and_chips_divide_what_is_moved():
    whole, halved = (llm.decode_step("llama-2-7b", A100, 4, 512, *dtypes) for dtypes in ((), ("int8", "int8")))
    assert halved.memory_seconds == whole.memory_seconds / 2 and halved.compute_seconds == whole.compute_seconds
    spread = llm.decode_step("llama-2-7b", A100, 4, 512, n_chips=4)
    assert spread.seconds == pytest.approx(whole.seconds / 4)
    assert llm.decode_step("llama-2-7b", A100, 4, 512, math_dtype="int8").compute_seconds == whole.compute_seconds / 2


def test_arrays_give_what_their_elements_give():
    batch = np.array([1, 8, 512])
    steps = llm.decode_step("mixtral-8x7b", H100, batch, 128)
    each = [llm.decode_step("mixtral-8x7b", H100, int(one), 128) for one in batch]
    assert list(steps.seconds) == pytest.approx([one.seconds for one in each])
    assert list(steps.bound) == [one.bound for one in each]


def test_a_prompt_is_arithmetic_unless_it_is_short():
    flops, seconds = llm.prefill("llama-2-7b", A100, 2048)
    assert (
        flops == 2 * 6_476_271_616 * 2048 + 2 * 131_072_000 + 2 * 32 * 4096 * 2048 * 2049 and seconds == flops / 312e12
    )
    assert llm.prefill("llama-2-7b", A100, 2048, mfu=0.5)[1] == 2 * seconds
    assert llm.prefill("llama-2-7b", A100, 2048, causal=False)[0] - flops == 2 * 32 * 4096 * 2048 * 2047
    assert llm.prefill("llama-2-7b", A100, 16)[1] == 2 * 6_607_343_616 / 2.039e12
    assert llm.prefill("llama-2-7b", A100, 2048, n_chips=8)[1] == pytest.approx(seconds / 8)


@settings(max_examples=60, deadline=None)
@given(MODELS, st.sampled_from([A100, H100]), st.integers(1, 4096))
def test_at_the_critical_batch_both_take_as_long(model, chip, context):
    batch = llm.critical_batch(model, chip, context)
    if batch is None:
        assert llm.decode_step(model, chip, 10**6, context).bound == "memory"
        return
    assume(2 <= batch < 9e5)
    for users, bound in ((int(batch) - 1, "memory"), (int(batch) + 2, "compute")):
        assert llm.decode_step(model, chip, users, context).bound == bound


@settings(max_examples=60)
@given(MODELS, st.integers(1, 32_768), st.integers(1, 10**6))
def test_no_batch_brings_more_tokens_a_second_than_the_most(model, context, users):
    most = llm.steps.most_tokens_per_s(model, H100, context)
    assert llm.decode_step(model, H100, users, context).tokens_per_s <= most * (1 + 1e-12)
    assert llm.decode_step(model, H100, 10**9, context).tokens_per_s == pytest.approx(most, rel=1e-3)


def test_the_most_by_hand():
    assert llm.steps.most_tokens_per_s("llama-2-7b", A100, 1024) == pytest.approx(2.039e12 / (1024 * 524_288))


def test_beyond_a_context_no_batch_is_enough():
    assert llm.critical_batch("llama-3-8b", H100, 393) > 1e4 and llm.critical_batch("llama-3-8b", H100, 394) is None


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), 1.5, 1e30, "many"])
def test_what_is_no_number_of_users_is_refused(wrong):
    with pytest.raises((ValueError, TypeError), match="batch"):
        llm.decode_step("llama-2-7b", A100, wrong, 128)
    with pytest.raises((ValueError, TypeError), match="context"):
        llm.critical_batch("llama-2-7b", A100, wrong)


def test_a_format_that_a_chip_lacks_and_a_model_that_nobody_knows():
    with pytest.raises(NotAvailable, match="fp4"):
        llm.decode_step("llama-2-7b", A100, 1, 128, math_dtype="fp4")
    with pytest.raises(KeyError, match="did you mean 'llama-2-7b'"):
        llm.prefill("lama-2-7b", A100, 128)
    with pytest.raises(ValueError, match="mfu"):
        llm.prefill("llama-2-7b", A100, 128, mfu=0)
