"""Slips of the exercises of chapter 6."""

from accelerator_lib import systolic
from accelerator_lib.workload import Gemm


def sum_not_kept(left, top, total):
    """You handed back the product alone: the PE adds it to the sum it keeps."""
    return left, top, left * top


def turned_round(left, top, total):
    """You send the operands the wrong way: what comes from the left goes right, what comes from above goes down."""
    return top, left, total + left * top


def added(left, top, total):
    """You added the operands to the sum; it is their product that joins it."""
    return left, top, total + left + top


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
    """You feed zeros where nothing enters; wanted is None there."""
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else 0 for r in range(rows)]


def loading_not_hidden(size):
    """Your shares count the loading of every fold. Weights are loaded ahead here: overlap=True."""
    return _shares(size, overlap=False)


def four_for_one(size):
    """Your shares are those of four arrays together; wanted is the share of one array of each size."""
    return _shares(size, overlap=True, arrays=4)


def _shares(size, **how):
    shares = (systolic.cycles(Gemm(64, size, size), edge, edge, "ws", **how).utilization for edge in (128, 256))
    return ("four 128 x 128", *shares)
