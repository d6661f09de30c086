"""Lockstep: a whole product on a systolic array, all folds beside each other, so that NumPy moves them together.

Folds that share an operand are in the same state in the same cycle of their own: one shift moves the registers of all
of them. This is wavefront.py without its pictures, and a hundred times faster: 1024 x 1024 x 1024 on 32 x 32 PEs
takes a second. Every cycle is still simulated: values move by one register, and what meets is multiplied.
"""

from dataclasses import dataclass, replace

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import checked
from accelerator_lib.systolic.closed_form import Dataflow
from accelerator_lib.systolic.wavefront import Edge, operands
from accelerator_lib.workload.sums import accumulator, largest_sum

MOST_STEPS, MOST_MOVES = 200_000, 6 * 10**9  # some seconds each


@dataclass(frozen=True, eq=False)
class Run:
    """What the whole product took, fold after fold, and what came out."""

    outputs: np.ndarray  # [m, n]
    folds: int
    cycles: int
    busy: np.ndarray  # [cycles of one fold]: busy PEs, summed over the folds
    pes: int

    @property
    def utilization(self):
        return float(self.busy.sum() / (self.pes * self.cycles))


@checked
def run(a, b, rows: Edge, cols: Edge, dataflow: Dataflow = "os"):
    """Run of a @ b on a rows x cols array, folds one after the other.

    a: [m, k], b: [k, n]; outputs have the format of `sums.accumulator`: integers stay exact. Raises ValueError for
    shapes that cannot be multiplied, and for sums too large for int64.
    """
    a, b = operands(a, b)
    wide = accumulator(a, b)
    narrow = wide.kind == "i" and largest_sum(a, b) < 2**31  # exact in half the bytes, and twice as fast
    a, b = (matrix.astype(np.int32 if narrow else wide) for matrix in (a, b))
    if dataflow == "is":
        mirrored = run(b.T, a.T, rows, cols, "ws")
        return replace(mirrored, outputs=mirrored.outputs.T.astype(wide))
    machine = _sums_stay if dataflow == "os" else _weights_stay
    down, stream = a.shape if dataflow == "os" else a.shape[::-1]
    moves = -(-down // rows) * (stream + rows + cols)
    affordable("steps of all folds", moves, MOST_STEPS, "the matrices, or take a larger array")
    moves *= -(-b.shape[1] // cols) * rows * cols
    affordable("moves from register to register", moves, MOST_MOVES, "the matrices")
    outputs, busy = np.zeros((a.shape[0], b.shape[1]), dtype=a.dtype), []
    for start in range(0, down, rows):
        real_rows = np.arange(rows) < down - start
        waves = machine(a, b, rows, cols, start, outputs)
        busy.append(np.sum(waves, axis=1, where=real_rows[:, None]) @ _real(b.shape[1], cols).sum(axis=0))
    folds = len(busy) * -(-b.shape[1] // cols)
    return Run(outputs.astype(wide), folds, folds * len(busy[0]), np.sum(busy, axis=0), rows * cols)


def _sums_stay(a, b, rows, cols, start, outputs):
    """Output-stationary, all tiles in the rows from `start`; returns which PEs a wave was in, cycle by cycle."""
    k, high = a.shape[1], min(rows, a.shape[0] - start)
    left, top = _feed(_padded(a[start : start + rows], rows).T, rows + cols), _feed(_tiles(b, cols), rows + cols)
    across, wave, waves = np.zeros((rows, cols), outputs.dtype), np.full((rows, cols), -1), []
    sums, product = (np.zeros((top.shape[1], rows, cols), outputs.dtype) for _ in range(2))
    down, step = _Tape(sums.shape, k, outputs.dtype), _waves(k, rows, cols)
    while wave[-1, -1] < k - 1:
        _move_right(across, left[len(waves)])
        _move_right(wave, step[len(waves)])
        sums += np.multiply(across, down.move_down(top[len(waves)]), out=product)
        waves.append(wave >= 0)
    outputs[start : start + high] = sums[:, :high].transpose(1, 0, 2).reshape(high, -1)[:, : b.shape[1]]
    return waves


def _weights_stay(a, b, rows, cols, start, outputs):
    """Weight-stationary, all blocks in the rows of b from `start`; their products are added to the outputs."""
    m, blocks = a.shape[0], _padded(_tiles(b[start : start + rows], cols), rows)
    left = _feed(_padded(a[:, start : start + rows].T, rows).T, rows + cols)
    across, wave = np.zeros((rows, cols), outputs.dtype), np.full((rows, cols), -1)
    shape = blocks.shape[1], rows, cols
    product, chain, sums = np.zeros(shape, outputs.dtype), _Tape(shape, 0, b.dtype), _Tape(shape, m, outputs.dtype)
    for weights in blocks[::-1]:  # they come down, the last row first
        held = chain.move_down(weights)
    waves, step = [wave >= 0] * rows, _waves(m, rows, cols)
    while wave[-1, -1] < m - 1:
        _move_right(across, left[len(waves) - rows])
        _move_right(wave, step[len(waves) - rows])
        moved = sums.move_down(0)
        moved += np.multiply(across, held, out=product)
        waves.append(wave >= 0)
    outputs += sums.fell_out(m).reshape(m, -1)[:, : b.shape[1]]
    return waves


class _Tape:
    """Registers [tiles, rows, cols] whose values move down together: the window slides up over values that stay."""

    def __init__(self, shape, stream, dtype):
        tiles, self.rows, cols = shape
        self.place = stream + self.rows + cols
        self.values = np.zeros((tiles, self.place + self.rows, cols), dtype)

    def move_down(self, entering):
        """One row down, new values in the first row; returns what the registers hold now."""
        self.place -= 1
        window = self.values[:, self.place : self.place + self.rows]
        window[:, 0] = entering
        return window

    def fell_out(self, stream):
        """[stream, tiles, cols]: what came out below; value s of column c began s + c cycles after the first."""
        _, places, cols = self.values.shape
        began = np.add.outer(np.arange(stream), np.arange(cols))
        return self.values[:, places - self.rows - 1 - began, np.arange(cols)].transpose(1, 0, 2)


def _feed(stream, edges, empty=0):
    """The schedule at an edge, [cycles, ..., lanes], of values [steps, ..., lanes]: lane i begins i cycles late."""
    steps, *more, lanes = stream.shape
    feed = np.full((steps + edges, *more, lanes), empty, stream.dtype)
    for lane in range(lanes):
        feed[lane : lane + steps, ..., lane] = stream[..., lane]
    return feed


def _waves(stream, rows, cols):
    """The schedule of the numbers 0 .. stream - 1 at the left edge, -1 where nothing enters."""
    return _feed(np.arange(stream)[:, None].repeat(rows, axis=1), rows + cols, empty=-1)


def _tiles(matrix, cols):
    """The columns of a matrix in tiles, [lines, tiles, cols], zeros where there are none."""
    padded = _padded(matrix.T, -(-matrix.shape[1] // cols) * cols).T
    return padded.reshape(len(matrix), -1, cols)


def _real(wide, cols):
    """[tiles, cols]: which columns of the tiles exist."""
    return (np.arange(-(-wide // cols) * cols) < wide).reshape(-1, cols)


def _padded(matrix, lines):
    """Zeros below, up to so many lines."""
    return np.concatenate([matrix, np.zeros((lines - len(matrix), *matrix.shape[1:]), matrix.dtype)])


def _move_right(registers, entering):
    registers[:, 1:] = registers[:, :-1]
    registers[:, 0] = entering
