"""Systolic array: operands march through a grid of processing elements, one neighbour a cycle.

    output-stationary: PE (r, c) keeps the sum C[r, c]; A enters from the left, B from the top, each row and column
    one cycle later than the one before, so product k reaches PE (r, c) in cycle r + c + k
    fold cycles = rows + cols + k - 2

A product larger than the array is cut into folds; a ragged one takes as long as a full one. What is where:

              on rows   on columns   streams   cycles of a fold
    os          m           n           k      k + rows + cols - 2         (+ rows to drain the sums)
    ws          k           n           m      m + 2 rows + cols - 2       (rows of them load the weights)
    is          k           m           n      n + 2 rows + cols - 2       (rows of them load the inputs)

With overlap the next fold is loaded, and begins, while this one runs: every fold but one takes only its stream.
Ignored: reading A and B from memory. Source: H. T. Kung, "Why systolic architectures?", Computer 15(1), 1982.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import flag, one_of, whole
from accelerator_lib.workload import Gemm

DATAFLOWS = {"os": ("m", "n", "k"), "ws": ("k", "n", "m"), "is": ("k", "m", "n")}  # on rows, on columns, streams


@dataclass(frozen=True)
class Cycles:
    """How long a product takes: folds, cycles of one, cycles of all, busy share of all PEs; scalars or arrays."""

    folds: int
    per_fold: int
    total: int
    utilization: float


def cycles(gemm, rows, cols, dataflow="os", overlap=False, drain=False):
    """Cycles of a product on a rows x cols array; `drain` (output-stationary) waits until the sums have left."""
    if not isinstance(gemm, Gemm):
        raise TypeError(f"gemm must be a product such as Gemm(m=64, n=128, k=128), not {type(gemm).__name__}")
    on_rows, on_cols, streams = DATAFLOWS[one_of("dataflow", dataflow, DATAFLOWS)]
    rows, cols = whole("rows", rows, high=2**20), whole("cols", cols, high=2**20)
    stream = getattr(gemm, streams)
    folds = -(-getattr(gemm, on_rows) // rows) * -(-getattr(gemm, on_cols) // cols)
    loads = rows if dataflow != "os" or flag("drain", drain) else 0 * rows
    per_fold = stream + rows + cols - 2 + loads
    step = np.maximum(stream, loads) if np.ndim(stream) or np.ndim(loads) else max(stream, loads)
    total = (folds - 1) * step + per_fold if flag("overlap", overlap) else folds * per_fold
    return Cycles(folds, per_fold, total, gemm.m * gemm.n * gemm.k / (rows * cols * total))


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
