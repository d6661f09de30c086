"""The small transformer: cached and computed anew, NumPy and JAX, the formula and XLA."""

import numpy as np
import pytest

from accelerator_lib import llm
from accelerator_lib.llm import tiny


def test_a_text_read_in_pieces_is_the_text_read_at_once():
    tokens = np.arange(40) % 64
    at_once = tiny.forward(tiny.weights(2), tokens, 0, *tiny.empty(2))[0][-1]
    assert tiny.whole(tiny.weights(2), tokens, 2) == pytest.approx(at_once, abs=1e-4)


def test_a_token_does_not_see_what_comes_after_it():
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


def test_the_weights_are_as_many_as_the_formula_counts():
    for heads in (1, 2, 4):
        assert sum(array.size for array in tiny.weights(heads).values()) == llm.param_count(tiny.shape(heads))
