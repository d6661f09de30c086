"""A board of choices while they are timed, the runs of one of them, and where the budget went."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent, si

LEFT, TOP, CELL, HIGH = 96, 78, 84, 50  # of the board
SIDE, END, FLOOR, TALL = 560, 748, 300, 190  # of the runs on the right
BAR, LONG = 382, 640  # of the budget
DOING = {
    "": "not begun",
    "compile": "is being compiled",
    "warm up": "warms up and is checked",
    "run": "runs",
    "done": "done",
}


class Tuned(Stage):
    """A tuning on this machine: choices on a board, each with its median and spread; below, what has been spent.

    >>> view, give = Tuned(), {"times": {}, "compiled": {}, "wrong": (), "out": (), "finished": None}
    >>> kernel = codesign.kernels.Kernel("product", ("rows", "columns"), (16, 64), (16, 64), None)
    >>> base = {"kernel": kernel, "strategy": "random", "budget_s": 6.0}
    >>> Moment = codesign.autotune.Moment
    >>> view.show(Moment(**base | give, doing="", at=None, spent=(0.0, 0.0, 0.0)))
    >>> view.show(Moment(**base | give, doing="compile", at=(16, 64), spent=(0.2, 0.0, 0.0)))
    >>> run = give | {"times": {(16, 64): (0.02, 0.03), (64, 64): (0.01,)}, "compiled": {(16, 64): 0.3, (64, 64): 0.2}}
    >>> view.show(Moment(**base | run, doing="run", at=(16, 64), spent=(0.5, 0.1, 0.06)))
    >>> view.show(Moment(**base | run | {"wrong": ((16, 16),)}, doing="done", at=None, spent=(5.5, 0.4, 0.1)))
    """

    size, noun = (764, 446), "slice"

    def marks(self, now):
        """`now`: codesign.autotune.Moment."""
        return [*self._board(now), *self._runs(now), *self._budget(now)]

    def _board(self, now):
        rows, cols = now.kernel.rows, now.kernel.cols
        choices = [(row, col) for row in rows for col in cols]
        x = LEFT + CELL * np.tile(np.arange(len(cols)), len(rows))
        y = TOP + HIGH * np.repeat(np.arange(len(rows)), len(cols))
        slowest = max((now.median(one) for one in now.times), default=1.0)
        share = np.array([now.median(one) / slowest if one in now.times else 0 for one in choices])
        told = [self._told(now, one) for one in choices]
        names = [f"{row:,} × {col:,}" for row, col in choices]
        return [
            texts("what", [0], 12, 18, [f"{now.kernel.words[1]} →"], "ink bold start", 14),
            texts("what-rows", [0], 12, 38, [f"{now.kernel.words[0]} ↓"], "ink bold start", 14),
            texts(
                "cols",
                range(len(cols)),
                LEFT + CELL * (np.arange(len(cols)) + 0.5),
                64,
                [f"{n:,}" for n in cols],
                "ink",
                13,
            ),
            texts(
                "rows",
                range(len(rows)),
                LEFT - 10,
                TOP + HIGH * (np.arange(len(rows)) + 0.5),
                [f"{n:,}" for n in rows],
                "ink end",
                13,
            ),
            boxes("cells", range(len(choices)), x + 2, y + 2, CELL - 4, HIGH - 4, [role for role, _, _ in told]),
            boxes(
                "bars",
                range(len(choices)),
                x + 5,
                y + HIGH - 11,
                share * (CELL - 10),
                6,
                ["good" if one == now.best else "compute" for one in choices],
                who=names,
                says=[says for _, _, says in told],
            ),
            texts(
                "times",
                range(len(choices)),
                x + CELL / 2,
                y + 14,
                [lines_[0] for _, lines_, _ in told],
                ["good bold" if one == now.best else "ink bold" for one in choices],
                13,
            ),
            texts(
                "spreads", range(len(choices)), x + CELL / 2, y + 30, [lines_[1] for _, lines_, _ in told], "ink", 12
            ),
        ]

    def _told(self, now, choice):
        """(role, two lines, what the pointer reads) of a cell."""
        here = choice == now.at
        if choice in now.wrong:
            return "bad line", ("wrong", "result"), "its result is not NumPy’s: it cannot win"
        if choice in now.times:
            median, spread = si(now.median(choice), "s"), percent(now.spread(choice))
            runs = counted(len(now.times[choice]), "run")
            role = (
                "good line"
                if choice == now.best
                else "other line"
                if here
                else "muted line dashed"
                if choice in now.out
                else "muted line"
            )
            mark = "★ " if choice == now.best else ""
            return (
                role,
                (mark + median, f"spread {spread}".replace(" %", " %") if len(now.times[choice]) > 1 else "1 run"),
                f"median {median} of {runs}, spread {spread}",
            )
        if choice in now.compiled:
            return "other line", ("ready", ""), f"compiled in {si(now.compiled[choice], 's')}"
        return ("other tint", ("compiles", ""), "is being compiled") if here else ("muted soft", ("", ""), "not tried")

    def _runs(self, now):
        choice = now.at if now.at in now.times else now.best
        times = now.times.get(choice, ())
        head = f"runs of {choice[0]:,} × {choice[1]:,}" if choice else "runs"
        most = max(times, default=1.0)
        wide = min(26, (END - SIDE) / max(len(times), 1))
        tall = TALL * np.array(times) / most
        x = SIDE + wide * np.arange(len(times))
        layers = [
            texts("runs-head", [0], SIDE, 64, [head], "ink bold start", 13),
            lines("runs-floor", [0], SIDE, FLOOR, END, FLOOR, "muted", 1.2),
            boxes(
                "runs",
                range(len(times)),
                x + 1,
                FLOOR - tall,
                wide - 2,
                tall,
                "compute tint",
                who=[f"run {n + 1}" for n in range(len(times))],
                says=[si(one, "s") for one in times],
            ),
        ]
        if times:
            height = FLOOR - TALL * now.median(choice) / most
            end = SIDE + wide * len(times)
            layers += [
                lines("median", [0], SIDE - 6, height, end + 4, height, "ink dashed", 2),
                texts(
                    "median-word",
                    [0],
                    SIDE,
                    FLOOR + 18,
                    [f"median {si(now.median(choice), 's')}"],
                    "ink bold start",
                    13,
                ),
                texts("longest", [0], SIDE, 88, [f"slowest {si(most, 's')}"], "muted start", 12),
            ]
        return layers

    def _budget(self, now):
        spent, names = np.array(now.spent), ("compiling", "warming up, checking", "timed runs")
        scale = LONG / max(now.budget_s, spent.sum())
        wide, start = scale * spent, LEFT + scale * (np.cumsum(spent) - spent)
        said = f"{si(spent.sum(), 's')} of {si(now.budget_s, 's')} spent"
        roles = ("other", "muted", "compute")
        return [
            texts("budget-word", [0], 12, BAR + 12, ["budget"], "ink bold start", 13),
            boxes("spent", range(3), start, BAR, wide, 24, roles, who=names, says=[si(one, "s") for one in spent]),
            boxes("budget", [0], LEFT, BAR, scale * now.budget_s, 24, "ink line"),
            texts("spent-word", [0], LEFT, BAR - 14, [said], "ink start", 13),
            boxes("key", range(3), LEFT + np.array([0, 116, 296]), 422, 14, 14, roles),
            texts("key-words", range(3), LEFT + 20 + np.array([0, 116, 296]), 429, list(names), "ink start", 12),
        ]

    def say(self, now):
        """What is done, and the best so far."""
        at = f"{now.at[0]:,} × {now.at[1]:,} {DOING[now.doing]}" if now.at else DOING[now.doing].capitalize()
        tried = f"{len(now.times)} of {len(now.kernel.configurations)} choices timed, {si(sum(now.spent), 's')} spent"
        if now.best is None:
            return f"{at}: {tried}."
        row, col = now.best
        return f"{at}: {tried}. Best so far: {row:,} × {col:,}, {si(now.median(now.best), 's')}."
