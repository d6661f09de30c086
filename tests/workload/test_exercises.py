"""Wrong solutions of the exercises, and their keys found again on another road."""

from itertools import pairwise

import numpy as np

from accelerator_lib.exercises import workload as exercises
from accelerator_lib.workload import Gemm


def macs_not_flops(sizes, batch):
    return sum(batch * a * b for a, b in pairwise(sizes))


def last_layer_forgotten(sizes, batch):
    return sum(2 * batch * a * b for a, b in pairwise(sizes[:-1]))


def biases_counted(sizes, batch):
    return sum(2 * batch * a * b + batch * b for a, b in pairwise(sizes))


def one_too_many(sizes, batch):
    return sum(2 * batch * a * b for a, b in pairwise(sizes)) + 1


def im2col(x, r, s, stride, pad, axes=(0, 2, 3, 1, 4, 5), stretch=1):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (r, s), axis=(2, 3))[:, :, ::stride, ::stretch]
    batch, channels, rows, cols = windows.shape[:4]
    return windows.transpose(axes).reshape(batch * rows * cols, channels * r * s)


def channels_last(x, r, s, stride, pad):
    return im2col(x, r, s, stride, pad, axes=(0, 2, 3, 4, 5, 1), stretch=stride)


def stride_of_rows_only(x, r, s, stride, pad):
    return im2col(x, r, s, stride, pad)


def padding_forgotten(x, r, s, stride, pad):
    return im2col(x, r, s, stride, 0, stretch=stride)


def two_matrices_in_the_mlp(cfg):
    return 2 * (4 * cfg["d_model"] ** 2 + 2 * cfg["d_model"] * cfg["d_ff"]) / (4 * cfg["d_model"])


def scores_counted_once(cfg):
    return 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"]) / (2 * cfg["d_model"])


def one_token_too_many(cfg):
    return 2 * cfg["d_model"] + 1.5 * cfg["d_ff"] + 1


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "01.1": [
        (macs_not_flops, "layers [784, 512, 512, 10] and batch 32"),
        (last_layer_forgotten, "layers [784, 512, 512, 10] and batch 32"),
        (biases_counted, "layers [784, 512, 512, 10] and batch 32"),
        (one_too_many, "returned 42795009; expected is 42795008"),
    ],
    "01.2": [
        (channels_last, "im2col @ W differs from the convolution for x "),
        (stride_of_rows_only, "stride 2"),
        (padding_forgotten, "1 x 3 x 8 x 8"),
        (lambda x, r, s, stride, pad: im2col(x, s, r, stride, pad, stretch=stride), "kernel "),
    ],
    "01.3": [
        (two_matrices_in_the_mlp, "'d_model': 4096, 'd_ff': 11008"),
        (scores_counted_once, "expected is 24704"),
        (one_token_too_many, "returned 24705"),
    ],
}


def test_the_recorded_flop_of_mlps_are_products_counted_row_by_row():
    for sizes, batch, want in exercises.MLPS:
        assert want == sum(Gemm(batch, outputs, inputs).flops for inputs, outputs in pairwise(sizes))
