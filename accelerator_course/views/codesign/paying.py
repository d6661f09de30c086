"""Requests of all lengths sorted into buckets: what is padding, and what compiling costs."""

import numpy as np
from matplotlib.ticker import LogLocator

from accelerator_course.views.lines import Lines
from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import counted, percent, si

LEFT, FLOOR, WIDE, TALL = 56, 262, 420, 220  # of the staircase
BAR, LONG = 340, 640


class Payoff(Lines):
    """Time in all over up to a hundred million runs; one label for every second power of ten.

    >>> view = Payoff(over="runs", y="time", unit="s", limits=(1e-3, 1e8), say="{runs:} runs take {one:s}, or {two:s}.")
    >>> runs = Axis("runs", "runs", np.array([1, 10**4, 10**8]), log=True)
    >>> view.show(Along(runs, {"one": [1, 1e4, 1e8], "two": [5, 6e3, 6e7]}, {"one": 1e4, "two": 6e3}, {"runs": 10**4}))
    >>> view.show(Along(runs, {"one": [2, 2e4, 2e8], "two": [5, 6e3, 6e7]}, {"one": 2.0, "two": 5.0}, {"runs": 1}))
    """

    def decorate(self, ax):
        ax.xaxis.set_major_locator(LogLocator(numticks=6))


class Padded(Stage):
    """A staircase of buckets over the lengths of requests, and where the seconds of a day go.

    >>> view = Padded()
    >>> view.show(codesign.paying.buckets(1))
    >>> view.show(codesign.paying.buckets(5))
    >>> view.show(codesign.paying.buckets(64, when="kept from last time"))
    """

    size, noun, title = (760, 400), "setting", "Lengths in buckets"

    def marks(self, day):
        """`day`: codesign.paying.Buckets."""
        return [*self._stairs(day), *self._told(day), *self._bar(day)]

    def _stairs(self, day):
        ends = np.array(day.ends)
        starts = ends - 1 / day.buckets
        says = [
            f"lengths from {percent(a)} to {percent(b)} of the longest run as {percent(b)}"
            for a, b in zip(starts, ends, strict=True)
        ]
        return [
            boxes(
                "buckets",
                range(day.buckets),
                LEFT + WIDE * starts,
                FLOOR - TALL * ends,
                WIDE / day.buckets,
                TALL * ends,
                "other tint",
                who=[f"bucket {i + 1}" for i in range(day.buckets)],
                says=says,
            ),
            paths("useful", [0], [f"M{LEFT} {FLOOR}L{LEFT + WIDE} {FLOOR - TALL}V{FLOOR}Z"], role="memory tint"),
            lines("axes", range(2), LEFT, FLOOR, (LEFT + WIDE, LEFT), (FLOOR, FLOOR - TALL - 6), "muted", 1.2),
            texts(
                "axis-words",
                range(2),
                (LEFT + WIDE / 2, LEFT),
                (FLOOR + 18, FLOOR - TALL - 18),
                ["length of the request →", "time that it takes"],
                ("ink", "ink start"),
                13,
            ),
        ]

    def _told(self, day):
        rows = [
            ("useful work", day.useful, "memory"),
            ("padding", day.padding, "other tint"),
            ("compiling", day.compiling, "bad"),
        ]
        y = 62 + 44 * np.arange(3)
        return [
            boxes("key", range(3), 512, y - 8, 16, 16, [role for *_, role in rows]),
            texts("key-words", range(3), 536, y, [name for name, *_ in rows], "ink start", 13),
            texts("seconds", range(3), 745, y, [si(seconds, "s") for _, seconds, _ in rows], "ink bold end", 14),
            texts(
                "wait",
                range(2),
                512,
                (206, 228),
                ["longest wait of one request", si(day.longest_wait, "s")],
                ("ink start", "ink bold start"),
                (13, 16),
            ),
        ]

    def _bar(self, day):
        parts = np.array([day.useful, day.padding, day.compiling])
        scale = LONG / max(parts.sum(), 2 * day.useful)
        wide = scale * parts
        return [
            texts("total", [0], LEFT, BAR - 16, [f"together {si(day.total, 's')}"], "ink bold start", 15),
            boxes(
                "parts",
                range(3),
                LEFT + np.cumsum(wide) - wide,
                BAR,
                wide,
                36,
                ("memory", "other tint", "bad"),
                who=("useful work", "padding", "compiling"),
                says=[si(one, "s") for one in parts],
            ),
            lines("floor", [0], LEFT, BAR - 4, LEFT, BAR + 40, "muted", 1.5),
        ]

    def say(self, day):
        """The total, and its largest part that is not useful."""
        lost = max(("padding", day.padding), ("compiling", day.compiling), key=lambda one: one[1])
        return (
            f"{counted(day.buckets, 'bucket')}, compiled {day.when}: {si(day.total, 's')} for {si(day.useful, 's')} of "
            f"useful work; most of the rest is {lost[0]}, {si(lost[1], 's')}. "
            f"One request waits up to {si(day.longest_wait, 's')}."
        )
