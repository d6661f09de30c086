"""Writing: the small transformer makes a text, and always takes the likeliest letter.

Token by token, with a cache and without, each token costs

    with      FLOP = 2 (P - table) + 4 layers d c                            bytes = weights + c rows of the cache
    without   FLOP = 2 (P - table - head) c + 2 head + 2 layers d c (c + 1)  bytes = weights

c: tokens so far. The table of inputs is looked up, not multiplied. Without a cache every token so far is computed once
more, each looking at those before it; only the last one's logits are needed. Activations are not counted as bytes.

With a draft: the same weights in few bits draft some letters, one by one. The model looks at all of them in one step,
with its cache: it keeps them as far as they are what it would have written, and adds a letter of its own. Cached rows
of letters that were not kept are written over by those that follow.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.llm import tiny
from accelerator_lib.llm.counts import of


@dataclass(frozen=True)
class Written:
    """After one step: the text, what lies in the cache, and what this step cost both ways."""

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

    @property
    def made(self):
        return len(self.text) - self.prompt

    room = tiny.ROOM  # rows that are set aside for the cache

    @property
    def cache_bytes(self):
        return self.cached * self.row_bytes

    @property
    def room_bytes(self):
        return self.room * self.row_bytes


def cost(kv_heads, before, after):
    """((FLOP with a cache that holds `before` tokens, without), (bytes with, without)) to bring it to `after`."""
    one, new = tiny.shape(kv_heads), after - before
    head, scores = one.vocab * one.d_model, 4 * one.layers * one.d_model

    def flops(tokens, pairs):
        return 2 * (one.params - 2 * head) * tokens + 2 * head + scores * pairs

    every = after * (after + 1) // 2
    held = 4 * (one.params - head)
    return (
        (flops(new, every - before * (before + 1) // 2), flops(after, every)),
        (held + after * of(one).kv_bytes("fp32"), held),
    )


@checked
def write(
    prompt: Count(high=tiny.PROMPT) = 4, output: Count(high=tiny.OUTPUT) = 12, kv_heads: OneOf(tiny.KV_HEADS) = "4"
):
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


@dataclass(frozen=True)
class Drafted:
    """A text, and in how many steps of the model it was written."""

    text: str
    steps: int
    kept: int  # drafted letters that were what the model would have written
    drafted: int


def rounded(weights, bits):
    """Matrices in so many bits, each column with its own scale."""
    most, found = 2 ** (bits - 1) - 1, dict(weights)
    for name in ("head", "query", "output", "gate", "up", "down", "key", "value"):
        scale = np.abs(weights[name]).max(-2, keepdims=True) / most
        found[name] = (np.round(weights[name] / scale) * scale).astype(np.float32)
    return found


def _next(weights, tokens, cached, caches):
    """(likeliest letters after each token that is not cached yet, caches)."""
    logits, *caches = tiny.forward(weights, np.array(tokens[cached:]), cached, *caches)
    return [int(one) for one in logits.argmax(-1)], caches


@checked
def draft(
    drafted: Count(low=0, high=8) = 4,
    bits: Count(2, 16) = 4,
    prompt: Count(high=tiny.PROMPT) = 4,
    output: Count(high=tiny.OUTPUT) = 32,
):
    """Drafted text of `output` letters after a prompt; 0 drafted: letter by letter, the plain way."""
    large = tiny.weights(4)
    small, end = rounded(large, bits), prompt + output
    tokens, cached, mine, draft_cached, its = tiny.first(prompt), 0, tiny.empty(4), 0, tiny.empty(4)
    steps = kept = tried = 0
    while len(tokens) < end:
        guess = list(tokens)
        for _ in range(min(drafted, end - len(tokens) - 1)):
            ahead, its = _next(small, guess, draft_cached, its)
            draft_cached, guess = len(guess), [*guess, ahead[-1]]
        said, mine = _next(large, guess, cached, mine)
        said = said[len(tokens) - 1 - cached :]  # its own letter at the place of each drafted one, and after the last
        ours = guess[len(tokens) :]
        right = next((at for at, one in enumerate(ours) if one != said[at]), len(ours))
        steps, kept, tried = steps + 1, kept + right, tried + len(ours)
        tokens = [*guess[: len(tokens) + right], said[right]]
        cached = len(tokens) - 1
        draft_cached = min(draft_cached, cached)
    return Drafted("".join(tiny.LETTERS[one] for one in tokens), steps, kept, tried)
