"""Programs: how programs walk through memory, as byte addresses of four-byte elements.

Each is the trace of a short loop, operands one behind the other; the tests write the loops out and compare.
"""

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.memory.addresses import MOST, sweep, walk

EDGE = 32  # of the matrices of a product
ELEMENT_BYTES = 4
LINE_BYTES = 64


@checked
def cyclic(kib: Count(high=2**16) = 40, stride_bytes: Count(high=2**20) = 64, passes: Count(high=1000) = 4):
    """The same range from front to back, again and again."""
    affordable("addresses of all passes", -(-kib * 1024 // stride_bytes) * passes, MOST, "passes or kib")
    return np.tile(sweep(kib, stride_bytes), passes)


@checked
def product(n: Count(high=128) = EDGE, tile: Count(high=128) = None):
    """C += A B, three loops over n; with a tile, loops go over tiles first. Reads a, b, c and writes c each time."""
    edge = n if tile is None else tile
    if n % edge:
        raise ValueError(f"tile = {edge} must divide n = {n}")
    blocks = np.arange(0, n, edge)
    inner = np.arange(edge)
    io, jo, ko, ii, ji, ki = np.meshgrid(blocks, blocks, blocks, inner, inner, inner, indexing="ij")
    i, j, k = (io + ii).ravel(), (jo + ji).ravel(), (ko + ki).ravel()
    a, b, c = i * n + k, n * n + k * n + j, 2 * n * n + i * n + j
    return np.stack([a, b, c, c], axis=1).ravel() * ELEMENT_BYTES


@checked
def hot_spots(count: Count(high=10**6) = 40_000, lines: Count(high=2**20) = 4096, seed: Count(low=0) = 1):
    """Random lines, a few of them far more often than the others (frequency one over rank)."""
    draw = np.random.default_rng(seed)
    weights = 1 / np.arange(1, lines + 1)
    return draw.permutation(lines)[draw.choice(lines, count, p=weights / weights.sum())] * LINE_BYTES


@checked
def searches(levels: Count(high=20) = 6, count: Count(high=10**5) = 16, seed: Count(low=0) = 1):
    """Searches from the root of a binary tree to a random leaf, one node a line; node n leads to 2n + 1 and 2n + 2."""
    turns = np.random.default_rng(seed).integers(2, size=(count, levels))
    nodes = np.zeros((count, levels), dtype=np.int64)
    for level in range(1, levels):
        nodes[:, level] = 2 * nodes[:, level - 1] + 1 + turns[:, level]
    return nodes.ravel() * LINE_BYTES


PROGRAMS = {
    "40 KiB, again and again": cyclic,
    "matrix by rows": lambda: walk(256, 128),
    "matrix by columns": lambda: walk(256, 128, order="col"),
    "matrix product": product,
    "matrix product, tiled": lambda: product(tile=8),
    "random, with hot spots": hot_spots,
}


@checked
def addresses(pattern: OneOf(PROGRAMS)):
    """The trace of a pattern by name. Raises UnknownName."""
    return PROGRAMS[pattern]()
