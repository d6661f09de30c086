"""Exercises of chapter 1."""

import random
from functools import partial
from itertools import pairwise, product

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number
from accelerator_lib.checks.inputs import shown
from accelerator_lib.workload import transformer

MLPS = (  # worked by hand: (units of the layers, batch, FLOP)
    ([784, 512, 512, 10], 32, 42_795_008),  # 784 x 512 + 512 x 512 + 512 x 10 = 668,672; times 2 x 32
    ([1024, 4096, 1024], 8, 134_217_728),  # two products of 2^10 x 2^12; times 2 x 8 is 2^27
)


def count_flops(sizes, batch):
    """FLOP of one forward pass of an MLP with so many units in each layer."""
    return sum(2 * batch * inputs * outputs for inputs, outputs in pairwise(sizes))


def as_products(x, window, filters, stride, pad, groups):
    """(patches [groups, rows, K], FLOP) of a convolution of x [batch, channels, height, width] by so many filters."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    places = np.lib.stride_tricks.sliding_window_view(x, (window, window), axis=(2, 3))[:, :, ::stride, ::stride]
    batch, channels, rows, cols = places.shape[:4]
    dealt = places.reshape(batch, groups, channels // groups, rows, cols, window, window)
    patches = dealt.transpose(1, 0, 3, 4, 2, 5, 6).reshape(groups, batch * rows * cols, channels // groups * window**2)
    return patches, 2 * patches.size * (filters // groups)


def crossover_tokens(cfg):
    """Tokens at which attention scores cost as many FLOP as the weight matrices of a layer."""
    linear = 2 * (4 * cfg["d_model"] ** 2 + 3 * cfg["d_model"] * cfg["d_ff"])  # for each token
    return linear / (4 * cfg["d_model"])


def direct(x, weights, stride, pad, groups):
    """(a convolution, its FLOP), product by product: what the patches must reproduce. weights [out, channels, r, r]."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    out, deep, window, _ = weights.shape
    rows, cols = (x.shape[2] - window) // stride + 1, (x.shape[3] - window) // stride + 1
    made, flops = np.zeros((x.shape[0], out, rows, cols)), 0
    for filter_, i, j in np.ndindex(out, rows, cols):
        first = filter_ // (out // groups) * deep  # the first channel of its group
        patch = x[:, first : first + deep, i * stride : i * stride + window, j * stride : j * stride + window]
        made[:, filter_, i, j] = np.tensordot(patch, weights[filter_], 3)
        flops += 2 * patch.size
    return made, flops


def counted(sizes, batch):
    """FLOP of a small MLP, one by one: a multiply and an add wherever an input meets a weight."""
    pairs = (product(range(batch), range(inputs), range(outputs)) for inputs, outputs in pairwise(sizes))
    return sum(2 for layer in pairs for _met in layer)


def _check_count_flops(function):
    draw, cases = random.Random(11), list(MLPS)
    for _ in range(20):
        sizes, batch = [draw.randint(1, 12) for _ in range(draw.randint(2, 6))], draw.randint(1, 4)
        cases.append((sizes, batch, counted(sizes, batch)))
    for sizes, batch, want in cases:
        yield number(function, (list(sizes), batch), want, f"layers {sizes} and batch {batch}")
    return "right. Batch 32 through 784-512-512-10 is 42,795,008 FLOP; biases and activations hardly add to it."


def _check_as_products(function):
    draw = np.random.default_rng(12)
    for _ in range(20):
        batch, deep, each, groups, window, stride, pad = (int(draw.integers(1, high)) for high in (3, 4, 4, 4, 4, 3, 3))
        shape = batch, deep * groups, int(draw.integers(window, 9)), int(draw.integers(window, 9))
        x, weights = draw.standard_normal(shape), draw.standard_normal((each * groups, deep, window, window))
        want, flops = direct(x, weights, stride, pad, groups)
        given = window, each * groups, stride, pad, groups
        where = f"x {shape}, window {window}, {each * groups} filters, stride {stride}, pad {pad}, {groups} groups"
        rows = groups, want[:, 0].size, deep * window**2

        def judge(got, want=want, flops=flops, weights=weights, where=where, rows=rows):
            if not isinstance(got, tuple) or len(got) != 2:
                raise Wrong("Return two things: the patches and the FLOP.")
            patches, count = np.asarray(got[0]), got[1]
            if patches.shape != rows:
                raise Wrong(f"For {where} the patches have the shape {rows}; yours have {patches.shape}.")
            filters = weights.reshape(len(patches), -1, patches.shape[2])
            product = np.concatenate([part @ own.T for part, own in zip(patches, filters, strict=True)], axis=1)
            if not np.allclose(product.reshape(len(want), *want.shape[2:], -1).transpose(0, 3, 1, 2), want):
                raise Wrong(f"Patches @ filters differ from the convolution for {where}.")
            if count != flops:
                raise Wrong(f"For {where} the products are {flops:,} FLOP; you returned {shown(count)}.")

        yield case(where, f"shape {rows} and {flops:,} FLOP", partial(function, x.copy(), *given), judge, _shapes)
    return "right on 20 random convolutions: every one of them is as many matrix products as it has groups."


def _shapes(got):
    pair = isinstance(got, tuple) and len(got) == 2
    return f"shape {np.shape(got[0])} and {shown(got[1])} FLOP" if pair else shown(got)


def _check_crossover_tokens(function):
    for cfg in ({"d_model": 4096, "d_ff": 11008}, {"d_model": 8192, "d_ff": 28672}, {"d_model": 1024, "d_ff": 4096}):
        want = transformer.crossover_tokens(cfg["d_model"], cfg["d_ff"] / cfg["d_model"])
        yield number(function, (dict(cfg),), want, f"{cfg}")
    return "right: 24,704 tokens for the layers of Llama 2 7B. The number of layers cancels out: one layer is enough."


EXERCISES = [
    Exercise("01.1", _check_count_flops, count_flops),
    Exercise("01.3", _check_crossover_tokens, crossover_tokens),
    Exercise("01.4", _check_as_products, as_products),
]
