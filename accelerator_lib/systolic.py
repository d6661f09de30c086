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
`steps` (wavefront.py) and `run` (lockstep.py) simulate what `cycles` computes. Ignored: waiting for memory (tpu.py).
Source: H. T. Kung, "Why systolic architectures?", Computer 15(1), 1982.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import flag, one_of, whole
from accelerator_lib.lockstep import Run, run
from accelerator_lib.wavefront import DATAFLOWS, Cycle, accumulator, operands, steps
from accelerator_lib.workload import product

__all__ = [
    "DATAFLOWS",
    "Cycle",
    "Cycles",
    "Run",
    "Traffic",
    "cycles",
    "fold_cycles",
    "run",
    "simulate",
    "steps",
    "traffic",
]


@dataclass(frozen=True)
class Cycles:
    """How long a product takes: folds, cycles of one, cycles of all, busy share of all PEs; scalars or arrays."""

    folds: int
    per_fold: int
    total: int
    utilization: float


def cycles(gemm, rows, cols, dataflow="os", overlap=False, drain=False, arrays=1, groups=1):
    """Cycles of a product on a rows x cols array; `drain` (output-stationary) waits until the sums have left.

    `groups` equal products (the channels of a depthwise layer) are so many times the folds; several equal `arrays`
    share them out, and what counts is the array with the most.
    """
    on_rows, on_cols, stream = _sides(gemm, dataflow)
    rows, cols = whole("rows", rows, high=2**20), whole("cols", cols, high=2**20)
    arrays, groups = whole("arrays", arrays, high=2**20), whole("groups", groups, high=2**20)
    folds = -(-on_rows // rows) * -(-on_cols // cols) * groups
    loads = rows if dataflow != "os" or flag("drain", drain) else 0 * rows
    per_fold, own = stream + rows + cols - 2 + loads, -(-folds // arrays)
    step = np.maximum(stream, loads) if np.ndim(stream) or np.ndim(loads) else max(stream, loads)
    total = (own - 1) * step + per_fold if flag("overlap", overlap) else own * per_fold
    macs = gemm.m * gemm.n * gemm.k * groups
    return Cycles(folds, per_fold, total, macs / (arrays * rows * cols * total))


def _sides(gemm, dataflow):
    """What a product lays on rows and on columns, and what it streams, [elements]."""
    return (getattr(product(gemm), side) for side in DATAFLOWS[one_of("dataflow", dataflow, DATAFLOWS)])


@dataclass(frozen=True)
class Traffic:
    """Elements that pass the edges of the array, from and to its buffers, and the chip's memory; scalars or arrays."""

    inputs: int  # reads
    weights: int  # reads
    outputs: int  # writes, of partial sums too
    partials: int  # reads of partial sums that a later fold adds to
    dram: int  # reads and writes of the memory behind the buffers, when these hold what is used again: each matrix once

    @property
    def total(self):
        """All that passes the edges."""
        return self.inputs + self.weights + self.outputs + self.partials


def traffic(gemm, rows, cols, dataflow="os"):
    """Traffic of a product: what stays still passes an edge once, what streams once for every fold across it.

    os: A once for each column of tiles, B for each row of them, sums written once. ws, is: what stays is read once, the
    stream once for each column of blocks, and sums leave once for each row of blocks, all but the first to be added to.
    """
    on_rows, on_cols, stream = _sides(gemm, dataflow)
    down, right = -(-on_rows // whole("rows", rows, high=2**20)), -(-on_cols // whole("cols", cols, high=2**20))
    across, stays = on_rows * stream * right, on_rows * on_cols
    once = gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n
    if dataflow == "os":
        return Traffic(across, on_cols * stream * down, stays, 0 * stays, once)
    sums = on_cols * stream
    moved = (across, stays) if dataflow == "ws" else (stays, across)
    return Traffic(*moved, sums * down, sums * (down - 1), once)


def fold_cycles(rows, cols, k):
    """Cycles until the last product reaches the far corner of a rows x cols array; drain not counted."""
    return whole("rows", rows) + whole("cols", cols) + whole("k", k) - 2


def simulate(a, b):
    """Yield (cycle, active[rows, cols], sums[rows, cols]) while the array computes a @ b, output-stationary.

    a: [rows, k], b: [k, cols], one PE for each element of the result; sums have the format of `wavefront.accumulator`.
    Raises ValueError for shapes that do not meet, and for sums too large for int64.
    """
    a, b = operands(a, b)
    (rows, k), cols = a.shape, b.shape[1]
    arrival = np.add.outer(np.arange(rows), np.arange(cols))
    sums = np.zeros((rows, cols), dtype=accumulator(a, b))
    for cycle in range(fold_cycles(rows, cols, k)):
        product = cycle - arrival  # which of the k products meets in each PE now
        active = (product >= 0) & (product < k)
        row, col = np.nonzero(active)
        sums = sums.copy()
        sums[row, col] += np.multiply(a[row, product[active]], b[product[active], col], dtype=sums.dtype)
        yield cycle, active, sums
