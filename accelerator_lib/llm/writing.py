"""Writing: the small transformer makes a text, and always takes the likeliest letter. A letter behind c others costs
    with a cache  FLOP = 2 P + 4 layers d c                          bytes = weights + c rows of the cache
    without       FLOP = 2 (P - head) c + 2 head + 2 layers d c (c + 1)              bytes = weights
The table is looked up for a letter that comes in, and multiplied for the next one. Rows of the cache have 32 bits.
Activations, and the scales of weights in few bits, are not counted as bytes.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.hardware import FORMAT_BYTES, AChip
from accelerator_lib.llm import tiny
from accelerator_lib.llm.counts import of

Prompt, Output = Count(high=tiny.PROMPT), Count(high=tiny.OUTPUT)
FORMATS = ("bf16", "int8", "int4")
LOST = data.load("austen")["losses"]["austen"]


@dataclass(frozen=True)
class Written:  # after one step: the text, what lies in the cache, and what this step cost both ways
    text: str  # the prompt and what was made; the last letter is not in the cache yet
    prompt: int
    cached: int  # rows in the cache
    fresh: int  # of them, those computed in this step
    flops: tuple  # with the cache, without
    bytes_moved: tuple
    seconds: float  # the least that the chip takes with the cache, by the roofline in bf16
    chip: str
    lost: float  # bits for a letter of unseen text, with these weights
    difference: float  # the largest between the logits both ways
    most: tuple  # FLOP, bytes: the most of any step of this run, either way
    made = property(lambda self: len(self.text) - self.prompt)
    blind = float(np.log2(len(tiny.LETTERS)))  # bits, where all letters are as likely
    room = tiny.ROOM  # rows that are set aside for the cache
    kv_heads, layers = tiny.shape().kv_heads, tiny.shape().layers
    row_bytes = of(tiny.shape()).kv_bytes("fp32")
    cache_bytes = property(lambda self: self.cached * self.row_bytes)
    room_bytes = property(lambda self: self.room * self.row_bytes)


def cost(dtype, before, after):
    """((FLOP with a cache that holds `before` tokens, without), (bytes with, without)) to bring it to `after`."""
    count, every = of(tiny.shape()), after * (after + 1) // 2
    held = FORMAT_BYTES[dtype] * count.read(1)
    fresh = count.prompt_flops(after - before, every - before * (before + 1) // 2)
    return (fresh, count.prompt_flops(after, every)), (held + after * Written.row_bytes, held)


@checked
def write(prompt: Prompt = 4, output: Output = 12, dtype: OneOf(FORMATS) = "int8", chip: AChip = "a100-80gb-sxm"):
    """Yield a Written for each of `output` letters after a prompt of so many. Weights are rounded to `dtype`.
    Without a cache all letters meet again: one pass over the text has the logits of every place."""
    weights, cache = tiny.weights("austen", dtype), tiny.empty()
    tokens, cached, made = list(tiny.tokens(tiny.START[:prompt])), 0, []
    for _ in range(output):
        logits, *cache = tiny.forward(weights, np.array(tokens[cached:]), *cache)
        made.append(logits[-1])
        cached = len(tokens)
        tokens.append(int(logits[-1].argmax()))
    anew, *_ = tiny.forward(weights, np.array(tokens[:-1]), *tiny.empty())
    most = [max(pair) for pair in cost(dtype, cached - 1, cached)]
    most = tuple(max(first, *one) for first, one in zip(most, cost(dtype, 0, prompt), strict=True))
    rate, peak, lost = chip.need("bytes_per_s"), chip.peak("bf16"), LOST[dtype]["bits"]
    for step, logits in enumerate(made):
        before, after = (prompt + step - 1 if step else 0), prompt + step
        flops, moved = cost(dtype, before, after)
        text = "".join(tiny.LETTERS[token] for token in tokens[: after + 1]).replace("\n", "¶")
        apart = float(np.abs(logits - anew[after - 1]).max())
        took = max(flops[0] / peak, moved[0] / rate)
        yield Written(text, prompt, after, after - before, flops, moved, took, chip.short_name, lost, apart, most)


@dataclass(frozen=True)
class Drafted:  # a text of which a draft model proposed letters
    text: str
    rounds: int  # checks by the large model
    accepted: float  # the share of the letters that it looked at, to the first miss: the `a` of speculation.py


@checked
def drafted(drafts: Count(high=16) = 4, output: Count(high=256) = 128):
    """Drafted: after tiny.START at least `output` letters; the draft model proposes so many a round, and the large one
    checks them in one pass. A round ends at the first that it would not take, with its own letter instead."""
    large, small = tiny.weights("austen"), tiny.weights("draft")
    tokens, rounds, taken, seen = list(tiny.tokens(tiny.START)), 0, 0, 0
    kept, behind = tiny.empty("austen"), tiny.empty("draft")
    while len(tokens) < tiny.PROMPT + output:
        ahead = list(tokens)
        for _ in range(drafts):
            logits, *behind = tiny.forward(small, np.array(ahead[behind[0].shape[-2] :]), *behind)
            ahead.append(int(logits[-1].argmax()))
        logits, *kept = tiny.forward(large, np.array(ahead[kept[0].shape[-2] :]), *kept)
        own = logits[-drafts - 1 :].argmax(-1).tolist()
        right = next((i for i in range(drafts) if own[i] != ahead[len(tokens) + i]), drafts)
        tokens += own[: right + 1]
        rounds, taken, seen = rounds + 1, taken + right, seen + min(right + 1, drafts)
        kept, behind = ([rows[..., : len(tokens) - 1, :] for rows in cache] for cache in (kept, behind))
    return Drafted("".join(tiny.LETTERS[token] for token in tokens), rounds, taken / seen)
