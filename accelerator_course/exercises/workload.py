"""Exercises of chapter 1."""

import random
from itertools import pairwise

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number
from accelerator_course.exercises.slips import workload as slips
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
        yield number(function, (list(sizes), batch), want, f"layers {sizes} and batch {batch}")
    return "right. Batch 32 through 784-512-512-10 is 42,795,008 FLOP; biases and activations hardly add to it."


def _check_im2col(function):
    first = "x (1, 3, 8, 8) of zeros, kernel 3 x 3, stride 1, pad 1"

    def judge_shape(got):
        if np.shape(got) != (64, 27):
            what = "An image of 1 x 3 x 8 x 8 with a 3 x 3 kernel and padding 1 gives (64, 27)"
            raise Wrong(f"{what}; yours is {np.shape(got)}.")

    yield case(first, "shape (64, 27)", lambda: function(np.zeros((1, 3, 8, 8)), 3, 3, 1, 1), judge_shape, _shape)
    draw = np.random.default_rng(12)
    for _ in range(20):
        batch, channels, out, r, s, stride, pad = (int(draw.integers(1, high)) for high in (3, 4, 5, 4, 4, 3, 3))
        x = draw.standard_normal((batch, channels, int(draw.integers(r, 9)), int(draw.integers(s, 9))))
        weights = draw.standard_normal((out, channels, r, s))
        want = direct(x, weights, stride, pad)
        where = f"x {x.shape}, kernel {r} x {s}, stride {stride}, pad {pad}"
        shape = (want[:, 0].size, channels * r * s)

        def judge(got, want=want, weights=weights, where=where, shape=shape):
            if np.shape(got) != shape:
                raise Wrong(f"For {where} the result has the shape {shape}; yours is {np.shape(got)}.")
            product = np.asarray(got) @ weights.reshape(len(weights), -1).T
            if not np.allclose(product.reshape(len(want), *want.shape[2:], -1).transpose(0, 3, 1, 2), want):
                raise Wrong(f"im2col @ W differs from the convolution for {where}.")

        call = lambda x=x, r=r, s=s, stride=stride, pad=pad: function(x.copy(), r, s, stride, pad)  # noqa: E731
        yield case(where, f"shape {shape}, the convolution", call, judge, _shape)
    return "right on 20 random convolutions: every one of them is a matrix product of its patches."


def _shape(got):
    return f"shape {np.shape(got)}"


def _check_crossover_tokens(function):
    for cfg in ({"d_model": 4096, "d_ff": 11008}, {"d_model": 8192, "d_ff": 28672}, {"d_model": 1024, "d_ff": 4096}):
        want = transformer.crossover_tokens(cfg["d_model"], cfg["d_ff"] / cfg["d_model"])
        yield number(function, (dict(cfg),), want, f"{cfg}")
    return "right: 24,704 tokens for the blocks of Llama-2-7B. The layers cancel: one block says it all."


EXERCISES = [
    Exercise(
        "01.1",
        "X1.1",
        "the FLOP of one forward pass of an MLP with so many units in each layer, for a batch of rows.",
        "A layer is a product of [batch, inputs] and [inputs, outputs]. What does one cost, and how many are there?",
        _check_count_flops,
        count_flops,
        (slips.macs_not_flops, slips.last_layer_forgotten, slips.biases_counted, slips.one_row_only),
    ),
    Exercise(
        "01.2",
        "X1.2",
        "a matrix whose rows are the patches under the kernel, channels first: (batch x outputs, channels x r x s).",
        "Pad the image, then cut a window for every output, left to right, then down; each becomes one row.",
        _check_im2col,
        im2col,
        (slips.padding_forgotten, slips.channels_last, slips.stride_of_rows_only),
    ),
    Exercise(
        "01.3",
        "X1.3",
        "the number of tokens from which on attention scores cost as much FLOP as the weight matrices of a block.",
        "Write down both costs for one token: 2 FLOP a weight for the matrices; the scores grow with the tokens T.",
        _check_crossover_tokens,
        crossover_tokens,
        (slips.two_matrices_in_the_mlp, slips.scores_counted_once, slips.projections_forgotten),
    ),
]
