"""How long a step takes: by hand, at its two ends, and against the roofline and a long simulation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, llm
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.llm import clocks, unhindered
from accelerator_lib.llm.served import Request

MODEL, CHIP = "llama-3-8b", "h100-sxm5"
STEP = clocks.clock(MODEL, CHIP)


def test_one_token_takes_a_read_of_the_weights():
    head = 128_256 * 4096  # as many weights as the table of inputs
    assert STEP(0, 1, 0) == pytest.approx((2 * (8_030_261_248 - head) + 131_072) / 3.35e12)
    flops = 2 * (8_030_261_248 - 2 * head) * 8223 + 2 * head * 32
    assert STEP(8192, 31, 0) == pytest.approx(flops / (989.4e12 / 2))


@given(st.integers(0, 5000), st.integers(1, 500), st.integers(0, 10**6))
def test_a_step_is_never_shorter_than_a_smaller_one(prompt, decode, cached):
    here = STEP(prompt, decode, cached)
    assert here <= STEP(prompt + 1, decode, cached) and here <= STEP(prompt, decode, cached + 1)


@given(st.integers(1, 300), st.integers(1, 4096))
def test_without_prompts_it_is_the_decode_step_of_the_roofline_where_memory_binds(batch, context):
    step = llm.decode_step(MODEL, CHIP, batch, context)
    assert clocks.clock(MODEL, CHIP, mfu=1)(0, batch, batch * (context - 1)) >= step.memory_seconds * (1 - 1e-12)
    if step.bound == "memory":
        assert clocks.clock(MODEL, CHIP, mfu=1)(0, batch, batch * (context - 1)) == pytest.approx(step.seconds)


def test_a_prompt_is_the_prefill_of_the_roofline_without_attention():
    flops, seconds = llm.prefill(MODEL, CHIP, 4096, mfu=0.5)
    model = llm.model(MODEL)
    attention = 2 * model.layers * model.d_model * 4096 * 4097
    assert STEP(4096, 0, 0) == pytest.approx(seconds * (1 - attention / flops))


def test_overhead_is_paid_by_steps_with_a_prompt_alone():
    slow = clocks.clock(MODEL, CHIP, half_tokens=300)
    assert slow(0, 200, 0) == STEP(0, 200, 0) and slow(300, 0, 0) == STEP(600, 0, 0)


def test_a_cache_of_fewer_bits_is_read_sooner():
    small = clocks.clock(MODEL, CHIP, kv_dtype="int8")
    assert STEP(0, 1, 10**6) - STEP(0, 1, 0) == pytest.approx(2 * (small(0, 1, 10**6) - small(0, 1, 0)), rel=1e-4)


def test_blocks_are_what_the_weights_leave():
    assert clocks.blocks_of(MODEL, CHIP) == 26_674
    assert clocks.blocks_of("llama-2-70b", CHIP) == 0
    room = 0.9 * hardware.chip(CHIP).capacity_bytes - 2 * llm.param_count(MODEL)
    assert 0 <= room - 26_674 * 16 * 131_072 < 16 * 131_072


@pytest.mark.parametrize("batch, prompt, output", [(64, 1024, 128), (16, 512, 128), (32, 2048, 256)])
def test_in_the_long_run_the_simulation_comes_to_the_capacity(batch, prompt, output):
    found = clocks.capacity(MODEL, CHIP, prompt, output, batch)
    count = 6 * batch
    end = unhindered.outcome([Request(0, prompt, output)] * count, batch, seconds=STEP)
    assert count / end.time == pytest.approx(found.requests_per_s, rel=0.04)
    assert batch / (output * found.seconds_per_token) == pytest.approx(found.requests_per_s)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: clocks.clock("llama-3-9b", CHIP), "did you mean"),
        (lambda: clocks.clock(MODEL, CHIP, mfu=0), "mfu = 0"),
        (lambda: clocks.clock(MODEL, CHIP, mfu=1.5), "mfu = 1.5"),
        (lambda: clocks.clock(MODEL, CHIP, half_tokens=-1), "half_tokens = -1"),
        (lambda: clocks.capacity(MODEL, CHIP, 0, 128, 64), "prompt = 0"),
        (lambda: clocks.capacity(MODEL, CHIP, 1024, 128, 0), "batch = 0"),
        (lambda: clocks.blocks_of(MODEL, CHIP, usable=1.1), "usable = 1.1"),
    ],
)
def test_bad_values_are_one_line(call, said):
    with pytest.raises((ValueError, KeyError, NotAvailable), match=said):
        call()
