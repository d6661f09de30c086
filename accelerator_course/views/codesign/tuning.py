"""Time before the first run: choices tried on this machine, when tuning pays, requests in buckets."""

import numpy as np

from accelerator_course.views.kit import below, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import counted, percent, si

DOING = {
    "": "not begun",
    "compile": "is being compiled",
    "warm up": "warms up and is checked",
    "run": "runs",
    "done": "done",
}
SPENT = (("other", "compiling"), ("muted", "warming up, checking"), ("compute", "timed runs"))


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
    left, top, cell, high = 96, 78, 84, 50  # of the board

    def marks(self, now):
        """`now`: codesign.autotune.Moment."""
        kernel, choices = now.kernel, now.kernel.configurations
        x, y = rows(self.left, self.cell, len(kernel.cols)), rows(self.top, self.high, len(kernel.rows))
        across, down = (np.ravel(each) for each in np.meshgrid(x, y))
        slowest = now.median(now.slowest) if now.times else 1.0
        long = [(self.cell - 10) * now.median(one) / slowest if one in now.times else 0 for one in choices]
        roles, first, second, says = zip(*(self._cell(now, one) for one in choices), strict=True)
        best, who = [one == now.best for one in choices], [f"{row:,} × {col:,}" for row, col in choices]
        fill, looks = (["good" if b else "compute" for b in best], ["good bold" if b else "ink bold" for b in best])
        middle, keys = across + self.cell / 2, range(len(choices))
        yield below("what", 12, 18, [f"{kernel.words[1]} →", f"{kernel.words[0]} ↓"], 20, "ink bold start", 14)
        yield words("cols", *((a + self.cell / 2, 64, f"{n:,}", "ink") for a, n in zip(x, kernel.cols, strict=True)))
        yield below("rows", self.left - 10, y[0] + self.high / 2, [f"{n:,}" for n in kernel.rows], self.high, "ink end")
        yield boxes("cells", keys, across + 2, down + 2, self.cell - 4, self.high - 4, roles)
        yield boxes("bars", keys, across + 5, down + self.high - 11, long, 6, fill, who=who, says=says)
        yield texts("times", keys, middle, down + 14, first, looks, 13)
        yield texts("spreads", keys, middle, down + 30, second, "ink", 12)
        yield from self._runs(now)
        # What has been spent, inside the outline of the budget
        spent, top, high = np.array(now.spent), 382, 24
        scale = 640 / max(now.budget_s, spent.sum())
        x, (roles, who) = self.left + scale * (np.cumsum(spent) - spent), zip(*SPENT, strict=True)
        said = f"{si(spent.sum(), 's')} of {si(now.budget_s, 's')} spent"
        says = [si(one, "s") for one in spent]
        yield words("budget-word", (12, top + high / 2, "budget", "ink bold start"), (self.left, top - 14, said))
        yield boxes("spent", range(3), x, top, scale * spent, high, roles, who=who, says=says)
        yield boxes("budget", [0], self.left, top, scale * now.budget_s, high, "ink line")
        yield from legend("key", self.left, 429, SPENT, size=12)

    def _cell(self, now, choice):
        """(role, first line, second line, what the pointer reads) of a cell."""
        here, best = choice == now.at, choice == now.best
        if choice in now.wrong:
            return "bad line", "wrong", "result", "its result is not NumPy’s: it cannot win"
        if choice in now.times:
            median, spread = si(now.median(choice), "s"), percent(now.spread(choice))
            runs = counted(len(now.times[choice]), "run")
            idle = "muted line dashed" if choice in now.out else "muted line"
            role, second = "good line" if best else "other line" if here else idle, f"spread {spread}"
            again = len(now.times[choice]) > 1
            return role, "★ " * best + median, second if again else runs, f"median {median} of {runs}, spread {spread}"
        if choice in now.compiled:
            return "other line", "ready", "", f"compiled in {si(now.compiled[choice], 's')}"
        return ("other tint", "compiles", "", "is being compiled") if here else ("muted soft", "", "", "not tried")

    def _runs(self, now):
        """Runs of the choice that is at work, or of the best, as pillars; their median as a line."""
        choice, left, end, floor, tall = now.at if now.at in now.times else now.best, 560, 748, 300, 190
        times = now.times.get(choice, ())
        head = f"runs of {choice[0]:,} × {choice[1]:,}" if choice else "runs"
        layers = [
            words("runs-head", (left, 64, head, "ink bold start")),
            lines("runs-floor", [0], left, floor, end, floor, "muted", 1.2),
        ]
        if not times:
            return layers
        most, median, step = max(times), now.median(choice), min(26, (end - left) / len(times))
        x, high, level = rows(left, step, len(times)), tall * np.array(times) / most, floor - tall * median / most
        who, says = [f"run {n + 1}" for n in range(len(times))], [si(one, "s") for one in times]
        middle, slow = (left, floor + 18, f"median {si(median, 's')}", "ink bold start"), f"slowest {si(most, 's')}"
        return [
            *layers,
            boxes("runs", range(len(x)), x + 1, floor - high, step - 2, high, "compute tint", who=who, says=says),
            lines("median", [0], left - 6, level, x[-1] + step + 4, level, "ink dashed", 2),
            words("median-word", middle, (left, 88, slow, "muted start", 12)),
        ]

    def say(self, now):
        at = f"{now.at[0]:,} × {now.at[1]:,} {DOING[now.doing]}" if now.at else DOING[now.doing].capitalize()
        tried = f"{len(now.times)} of {len(now.kernel.configurations)} choices timed, {si(sum(now.spent), 's')} spent"
        if now.best is None:
            return f"{at}: {tried}."
        row, col = now.best
        return f"{at}: {tried}. Best so far: {row:,} × {col:,}, {si(now.median(now.best), 's')}."


class Padded(Stage):
    """A staircase of buckets over the lengths of requests, and where the seconds of a day go.

    >>> view = Padded()
    >>> view.show(codesign.compilation.buckets(1)), view.show(codesign.compilation.buckets(5))
    >>> view.show(codesign.compilation.buckets(64, when="kept from last time"))
    """

    size, noun, title = (760, 400), "setting", "Lengths in buckets"
    left, floor, across, tall, beside = 56, 262, 420, 220, 512  # of the staircase; of the words on its right
    roles = {"useful work": "memory", "padding": "other tint", "compiling": "bad"}

    def marks(self, day):
        """`day`: codesign.compilation.Buckets."""
        starts, ends, left, floor = np.array(day.starts), np.array(day.ends), self.left, self.floor
        shares = [(percent(a), percent(b)) for a, b in zip(day.starts, day.ends, strict=True)]
        says = [f"lengths from {a} to {b} of the longest run as {b}" for a, b in shares]
        x, high, wide_one = left + self.across * starts, self.tall * ends, self.across * (ends - starts)
        who, right, top = [f"bucket {i + 1}" for i in range(day.buckets)], left + self.across, floor - self.tall
        yield boxes("buckets", range(len(x)), x, floor - high, wide_one, high, "other tint", who=who, says=says)
        yield paths("useful", [0], [f"M{left} {floor}L{right} {top}V{floor}Z"], role="memory tint")
        yield lines("axes", range(2), left, floor, (right, left), (floor, top - 6), "muted", 1.2)
        yield words("across", ((left + right) / 2, floor + 18, "length of the request →", "ink"))
        yield words("up", (left, top - 18, "time that it takes"))
        said, entries = [si(one, "s") for one in day.parts.values()], [(self.roles[name], name) for name in day.parts]
        wait = ["longest wait of one request", (si(day.longest_wait, "s"), "ink bold start", 16)]
        yield from legend("key", self.beside, 62, entries, down=44, side=16)
        yield below("seconds", 745, 62, said, 44, "ink bold end", 14)
        yield below("wait", self.beside, 206, wait, 22)
        parts, top = np.array(list(day.parts.values())), 340
        long = 640 / max(parts.sum(), 2 * day.useful) * parts
        x, names, said = self.left + np.cumsum(long) - long, list(day.parts), [si(one, "s") for one in parts]
        roles = [self.roles[name] for name in names]
        yield words("total", (self.left, top - 16, f"together {si(day.total, 's')}", "ink bold start", 15))
        yield boxes("parts", range(3), x, top, long, 36, roles, who=names, says=said)
        yield lines("floor", [0], self.left, top - 4, self.left, top + 40, "muted", 1.5)

    def say(self, day):
        lost = max(("padding", day.padding), ("compiling", day.compiling), key=lambda one: one[1])
        return (
            f"{counted(day.buckets, 'bucket')}, compiled {day.when}: {si(day.total, 's')} for {si(day.useful, 's')} of "
            f"useful work; most of the rest is {lost[0]}, {si(lost[1], 's')}. "
            f"One request waits up to {si(day.longest_wait, 's')}."
        )
