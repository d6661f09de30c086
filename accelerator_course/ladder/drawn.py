"""Drawn: sizes of a rung, and arrays of these sizes; the same seed draws the same.

Sizes are no multiple of 32, so that warps and blocks end ragged; arrays come in the order of the kernel's arguments.
Numbers are quarters, never 0: their sums are exact in 32 bits, in whatever order, and a number left out is seen.
"""

import numpy as np

from accelerator_lib.kernels.specs import UNTOUCHED
from accelerator_lib.workload import Gemm

QUARTERS = 32


def reals(draw, *shape):
    """Quarters from -8 to 8 without 0."""
    return (draw.integers(1, QUARTERS + 1, shape) * draw.choice([-1, 1], shape) / 4).astype(np.float32)


def _full(value):
    """(draw, *shape) -> an output as it is before a kernel writes there."""
    return lambda draw, *shape: np.full(shape, value)


_untouched, _zero, _counts = map(_full, (np.float32(UNTOUCHED), np.float32(0), np.int32(0)))


def _values(draw, n):
    """Whole numbers from 0 to 63, most of them one and the same."""
    return np.where(draw.random(n) < 0.7, draw.integers(0, 64), draw.integers(0, 64, n)).astype(np.int32)


def _normal(draw, *shape):
    return draw.standard_normal(shape).astype(np.float32)


def _halves(draw, *shape):
    return reals(draw, *shape).astype(np.float16)


def _words(draw, *shape):
    return draw.integers(-(2**31), 2**31, shape).astype(np.int32)


def _eights(draw, many):
    return reals(draw, 8 * many)


def _given(**arrays):
    """(draw, **sizes) -> arrays by name, of what fills each and its sides, and the sizes."""

    def given(draw, **sizes):
        made = {name: fill(draw, *(sizes.get(it, it) for it in sides)) for name, (fill, *sides) in arrays.items()}
        return made | sizes

    return given


vector = _given(a=(reals, "n"), out=(_untouched, "n"))
turned = _given(a=(reals, "rows", "cols"), out=(_untouched, "cols", "rows"))
summed = _given(a=(reals, "n"), out=(_zero, 1))
weighted = _given(a=(reals, "n"), w=(reals, 9), out=(_untouched, "n"))
rowwise = _given(a=(reals, "rows", "cols"), out=(_untouched, "rows", "cols"))
valued = _given(a=(_values, "n"), counts=(_counts, 64))
matrices = _given(a=(reals, "m", "k"), b=(reals, "k", "n"), c=(_untouched, "m", "n"))
layer = _given(a=(reals, "m", "k"), b=(reals, "k", "n"), bias=(reals, "n"), out=(_untouched, "m", "n"))
strip = _given(x=(reals, "rows", "cols"), out=(_untouched, "rows", "cols"))
halves = _given(a=(_halves, "m", "k"), b=(_halves, "k", "n"), c=(_untouched, "m", "n"))
packed = _given(w=(_words, "rows", "words"), scale=(reals, "rows"), x=(_eights, "words"), out=(_untouched, "rows"))
small_head = _given(**dict.fromkeys("qkv", (_normal, "tokens", 8)), out=(_untouched, "tokens", 8))
head = _given(**dict.fromkeys("qkv", (_normal, "tokens", "d")), out=(_untouched, "tokens", "d"))


def ragged(draw, low, high):
    """A size that is no multiple of 32."""
    size = int(draw.integers(low, high))
    return size + (size % 32 == 0)


def _sized(**ends):
    """draw -> ragged sizes by name, each from low to high."""
    return lambda draw: {name: ragged(draw, *each) for name, each in ends.items()}


sides = _sized(rows=(2, 100), cols=(2, 100))
product = _sized(m=(2, 80), n=(2, 80), k=(2, 25))
edges = _sized(m=(2, 150), n=(2, 150), k=(2, 90))  # of a few tiles
wide = _sized(rows=(2, 30), cols=(2, 300))
fed = _sized(m=(2, 110), n=(2, 110), k=(2, 70))  # of a few blocks of an array


packed_sizes = _sized(rows=(2, 60), words=(2, 70))
few = _sized(tokens=(2, 45))


def of_fours(draw):
    """{"rows", "cols"} of rows that a warp can hold, four numbers a lane."""
    return {"rows": ragged(draw, 2, 40), "cols": 4 * int(draw.integers(1, 64))}


def of_eights(draw):
    """{"m", "n", "k"}, multiples of 8."""
    return {name: 8 * int(draw.integers(1, 10)) for name in "mnk"}


def length(draw):
    """{"n": size}: less than a warp, less than a block, or several blocks."""
    return {"n": ragged(draw, *((2, 32), (33, 255), (257, 4500), (257, 4500))[draw.integers(4)])}


def lines(draw):
    """{"rows", "cols"} of rows that one block can hold."""
    return {"rows": int(draw.integers(1, 6)), "cols": ragged(draw, 2, 255)}


def tokens(draw):
    """{"tokens", "d"} of one head."""
    return {"tokens": ragged(draw, 2, 200), "d": int(draw.choice([8, 16, 32]))}


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


def layers(draw, **sizes):
    """Inputs and weights of each layer in, its outputs out."""
    found = {}
    for number, gemm in enumerate(small_network(**sizes)):
        found |= {f"x{number}": reals(draw, gemm.m, gemm.k), f"w{number}": reals(draw, gemm.k, gemm.n)}
        found[f"y{number}"] = _untouched(draw, gemm.m, gemm.n)
    return found
