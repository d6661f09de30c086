"""Slips of the exercises of chapter 6."""

from accelerator_lib import systolic
from accelerator_lib.workload import Gemm


def sum_not_kept(left, top, kept, stays):
    """You handed back the product alone: it has to join the sum, kept or coming from above."""
    return (left, top, left * top) if stays == "outputs" else (left, left * kept, kept)


def turned_round(left, top, kept, stays):
    """You send the operands the wrong way: what comes from the left goes right, what comes from above goes down."""
    return (top, left, kept + left * top) if stays == "outputs" else (top + left * kept, left, kept)


def added(left, top, kept, stays):
    """You added the operands to the sum; it is their product that joins it."""
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
    """You feed zeros where nothing enters; wanted is None there."""
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else 0 for r in range(rows)]


def loading_not_hidden(size, limit):
    """Your cycles count the loading of every fold. Weights are loaded ahead here: overlap=True."""
    return _chosen(size, limit, overlap=False)


def one_array_only(size, limit):
    """Your cycles are those of one array of each edge; so many arrays as make 65,536 PEs share the folds."""
    return _chosen(size, limit, alone=True)


def limit_forgotten(size, limit):
    """You took the fastest edge whatever passes the edges. The limit rules some out."""
    return _chosen(size, 1e18)


def _chosen(size, limit, overlap=True, alone=False):
    jobs = [Gemm(m, size, size) for m in (1, 8, 64, 512, 4096)]
    passed, totals = {}, {}
    for edge in (32, 64, 128, 256):
        arrays = 1 if alone else 65_536 // edge**2
        found = [systolic.cycles(job, edge, edge, "ws", overlap=overlap, arrays=arrays).total for job in jobs]
        passed[edge] = sum(systolic.traffic(job, edge, edge, "ws").total for job in jobs)
        totals[edge] = sum(found)
    edge = min((edge for edge in totals if passed[edge] <= limit), key=totals.get)
    return edge, totals[edge]
