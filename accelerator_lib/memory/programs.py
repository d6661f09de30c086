"""Patterns: how programs walk through memory, as byte addresses of four-byte elements.

    addresses("matrix product, tiled")      one array of addresses, the operands one behind the other

Each is the trace of a short loop; the tests write the loops out with Traced and compare.
"""

import numpy as np

from accelerator_lib.inputs import one_of, whole
from accelerator_lib.memory.cache import walk

N = 32  # edge of the matrices of a product
SIZE = 4


def cyclic(kib=40, stride=64, passes=4):
    """The same range from front to back, again and again."""
    once = np.arange(0, whole("kib", kib, high=2**16) * 1024, whole("stride", stride, high=2**20))
    return np.tile(once, whole("passes", passes, high=1000))


def product(n=N, tile=None):
    """C += A B, three loops over n; with a tile, loops go over tiles first. Reads a, b, c and writes c each time."""
    n = whole("n", n, high=128)
    edge = n if tile is None else whole("tile", tile, high=n)
    if n % edge:
        raise ValueError(f"tile = {edge} must divide n = {n}")
    blocks = np.arange(0, n, edge)
    inner = np.arange(edge)
    io, jo, ko, ii, ji, ki = np.meshgrid(blocks, blocks, blocks, inner, inner, inner, indexing="ij")
    i, j, k = (io + ii).ravel(), (jo + ji).ravel(), (ko + ki).ravel()
    a, b, c = i * n + k, n * n + k * n + j, 2 * n * n + i * n + j
    return np.stack([a, b, c, c], axis=1).ravel() * SIZE


def hot_spots(count=40_000, lines=4096, seed=1):
    """Random lines, a few of them far more often than the others (frequency one over rank)."""
    draw = np.random.default_rng(seed)
    weights = 1 / np.arange(1, whole("lines", lines, high=2**20) + 1)
    return (
        draw.permutation(lines)[draw.choice(lines, whole("count", count, high=10**6), p=weights / weights.sum())] * 64
    )


PROGRAMS = {
    "40 KiB, again and again": cyclic,
    "matrix by rows": lambda: walk(256, 128),
    "matrix by columns": lambda: walk(256, 128, order="col"),
    "matrix product": product,
    "matrix product, tiled": lambda: product(tile=8),
    "random, with hot spots": hot_spots,
}


def addresses(name):
    """The trace of a pattern by name. Raises UnknownName."""
    return PROGRAMS[one_of("pattern", name, PROGRAMS)]()
