"""Programs: how a program walks through memory, as byte addresses: a search in a tree."""

import numpy as np

from accelerator_lib.checks.signature import Count, checked

LINE_BYTES = 64


@checked
def searches(levels: Count(high=20) = 6, count: Count(high=10**5) = 16, seed: Count(low=0) = 1):
    """Searches from the root of a binary tree to a random leaf, one node a line; node n leads to 2n + 1 and 2n + 2."""
    turns = np.random.default_rng(seed).integers(2, size=(count, levels))
    nodes = np.zeros((count, levels), dtype=np.int64)
    for level in range(1, levels):
        nodes[:, level] = 2 * nodes[:, level - 1] + 1 + turns[:, level]
    return nodes.ravel() * LINE_BYTES
