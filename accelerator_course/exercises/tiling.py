"""Exercises of chapter 4."""

from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, shown
from accelerator_lib import tiling
from accelerator_lib.tiling import softmax
from accelerator_lib.workload import Gemm

AT_ONCE = 108  # tiles: one on each SM of an A100
EDGES = tuple(range(32, 513, 32))
ROWS = tuple(rows for rows in range(1, AT_ONCE + 1) if AT_ONCE % rows == 0)
# m, n, k, bytes of shared memory and of registers, depth of the strips, stages
EXAMPLE = (4096, 1024, 512, 64 * 1024, 128 * 1024, 64, 2)
# The best tile of each hidden product, by its seed, (tests walk all ways)
WANTED = {0: (192, 128, 9), 1: (192, 288, 12), 7: (64, 448, 27), 19: (160, 192, 9), 2: (96, 320, 27)}
WANTED[18] = (128, 192, 12)


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


def best_tile(m, n, k, shared, registers, depth, stages):
    """(tile_m, tile_n, rows) with the fewest bytes among those whose strips and sums fit."""
    tiles = [
        (tile_m, tile_n)
        for tile_m in EDGES
        for tile_n in EDGES
        if (tile_m + tile_n) * depth * 2 * stages <= shared and 4 * tile_m * tile_n < registers
    ]
    ways = np.array([(*tile, rows) for tile in tiles for rows in ROWS])
    moved = tiling.wave_bytes(Gemm(m, n, k), *ways.T)
    return tuple(int(number) for number in ways[np.argmin(moved)])  # the first of several


def hidden(seed):
    """A product and the room for its tiles, as the exercise gives them."""
    draw = np.random.default_rng([4, seed])
    m, n, k = (int(edge) for edge in draw.choice([768, 1536, 2560, 4096, 5120, 8192, 12288], 3))
    shared, registers = (int(kib) * 1024 for kib in (draw.choice([64, 100, 163, 227]), draw.choice([128, 256])))
    return m, n, k, shared, registers, int(draw.choice([32, 64])), int(draw.choice([2, 3, 4]))


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

        yield case(where, f"a @ b, {moved:g} moved", partial(function, a.copy(), b.copy(), tile_m, tile_n), judge, told)
    return "right for three shapes, one of them ragged: your count is that of the formula, your product is a @ b."


def _check_online_softmax(function):
    draw = np.random.default_rng(42)
    for block in (1, 7, 64):
        for low, high in ((-1, 1), (-1000, 1000), (-3000, -1000)):  # a float holds neither e^1000 nor e^-1000
            scores, values = draw.uniform(low, high, 150), draw.standard_normal((150, 8))
            want, where = softmax.reference(scores, values), f"blocks of {block}, scores from {low:,} to {high:,}"

            def judge(got, want=want, where=where):
                if np.shape(got) != (8,):
                    told = f"return 8 numbers; your shape is {np.shape(got)}"
                    raise Wrong(f"For 150 scores and values of 150 x 8 {told}.")
                error = np.abs(np.asarray(got, float) - want).max()
                if not error < 1e-12:
                    raise Wrong(f"{where[0].upper()}{where[1:]}: the largest error is {error:.2g}.")

            def told(got, want=want):
                if np.shape(got) != want.shape:
                    return f"shape {np.shape(got)}"
                return f"error {np.abs(np.asarray(got, float) - want).max():.2g}"

            yield case(where, "error below 1e-12", partial(function, scores.copy(), values.copy(), block), judge, told)
    return "right to 1e-12 for blocks of 1, 7 and 64 and scores up to 1,000. Blocks need not see each other's scores."


def _check_best_tile(function):
    for given, best in ((EXAMPLE, (128, 128, 12)), *((hidden(seed), best) for seed, best in WANTED.items())):
        where = "{} x {} x {}, {:,} and {:,} bytes, strips {} deep, {} stages".format(*given)
        yield case(where, shown(best), partial(function, *given), partial(_judge, given, best))
    large = "The room for sums sets the tile; the shared cache makes one large tile of many."
    return f"right for {1 + len(WANTED)} products. {large}"


def _judge(given, best, got):
    m, n, k, shared, registers, depth, stages = given
    whole = isinstance(got, (tuple, list)) and len(got) == 3 and all(isinstance(e, (int, np.integer)) for e in got)
    if not whole:
        raise Wrong(f"Return three whole numbers (tile_m, tile_n, rows); you returned {shown(got)}.")
    tile_m, tile_n, rows = map(int, got)
    if tile_m not in EDGES or tile_n not in EDGES or rows not in ROWS:
        raise Wrong(f"You chose {shown(tuple(got))}: edges are multiples of 32 up to 512, rows divide 108.")
    strips, sums = (tile_m + tile_n) * depth * 2 * stages, 4 * tile_m * tile_n
    if strips > shared:
        raise Wrong(f"The strips of {tile_m} x {tile_n} need {strips:,} bytes of shared memory; {shared:,} are there.")
    if sums >= registers:
        raise Wrong(f"The sums of {tile_m} x {tile_n} need {sums:,} bytes; fewer than {registers:,} may be taken.")
    moved, least = (tiling.wave_bytes(Gemm(m, n, k), *way) for way in ((tile_m, tile_n, rows), best))
    if moved > least:
        raise Wrong(f"{shown(tuple(got))} moves {moved:,} bytes; {least:,} are possible.")
    if (tile_m, tile_n, rows) != best:
        raise Wrong(f"{shown(tuple(got))} moves as few bytes as {best}, which comes first.")


EXERCISES = [
    Exercise("04.1", _check_blocked_matmul, blocked_matmul),
    Exercise("04.2", _check_online_softmax, online_softmax),
    Exercise("04.4", _check_best_tile, best_tile),
]
