"""Writing: the small transformer makes a text, and always takes the likeliest letter. A token behind c others costs
    with a cache  FLOP = 2 (P - table) + 4 layers d c                            bytes = weights + c rows of the cache
    without       FLOP = 2 (P - table - head) c + 2 head + 2 layers d c (c + 1)  bytes = weights
The table of inputs is looked up, not multiplied. Activations are not counted as bytes.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.llm import tiny
from accelerator_lib.llm.counts import of

Prompt, Output = Count(high=tiny.PROMPT), Count(high=tiny.OUTPUT)


@dataclass(frozen=True)
class Written:  # after one step: the text, what lies in the cache, and what this step cost both ways
    text: str  # the prompt and what was made; the last letter is not in the cache yet
    prompt: int
    cached: int  # rows in the cache
    fresh: int  # of them, those computed in this step
    kv_heads: int
    row_bytes: int
    flops: tuple  # with the cache, without
    bytes_moved: tuple
    difference: float  # the largest between the logits both ways
    most: tuple  # FLOP, bytes: the most of any step of this run, either way
    made = property(lambda self: len(self.text) - self.prompt)
    room = tiny.ROOM  # rows that are set aside for the cache
    cache_bytes = property(lambda self: self.cached * self.row_bytes)
    room_bytes = property(lambda self: self.room * self.row_bytes)


def cost(kv_heads, before, after):
    """((FLOP with a cache that holds `before` tokens, without), (bytes with, without)) to bring it to `after`."""
    one = tiny.shape(kv_heads)
    count, every = of(one), after * (after + 1) // 2
    held = 4 * (one.params - count.table)
    fresh = count.prompt_flops(after - before, every - before * (before + 1) // 2)
    return (fresh, count.prompt_flops(after, every)), (held + after * count.kv_bytes("fp32"), held)


@checked
def write(prompt: Prompt = 4, output: Output = 12, kv_heads: OneOf(tiny.KV_HEADS) = "4"):
    """Yield a Written for each of `output` letters after a prompt of so many; the likeliest letter is taken."""
    heads = tiny.KV_HEADS[kv_heads]
    weights, row = tiny.weights(heads), of(tiny.shape(heads)).kv_bytes("fp32")
    keys, values = tiny.empty(heads)
    tokens, cached = tiny.first(prompt), 0
    flops, moved = cost(heads, prompt + output - 2, prompt + output - 1)
    most = max(flops), max(moved)
    for _ in range(output):
        logits, keys, values = tiny.forward(weights, np.array(tokens[cached:]), cached, keys, values)
        anew = tiny.whole(weights, np.array(tokens), heads)
        spent = cost(heads, cached, len(tokens))
        fresh, cached = len(tokens) - cached, len(tokens)
        tokens.append(int(logits[-1].argmax()))
        text = "".join(tiny.LETTERS[token] for token in tokens)
        apart = float(np.abs(logits[-1] - anew).max())
        yield Written(text, prompt, cached, fresh, heads, row, *spent, apart, most)
