"""Drawn: sizes of a rung, and arrays of these sizes; the same seed draws the same.

    sizes(draw)                        {"n": 1203}: not a multiple of 32, so that warps and blocks end ragged
    arguments({"n": 1203}, draw)       {"a": 1203 numbers, "out": 1203 places, "n": 1203}, in the order of the kernel

Numbers are quarters, never 0: their sums are exact in 32 bits, in whatever order, and a number left out is seen.
"""

import numpy as np

from accelerator_lib.workload import Gemm

UNTOUCHED = -77.0  # what an output holds before a kernel writes it
QUARTERS = 32


def reals(draw, *shape):
    """Quarters from -8 to 8 without 0."""
    return (draw.integers(1, QUARTERS + 1, shape) * draw.choice([-1, 1], shape) / 4).astype(np.float32)


def untouched(*shape):
    """An output that nobody has written."""
    return np.full(shape, UNTOUCHED, np.float32)


def ragged(draw, low, high):
    """A size that is no multiple of 32."""
    size = int(draw.integers(low, high))
    return size + (size % 32 == 0)


def length(draw):
    """{"n": size}: less than a warp, less than a block, or several blocks."""
    return {"n": ragged(draw, *((2, 32), (33, 255), (257, 4500), (257, 4500))[draw.integers(4)])}


def sides(draw):
    """{"rows", "cols"} of a matrix."""
    return {"rows": ragged(draw, 2, 100), "cols": ragged(draw, 2, 100)}


def lines(draw):
    """{"rows", "cols"} of rows that one block can hold."""
    return {"rows": int(draw.integers(1, 6)), "cols": ragged(draw, 2, 255)}


def product(draw):
    """{"m", "n", "k"} of a matrix product."""
    return {"m": ragged(draw, 2, 80), "n": ragged(draw, 2, 80), "k": ragged(draw, 2, 25)}


def vector(draw, n):
    """A vector in, one of the same length out."""
    return {"a": reals(draw, n), "out": untouched(n), "n": n}


def turned(draw, rows, cols):
    """A matrix in, one with the sides exchanged out."""
    return {"a": reals(draw, rows, cols), "out": untouched(cols, rows), "rows": rows, "cols": cols}


def summed(draw, n):
    """A vector in, one sum out, 0 at first."""
    return {"a": reals(draw, n), "out": np.zeros(1, np.float32), "n": n}


def weighted(draw, n):
    """A vector and nine weights in, a vector out."""
    return {"a": reals(draw, n), "w": reals(draw, 9), "out": untouched(n), "n": n}


def rowwise(draw, rows, cols):
    """A matrix in, one of the same shape out."""
    return {"a": reals(draw, rows, cols), "out": untouched(rows, cols), "rows": rows, "cols": cols}


def valued(draw, n):
    """Whole numbers from 0 to 63 in, most of them one and the same; counts out, 0 at first."""
    values = np.where(draw.random(n) < 0.7, draw.integers(0, 64), draw.integers(0, 64, n))
    return {"a": values.astype(np.int32), "counts": np.zeros(64, np.int32), "n": n}


def matrices(draw, m, n, k):
    """Two matrices in, their product out."""
    return {"a": reals(draw, m, k), "b": reals(draw, k, n), "c": untouched(m, n), "m": m, "n": n, "k": k}


def layer(draw, m, n, k):
    """Two matrices and a number for each column in, a matrix out."""
    a, b, bias = reals(draw, m, k), reals(draw, k, n), reals(draw, n)
    return {"a": a, "b": b, "bias": bias, "out": untouched(m, n), "m": m, "n": n, "k": k}


def head(draw, tokens, d):
    """Queries, keys and values of one head in, a matrix out."""
    q, k, v = (draw.standard_normal((tokens, d)).astype(np.float32) for _ in range(3))
    return {"q": q, "k": k, "v": v, "out": untouched(tokens, d), "tokens": tokens, "d": d}


def strip(draw, rows, cols):
    """A matrix of rows that are exponents in, one of the same shape out."""
    return {"x": reals(draw, rows, cols), "out": untouched(rows, cols), "rows": rows, "cols": cols}


def edges(draw):
    """{"m", "n", "k"} of a product of a few tiles, ragged."""
    return {"m": ragged(draw, 2, 150), "n": ragged(draw, 2, 150), "k": ragged(draw, 2, 90)}


def wide(draw):
    """{"rows", "cols"} of long rows."""
    return {"rows": ragged(draw, 2, 30), "cols": ragged(draw, 2, 300)}


def tokens(draw):
    """{"tokens", "d"} of one head."""
    return {"tokens": ragged(draw, 2, 200), "d": int(draw.choice([8, 16, 32]))}


def fed(draw):
    """{"m", "n", "k"} of a product of a few blocks of an array, ragged."""
    return {"m": ragged(draw, 2, 110), "n": ragged(draw, 2, 110), "k": ragged(draw, 2, 70)}


def images(draw):
    """{"images", "pixels", "channels", "classes"} of a small network."""
    low, high = np.array([[1, 4], [5, 14], [3, 20], [3, 50]]).T
    return dict(zip(("images", "pixels", "channels", "classes"), map(int, draw.integers(low, high)), strict=True))


def small_network(images, pixels, channels, classes):
    """Its layers as products: two convolutions of 3 x 3, the second on half the side, then all features to classes."""
    half, quarter = -(-pixels // 2), -(-pixels // 4)
    return (
        Gemm(images * pixels**2, channels, 27),
        Gemm(images * half**2, 2 * channels, 9 * channels),
        Gemm(images, classes, 2 * channels * quarter**2),
    )


def layers(draw, images, pixels, channels, classes):
    """Inputs and weights of each layer in, its outputs out."""
    found = {}
    for number, gemm in enumerate(small_network(images, pixels, channels, classes)):
        found |= {f"x{number}": reals(draw, gemm.m, gemm.k), f"w{number}": reals(draw, gemm.k, gemm.n)}
        found[f"y{number}"] = untouched(gemm.m, gemm.n)
    return found
