"""Slips of chapter 4 that are written out."""

import numpy as np


def softmax_of_each_block(scores, values, block):
    output = 0
    for start in range(0, len(scores), block):
        weights = np.exp(scores[start : start + block] - scores[start : start + block].max())
        output = output + weights / weights.sum() @ values[start : start + block]
    return output


def no_maximum(scores, values, block):
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(scores)
        return weights @ values / weights.sum()
