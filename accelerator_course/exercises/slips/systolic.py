"""Slips of the exercises of chapter 6."""

from functools import partial
from math import ceil

SIDES = {"os": "mnk", "ws": "knm", "is": "kmn"}  # on rows, on columns, streams


def sum_not_kept(left, top, kept, stays):
    return (left, top, left * top) if stays == "outputs" else (left, left * kept, kept)


def turned_round(left, top, kept, stays):
    return (top, left, kept + left * top) if stays == "outputs" else (top + left * kept, left, kept)


def added(left, top, kept, stays):
    return (left, top, kept + left + top) if stays == "outputs" else (left, top + left + kept, kept)


def outputs_always_stay(left, top, kept, stays):
    return left, top, kept + left * top


def row_by_row_at_once(a, rows, cycle):
    return [a[r, cycle] if cycle < a.shape[1] else None for r in range(rows)]


def one_cycle_late(a, rows, cycle):
    return [a[r, cycle - r - 1] if 0 <= cycle - r - 1 < a.shape[1] else None for r in range(rows)]


def all_end_with_the_first_row(a, rows, cycle):
    return [a[r, cycle - r] if r <= cycle < a.shape[1] else None for r in range(rows)]


def wraps_around(a, rows, cycle):
    return [a[r, cycle - r] if cycle - r < a.shape[1] else None for r in range(rows)]


def zeros_for_nothing(a, rows, cycle):
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else 0 for r in range(rows)]


def draining_forgotten(m, n, k, rows, cols, dataflow, overlap, drain):
    return _total(m, n, k, rows, cols, dataflow, overlap, False)


def rows_and_columns_exchanged(m, n, k, rows, cols, dataflow, overlap, drain):
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


weights_at_once = partial(_total, step=lambda stream, moved, one: stream)
ramps_for_every_fold = partial(_total, step=lambda stream, moved, one: one)
folds_in_fractions = partial(_total, whole=float)
