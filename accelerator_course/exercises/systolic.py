"""Exercises of chapter 6."""

from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, number, shown

RUNS = (  # m, n, k, rows, cols, dataflow, overlap, drain
    (4, 4, 4, 4, 4, "os", False, False),
    (6, 8, 8, 4, 4, "ws", True, False),
    (2, 8, 8, 4, 4, "ws", True, False),
    (8, 8, 2, 4, 4, "os", True, True),
)


def pe_step(left, top, kept, stays):
    """One cycle of a PE: (what goes right, what goes down, what it keeps); `stays` is "outputs" or "weights"."""
    if stays == "outputs":
        return left, top, kept + left * top
    return left, top + left * kept, kept


def feed(a, rows, cycle):
    """What enters each row in a cycle, a list: row r begins r cycles late, None where nothing enters."""
    return [a[r, cycle - r] if 0 <= cycle - r < a.shape[1] else None for r in range(rows)]


def total_cycles(m, n, k, rows, cols, dataflow, overlap, drain):
    """Cycles of a product with all its folds; where they overlap, each but the last costs the longer of two times."""
    on_rows, on_cols, stream = {"os": (m, n, k), "ws": (k, n, m), "is": (k, m, n)}[dataflow]
    folds = -(-on_rows // rows) * -(-on_cols // cols)
    moved = rows if dataflow != "os" or drain else 0
    one = stream + rows + cols - 2 + moved
    return (folds - 1) * max(stream, moved) + one if overlap else folds * one


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

        told = lambda got, p=a @ b: "a @ b" if np.array_equal(got[0], p) else "other sums, or none"  # noqa: E731
        yield case(where, "a @ b", partial(_march, function, a, b, stays), judge, told)
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
            where, call = f"a of {rows} x {k}, cycle {cycle}", partial(function, a.copy(), len(a), cycle)
            yield case(where, shown(list(map(_plain, wants))), call, partial(_judge_feed, a, wants, where), _fed)

        def judge(fed, a=a, b=b):
            if not np.array_equal(multiplied(fed, b), a @ b):
                raise Wrong(f"a of {a.shape[0]} x {a.shape[1]}: a grid that is fed like this does not compute a @ b.")

        call = lambda a=a: [function(a.copy(), len(a), cycle) for cycle in range(sum(a.shape) + 1)]  # noqa: E731
        yield case(f"a grid fed with a of {rows} x {k}", "a @ b", call, judge, lambda _: "its products")
    return "right for five shapes: a grid fed like this computes a @ b. Each row begins one cycle after the one above."


def _judge_feed(a, wants, where, got):
    if not isinstance(got, (list, tuple)) or len(got) != len(a):
        raise Wrong(f"Return a list with one entry for each of the {len(a)} rows; you returned {shown(got)}.")
    for row, (mine, right) in enumerate(zip(got, wants, strict=True)):
        if mine is not right and not (right is not None and np.ndim(mine) == 0 and mine == right):
            told = "nothing (None)" if right is None else f"a[{row}, {list(a[row]).index(right)}]"
            raise Wrong(f"{where}: into row {row} goes {told}, not {_plain(mine)!r}.")


def _fed(got):
    return shown(list(map(_plain, got)) if isinstance(got, (list, tuple)) else got)


def _plain(entry):
    """A number of NumPy as Python prints it."""
    return entry.item() if isinstance(entry, np.generic) else entry


def _check_total_cycles(function):
    draw, runs = np.random.default_rng(64), list(RUNS)
    for turn in range(40):
        flow, overlap = ("os", "os", "ws", "is")[turn % 4], bool(turn % 3)
        m, n, k = (int(size) for size in 2 ** draw.uniform(0, 11, 3))
        rows, cols = (int(edge) for edge in draw.choice([8, 32, 100, 128, 256], 2))
        runs.append((m, n, k, rows, cols, flow, overlap, flow == "os" and turn % 8 < 4))
    for run in runs:
        yield number(function, run, played(*run), f"total_cycles{run}", rel_tol=0)
    costs = "With overlap, one more fold costs its stream or the array's rows, whichever is larger."
    return f"right for {len(runs)} products. {costs}"


def played(m, n, k, rows, cols, dataflow, overlap, drain):
    """Cycles of a product, fold by fold, as the registers that load and drain allow."""
    lines, columns, stream = {"os": (m, n, k), "ws": (k, n, m), "is": (k, m, n)}[dataflow]
    folds = len(range(0, lines, rows)) * len(range(0, columns, cols))
    loaded = drained = begun = end = 0  # cycles; the next fold may begin when the one before has streamed
    for fold in range(folds):
        free = begun + stream if overlap and fold else end
        if dataflow != "os":
            loaded = (max(loaded, begun) if overlap else end) + rows  # once the fold before has taken its weights
            free = max(loaded, free)
        if drain:
            free = max(free, drained - stream)  # its first sum is done when the last one before has left
        begun, end = free, free + stream + rows + cols - 2
        if drain:
            drained, end = begun + stream + rows, end + rows
    return end


EXERCISES = [
    Exercise("06.1", _check_pe_step, pe_step),
    Exercise("06.2", _check_feed, feed),
    Exercise("06.4", _check_total_cycles, total_cycles),
]
