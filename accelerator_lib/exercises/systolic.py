"""Exercises of chapter 6."""

import numpy as np

from accelerator_lib import systolic
from accelerator_lib.exercises import Exercise
from accelerator_lib.exercises.cases import Wrong, case, expect, shown
from accelerator_lib.exercises.slips import systolic as slips
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
        where, cycles = f"a of {rows} x {k} and b of {k} x {cols}", systolic.fold_cycles(rows, cols, k)

        def judge(got, product=a @ b, where=where, cycles=cycles):
            if isinstance(got, str):
                raise Wrong(got)
            if not np.array_equal(got[0], product):
                raise Wrong(
                    f"For {where} the array's sums differ from a @ b. What must a PE hand on, and what must it keep?"
                )
            expect(got[1], cycles, f"{where}, cycles")

        def told(got, product=a @ b):
            if isinstance(got, str):
                return "no three values"
            return f"{'a @ b' if np.array_equal(got[0], product) else 'other sums'} after {got[1]} cycles"

        call = lambda a=a, b=b: _march(function, a, b)  # noqa: E731
        yield case(where, f"a @ b after {cycles} cycles", call, judge, told)
    return "right for 20 random shapes: a grid of your PEs multiplies matrices, in rows + cols + k - 2 cycles."


def _march(function, a, b):
    """(sums, cycles) of a grid of the learner's PEs, or what is wrong with one's answer; the feeding is done here."""
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
                return f"Return three values (right, down, sum); you returned {answer!r}."
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
    for size in (4096, 1000):
        totals = {name: sum(played(m, size, *design) for m in ROWS_OF_INPUTS) for name, design in DESIGNS.items()}
        busy = {edge: 64 * size * size / (edge * edge * played(64, size, edge, 1)) for edge in (128, 256)}

        def judge(got, size=size, totals=totals, busy=busy):
            if not isinstance(got, tuple) or len(got) != 3:
                raise Wrong(f"Return (name of the design, share for 128, share for 256); you returned {shown(got)}.")
            if got[0] not in list(DESIGNS):
                raise Wrong(f"{got[0]!r} is no design; there are {' and '.join(map(repr, DESIGNS))}.")
            if totals[got[0]] > min(totals.values()):
                raise Wrong(
                    f"At size {size} {got[0]!r} needs more cycles for the whole list. "
                    "Add them up for M = 1, 8, 64, 512, 4096."
                )
            for (edge, want), share in zip(busy.items(), got[1:], strict=True):
                expect(share, want, f"size {size}, the busy share of one {edge} x {edge} at M = 64")

        best = min(totals, key=totals.get)
        yield case(f"size {size}", shown((best, *busy.values())), lambda size=size: function(size), judge)
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
        "three values (what goes right, what goes down, the new sum) of one output-stationary PE in one cycle.",
        "The operands are needed by the neighbours, unchanged. What does the PE itself make of them?",
        _check_pe_step,
        pe_step,
        (slips.sum_not_kept, slips.turned_round, slips.added),
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
        "(name of the better design, busy share of one 128 x 128 at M = 64, the same for 256 x 256).",
        "systolic.cycles(..., 'ws', overlap=True, arrays=...) knows total and utilization; add the totals up.",
        _check_choose,
        choose,
        (slips.loading_not_hidden, slips.four_for_one),
    ),
]
