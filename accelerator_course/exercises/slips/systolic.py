"""Slips of the exercises of chapter 6."""

from functools import partial
from math import ceil, inf


def sum_not_kept(left, top, kept, stays):
    return (left, top, left * top) if stays == "outputs" else (left, left * kept, kept)


def turned_round(left, top, kept, stays):
    return (top, left, kept + left * top) if stays == "outputs" else (top + left * kept, left, kept)


def added(left, top, kept, stays):
    return (left, top, kept + left + top) if stays == "outputs" else (left, top + left + kept, kept)


def outputs_always_stay(left, top, kept, stays):
    return left, top, kept + left * top


def all_end_with_the_first_row(a, rows, cycle):
    return [a[r, cycle - r] if r <= cycle < a.shape[1] else None for r in range(rows)]


def fed(a, rows, cycle, apart=1, late=0, least=0, nothing=None):
    """What enters each row, with one thing changed."""
    places = [cycle - apart * r - late for r in range(rows)]
    return [a[r, place] if least <= place < a.shape[1] else nothing for r, place in enumerate(places)]


row_by_row_at_once = partial(fed, apart=0)
one_cycle_late = partial(fed, late=1)
wraps_around = partial(fed, least=-inf)
zeros_for_nothing = partial(fed, nothing=0)


def rows_and_columns_exchanged(m, n, k, rows, cols, dataflow, overlap, drain):
    return _total(m, n, k, cols, rows, dataflow, overlap, drain)


def _total(m, n, k, rows, cols, dataflow, overlap, drain, whole=ceil, drains=True, step=None):
    """Cycles of all folds; `step`: what one more fold costs where they overlap."""
    on_rows, on_cols, stream = {"os": (m, n, k), "ws": (k, n, m), "is": (k, m, n)}[dataflow]
    folds, moved = whole(on_rows / rows) * whole(on_cols / cols), rows * (dataflow != "os" or (drain and drains))
    one = stream + rows + cols - 2 + moved
    more = step(stream, one) if step else max(stream, moved)
    return (folds - 1) * more + one if overlap else folds * one


weights_at_once = partial(_total, step=lambda stream, one: stream)
draining_forgotten = partial(_total, drains=False)
ramps_for_every_fold = partial(_total, step=lambda stream, one: one)
folds_in_fractions = partial(_total, whole=float)
