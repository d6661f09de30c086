"""Closed form: cycles, traffic and accesses of a product on a systolic array, without simulating it.

              on rows   on columns   streams   cycles of a fold
    os          m           n           k      k + rows + cols - 2         (+ rows to drain the sums)
    ws          k           n           m      m + 2 rows + cols - 2       (rows of them load the weights)
    is          k           m           n      n + 2 rows + cols - 2       (rows of them load the inputs)

A product larger than the array is cut into folds; a ragged one takes as long as a full one. With overlap the next fold
is loaded, and begins, while this one runs: every fold but one takes only its stream. `steps` (wavefront.py) simulates
what `cycles` computes. Ignored: waiting for memory (tpu.py). Source: H. T. Kung, "Why systolic architectures?", 1982.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import OneOf, Switch, Whole, checked
from accelerator_lib.data import frozen
from accelerator_lib.workload.work import Product

# on rows, on columns, streams
DATAFLOWS = frozen({"os": ("m", "n", "k"), "ws": ("k", "n", "m"), "is": ("k", "m", "n")})
Amount, Dataflow = Whole(high=2**20), OneOf(DATAFLOWS)


@dataclass(frozen=True)
class Cycles:
    """How long a product takes: folds, cycles of one, cycles of all, busy share of all PEs; scalars or arrays."""

    folds: int
    per_fold: int
    total: int
    utilization: float


@checked
def cycles(
    gemm: Product,
    rows: Amount,
    cols: Amount,
    dataflow: Dataflow = "os",
    overlap: Switch = False,
    drain: Switch = False,
    arrays: Amount = 1,
):
    """Cycles of a product on a rows x cols array; `drain` (output-stationary) waits until the sums have left.
    Several equal `arrays` share the folds out, and what counts is the array with the most."""
    on_rows, on_cols, stream = _sides(gemm, dataflow)
    folds = -(-on_rows // rows) * -(-on_cols // cols)
    loads = rows if dataflow != "os" or drain else 0 * rows
    per_fold, own = stream + rows + cols - 2 + loads, -(-folds // arrays)
    step = np.maximum(stream, loads) if np.ndim(stream) or np.ndim(loads) else max(stream, loads)
    total = (own - 1) * step + per_fold if overlap else own * per_fold
    macs = gemm.m * gemm.n * gemm.k
    return Cycles(folds, per_fold, total, macs / (arrays * rows * cols * total))


@checked
def fold_cycles(rows: Whole(), cols: Whole(), k: Whole()):
    """Cycles until the last product reaches the far corner of a rows x cols array; drain not counted.
    Each row and column begins a cycle after the one before it: product k reaches PE (r, c) in cycle r + c + k."""
    return rows + cols + k - 2


def _sides(gemm, dataflow):
    """What a product lays on rows and on columns, and what it streams, [elements]."""
    return (getattr(gemm, side) for side in DATAFLOWS[dataflow])


@dataclass(frozen=True)
class Traffic:
    """Elements that pass the edges of the array, from and to its buffers, and the chip's memory; scalars or arrays."""

    inputs: int  # reads
    weights: int  # reads
    outputs: int  # writes, of partial sums too
    partials: int  # reads of partial sums that a later fold adds to
    dram: int  # reads and writes of the memory behind the buffers, when these hold what is used again: each matrix once

    # all that passes the edges
    total = property(lambda self: self.inputs + self.weights + self.outputs + self.partials)


@checked
def traffic(gemm: Product, rows: Amount, cols: Amount, dataflow: Dataflow = "os"):
    """Traffic of a product: what stays still passes an edge once, what streams once for every fold across it.
    os: A once for each column of tiles, B for each row of them, sums written once. ws, is: what stays is read once, the
    stream once for each column of blocks, and sums leave once for each row of blocks, all but the first to be added to.
    """
    on_rows, on_cols, stream = _sides(gemm, dataflow)
    down, right = -(-on_rows // rows), -(-on_cols // cols)
    across, stays = on_rows * stream * right, on_rows * on_cols
    once = gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n
    if dataflow == "os":
        return Traffic(across, on_cols * stream * down, stays, 0 * stays, once)
    sums = on_cols * stream
    moved = (across, stays) if dataflow == "ws" else (stays, across)
    return Traffic(*moved, sums * down, sums * (down - 1), once)


@dataclass(frozen=True)
class Accesses:
    """How often a product touches each place where numbers stand [elements]; times a price, its energy.
    A flip-flop takes a number from its neighbour, so the first three are writes: no address, no memory, one short wire.
    """

    passed: int  # operands that a PE takes from its neighbour to multiply with
    loaded: int  # operands on their way to where they stay: row r takes r + 1 steps, and one into the second register
    summed: int  # sums that a PE takes, its own or its neighbour's: one for each multiply-accumulate
    inputs: int  # reads of the buffers
    weights: int  # reads of the buffers
    sums: int  # writes and reads of the buffers, partial sums included
    dram: int  # reads and writes of the memory behind them

    operands = property(lambda self: self.passed + self.loaded)  # all operands that flip-flops take


@checked
def accesses(gemm: Product, rows: Amount, cols: Amount, dataflow: Dataflow = "os"):
    """Accesses of a product by dataflow: both operands move where sums stay; else one does, and the other is loaded."""
    moved, macs = traffic(gemm, rows, cols, dataflow), gemm.m * gemm.n * gemm.k
    buffers = moved.inputs, moved.weights, moved.outputs + moved.partials, moved.dram
    if dataflow == "os":
        return Accesses(2 * macs, 0 * macs, macs, *buffers)
    on_rows, on_cols, _ = _sides(gemm, dataflow)
    full, rest = on_rows // rows, on_rows % rows
    steps = (full * rows * (rows + 3) + rest * (rest + 3)) // 2
    return Accesses(macs, steps * on_cols + 0 * macs, macs, *buffers)
