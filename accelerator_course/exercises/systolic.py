"""Exercises of chapter 6."""

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, shown
from accelerator_course.exercises.slips import systolic as slips
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

ROWS_OF_INPUTS = (1, 8, 64, 512, 4096)
PES = 65_536
EDGES = (32, 64, 128, 256)


def pe_step(left, top, kept, stays):
    """One cycle of a PE: (what goes right, what goes down, what it keeps); `stays` is "outputs" or "weights"."""
    if stays == "outputs":
        return left, top, kept + left * top
    return left, top + left * kept, kept


def feed(a, rows, cycle):
    """What enters each row in a cycle, a list: row r begins r cycles late, None where nothing enters."""
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else None for r in range(rows)]


def choose(size, limit):
    """(edge, cycles of all jobs): the fastest edge over which at most `limit` numbers pass in all."""
    jobs = [Gemm(m, size, size) for m in ROWS_OF_INPUTS]
    passed = {edge: sum(systolic.traffic(job, edge, edge, "ws").total for job in jobs) for edge in EDGES}
    found = {
        edge: sum(systolic.cycles(job, edge, edge, "ws", overlap=True, arrays=PES // edge**2).total for job in jobs)
        for edge in EDGES
    }
    edge = min((edge for edge in EDGES if passed[edge] <= limit), key=found.get)
    return edge, found[edge]


def _check_pe_step(function):
    draw = np.random.default_rng(61)
    for turn in range(20):
        stays = ("outputs", "weights")[turn % 2]
        m, n, k = (int(size) for size in draw.integers(1, 7, 3))
        a, b = draw.integers(-9, 10, (m, k)), draw.integers(-9, 10, (k, n))
        where, cycles = f"{stays} stay, a of {m} x {k} and b of {k} x {n}", m + n + k - 2

        def judge(got, product=a @ b, where=where, cycles=cycles):
            if isinstance(got, str):
                raise Wrong(got)
            if not np.array_equal(got[0], product):
                raise Wrong(f"{where}: its sums differ from a @ b. What must a PE hand on, and what must it keep?")
            expect(got[1], cycles, f"{where}, cycles")

        call = lambda a=a, b=b, stays=stays: _march(function, a, b, stays)  # noqa: E731
        told = lambda got, p=a @ b: "a @ b" if np.array_equal(got[0], p) else "other sums, or none"  # noqa: E731
        yield case(where, "a @ b", call, judge, told)
    return "right for 20 shapes: a grid of your PEs multiplies matrices in m + n + k - 2 cycles, whatever stays."


def _march(function, a, b, stays):
    """(sums, cycles) of a grid of the learner's PEs, or what is wrong with one's answer; the feeding is done here."""
    (m, k), n = a.shape, b.shape[1]
    rows, stream = (m, k) if stays == "outputs" else (k, m)
    right, down = ([[0] * n for _ in range(rows)] for _ in range(2))
    kept, below = np.zeros((rows, n), int).tolist() if stays == "outputs" else b.tolist(), np.zeros((m, n), int)
    for cycle in range(rows + n + stream - 2):
        before_right, before_down = [row[:] for row in right], [row[:] for row in down]
        for r, c in np.ndindex(rows, n):
            left = before_right[r][c - 1] if c else _entering(a if stays == "outputs" else a.T, r, cycle)
            above = _entering(b.T, c, cycle) if stays == "outputs" else 0
            answer = function(left, before_down[r - 1][c] if r else above, kept[r][c], stays)
            if not isinstance(answer, tuple) or len(answer) != 3:
                return f"Return three values (right, down, kept); you returned {answer!r}."
            right[r][c], down[r][c], kept[r][c] = answer
            if r == rows - 1 and 0 <= cycle - r - c < m:
                below[cycle - r - c, c] = down[r][c]
    return (np.array(kept) if stays == "outputs" else below), rows + n + stream - 2


def _entering(lines, lane, cycle):
    """What enters a lane that is fed as many cycles late as its number says; nothing is 0."""
    return int(lines[lane, cycle - lane]) if 0 <= cycle - lane < lines.shape[1] else 0


def multiplied(fed, b):
    """a @ b by an output-stationary grid whose rows get fed[cycle] from the left; b comes from above, as skewed."""
    rows, (k, cols) = len(fed[0]), b.shape
    left, top = ([[None] * cols for _ in range(rows)] for _ in range(2))
    sums = np.zeros((rows, cols), dtype=int)
    for cycle in range(rows + cols + k):
        entering = fed[cycle] if cycle < len(fed) else [None] * rows
        above = [b[cycle - c, c] if 0 <= cycle - c < k else None for c in range(cols)]
        left = [[entering[r], *left[r][:-1]] for r in range(rows)]
        top = [above, *top[:-1]]
        for r, c in np.ndindex(rows, cols):
            if left[r][c] is not None and top[r][c] is not None:
                sums[r, c] += left[r][c] * top[r][c]
    return sums


def _check_feed(function):
    draw = np.random.default_rng(62)
    for rows, k in ((1, 1), (3, 3), (4, 2), (2, 5), (5, 7)):
        a, b = draw.permutation(rows * k).reshape(rows, k) + 1, draw.integers(1, 100, (k, 3))
        # the key, laid out instead of computed: each row written one place further to the right than the one above
        staircase = [[None] * row + list(a[row]) + [None] * (rows + 1 - row) for row in range(rows)]
        for cycle in range(rows + k + 1):
            wants = [line[cycle] for line in staircase]
            call = lambda a=a, cycle=cycle: function(a.copy(), len(a), cycle)  # noqa: E731
            where = f"a of {rows} x {k}, cycle {cycle}"
            yield case(where, shown(list(map(_plain, wants))), call, _judge_feed(a, wants, where), _fed)

        def judge(fed, a=a, b=b):
            if not np.array_equal(multiplied(fed, b), a @ b):
                raise Wrong(f"a of {a.shape[0]} x {a.shape[1]}: a grid that is fed so does not compute a @ b.")

        call = lambda a=a: [function(a.copy(), len(a), cycle) for cycle in range(sum(a.shape) + 1)]  # noqa: E731
        yield case(f"a grid fed with a of {rows} x {k}", "a @ b", call, judge, lambda _: "its products")
    return "right for five shapes: a grid that is fed so computes a @ b. Each row begins one cycle after the one above."


def _judge_feed(a, wants, where):
    """What one cycle must bring."""

    def judge(got):
        if not isinstance(got, (list, tuple)) or len(got) != len(a):
            raise Wrong(f"Return a list with one entry for each of the {len(a)} rows; you returned {shown(got)}.")
        for row, (mine, right) in enumerate(zip(got, wants, strict=True)):
            if mine is not right and not (right is not None and np.ndim(mine) == 0 and mine == right):
                told = "nothing (None)" if right is None else f"a[{row}, {list(a[row]).index(right)}]"
                raise Wrong(f"{where}: into row {row} goes {told}, not {_plain(mine)!r}.")

    return judge


def _fed(got):
    return shown(list(map(_plain, got)) if isinstance(got, (list, tuple)) else got)


def _plain(entry):
    """A number of NumPy as Python prints it."""
    return entry.item() if isinstance(entry, np.generic) else entry


def _check_choose(function):
    for size, limit in ((4096, 10**10), (4096, crossed(4096, 64)), (4096, crossed(4096, 64) - 1), (1000, 10**8)):
        totals = {edge: sum(played(m, size, edge, PES // edge**2) for m in ROWS_OF_INPUTS) for edge in EDGES}
        best = min((edge for edge in EDGES if crossed(size, edge) <= limit), key=totals.get)
        where = f"size {size}, limit {limit:,}"

        def judge(got, size=size, limit=limit, where=where, total=totals[best], best=best):
            if not isinstance(got, tuple) or len(got) != 2 or got[0] not in EDGES:
                raise Wrong(
                    f"Return (edge, cycles), an edge of {', '.join(map(str, EDGES))}; you returned {shown(got)}."
                )
            if crossed(size, got[0]) > limit:
                raise Wrong(f"At {where}: {crossed(size, got[0]):,} numbers pass edges of {got[0]}. Too many.")
            if got[0] != best:
                raise Wrong(f"At {where} another edge within the limit needs fewer cycles than {got[0]}.")
            expect(got[1], total, f"{where}, the cycles of all jobs")

        yield case(where, shown((best, totals[best])), lambda s=size, most=limit: function(s, most), judge)
    return "right: the smallest edge that the buffers can feed. Small arrays are busier, and more passes their edges."


def crossed(size, edge):
    """Numbers that pass the edges in all jobs, fold by fold."""
    widths = [min(edge, size - at) for at in range(0, size, edge)]
    inputs = sum(widths) * len(widths)  # k of each row of blocks, for each column of blocks
    outputs = sum(widths) * (2 * len(widths) - 1)  # written for each row of blocks, read for all but the first
    return sum(ROWS_OF_INPUTS) * (inputs + outputs) + len(ROWS_OF_INPUTS) * size * size


def played(m, size, edge, arrays):
    """Cycles of an m x size x size product, fold by fold: weights for the next fold are loaded while one streams."""
    folds = len(range(0, size, edge)) ** 2
    loaded = begin = 0
    for fold in range(len(range(0, folds, arrays))):  # the array that has the most
        loaded = max(loaded, begin) + edge  # the second set of registers is free once the fold before has begun
        begin = loaded if fold == 0 else max(loaded, begin + m)  # and the rows of inputs follow without a gap
    return begin + m + 2 * edge - 2  # the last row has to cross the array


EXERCISES = [
    Exercise(
        "06.1",
        "X6.1",
        "three values (what goes right, what goes down, what it keeps) of one PE in one cycle, for either dataflow.",
        "Three numbers meet in a PE. Which two are multiplied, and which one does their product join?",
        _check_pe_step,
        pe_step,
        (slips.sum_not_kept, slips.turned_round, slips.added, slips.outputs_always_stay),
    ),
    Exercise(
        "06.2",
        "X6.2",
        "a list of what enters each row of the array in a given cycle, None where nothing enters.",
        "How late is row r? So which element of the row is its turn in this cycle, and is there one?",
        _check_feed,
        feed,
        (
            slips.row_by_row_at_once,
            slips.one_cycle_late,
            slips.all_end_with_the_first_row,
            slips.wraps_around,
            slips.zeros_for_nothing,
        ),
    ),
    Exercise(
        "06.3",
        "X6.3",
        "(edge, cycles): the edge with the fewest cycles among those whose edges pass few enough numbers.",
        "systolic.cycles(..., 'ws', overlap=True, arrays=...) knows .total, systolic.traffic(..., 'ws') knows .total.",
        _check_choose,
        choose,
        (slips.loading_not_hidden, slips.one_array_only, slips.limit_forgotten),
    ),
]
