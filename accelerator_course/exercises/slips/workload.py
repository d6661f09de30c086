"""Slips of the exercises of chapter 1."""

from functools import partial
from itertools import pairwise

import numpy as np


def macs_not_flops(sizes, batch):
    return sum(batch * a * b for a, b in pairwise(sizes))


def last_layer_forgotten(sizes, batch):
    return sum(2 * batch * a * b for a, b in pairwise(sizes[:-1]))


def biases_counted(sizes, batch):
    return sum(2 * batch * a * b + batch * b for a, b in pairwise(sizes))


def one_row_only(sizes, batch):
    return sum(2 * a * b for a, b in pairwise(sizes))


def groups_ignored(x, window, filters, stride, pad, groups):
    patches, flops = _products(x, window, filters, stride, pad, 1)
    return np.concatenate([patches] * groups), flops


def padding_forgotten(x, window, filters, stride, pad, groups):
    return _products(x, window, filters, stride, 0, groups)


def macs_of_products(x, window, filters, stride, pad, groups):
    patches, flops = _products(x, window, filters, stride, pad, groups)
    return patches, flops // 2


def _products(x, window, filters, stride, pad, groups, order=(1, 0, 3, 4, 2, 5, 6), across=None):
    """Patches of each group and their FLOP, with one thing changed."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    places = np.lib.stride_tricks.sliding_window_view(x, (window, window), axis=(2, 3))
    places = places[:, :, ::stride, :: across or stride]
    batch, channels, rows, cols = places.shape[:4]
    dealt = places.reshape(batch, groups, channels // groups, rows, cols, window, window)
    patches = dealt.transpose(order).reshape(groups, batch * rows * cols, -1)
    return patches, 2 * patches.size * (filters // groups)


channels_last = partial(_products, order=(1, 0, 3, 4, 5, 6, 2))
stride_of_rows_only = partial(_products, across=1)


def two_matrices_in_the_mlp(cfg):
    return 2 * (4 * cfg["d_model"] ** 2 + 2 * cfg["d_model"] * cfg["d_ff"]) / (4 * cfg["d_model"])


def scores_counted_once(cfg):
    return 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"]) / (2 * cfg["d_model"])


def projections_forgotten(cfg):
    return 2 * 3 * cfg["d_model"] * cfg["d_ff"] / (4 * cfg["d_model"])
