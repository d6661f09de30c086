"""Slips of the exercises of chapter 1."""

from functools import partial
from itertools import pairwise

import numpy as np


def counted(sizes, batch, each=2, last=None, biases=0, rows=True):
    """FLOP of an MLP, with one thing changed."""
    return sum((batch if rows else 1) * (each * a * b + biases * b) for a, b in pairwise(sizes[:last]))


macs_not_flops = partial(counted, each=1)
last_layer_forgotten = partial(counted, last=-1)
biases_counted = partial(counted, biases=1)
one_row_only = partial(counted, rows=False)


def groups_ignored(x, window, filters, stride, pad, groups):
    patches, flops = _products(x, window, filters, stride, pad, 1)
    return np.concatenate([patches] * groups), flops


def _products(x, window, filters, stride, pad, groups, order=(1, 0, 3, 4, 2, 5, 6), across=None, padded=True, mac=2):
    """Patches of each group and their FLOP, with one thing changed."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad))) if padded else x
    places = np.lib.stride_tricks.sliding_window_view(x, (window, window), axis=(2, 3))
    places = places[:, :, ::stride, :: across or stride]
    batch, channels, rows, cols = places.shape[:4]
    dealt = places.reshape(batch, groups, channels // groups, rows, cols, window, window)
    patches = dealt.transpose(order).reshape(groups, batch * rows * cols, -1)
    return patches, mac * patches.size * (filters // groups)


channels_last = partial(_products, order=(1, 0, 3, 4, 5, 6, 2))
padding_forgotten = partial(_products, padded=False)
macs_of_products = partial(_products, mac=1)
stride_of_rows_only = partial(_products, across=1)


def crossing(cfg, projections=4, matrices=3, scores=4):
    """Tokens at which both costs are the same, with one thing changed."""
    return 2 * (projections * cfg["d_model"] + matrices * cfg["d_ff"]) / scores


two_matrices_in_the_mlp = partial(crossing, matrices=2)
scores_counted_once = partial(crossing, scores=2)
projections_forgotten = partial(crossing, projections=0)
