"""Exercises of chapter 4."""

import numpy as np

from accelerator_lib import tiling
from accelerator_lib.exercises import Exercise, Wrong, expect
from accelerator_lib.tiling import softmax
from accelerator_lib.workload import Gemm

EDGE, LIMIT = 4096, 256 * 1024  # of the product and of the chip in X4.3
# The budget is (tm + 32)(tn + 32) <= 66,560. 192 x 256 cuts 4,096 into 22 and 16, 224 x 224 into 19 and 19: both read
# 38 matrices of 4,096^2 and write one, of 2 bytes each; every other pair reads more (tests try them all).
LEAST_BYTES = 39 * 4096**2 * 2


def blocked_matmul(a, b, tile_m, tile_n):
    """(a @ b, elements moved): every output tile reads its rows of a and columns of b once and is written once."""
    m, n = a.shape[0], b.shape[1]
    result, moved = np.zeros((m, n)), 0
    for i in range(0, m, tile_m):
        for j in range(0, n, tile_n):
            left, right = a[i : i + tile_m], b[:, j : j + tile_n]
            result[i : i + tile_m, j : j + tile_n] = left @ right
            moved += left.size + right.size + left.shape[0] * right.shape[1]
    return result, moved


def online_softmax(scores, values, block):
    """softmax(scores) @ values, reading `block` scores at a time."""
    maximum, total, output = -np.inf, 0.0, np.zeros(values.shape[1])
    for start in range(0, len(scores), block):
        own = scores[start : start + block]
        largest = max(maximum, own.max())
        scale, weights = np.exp(maximum - largest), np.exp(own - largest)
        total = total * scale + weights.sum()
        output = output * scale + weights @ values[start : start + block]
        maximum = largest
    return output / total


def best_tile(budget):
    """(tile_m, tile_n) with the least traffic for 4096^3 in bf16: strips of 32 in two stages, fp32 sums, in budget."""
    product, edges = Gemm(EDGE, EDGE, EDGE), range(32, 513, 32)
    fitting = [(m, n) for m in edges for n in edges if (m + n) * 32 * 2 * 2 + 4 * m * n <= budget]
    return min(fitting, key=lambda tile: tiling.gemm_bytes(product, *tile))


def _check_blocked_matmul(function):
    draw = np.random.default_rng(41)
    for m, n, k, tile_m, tile_n in ((64, 64, 32, 16, 16), (96, 48, 40, 32, 48), (70, 50, 33, 32, 16)):
        a, b = draw.standard_normal((m, k)), draw.standard_normal((k, n))
        got, where = function(a.copy(), b.copy(), tile_m, tile_n), f"{m} x {n} x {k} in tiles of {tile_m} x {tile_n}"
        if not isinstance(got, tuple) or len(got) != 2:
            raise Wrong(f"For {where} return a pair: (product, elements moved).")
        if np.shape(got[0]) != (m, n) or not np.allclose(got[0], a @ b):
            raise Wrong(f"For {where} the product differs from a @ b.")
        expect(got[1], tiling.gemm_bytes(Gemm(m, n, k), tile_m, tile_n, "int8"), f"{where}, elements moved")
    return "right for three shapes, one of them ragged: the counter is the formula, and the product is the product."


def _check_online_softmax(function):
    draw = np.random.default_rng(42)
    for block in (1, 7, 64):
        for size in (1.0, 1000.0):  # e^1000 is more than a float can hold
            scores, values = draw.uniform(-size, size, 150), draw.standard_normal((150, 8))
            got = function(scores.copy(), values.copy(), block)
            if np.shape(got) != (8,):
                raise Wrong(f"For 150 scores and values of 150 x 8 return 8 numbers; your shape is {np.shape(got)}.")
            error = np.abs(np.asarray(got, float) - softmax.reference(scores, values)).max()
            if not error < 1e-12:
                hint = " Subtract the running maximum before you exponentiate." if size > 100 else ""
                raise Wrong(f"Blocks of {block}, scores up to {size:,.0f}: the largest error is {error:.2g}.{hint}")
    return "right to 1e-12 for blocks of 1, 7 and 64 and scores up to 1,000. No block ever saw the others' scores."


def _check_best_tile(function):
    tile = function(LIMIT)
    pair = isinstance(tile, tuple) and len(tile) == 2
    if not pair or not all(isinstance(edge, (int, np.integer)) and edge > 0 for edge in tile):
        raise Wrong(f"Return a pair of whole numbers (tile_m, tile_n); you returned {tile!r}.")
    tile_m, tile_n = map(int, tile)
    need = (tile_m + tile_n) * 32 * 2 * 2 + 4 * tile_m * tile_n
    if need > LIMIT or tile_m % 32 or tile_n % 32:
        raise Wrong(f"{tile_m} x {tile_n} needs {need:,} of {LIMIT:,} bytes; both edges must be multiples of 32.")
    moved = tiling.gemm_bytes(Gemm(EDGE, EDGE, EDGE), tile_m, tile_n)
    if moved > LEAST_BYTES:
        raise Wrong(f"{tile_m} x {tile_n} moves {moved:,} bytes; {LEAST_BYTES:,} are possible.")
    return (
        f"right: {tile_m} x {tile_n} moves {moved:,} bytes. 192 x 256 and 224 x 224 tie: what counts is into how many "
        "tiles they cut 4,096."
    )


EXERCISES = [
    Exercise(
        "04.1",
        "X4.1",
        "Loop over output tiles; multiply a strip of a by a strip of b; count the elements read and written.",
        _check_blocked_matmul,
        blocked_matmul,
    ),
    Exercise(
        "04.2",
        "X4.2",
        "Keep a running maximum, a running sum and a running output; rescale the last two when the maximum rises.",
        _check_online_softmax,
        online_softmax,
    ),
    Exercise(
        "04.3",
        "X4.3",
        "Try all multiples of 32 that fit and take the pair with the least tiling.gemm_bytes.",
        _check_best_tile,
        best_tile,
    ),
]
