"""Slips of the exercises of chapter 4."""

import numpy as np


def writes_forgotten(a, b, tile_m, tile_n):
    """You left out the writes: every output tile is written once."""
    return blocked_with(a, b, tile_m, tile_n, lambda left, right: left.size + right.size)


def ragged_tiles_counted_full(a, b, tile_m, tile_n):
    """You counted the tiles at the edge as full ones. They move only what they have."""
    k = a.shape[1]
    return blocked_with(a, b, tile_m, tile_n, lambda left, right: tile_m * k + k * tile_n + tile_m * tile_n)


def every_matrix_once(a, b, tile_m, tile_n):
    """You counted each matrix once. Every tile reads its rows of a and its columns of b anew: that is the traffic."""
    return a @ b, a.size + b.size + a.shape[0] * b.shape[1]


def blocked_with(a, b, tile_m, tile_n, counted):
    """The product tile by tile, with another count."""
    result, moved = np.zeros((a.shape[0], b.shape[1])), 0
    for i in range(0, a.shape[0], tile_m):
        for j in range(0, b.shape[1], tile_n):
            left, right = a[i : i + tile_m], b[:, j : j + tile_n]
            result[i : i + tile_m, j : j + tile_n] = left @ right
            moved += counted(left, right)
    return result, moved


def softmax_of_each_block(scores, values, block):
    """You normalised every block by itself. Only the sum over all blocks turns weights into shares."""
    output = 0
    for start in range(0, len(scores), block):
        weights = np.exp(scores[start : start + block] - scores[start : start + block].max())
        output = output + weights / weights.sum() @ values[start : start + block]
    return output


def no_maximum(scores, values, block):
    """You exponentiate the scores themselves: e^1000 is more than a number can hold. Subtract a maximum first."""
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(scores)
        return weights @ values / weights.sum()


def output_not_rescaled(scores, values, block):
    """When the maximum rises you rescale the sum, but not the output: both were made with the old maximum."""
    maximum, total, output = -np.inf, 0.0, np.zeros(values.shape[1])
    for start in range(0, len(scores), block):
        own = scores[start : start + block]
        largest = max(maximum, own.max())
        weights = np.exp(own - largest)
        total = total * np.exp(maximum - largest) + weights.sum()
        output = output + weights @ values[start : start + block]
        maximum = largest
    return output / total


def a_tile_of_128(budget):
    """128 x 128 is the tile of the key picture, and this budget holds more. Try them all."""
    return 128, 128


def a_tile_of_256(budget):
    """256 x 256 leaves no room for the strips: its sums alone fill the budget."""
    return 256, 256
