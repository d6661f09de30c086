"""A prompt and an answer: where both lie on the roofline, and when the tokens come."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import hardware, llm, roofline
from accelerator_lib.llm import phases

A100 = hardware.chip("a100-80gb-sxm")
MODELS = st.sampled_from(["llama-2-7b", "llama-3-8b", "llama-3-70b", "mixtral-8x7b"])


@settings(max_examples=40)
@given(MODELS, st.integers(1, 32_768), st.integers(1, 512))
def test_users_move_decode_to_the_right_and_never_past_the_limit(model, context, users):
    placed = phases.phases(model, A100, context, users)
    assert placed.decode.intensity < placed.most_intensity
    assert phases.phases(model, A100, context, users + 1).decode.intensity > placed.decode.intensity or (
        llm.model(model).experts > 1
    )
    many = phases.phases(model, A100, context, 10**6)
    assert many.decode.intensity == pytest.approx(many.most_intensity, rel=0.01) or context < 1000


def test_two_dots_by_hand():
    placed = phases.phases("llama-2-7b", A100, 1024, 1)
    assert placed.most_intensity == pytest.approx(25.6, abs=0.05)
    assert placed.ridge_point == roofline.ridge_of(A100) == pytest.approx(153, abs=0.1)
    assert placed.decode.intensity == 1 < placed.ridge_point < placed.prefill.intensity and placed.fits


def test_an_answer_is_the_prompt_and_then_a_step_for_each_token():
    one = phases.answer("llama-2-7b", A100, 2048, 100)
    gaps = [llm.decode_step("llama-2-7b", A100, 1, 2048 + n).seconds for n in range(1, 100)]
    assert list(one.gaps) == pytest.approx(gaps) and len(one.times) == 100
    assert one.first == llm.prefill("llama-2-7b", A100, 2048, mfu=0.5)[1] == one.times[0]
    assert one.done == pytest.approx(one.times[-1]) and one.next_first == one.done + one.first
    assert one.mean_gap == pytest.approx(np.mean(gaps))
    two = phases.answer("llama-2-7b", A100, 2048, 2)  # one step after the prompt
    assert list(two.gaps) == pytest.approx(gaps[:1]) and two.mean_gap == pytest.approx(gaps[0])


def test_what_an_answer_does_to_the_others():
    short, long = (phases.answer("llama-2-7b", A100, 2048, output) for output in (1, 2048))
    assert short.first == long.first and long.next_first > short.next_first == 2 * short.first
    assert short.mean_gap is None and short.done == short.first
    assert phases.answer("llama-2-7b", A100, 49_409, 1).attention_share == pytest.approx(0.5, abs=1e-5)
    assert phases.answer("llama-2-7b", A100, 16, 1).first == short.read_seconds
    assert short.fits and not phases.answer("llama-2-7b", A100, 131_072, 1).fits
