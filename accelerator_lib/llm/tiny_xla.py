"""The small transformer through XLA: the same lines, traced by JAX, and what the compiler counts in them."""

from functools import cache

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.llm import tiny
from accelerator_lib.llm.tiny import KV_HEADS, LETTERS, OUTPUT, PROMPT, ROOM, empty, shape, weights
from accelerator_lib.recorded import or_recorded


def lowered(kv_heads, width=64):
    """`forward` for one token as a JAX program, not compiled yet: (weights, [token], place, keys, values) in."""
    import jax
    import jax.numpy as jnp

    def write(old, new, start):
        return jax.lax.dynamic_update_slice(old, new, (start, 0, 0))

    def one(*given):
        return tiny.forward(*given, xp=jnp, write=write)

    return jax.jit(one).lower(dict(weights(kv_heads, width)), np.zeros(1, np.int32), 0, *empty(kv_heads, width))


@cache
def compiled(kv_heads):
    """The program of `lowered`, compiled by XLA for this machine."""
    return lowered(kv_heads).compile()


@checked
def xla_flops(kv_heads: OneOf(KV_HEADS) = "4", width: Count(16, 4096) = None):
    """(FLOP of one decode step as XLA counts them, by the formula); attention meets all rows that are set aside.
    The compiled program; for another `width` the program before it is compiled. The formula leaves out the table of
    inputs, which is looked up, and all that is no product: norms, softmax, gates."""
    one = shape(KV_HEADS[kv_heads]) if width is None else shape(KV_HEADS[kv_heads], width)
    formula = 2 * (one.params - one.vocab * one.d_model) + 4 * one.layers * one.d_model * ROOM
    return _counted(KV_HEADS[kv_heads], width), formula


@or_recorded
def _counted(heads, width):
    from accelerator_lib.workload import xla

    return xla.cost(compiled(heads) if width is None else lowered(heads, width))["flops"]


@checked
def write_compiled(prompt: Count(high=PROMPT) = 4, output: Count(high=OUTPUT) = 12, kv_heads: OneOf(KV_HEADS) = "4"):
    """(text, largest difference of logits from those computed anew): token by token through the compiled program."""
    return _written(prompt, output, KV_HEADS[kv_heads])


@or_recorded
def _written(prompt, output, heads):
    run, numbers, (keys, values) = compiled(heads), dict(weights(heads)), empty(heads)
    tokens, apart = tiny.first(prompt), 0.0
    for place in range(prompt + output - 1):
        logits, keys, values = run(numbers, np.array(tokens[place : place + 1], np.int32), place, keys, values)
        if place + 1 == len(tokens):
            anew = tiny.whole(numbers, np.array(tokens), heads)
            apart = max(apart, float(np.abs(np.asarray(logits)[-1] - anew).max()))
            tokens.append(int(anew.argmax()))
    return "".join(LETTERS[token] for token in tokens), apart
