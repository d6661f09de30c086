"""The small transformer: cached and computed anew, in a batch, with a draft, in JAX, by a loop; counts and the formula."""

import numpy as np
import pytest

from accelerator_lib import data, llm
from accelerator_lib.llm import tiny, writing
from accelerator_lib.llm.counts import of


def test_no_token_sees_what_comes_after_it_and_a_batch_is_each_of_its_texts():
    tokens = np.arange(40).reshape(2, 20) * 3 % 64
    other = np.concatenate([tokens[:1, :12], np.full((1, 8), 60)], 1)
    weights, cache = tiny.weights(), tiny.empty("austen", 2)
    both = tiny.forward(weights, tokens, *cache)[0]
    single = tiny.forward(weights, tokens[0], *tiny.empty())[0]
    changed = tiny.forward(weights, other[0], *tiny.empty())[0]
    assert both[0] == pytest.approx(single, abs=1e-4)
    assert single[:12] == pytest.approx(changed[:12], abs=1e-4) and np.abs(single[12:] - changed[12:]).max() > 0.1


def test_keys_and_values_by_a_loop():
    """One head at a time, without a cache, in double precision."""
    shape, weights, tokens = tiny.shape(), tiny.weights(), [5, 9, 33, 9]
    x, width = weights["table"][tokens].astype(float), shape.head_dim
    norm = lambda x: x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6)  # noqa: E731
    for one in range(shape.layers):
        y, heads = norm(x), []
        for head in range(shape.heads):
            shared = head * shape.kv_heads // shape.heads
            columns, narrow = slice(head * width, (head + 1) * width), slice(shared * width, (shared + 1) * width)
            query, key = y @ weights["query"][one][:, columns], y @ weights["key"][one][:, narrow]
            for rows in (query, key):
                for place, row in enumerate(rows):
                    turn = place * 10000.0 ** (-np.arange(width // 2) / (width // 2))
                    pair = (row[: width // 2] + 1j * row[width // 2 :]) * np.exp(1j * turn)
                    row[:] = np.concatenate([pair.real, pair.imag])
            scores = np.where(np.tri(len(tokens)), np.exp(query @ key.T / np.sqrt(width)), 0)
            heads.append(scores / scores.sum(1, keepdims=True) @ (y @ weights["value"][one][:, narrow]))
        x = x + np.concatenate(heads, 1) @ weights["output"][one]
        gate = norm(x) @ weights["gate"][one]
        x = x + (gate / (1 + np.exp(-gate)) * (norm(x) @ weights["up"][one])) @ weights["down"][one]
    logits = norm(x) @ weights["table"].T
    assert tiny.forward(weights, np.array(tokens), *tiny.empty())[0] == pytest.approx(logits, abs=1e-4)


def test_jax_has_the_same_logits():
    jnp = pytest.importorskip("jax.numpy")
    tokens = tiny.tokens("It is a truth universally")
    here = tiny.forward(tiny.weights(), tokens, *tiny.empty())[0]
    there = tiny.forward({key: jnp.asarray(one) for key, one in tiny.weights().items()}, tokens, *tiny.empty(), jnp)[0]
    assert here == pytest.approx(np.asarray(there), abs=1e-4)


@pytest.mark.parametrize("name, users, context", [("austen", 1, 1), ("austen", 3, 20), ("draft", 5, 7)])
def test_what_the_products_of_a_step_read_and_compute_is_what_the_laws_say(name, users, context):
    """Every product is counted as it runs: its FLOP, and the numbers of the factor that is stored."""
    shape, flops, numbers = tiny.shape(name), [], []

    def matmul(a, b):
        flops.append(2 * a.size * b.shape[-1])
        numbers.append(b.size)
        return np.matmul(a, b)

    counting = type("", (), {**{key: getattr(np, key) for key in np.__all__}, "matmul": staticmethod(matmul)})
    tokens = np.arange(users * context).reshape(users, context) % 64
    weights, cache = tiny.weights(name), tiny.empty(name, users)
    if context > 1:
        _, *cache = tiny.forward(weights, tokens[:, :-1], *cache)
    _, keys, values = tiny.forward(weights, tokens[:, -1:], *cache, counting)
    step = llm.decode_step(shape, "a100-80gb-sxm", users, context, "fp32", "fp32", "fp32")
    assert sum(flops) == step.flops and 4 * sum(numbers) == step.bytes_moved
    assert sum(array.size for array in weights.values()) == llm.param_count(shape)
    assert 4 * (keys.size + values.size) == users * context * of(shape).kv_bytes("fp32")


def test_cost_of_a_text_however_it_is_cut_and_as_of_large_models():
    """With a cache each pair of tokens meets once, as in one pass over the whole text; only heads come on top."""
    states = list(writing.write(5, 9))
    whole = writing.cost("int8", 0, 13)[0][0]
    assert sum(state.flops[0] for state in states) - 8 * 2 * of(tiny.shape()).head == whole
    assert states[-1].flops[1] == whole and states[0].flops[0] == states[0].flops[1]
    step = llm.decode_step(tiny.shape(), "a100-80gb-sxm", 1, 13, "int8", "fp32", "bf16")
    assert (states[-1].flops[0], states[-1].bytes_moved[0]) == (step.flops, step.bytes_moved)
    assert states[-1].seconds == step.seconds


@pytest.mark.parametrize("prompt, output, dtype", [(1, 1, "bf16"), (4, 12, "int8"), (16, 32, "int4")])
def test_the_course_of_a_run(prompt, output, dtype):
    run = list(writing.write(prompt, output, dtype))
    assert max(state.difference for state in run) < 1e-4 and run[-1].text.startswith(tiny.START[:prompt])
    assert [state.cached for state in run] == list(range(prompt, prompt + output))
    assert [state.fresh for state in run] == [prompt] + [1] * (output - 1)
    assert [state.made for state in run] == list(range(1, output + 1))
    assert run[-1].cache_bytes == (prompt + output - 1) * llm.kv_bytes_per_token(tiny.shape(), "fp32")
    assert max(max(s.flops) for s in run) == run[-1].most[0] and max(max(s.bytes_moved) for s in run) == run[-1].most[1]
    for state in run:
        assert state.bytes_moved[0] - state.bytes_moved[1] == state.cache_bytes


def test_a_draft_changes_how_fast_a_text_comes_and_not_the_text():
    alone = list(writing.write(tiny.PROMPT, 32))[-1].text
    for drafts in (1, 4):
        run = writing.drafted(drafts, 64)
        assert run.text.replace("\n", "\N{PILCROW SIGN}").startswith(alone)
        law = llm.speculation.tokens(run.accepted, drafts)  # each letter as likely as any other
        assert 0.6 < run.accepted < 1 and (len(run.text) - tiny.PROMPT) / run.rounds == pytest.approx(law, rel=0.1)


def test_losses_by_format_are_those_in_the_data():
    facts = data.load("austen")
    assert len(tiny.stored()[1]) == facts["recipe"]["held_out"]
    for name, row in facts["losses"].items():
        for dtype, found in row.items():
            some = tiny.measured(name, dtype, 4)
            assert some == pytest.approx(found["first"], abs=2e-3)
            assert found["more"] == pytest.approx(found["bits"] - facts["losses"]["austen"]["int8"]["bits"], abs=1e-3)
    own = facts["losses"]["austen"]
    assert all(own[dtype]["more"] > 10 * own[dtype]["error"] for dtype in ("int4", "e2m1"))
