"""Slips of the exercises of chapter 1."""

from itertools import pairwise

import numpy as np


def macs_not_flops(sizes, batch):
    """You counted multiply-accumulates. Each is two FLOP: one multiplication, one addition."""
    return sum(batch * a * b for a, b in pairwise(sizes))


def last_layer_forgotten(sizes, batch):
    """You left out the last layer: between n sizes there are n - 1 matrices."""
    return sum(2 * batch * a * b for a, b in pairwise(sizes[:-1]))


def biases_counted(sizes, batch):
    """You counted the biases as well; here only the matrix products are wanted."""
    return sum(2 * batch * a * b + batch * b for a, b in pairwise(sizes))


def one_row_only(sizes, batch):
    """You forgot the batch: every row of it passes through all layers."""
    return sum(2 * a * b for a, b in pairwise(sizes))


def groups_ignored(x, window, filters, stride, pad, groups):
    """You ignored the groups in K: a row holds the channels of its own group only, K = window² × channels ÷ groups."""
    patches, flops = _products(x, window, filters, stride, pad, 1)
    return np.concatenate([patches] * groups), flops


def padding_forgotten(x, window, filters, stride, pad, groups):
    """You left out the border: `pad` rows and columns of zeros on every side come first."""
    return _products(x, window, filters, stride, 0, groups)


def channels_last(x, window, filters, stride, pad, groups):
    """In your rows the channel changes fastest. Wanted is channels first: all pixels of one channel, then the next."""
    return _products(x, window, filters, stride, pad, groups, order=(1, 0, 3, 4, 5, 6, 2))


def stride_of_rows_only(x, window, filters, stride, pad, groups):
    """You step by the stride from row to row, and by one from column to column. Both ways take the stride."""
    return _products(x, window, filters, stride, pad, groups, across=1)


def macs_of_products(x, window, filters, stride, pad, groups):
    """You counted multiply-accumulates. Each is two FLOP: one multiplication, one addition."""
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


def two_matrices_in_the_mlp(cfg):
    """You gave the MLP two matrices. A gated one has three: gate, up and down."""
    return 2 * (4 * cfg["d_model"] ** 2 + 2 * cfg["d_model"] * cfg["d_ff"]) / (4 * cfg["d_model"])


def scores_counted_once(cfg):
    """Twice too many. Attention has two products, queries with keys and weights with values, and a MAC is two FLOP."""
    return 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"]) / (2 * cfg["d_model"])


def projections_forgotten(cfg):
    """You left out the four projections of attention: queries, keys, values and output have a matrix each."""
    return 2 * 3 * cfg["d_model"] * cfg["d_ff"] / (4 * cfg["d_model"])
