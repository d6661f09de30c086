"""Exercises of chapter 1."""

import random
from itertools import pairwise

import numpy as np

from accelerator_lib.exercises import Exercise, Wrong, expect
from accelerator_lib.workload import transformer

MLPS = (  # worked by hand: (units of the layers, batch, FLOP)
    ([784, 512, 512, 10], 32, 42_795_008),  # 784 x 512 + 512 x 512 + 512 x 10 = 668,672; times 2 x 32
    ([1024, 4096, 1024], 8, 134_217_728),  # two products of 2^10 x 2^12; times 2 x 8 is 2^27
)


def count_flops(sizes, batch):
    """FLOP of one forward pass of an MLP with so many units in each layer."""
    return sum(2 * batch * inputs * outputs for inputs, outputs in pairwise(sizes))


def im2col(x, r, s, stride, pad):
    """Patches of x [batch, channels, height, width] as rows: [batch x outputs, channels x r x s]."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (r, s), axis=(2, 3))[:, :, ::stride, ::stride]
    batch, channels, rows, cols = windows.shape[:4]
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(batch * rows * cols, channels * r * s)


def crossover_tokens(cfg):
    """Tokens at which attention scores cost as much FLOP as the weight matrices of a block."""
    linear = 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"])  # for each token
    return linear / (4 * cfg["d_model"])


def direct(x, weights, stride, pad):
    """A convolution, product by product: what im2col must reproduce. weights [out, channels, r, s]."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    out, _, r, s = weights.shape
    rows, cols = (x.shape[2] - r) // stride + 1, (x.shape[3] - s) // stride + 1
    made = np.zeros((x.shape[0], out, rows, cols))
    for i in range(rows):
        for j in range(cols):
            patch = x[:, :, i * stride : i * stride + r, j * stride : j * stride + s]
            made[:, :, i, j] = np.tensordot(patch, weights, ([1, 2, 3], [1, 2, 3]))
    return made


def counted(sizes, batch):
    """FLOP of a small MLP, one by one: a multiply and an add wherever an input meets a weight."""
    flops = 0
    for place in range(1, len(sizes)):
        for _row in range(batch):
            for _output in range(sizes[place]):
                for _input in range(sizes[place - 1]):
                    flops += 2
    return flops


def _check_count_flops(function):
    draw, cases = random.Random(11), list(MLPS)
    for _ in range(20):
        sizes, batch = [draw.randint(1, 12) for _ in range(draw.randint(2, 6))], draw.randint(1, 4)
        cases.append((sizes, batch, counted(sizes, batch)))
    for sizes, batch, want in cases:
        expect(function(list(sizes), batch), want, f"layers {sizes} and batch {batch}")
    return "right. Batch 32 through 784-512-512-10 is 42,795,008 FLOP; biases and activations hardly add to it."


def _check_im2col(function):
    shape = np.shape(function(np.zeros((1, 3, 8, 8)), 3, 3, 1, 1))
    if shape != (64, 27):
        raise Wrong(f"An image of 1 x 3 x 8 x 8 with a 3 x 3 kernel and padding 1 gives (64, 27); yours is {shape}.")
    draw = np.random.default_rng(12)
    for _ in range(20):
        batch, channels, out, r, s, stride, pad = (int(draw.integers(1, high)) for high in (3, 4, 5, 4, 4, 3, 3))
        x = draw.standard_normal((batch, channels, int(draw.integers(r, 9)), int(draw.integers(s, 9))))
        weights = draw.standard_normal((out, channels, r, s))
        want = direct(x, weights, stride, pad)
        where = f"x {x.shape}, kernel {r} x {s}, stride {stride}, pad {pad}"
        got, shape = np.asarray(function(x.copy(), r, s, stride, pad)), (want[:, 0].size, channels * r * s)
        if got.shape != shape:
            raise Wrong(f"For {where} the result has the shape {shape}; yours is {got.shape}.")
        got = (got @ weights.reshape(out, -1).T).reshape(batch, *want.shape[2:], out).transpose(0, 3, 1, 2)
        if not np.allclose(got, want):
            raise Wrong(f"im2col @ W differs from the convolution for {where}.")
    return "right on 20 random convolutions: every one of them is a matrix product of its patches."


def _check_crossover_tokens(function):
    for cfg in ({"d_model": 4096, "d_ff": 11008}, {"d_model": 8192, "d_ff": 28672}, {"d_model": 1024, "d_ff": 4096}):
        want = transformer.crossover_tokens(cfg["d_model"], cfg["d_ff"] / cfg["d_model"])
        expect(function(dict(cfg)), want, f"{cfg}")
    return "right: 24,704 tokens for the blocks of Llama-2-7B. The layers cancel: one block says it all."


EXERCISES = [
    Exercise(
        "01.1",
        "X1.1",
        "Add up 2 x batch x inputs x outputs over the layers of an MLP.",
        _check_count_flops,
        count_flops,
    ),
    Exercise(
        "01.2",
        "X1.2",
        "Write every patch of the padded image as one row: (batch x outputs, channels x r x s).",
        _check_im2col,
        im2col,
    ),
    Exercise(
        "01.3",
        "X1.3",
        "Set 4 T d equal to 2 (4 d^2 + 3 d d_ff) and solve for the tokens T.",
        _check_crossover_tokens,
        crossover_tokens,
    ),
]
