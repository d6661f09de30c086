"""Exercises of chapter 4."""

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect
from accelerator_course.exercises.slips import tiling as slips
from accelerator_lib import tiling
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
        where = f"{m} x {n} x {k} in tiles of {tile_m} x {tile_n}"
        moved = tiling.gemm_bytes(Gemm(m, n, k), tile_m, tile_n, "int8")

        def judge(got, product=a @ b, moved=moved, where=where):
            if not isinstance(got, tuple) or len(got) != 2:
                raise Wrong(f"For {where} return a pair: (product, elements moved).")
            if np.shape(got[0]) != product.shape or not np.allclose(got[0], product):
                raise Wrong(f"For {where} the product differs from a @ b.")
            expect(got[1], moved, f"{where}, elements moved")

        def told(got, product=a @ b):
            if not isinstance(got, tuple) or len(got) != 2:
                return repr(got)[:60]
            good = np.shape(got[0]) == product.shape and np.allclose(got[0], product)
            return f"{'a @ b' if good else 'another product'}, {got[1]} moved"[:60]

        call = lambda a=a, b=b, m=tile_m, n=tile_n: function(a.copy(), b.copy(), m, n)  # noqa: E731
        yield case(where, f"a @ b, {moved:g} moved", call, judge, told)
    return "right for three shapes, one of them ragged: the counter is the formula, and the product is the product."


def _check_online_softmax(function):
    draw = np.random.default_rng(42)
    for block in (1, 7, 64):
        for size in (1.0, 1000.0):  # e^1000 is more than a float can hold
            scores, values = draw.uniform(-size, size, 150), draw.standard_normal((150, 8))
            want, where = softmax.reference(scores, values), f"blocks of {block}, scores up to {size:,.0f}"

            def judge(got, want=want, where=where):
                if np.shape(got) != (8,):
                    raise Wrong(
                        f"For 150 scores and values of 150 x 8 return 8 numbers; your shape is {np.shape(got)}."
                    )
                error = np.abs(np.asarray(got, float) - want).max()
                if not error < 1e-12:
                    raise Wrong(f"{where[0].upper()}{where[1:]}: the largest error is {error:.2g}.")

            def told(got, want=want):
                if np.shape(got) != want.shape:
                    return f"shape {np.shape(got)}"
                return f"error {np.abs(np.asarray(got, float) - want).max():.2g}"

            call = lambda s=scores, v=values, block=block: function(s.copy(), v.copy(), block)  # noqa: E731
            yield case(where, "error below 1e-12", call, judge, told)
    return "right to 1e-12 for blocks of 1, 7 and 64 and scores up to 1,000. Blocks need not see each other's scores."


def _check_best_tile(function):

    def whole(tile):
        pair = isinstance(tile, tuple) and len(tile) == 2
        return pair and all(isinstance(edge, (int, np.integer)) and edge > 0 for edge in tile)

    def judge(tile):
        if not whole(tile):
            raise Wrong(f"Return a pair of whole numbers (tile_m, tile_n); you returned {tile!r}.")
        tile_m, tile_n = map(int, tile)
        need = (tile_m + tile_n) * 32 * 2 * 2 + 4 * tile_m * tile_n
        if tile_m % 32 or tile_n % 32:
            raise Wrong(f"{tile_m} x {tile_n}: both edges must be multiples of 32.")
        if need > LIMIT:
            raise Wrong(f"{tile_m} x {tile_n} needs {need:,} of {LIMIT:,} bytes.")
        if _moved(tile) > LEAST_BYTES:
            raise Wrong(f"{tile_m} x {tile_n} moves {_moved(tile):,} bytes; {LEAST_BYTES:,} are possible.")

    def told(tile):
        return f"{tile[0]} x {tile[1]}: {_moved(tile):,} bytes" if whole(tile) else f"{tile!r}"[:60]

    found = case(f"a budget of {LIMIT:,} bytes", f"{LEAST_BYTES:,} bytes", lambda: function(LIMIT), judge, told)
    yield found
    if not found.right:
        return ""
    tile_m, tile_n = found.value
    return (
        f"right: {tile_m} x {tile_n} moves {_moved(found.value):,} bytes. 192 x 256 and 224 x 224 tie: what counts is "
        "into how many tiles they cut 4,096."
    )


def _moved(tile):
    """Bytes that a tile moves in the product of this exercise."""
    return tiling.gemm_bytes(Gemm(EDGE, EDGE, EDGE), *map(int, tile))


EXERCISES = [
    Exercise(
        "04.1",
        "X4.1",
        "a pair (product, elements moved): a @ b tile by tile, and the elements read and written on the way.",
        "For every tile of the result: which rows of a and which columns of b does it read, and what does it write?",
        _check_blocked_matmul,
        blocked_matmul,
        (slips.writes_forgotten, slips.ragged_tiles_counted_full, slips.every_matrix_once),
    ),
    Exercise(
        "04.2",
        "X4.2",
        "softmax(scores) @ values, read a block of scores at a time, right for scores as large as 1,000.",
        "Keep a running maximum, sum and output. What happens to the last two when the first rises?",
        _check_online_softmax,
        online_softmax,
        (slips.softmax_of_each_block, slips.no_maximum, slips.output_not_rescaled),
    ),
    Exercise(
        "04.3",
        "X4.3",
        "the pair (tile_m, tile_n) that moves the fewest bytes for 4,096^3 in bf16 and fits the budget.",
        "There are few multiples of 32: try all that fit, and compare tiling.gemm_bytes.",
        _check_best_tile,
        best_tile,
        (slips.a_tile_of_128, slips.a_tile_of_256),
    ),
]
