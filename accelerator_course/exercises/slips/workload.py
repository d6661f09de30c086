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


def padding_forgotten(x, r, s, stride, pad):
    """You left out the border: `pad` rows and columns of zeros on every side come first."""
    return im2col_with(x, r, s, stride, 0, stretch=stride)


def channels_last(x, r, s, stride, pad):
    """In your rows the channel changes fastest. Wanted is channels first: all pixels of one channel, then the next."""
    return im2col_with(x, r, s, stride, pad, axes=(0, 2, 3, 4, 5, 1), stretch=stride)


def stride_of_rows_only(x, r, s, stride, pad):
    """You step by the stride from row to row, and by one from column to column. Both ways take the stride."""
    return im2col_with(x, r, s, stride, pad, stretch=1)


def im2col_with(x, r, s, stride, pad, axes=(0, 2, 3, 1, 4, 5), stretch=1):
    """Patches as rows, with one thing changed."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (r, s), axis=(2, 3))[:, :, ::stride, ::stretch]
    batch, channels, rows, cols = windows.shape[:4]
    return windows.transpose(axes).reshape(batch * rows * cols, channels * r * s)


def two_matrices_in_the_mlp(cfg):
    """You gave the MLP two matrices. A gated one has three: gate, up and down."""
    return 2 * (4 * cfg["d_model"] ** 2 + 2 * cfg["d_model"] * cfg["d_ff"]) / (4 * cfg["d_model"])


def scores_counted_once(cfg):
    """Twice too many. Attention has two products, queries with keys and weights with values, and a MAC is two FLOP."""
    return 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"]) / (2 * cfg["d_model"])


def projections_forgotten(cfg):
    """You left out the four projections of attention: queries, keys, values and output have a matrix each."""
    return 2 * 3 * cfg["d_model"] * cfg["d_ff"] / (4 * cfg["d_model"])
