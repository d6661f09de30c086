"""Online softmax: the weighted sum of attention in one pass, block by block, with a running maximum and sum.

    m' = max(m, max of the block)    l' = l exp(m - m') + sum of exp(s - m')    o' = o exp(m - m') + exp(s - m') v

At the end o / l is softmax(s) v, though no one has seen all scores at once. Source: M. Milakov, N. Gimelshein, "Online
normalizer calculation for softmax", 2018.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import table
from accelerator_lib.checks.signature import Count, Number, Single, checked

Score = Single(Number(low=-700, high=700))  # the larger of two is taken


@dataclass(frozen=True, eq=False)
class State:
    """After one block: what was read, the running maximum and sum, the result so far."""

    number: int
    read: int  # scores so far, this block included
    scores: np.ndarray  # of this block
    maximum: float
    scale: float  # what the old sum and output were multiplied with
    total: float
    output: np.ndarray  # already divided by the sum


@checked
def stream(scores, values, block: Count() = 4):
    """Yield a State for every block of one row: scores [n], values [n, d]."""
    return _stream(*_row(scores, values), block)


def _row(scores, values):
    """Both as arrays of numbers. Raises ValueError where they do not belong together."""
    scores, values = table("scores", scores), table("values", values)
    if scores.dtype.kind not in "iuf" or values.dtype.kind not in "iuf":
        raise TypeError(f"scores and values must hold numbers, not {scores.dtype} and {values.dtype}")
    scores, values = scores.astype(float), values.astype(float)
    if scores.ndim != 1 or values.ndim != 2 or len(scores) != len(values) or not len(scores):
        raise ValueError(f"scores [n] and values [n, d] belong together; got {scores.shape} and {values.shape}")
    if not np.all(scores < np.inf) or scores.max() == -np.inf:  # NaN is not below infinity, either
        raise ValueError("scores must be numbers, or -inf where a mask hides them, and one must not be hidden")
    if not np.isfinite(values).all():
        raise ValueError("values must be finite numbers")
    return scores, values


def _stream(scores, values, block):
    maximum, total, output = -np.inf, 0.0, np.zeros(values.shape[1])
    for number, start in enumerate(range(0, len(scores), block)):
        own = scores[start : start + block]
        largest = max(maximum, float(own.max()))
        if largest == -np.inf:  # a block that a mask hides whole, before any score was seen: nothing to add yet
            yield State(number, start + len(own), own, maximum, 1.0, total, output)
            continue
        scale, weights = float(np.exp(maximum - largest)), np.exp(own - largest)
        total = total * scale + float(weights.sum())
        output = output * scale + weights @ values[start : start + block]
        maximum = largest
        yield State(number, start + len(own), own, maximum, scale, total, output / total)


@dataclass(frozen=True)
class OneMore:
    """The running sum after one more score."""

    maximum: float
    scale: float  # of the old sum
    weight: float  # of the new score
    total: float
    swapped: float  # where scale and weight are mixed up

    rises = property(lambda self: "rises" if self.scale < 1 else "stays")  # whether the maximum does; as a word


@checked
def one_more(maximum: Score, total: Number(low=0), score: Score):
    """OneMore: what is kept of a softmax when another score is read."""
    largest = max(maximum, score)
    scale, weight = float(np.exp(maximum - largest)), float(np.exp(score - largest))
    return OneMore(largest, scale, weight, total * scale + weight, total * weight + scale)


def reference(scores, values):
    """softmax(scores) @ values with all scores at hand."""
    weights = np.exp(scores - np.max(scores))
    return weights @ values / weights.sum()
