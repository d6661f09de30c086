"""Systolic array: operands march through a grid of processing elements, one neighbour a cycle.

    output-stationary: PE (r, c) keeps the sum C[r, c]; A enters from the left, B from the top, each row and column
    one cycle later than the one before, so product k reaches PE (r, c) in cycle r + c + k
    fold cycles = rows + cols + k - 2

Ignored: draining the sums, reading A and B from memory, products larger than the array.
Source: H. T. Kung, "Why systolic architectures?", Computer 15(1), 1982.
"""

import numpy as np

from accelerator_lib.inputs import whole


def fold_cycles(rows, cols, k):
    """Cycles until the last product reaches the far corner of a rows x cols array; drain not counted."""
    return whole("rows", rows) + whole("cols", cols) + whole("k", k) - 2


def simulate(a, b):
    """Yield (cycle, active[rows, cols], sums[rows, cols]) while the array computes a @ b, output-stationary.

    a: [rows, k], b: [k, cols], one PE for each element of the result. Raises ValueError for shapes that do not meet.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0] or 0 in (*a.shape, *b.shape):
        raise ValueError(f"shapes {a.shape} and {b.shape} cannot be multiplied: need [rows, k] and [k, cols]")
    (rows, k), cols = a.shape, b.shape[1]
    arrival = np.add.outer(np.arange(rows), np.arange(cols))
    sums = np.zeros((rows, cols), dtype=np.result_type(a, b))
    for cycle in range(fold_cycles(rows, cols, k)):
        product = cycle - arrival  # which of the k products meets in each PE now
        active = (product >= 0) & (product < k)
        row, col = np.nonzero(active)
        sums = sums.copy()
        sums[row, col] += a[row, product[active]] * b[product[active], col]
        yield cycle, active, sums
