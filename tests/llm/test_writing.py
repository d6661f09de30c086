"""A text letter by letter: cached and computed anew, and what both cost."""

import pytest

from accelerator_lib import llm
from accelerator_lib.llm import tiny, writing


@pytest.mark.parametrize("heads", tiny.KV_HEADS)
def test_with_a_cache_and_without_the_logits_are_the_same(heads):
    run = list(writing.write(16, 32, heads))
    assert len(run) == 32 and max(one.difference for one in run) < 1e-4
    assert len(set(run[-1].text)) > 5  # not one letter over and over


def test_cost_of_a_text_is_the_same_however_it_is_cut():
    """With a cache each pair of tokens meets once, as in one pass over the whole text; only heads come on top."""
    states = list(writing.write(5, 9, "2"))
    whole = writing.cost(2, 0, 13)[0][0]
    head = 2 * 64 * 64
    assert sum(state.flops[0] for state in states) - 8 * head == whole
    assert states[-1].flops[1] == whole and states[0].flops[0] == states[0].flops[1]


@pytest.mark.parametrize("prompt, output", [(1, 1), (4, 12), (16, 32)])
def test_the_course_of_a_run(prompt, output):
    run = list(writing.write(prompt, output, "1"))
    assert [state.cached for state in run] == list(range(prompt, prompt + output))
    assert [state.fresh for state in run] == [prompt] + [1] * (output - 1)
    assert [state.made for state in run] == list(range(1, output + 1))
    assert run[-1].cache_bytes == (prompt + output - 1) * llm.kv_bytes_per_token(tiny.shape(1), "fp32")
    assert max(max(s.flops) for s in run) == run[-1].most[0] and max(max(s.bytes_moved) for s in run) == run[-1].most[1]
    for state in run:
        assert state.bytes_moved[0] - state.bytes_moved[1] == state.cache_bytes


def test_a_decode_step_costs_what_the_large_models_formula_says():
    shape = tiny.shape(4)
    step = llm.decode_step(shape, "a100-80gb-sxm", 1, 20, "fp32", "fp32", "fp32")
    (flops, _), (moved, _) = writing.cost(4, 19, 20)
    assert step.flops == flops and step.bytes_moved == moved


@pytest.mark.parametrize("wrong", [{"prompt": 0}, {"prompt": 17}, {"output": 33}, {"kv_heads": "3"}])
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises((ValueError, KeyError), match=next(iter(wrong))):
        writing.write(**wrong)
