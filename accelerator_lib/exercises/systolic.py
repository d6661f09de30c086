"""Exercises of chapter 6."""

import numpy as np

from accelerator_lib import systolic
from accelerator_lib.exercises import Exercise, Wrong, expect
from accelerator_lib.workload import Gemm

ROWS_OF_INPUTS = (1, 8, 64, 512, 4096)
DESIGNS = {"one 256 x 256": (256, 1), "four 128 x 128": (128, 4)}


def pe_step(left, top, total):
    """One cycle of an output-stationary PE: (what goes right, what goes down, the new sum)."""
    return left, top, total + left * top


def feed(a, rows, cycle):
    """What enters each row in a cycle, a list: row r begins r cycles late, None where nothing enters."""
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else None for r in range(rows)]


def choose(size):
    """(the better design, busy share of one 128 x 128 array at M = 64, the same for 256 x 256)."""

    def seconds(edge, arrays):
        jobs = [Gemm(m, size, size) for m in ROWS_OF_INPUTS]
        return sum(systolic.cycles(job, edge, edge, "ws", overlap=True, arrays=arrays).total for job in jobs)

    best = min(DESIGNS, key=lambda name: seconds(*DESIGNS[name]))
    shares = [systolic.cycles(Gemm(64, size, size), edge, edge, "ws", overlap=True).utilization for edge in (128, 256)]
    return best, *shares


def _check_pe_step(function):
    draw = np.random.default_rng(61)
    for _ in range(20):
        rows, cols, k = (int(size) for size in draw.integers(1, 7, 3))
        a, b = draw.integers(-9, 10, (rows, k)), draw.integers(-9, 10, (k, cols))
        sums, cycles = _march(function, a, b)
        where = f"a of {rows} x {k} and b of {k} x {cols}"
        if not np.array_equal(sums, a @ b):
            raise Wrong(
                f"For {where} the array's sums differ from a @ b. What must a PE hand on, and what must it keep?"
            )
        expect(cycles, systolic.fold_cycles(rows, cols, k), f"{where}, cycles")
    return "right for 20 random shapes: a grid of your PEs multiplies matrices, in rows + cols + k - 2 cycles."


def _march(function, a, b):
    """Run a grid of the learner's PEs; the feeding is done here."""
    (rows, k), cols = a.shape, b.shape[1]
    right, down = ([[0] * cols for _ in range(rows)] for _ in range(2))
    sums, cycle, last = [[0] * cols for _ in range(rows)], 0, 0
    while cycle < rows + cols + k + 2:
        before_right, before_down = [row[:] for row in right], [row[:] for row in down]
        for r, c in np.ndindex(rows, cols):
            left = before_right[r][c - 1] if c else (a[r, cycle - r] if 0 <= cycle - r < k else 0)
            top = before_down[r - 1][c] if r else (b[cycle - c, c] if 0 <= cycle - c < k else 0)
            answer = function(left, top, sums[r][c])
            if not isinstance(answer, tuple) or len(answer) != 3:
                raise Wrong(f"Return three values (right, down, sum); you returned {answer!r}.")
            right[r][c], down[r][c], sums[r][c] = answer
            if 0 <= cycle - r - c < k:
                last = cycle
        cycle += 1
    return np.array(sums), last + 1


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
        a, b, fed = draw.permutation(rows * k).reshape(rows, k) + 1, draw.integers(1, 100, (k, 3)), []
        # the key, laid out instead of computed: each row written one place further to the right than the one above
        staircase = [[None] * row + list(a[row]) + [None] * (rows + 1 - row) for row in range(rows)]
        for cycle in range(rows + k + 1):
            got = function(a.copy(), rows, cycle)
            if not isinstance(got, (list, tuple)) or len(got) != rows:
                raise Wrong(f"Return a list with one entry for each of the {rows} rows; you returned {got!r}.")
            fed.append(got)
            for row, (mine, right) in enumerate(zip(got, (line[cycle] for line in staircase), strict=True)):
                if mine is not right and not (right is not None and np.ndim(mine) == 0 and mine == right):
                    told = "nothing (None)" if right is None else f"a[{row}, {list(a[row]).index(right)}]"
                    raise Wrong(f"a of {rows} x {k}, cycle {cycle}: into row {row} goes {told}, not {mine!r}.")
        if not np.array_equal(multiplied(fed, b), a @ b):
            raise Wrong(f"a of {rows} x {k}: a grid that is fed so does not compute a @ b.")
    return "right for five shapes: a grid that is fed so computes a @ b. Each row begins one cycle after the one above."


def _check_choose(function):
    for size in (4096, 1000):
        got = function(size)
        if not isinstance(got, tuple) or len(got) != 3:
            raise Wrong(f"Return (name of the design, share for 128, share for 256); you returned {got!r}.")
        if got[0] not in list(DESIGNS):
            raise Wrong(f"{got[0]!r} is no design; there are {' and '.join(map(repr, DESIGNS))}.")
        totals = {name: sum(played(m, size, *design) for m in ROWS_OF_INPUTS) for name, design in DESIGNS.items()}
        if totals[got[0]] > min(totals.values()):
            raise Wrong(
                f"At size {size} {got[0]!r} needs more cycles for the whole list. "
                "Add them up for M = 1, 8, 64, 512, 4096."
            )
        for edge, share in zip((128, 256), got[1:], strict=True):
            busy = 64 * size * size / (edge * edge * played(64, size, edge, 1))
            expect(share, busy, f"size {size}, the busy share of one {edge} x {edge} at M = 64")
    return "right: four 128 x 128; at size 4096 and M = 64 one of them is 0.4988 busy, the large one 0.2478."


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
        "The operands go on unchanged, one to the right and one down; their product joins the sum.",
        _check_pe_step,
        pe_step,
    ),
    Exercise(
        "06.2",
        "X6.2",
        "Row r is r cycles late: in this cycle it gets the element number cycle - r, if there is one.",
        _check_feed,
        feed,
    ),
    Exercise(
        "06.3",
        "X6.3",
        "Add systolic.cycles(..., 'ws', overlap=True, arrays=...).total over the five products, for both designs.",
        _check_choose,
        choose,
    ),
]
