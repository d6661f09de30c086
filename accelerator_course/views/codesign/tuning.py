"""Time before the first run: choices tried on this machine."""

import numpy as np

from accelerator_course.views.kit import below, legend, rows, stack, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent, si

DOING = {"": "not begun", "compile": "is being compiled", "warm up": "warms up and is checked", "run": "runs"}
DOING |= {"done": "done"}
SPENT = (("other", "compiling"), ("muted", "warming up, checking"), ("compute", "timed runs"))


class Tuned(Stage):
    """A tuning on this machine: choices on a board, each with its median and spread; below, what has been spent.

    >>> view, give = Tuned(), {"times": {}, "compiled": {}, "wrong": (), "out": (), "finished": None}
    >>> kernel = codesign.kernels.Kernel("product", ("rows", "columns"), (16, 64), (16, 64), None)
    >>> base, Moment = {"kernel": kernel, "strategy": "random", "budget_s": 6.0}, codesign.autotune.Moment
    >>> view.show(Moment(**base | give, doing="", at=None, spent=(0.0, 0.0, 0.0)))
    >>> view.show(Moment(**base | give, doing="compile", at=(16, 64), spent=(0.2, 0.0, 0.0)))
    >>> run = give | {"times": {(16, 64): (0.02, 0.03), (64, 64): (0.01,)}, "compiled": {(16, 64): 0.3, (64, 64): 0.2}}
    >>> view.show(Moment(**base | run, doing="run", at=(16, 64), spent=(0.5, 0.1, 0.06)))
    >>> view.show(Moment(**base | run | {"wrong": ((16, 16),)}, doing="done", at=None, spent=(5.5, 0.4, 0.1)))
    """

    size, noun = (764, 446), "slice"
    left, top, cell, high = 96, 78, 84, 50  # of the board

    def marks(self, now):  # codesign.autotune.Moment
        kernel, choices, left, cell, tall = now.kernel, now.kernel.configurations, self.left, self.cell, self.high
        x, y = rows(left, cell, len(kernel.cols)), rows(self.top, tall, len(kernel.rows))
        across, down = (np.ravel(each) for each in np.meshgrid(x, y))
        slowest = now.median(now.slowest) if now.times else 1.0
        long = [(cell - 10) * now.median(one) / slowest if one in now.times else 0 for one in choices]
        roles, first, second, says = zip(*(self._cell(now, one) for one in choices), strict=True)
        best, who = [one == now.best for one in choices], [f"{row:,} × {col:,}" for row, col in choices]
        keys, heads = range(len(choices)), zip(x + cell / 2, kernel.cols, strict=True)
        yield below("what", 12, 18, [f"{kernel.words[1]} →", f"{kernel.words[0]} ↓"], 20, "ink bold start", 14)
        yield words("cols", *((at, 64, f"{n:,}", "ink") for at, n in heads))
        yield below("rows", left - 10, y[0] + tall / 2, [f"{n:,}" for n in kernel.rows], tall, "ink end")
        yield boxes("cells", keys, across + 2, down + 2, cell - 4, tall - 4, roles)
        look = pick(("compute", "good"), best)
        yield boxes("bars", keys, across + 5, down + tall - 11, long, 6, look, who=who, says=says)
        yield texts("times", keys, across + cell / 2, down + 14, first, pick(("ink bold", "good bold"), best), 13)
        yield texts("spreads", keys, across + cell / 2, down + 30, second, "ink", 12)
        yield from self._runs(now)
        # what has been spent, inside the outline of the budget
        spent, top, high, (roles, who) = np.array(now.spent), 382, 24, zip(*SPENT, strict=True)
        scale, says = 640 / max(now.budget_s, spent.sum()), [si(one, "s") for one in spent]
        said = f"{si(spent.sum(), 's')} of {si(now.budget_s, 's')} spent"
        yield words("budget-word", (12, top + high / 2, "budget", "ink bold start"), (left, top - 14, said))
        yield stack("spent", range(3), left, top + high / 2, scale * spent, high, roles, who=who, says=says)
        yield boxes("budget", [0], left, top, scale * now.budget_s, high, "ink line")
        yield from legend("key", left, 429, SPENT, size=12)

    def _cell(self, now, choice):
        """(role, first line, second line, what the pointer reads) of a cell."""
        here, best = choice == now.at, choice == now.best
        if choice in now.wrong:
            return "bad line", "wrong", "result", "its result is not NumPy’s: it cannot win"
        if choice in now.times:
            median, spread, runs = si(now.median(choice), "s"), percent(now.spread(choice)), len(now.times[choice])
            idle = "muted line dashed" if choice in now.out else "muted line"
            role, text = "good line" if best else "other line" if here else idle, counted(runs, "run")
            second = f"spread {spread}" if runs > 1 else text
            return role, "★ " * best + median, second, f"median {median} of {text}, spread {spread}"
        if choice in now.compiled:
            return "other line", "ready", "", f"compiled in {si(now.compiled[choice], 's')}"
        return ("other tint", "compiles", "", "is being compiled") if here else ("muted soft", "", "", "not tried")

    def _runs(self, now):
        """Runs of the choice that is at work, or of the best, as pillars; their median as a line."""
        choice, left, end, floor, tall = now.at if now.at in now.times else now.best, 560, 748, 300, 190
        times, head = now.times.get(choice, ()), f"runs of {choice[0]:,} × {choice[1]:,}" if choice else "runs"
        yield words("runs-head", (left, 64, head, "ink bold start"))
        yield lines("runs-floor", [0], left, floor, end, floor, "muted", 1.2)
        if times:
            most, median, step = max(times), now.median(choice), min(26, (end - left) / len(times))
            x, high, level = rows(left, step, len(times)), tall * np.array(times) / most, floor - tall * median / most
            who, says = [f"run {n + 1}" for n in range(len(times))], [si(one, "s") for one in times]
            middle, slow = (left, floor + 18, f"median {si(median, 's')}", "ink bold start"), f"slowest {si(most, 's')}"
            yield boxes("runs", range(len(x)), x + 1, floor - high, step - 2, high, "compute tint", who=who, says=says)
            yield lines("median", [0], left - 6, level, x[-1] + step + 4, level, "ink dashed", 2)
            yield words("median-word", middle, (left, 88, slow, "muted start", 12))

    def say(self, now):
        at = f"{now.at[0]:,} × {now.at[1]:,} {DOING[now.doing]}" if now.at else DOING[now.doing].capitalize()
        tried = f"{len(now.times)} of {len(now.kernel.configurations)} choices timed, {si(sum(now.spent), 's')} spent"
        if now.best is None:
            return f"{at}: {tried}."
        row, col = now.best
        return f"{at}: {tried}. Best so far: {row:,} × {col:,}, {si(now.median(now.best), 's')}."
