"""Drafting: the small transformer writes with a draft, and always takes the likeliest letter.

Its draft is itself with weights in few bits, and drafts some letters, one by one. The model looks at all of them in one
step, with its cache: it keeps them as far as they are what it would have written, and adds a letter of its own. Cached
rows of letters that were not kept are written over by those that follow.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.llm import tiny


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
def write(drafted: Count(low=0, high=8) = 4, bits: Count(2, 16) = 4, prompt: Count(high=tiny.PROMPT) = 4,
          output: Count(high=tiny.OUTPUT) = 32):  # fmt: skip
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
