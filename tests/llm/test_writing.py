"""The small transformer: cached and computed anew, with a draft, and the formula."""

import numpy as np
import pytest

from accelerator_lib import llm
from accelerator_lib.llm import tiny, writing


def test_a_text_read_in_pieces_is_the_same_and_no_token_sees_what_comes_after_it():
    tokens = np.arange(40) % 64
    at_once = tiny.forward(tiny.weights(2), tokens, 0, *tiny.empty(2))[0][-1]
    assert tiny.whole(tiny.weights(2), tokens, 2) == pytest.approx(at_once, abs=1e-4)
    weights, tokens = tiny.weights(4), np.arange(20)
    other = np.concatenate([tokens[:12], [60] * 8])
    one, two = (tiny.forward(weights, text, 0, *tiny.empty(4))[0] for text in (tokens, other))
    assert one[:12] == pytest.approx(two[:12], abs=1e-5) and np.abs(one[12:] - two[12:]).max() > 0.1


def test_keys_and_values_by_a_loop():
    """One head at a time, without a cache, in double precision."""
    shape, weights, tokens = tiny.shape(2), tiny.weights(2), [5, 9, 33, 9]
    x = weights["table"][tokens].astype(float)
    for one in range(shape.layers):
        y = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6)
        heads = []
        for head in range(4):
            shared, width = head // 2, shape.head_dim
            columns, narrow = slice(head * width, (head + 1) * width), slice(shared * width, (shared + 1) * width)
            query, key = y @ weights["query"][one][:, columns], y @ weights["key"][one][:, narrow]
            for rows in (query, key):
                for place, row in enumerate(rows):
                    turn = place * 100.0 ** (-np.arange(width // 2) / (width // 2))
                    pair = (row[: width // 2] + 1j * row[width // 2 :]) * np.exp(1j * turn)
                    row[:] = np.concatenate([pair.real, pair.imag])
            scores = np.where(np.tri(len(tokens)), np.exp(query @ key.T / np.sqrt(width)), 0)
            heads.append(scores / scores.sum(1, keepdims=True) @ (y @ weights["value"][one][:, narrow]))
        x = x + np.concatenate(heads, 1) @ weights["output"][one]
        y = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6)
        gate = y @ weights["gate"][one]
        x = x + (gate / (1 + np.exp(-gate)) * (y @ weights["up"][one])) @ weights["down"][one]
    logits = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6) @ weights["head"]
    assert tiny.forward(weights, np.array(tokens), 0, *tiny.empty(2))[0] == pytest.approx(logits, abs=1e-4)


def test_weights_are_those_of_the_formula():
    for heads in (1, 2, 4):
        assert sum(array.size for array in tiny.weights(heads).values()) == llm.param_count(tiny.shape(heads))


@pytest.mark.parametrize("heads", tiny.KV_HEADS)
def test_with_a_cache_and_without_the_logits_are_the_same(heads):
    run = list(writing.write(16, 32, heads))
    assert len(run) == 32 and max(one.difference for one in run) < 1e-4
    assert len(set(run[-1].text)) > 5  # not one letter over and over


def test_cost_of_a_text_however_it_is_cut_and_as_of_large_models():
    """With a cache each pair of tokens meets once, as in one pass over the whole text; only heads come on top."""
    states = list(writing.write(5, 9, "2"))
    whole = writing.cost(2, 0, 13)[0][0]
    head = 2 * 64 * 64
    assert sum(state.flops[0] for state in states) - 8 * head == whole
    assert states[-1].flops[1] == whole and states[0].flops[0] == states[0].flops[1]
    step = llm.decode_step(tiny.shape(4), "a100-80gb-sxm", 1, 20, "fp32", "fp32", "fp32")
    (flops, _), (moved, _) = writing.cost(4, 19, 20)
    assert step.flops == flops and step.bytes_moved == moved


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
