"""The model beside what was measured: a row each, on an axis of ratios, with the band that the model claims."""

from math import log2

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted

LEFT, RIGHT, TOP, BOTTOM = 246, 528, 70, 456
RATIO, VALUES = 582, 728
LOW, HIGH = -1.5, 2.0  # log2 of the ratios at the ends
TICKS = (0.5, 1, 2, 4)


class Beside(Stage):
    """The model beside measurements: predicted over measured, a row each, and the band of a factor of two.

    >>> view = Beside()
    >>> view.show(design.validation.group("one user"))
    >>> view.show(design.validation.group("training"))
    >>> view.show(design.validation.group("many users"))
    >>> view.show(design.validation.group("chips"))
    """

    size, noun = (740, 470), "group"

    def marks(self, rows):
        """`rows`: design.validation.Compared, best first."""
        n, pitch = range(len(rows)), min(34, (BOTTOM - TOP) / len(rows))
        y = TOP + pitch * (np.arange(len(rows)) + 0.5)
        x = np.array([_at(row.ratio) for row in rows])
        far = np.array([not row.near for row in rows])
        end = TOP + pitch * len(rows)
        units = {row.unit for row in rows}
        shared = f" [{units.pop()}]" if len(units) == 1 else ""
        words = [f"{_short(row.predicted)} | {_short(row.measured)}{'' if shared else ' ' + row.unit}" for row in rows]
        return [
            boxes("band", [0], _at(0.5), TOP - 4, _at(2) - _at(0.5), end - TOP + 8, "good tint"),
            lines("ticks", range(len(TICKS)), [_at(tick) for tick in TICKS], TOP - 4, [_at(tick) for tick in TICKS],
                  end + 4, ["muted dashed", "ink", "muted dashed", "muted dashed"], 1.5),
            texts("tick-words", range(len(TICKS)), [_at(tick) for tick in TICKS], TOP - 16,
                  ["half", "as measured", "twice", "4 times"], "muted", 12),
            texts("heads", [0, 1, 2], [12, _at(1), VALUES], 22,
                  ["measured", "model / measured", f"model | measured{shared}"],
                  ["ink bold start", "ink bold", "ink bold end"], 13),
            lines("stems", n, _at(1), y, x, y, pick(("compute", "bad"), far), 3),
            boxes("dots", n, x - 5, y - 5, 10, 10, pick(("compute round", "bad"), far),
                  who=[row.label for row in rows], says=[f"{row.ratio:.2f} times" for row in rows]),
            texts("ratios", n, RATIO, y, [f"{row.ratio:.2f}" for row in rows],
                  ["ink end" if row.near else "bad bold end" for row in rows], 13),
            texts("labels", n, 12, y, [row.label for row in rows],
                  ["bad bold start" if not row.near else "ink start" for row in rows], 13),
            texts("values", n, VALUES, y, words, "muted end", 12),
        ]  # fmt: skip

    def say(self, rows):
        near, worst = sum(row.near for row in rows), rows[-1]
        missed = ", ".join(f"{row.label} ({row.ratio:.2f} times)" for row in rows if not row.near)
        tail = f"missed: {missed}" if missed else f"farthest off: {worst.label}, {worst.ratio:.2f} times"
        return f"{near} of {counted(len(rows), 'row')} within a factor of two; {tail}."


def _at(ratio):
    return LEFT + (RIGHT - LEFT) * (min(max(log2(ratio), LOW), HIGH) - LOW) / (HIGH - LOW)


def _short(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
