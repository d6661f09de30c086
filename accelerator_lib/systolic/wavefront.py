"""Wavefront: a systolic array register by register; every PE hears only its neighbours.

    os   sums stay        inputs move right, weights move down; a fold's first operands start a sum anew
    ws   weights stay     inputs move right, partial sums move down and leave at the bottom
    is   inputs stay      the same machine on the transposes: weights move right

Row r and column c are fed r and c cycles late: this skew makes the right operands meet. What stays comes down a chain
of its own, waits in a second register, and changes places when the first operand of its fold passes by. `steps` uses no
closed form: a product ends when its last wave has passed the far corner. `simulate` is the smallest simulation.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from accelerator_lib.checks.inputs import affordable, table
from accelerator_lib.checks.signature import Count, Switch, checked
from accelerator_lib.systolic.closed_form import Dataflow, fold_cycles
from accelerator_lib.systolic.registers import MOST_BYTES, Registers, Wires, feed, kept_together
from accelerator_lib.workload.sums import accumulator, finite, held

Edge = Count(high=1024)


@dataclass(frozen=True, eq=False)
class Cycle:
    """One cycle of a [rows, cols] array. Registers may be empty, wires silent."""

    cycle: int
    fold: int  # the last one that has begun
    folds: int
    dataflow: str
    active: np.ndarray  # which PEs multiply and add
    working: np.ndarray  # the fold that each PE works on, -1: none
    across: Wires  # the operand that moves right through each PE
    down: Wires  # what moves down: weights (os), partial sums (ws, is)
    held: Wires  # what stays: sums (os), weights (ws), inputs (is)
    chain: Wires  # on a way of its own: weights coming in (ws), inputs (is), sums going out (os)
    enters_left: Wires  # one a row
    enters_top: Wires  # one a column
    leaves_bottom: Wires  # one a column: sums
    outputs: np.ndarray  # [m, n]: what has left so far, added up over the folds along k
    parts: np.ndarray  # [m, n]: how many parts of each sum have left

    sums = property(lambda self: self.held if self.dataflow == "os" else self.down)  # the partial sum in each PE
    # the operand that `across` meets in each PE
    partner = property(lambda self: self.down if self.dataflow == "os" else self.held)
    utilization = property(lambda self: float(self.active.mean()))


@checked
def steps(a, b, rows: Edge, cols: Edge, dataflow: Dataflow = "os", overlap: Switch = False, drain: Switch = False):
    """Yield a Cycle for every cycle of a @ b on a rows x cols array, fold by fold, loading included.
    a: [m, k], b: [k, n]; operands keep their format, sums have that of `accumulator`: integers stay exact. `drain`
    (os): the sums leave through the bottom; else they are read where they stand. Raises ValueError for shapes that
    cannot be multiplied, and for sums too large for int64."""
    a, b = operands(a, b)
    kept_together(a, b, rows, cols, dataflow)
    return one_by_one(a, b, rows, cols, dataflow, overlap, drain)


def one_by_one(a, b, rows, cols, dataflow, overlap, drain):
    """The same for a run of any length, whose cycles are looked at and not kept; `a` and `b` from `operands`."""
    if dataflow == "is":
        mirrored = _run(_weights_stay, b.T, a.T, rows, cols, overlap)
        return (replace(state, outputs=state.outputs.T, parts=state.parts.T, dataflow="is") for state in mirrored)
    if dataflow == "ws":
        return _run(_weights_stay, a, b, rows, cols, overlap)
    return _run(partial(_sums_stay, drain=drain), a, b, rows, cols, overlap)


@checked
def simulate(a, b):
    """Yield (cycle, active[rows, cols], sums[rows, cols]) while the array computes a @ b, output-stationary.
    a: [rows, k], b: [k, cols], one PE for each element of the result; sums have the format of `sums.accumulator`.
    Raises ValueError for shapes that do not meet, and for sums too large for int64."""
    a, b = operands(a, b)
    (rows, k), cols = a.shape, b.shape[1]
    cycles = fold_cycles(rows, cols, k)
    affordable("bytes of all cycles of a run", cycles * rows * cols * 9, MOST_BYTES, "the size of a or b")
    arrival = np.add.outer(np.arange(rows), np.arange(cols))
    sums = np.zeros((rows, cols), dtype=accumulator(a, b))
    for cycle in range(cycles):
        product = cycle - arrival  # which of the k products meets in each PE now
        active = (product >= 0) & (product < k)
        row, col = np.nonzero(active)
        sums = sums.copy()
        sums[row, col] += np.multiply(a[row, product[active]], b[product[active], col], dtype=sums.dtype)
        yield cycle, active, sums


def operands(a, b):
    """Two matrices that can be multiplied, or one clear line."""
    a, b = table("a", a), table("b", b)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0] or 0 in (*a.shape, *b.shape):
        raise ValueError(f"a {a.shape} and b {b.shape} cannot be multiplied: their shapes must be [m, k] and [k, n]")
    if a.dtype.kind not in "iuf" or b.dtype.kind not in "iuf":
        raise TypeError(f"a and b must hold numbers, not {a.dtype} and {b.dtype}")
    held(finite("a", a), finite("b", b))
    return a, b


def _run(machine, a, b, rows, cols, overlap):
    """All folds in one go where they overlap, else one after the other; cycles and folds are counted through."""
    outputs = np.zeros((a.shape[0], b.shape[1]), dtype=accumulator(a, b))
    parts = np.zeros(outputs.shape, np.int32)
    down, right = a.shape[1 if machine is _weights_stay else 0], b.shape[1]
    folds = [(i, j) for i in range(-(-down // rows)) for j in range(-(-right // cols))]
    cycle = 0
    for first, group in [(0, folds)] if overlap else [(f, [fold]) for f, fold in enumerate(folds)]:
        for state in machine(a, b, rows, cols, np.array(group).T, outputs, parts):
            working = np.where(state.working < 0, -1, state.working + first).astype(np.int32)  # states are kept: small
            yield replace(state, cycle=cycle, fold=first + state.fold, folds=len(folds), working=working)
            cycle += 1


def _sums_stay(a, b, rows, cols, tiles, outputs, parts, drain=False):
    """Output-stationary: fold f makes tile (tiles[0][f], tiles[1][f]) of the result. A wave is fold x k + step."""
    k, folds = a.shape[1], tiles.shape[1]
    pitch = max(k, rows) if drain else k
    row, col = np.indices((rows, cols))
    across, down = Registers(rows, cols, a.dtype), Registers(rows, cols, b.dtype)
    sums, finished, chain = (Registers(rows, cols, outputs.dtype) for _ in range(3))
    cycle, begun, end = 0, 0, None
    while end is None or cycle < end:
        out, places = chain.seen(-1), chain.wave[-1].copy()
        chain.move(0)
        for axis, lane, wires, tile, matrix in ((1, row[:, 0], across, tiles[0], a), (0, col[0], down, tiles[1], b.T)):
            fold, step, live = feed(cycle - lane, k, pitch, folds)
            line = tile[fold] * len(lane) + lane
            there = live & (line < len(matrix))
            wires.move(axis, matrix[np.where(there, line, 0), step], there, np.where(live, fold * k + step, -1))
        active, fold = across.there & down.there, across.wave // k
        step = across.wave - k * fold
        first, done = active & (step == 0), active & (step == k - 1)
        products = np.multiply(across.value, down.value, dtype=outputs.dtype)
        sums.value = np.where(first, 0, sums.value) + np.where(active, products, 0)
        sums.there = sums.there | active
        sums.wave = np.where(active, fold * rows + row, sums.wave)  # the tile, and the row of it, that a sum belongs to
        if drain:
            finished.take(sums, done)
            ready = feed(cycle - (k + rows - 2) - col[0], 1, pitch, folds)[2]  # columns whose last sum is done
            chain.take(finished, np.broadcast_to(ready, (rows, cols)))
            place, value, lane = places[out.there], out.value[out.there], col[0][out.there]
        else:
            place, value, lane = sums.wave[done], sums.value[done], col[done]
        at = tiles[0][place // rows] * rows + place % rows, tiles[1][place // rows] * cols + lane
        outputs[at], parts[at] = value, 1
        begun = max(begun, fold[0, 0])
        registers = (each.seen() for each in (across, down, sums, chain))
        edges = across.seen(np.s_[:, 0]), down.seen(0), out
        yield Cycle(cycle, begun, folds, "os", active, fold, *registers, *edges, outputs.copy(), parts.copy())
        if across.wave[-1, -1] == folds * k - 1:
            end = cycle + 1 + (rows if drain else 0)
        cycle += 1


def _weights_stay(a, b, rows, cols, tiles, outputs, parts):
    """Weight-stationary: fold f holds block (tiles[0][f], tiles[1][f]) of b. A wave is fold x m + row of a."""
    (m, k), n, folds = a.shape, b.shape[1], tiles.shape[1]
    pitch = max(m, rows)
    row, col = np.arange(rows), np.arange(cols)
    across, sums = Registers(rows, cols, a.dtype), Registers(rows, cols, outputs.dtype)
    chain, waiting, held = (Registers(rows, cols, b.dtype) for _ in range(3))
    cycle, begun, end = 0, 0, None
    while end is None or cycle < end:
        fold, step, loads = feed(cycle - col, rows, pitch, folds)  # the last row of a block enters first
        line, lane = tiles[0][fold] * rows + rows - 1 - step, tiles[1][fold] * cols + col
        there = loads & (line < k) & (lane < n)
        chain.move(0, b[np.where(there, line, 0), np.where(there, lane, 0)], there, np.where(loads, fold, -1))
        complete = loads & (step == rows - 1)
        fold, step, live = feed(cycle - rows - row, m, pitch, folds)
        line = tiles[0][fold] * rows + row
        there = live & (line < k)
        across.move(1, a[step, np.where(there, line, 0)], there, np.where(live, fold * m + step, -1))
        fold = across.wave // m
        held.take(waiting, (fold >= 0) & (across.wave == m * fold))  # a fold's weights come with its first wave
        active = across.there & held.there
        sums.move(0)
        sums.value += np.where(active, np.multiply(across.value, held.value, dtype=outputs.dtype), 0)
        sums.there = sums.there | active
        waiting.take(chain, np.broadcast_to(complete, (rows, cols)))
        out, wave = sums.seen(-1), across.wave[-1]
        lane = np.flatnonzero(out.there)
        at = wave[lane] % m, tiles[1][wave[lane] // m] * cols + lane
        outputs[at] += out.value[out.there]
        parts[at] += 1
        begun = max(begun, fold[0, 0])
        registers = (each.seen() for each in (across, sums, held, chain))
        edges = across.seen(np.s_[:, 0]), chain.seen(0), out
        yield Cycle(cycle, begun, folds, "ws", active, fold, *registers, *edges, outputs.copy(), parts.copy())
        if across.wave[-1, -1] == folds * m - 1:
            end = cycle + 1
        cycle += 1
