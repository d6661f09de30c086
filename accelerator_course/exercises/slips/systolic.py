"""Slips of the exercises of chapter 6."""

from math import ceil

SIDES = {"os": "mnk", "ws": "knm", "is": "kmn"}  # on rows, on columns, streams


def sum_not_kept(left, top, kept, stays):
    """You returned the product alone. It must be added to the sum, which is kept or comes from above."""
    return (left, top, left * top) if stays == "outputs" else (left, left * kept, kept)


def turned_round(left, top, kept, stays):
    """You send the operands the wrong way: what comes from the left goes right, what comes from above goes down."""
    return (top, left, kept + left * top) if stays == "outputs" else (top + left * kept, left, kept)


def added(left, top, kept, stays):
    """You added the operands to the sum. Add their product instead."""
    return (left, top, kept + left + top) if stays == "outputs" else (left, top + left + kept, kept)


def outputs_always_stay(left, top, kept, stays):
    """Your PE keeps sums in either dataflow. Where weights stay, the sum is what comes from above and goes on down."""
    return left, top, kept + left * top


def row_by_row_at_once(a, rows, cycle):
    """You feed all rows at once. Each row begins one cycle after the one above, so that the operands meet."""
    return [a[r, cycle] if cycle < a.shape[1] else None for r in range(rows)]


def one_cycle_late(a, rows, cycle):
    """You begin one cycle late: row 0 begins in cycle 0."""
    return [a[r, cycle - r - 1] if 0 <= cycle - r - 1 < a.shape[1] else None for r in range(rows)]


def all_end_with_the_first_row(a, rows, cycle):
    """You stop all rows with the first one. A row that begins later ends later, too."""
    return [a[r, cycle - r] if r <= cycle < a.shape[1] else None for r in range(rows)]


def wraps_around(a, rows, cycle):
    """Your index becomes negative, and Python then counts from the end. Before a row begins, nothing enters."""
    return [a[r, cycle - r] if cycle - r < a.shape[1] else None for r in range(rows)]


def zeros_for_nothing(a, rows, cycle):
    """You feed zeros where nothing enters. Return None there."""
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else 0 for r in range(rows)]


def weights_at_once(m, n, k, rows, cols, dataflow, overlap, drain):
    """You let the next fold begin as soon as few rows have streamed. Its weights come down one row of the array a
    cycle: a fold never costs fewer cycles than the array has rows."""
    return _total(m, n, k, rows, cols, dataflow, overlap, drain, step=lambda stream, moved, one: stream)


def ramps_for_every_fold(m, n, k, rows, cols, dataflow, overlap, drain):
    """You paid loading and both ramps for every fold. Where they overlap, only one fold pays them."""
    return _total(m, n, k, rows, cols, dataflow, overlap, drain, step=lambda stream, moved, one: one)


def folds_in_fractions(m, n, k, rows, cols, dataflow, overlap, drain):
    """You counted parts of folds. A fold that fills only a part of the array takes as long as a full one."""
    return _total(m, n, k, rows, cols, dataflow, overlap, drain, whole=float)


def draining_forgotten(m, n, k, rows, cols, dataflow, overlap, drain):
    """You left the sums in the array although they were to be drained."""
    return _total(m, n, k, rows, cols, dataflow, overlap, False)


def rows_and_columns_exchanged(m, n, k, rows, cols, dataflow, overlap, drain):
    """You exchanged the rows and the columns of the array. Loading and draining take a cycle for each row."""
    return _total(m, n, k, cols, rows, dataflow, overlap, drain)


def _total(
    m, n, k, rows, cols, dataflow, overlap, drain, whole=ceil, step=lambda stream, moved, one: max(stream, moved)
):
    """Cycles of all folds; `step`: what one more fold costs where they overlap."""
    sizes = {"m": m, "n": n, "k": k}
    on_rows, on_cols, stream = (sizes[side] for side in SIDES[dataflow])
    folds, moved = whole(on_rows / rows) * whole(on_cols / cols), rows * (dataflow != "os" or drain)
    one = stream + rows + cols - 2 + moved
    return (folds - 1) * step(stream, moved, one) + one if overlap else folds * one
