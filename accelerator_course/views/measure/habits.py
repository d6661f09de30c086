"""One kernel, call by call, on a logarithmic axis of time: which of these does a way of timing print?"""

import numpy as np

from accelerator_course.views.kit import Chart, spots, words
from accelerator_course.views.stage import Stage, boxes, lines
from accelerator_lib.units import counted, number, si


class Habits(Stage):
    """One kernel, call by call: the times, and the number that a way of timing prints.

    >>> view = Habits()
    >>> from accelerator_lib.machine.timing import History
    >>> run = History(0.2, 2e-5, (4e-3, *[1.0e-3, 1.1e-3] * 10))
    >>> view.show(measure.habits.reported("small", run))
    >>> view.show(measure.habits.reported("small", run, "the first call"))
    >>> view.show(measure.habits.reported("small", run, "mean of all calls"))
    """

    size, noun = (740, 430), "way"
    time = Chart((96, 700), (370, 56), (0, 1), (1e-6, 10.0), "y")
    ticks = 10.0 ** np.arange(-6, 2)

    def _at(self, seconds):
        """Heights of times; those beyond the axis lie at its end."""
        return self.time.y(np.clip(seconds, *self.time.scales[1]))

    def marks(self, found):
        """`found`: measure.habits.Reported."""
        run, (left, right), floor = found.history, self.time.across, self.time.up[0]
        calls = [run.first, *run.seconds]
        x = left + 34 + (right - left - 60) / len(calls) * np.arange(len(calls))
        level, median, high, low = self._at([found.seconds, found.median, found.high, found.low])
        role, looks = "good" if found.close else "bad", ["bad", *["memory round"] * (len(calls) - 1)]
        who, says = [f"call {n + 1}" for n in range(len(calls))], [si(seconds, "s") for seconds in calls]
        says[0], middle = f"{says[0]}, with compiling", f"{si(found.low, 's')} to {si(found.high, 's')}"
        asked = "asked for, not waited for"
        band = {"who": "middle 80 % of the warm runs", "says": middle}
        return [
            *self.time.axes(y=self.ticks, y_words=[si(tick, "s") for tick in self.ticks]),
            words(
                "words",
                (left, 20, f"{found.kernel} product, call by call", "ink bold start"),
                (right, 20, f"{found.way}: {si(found.seconds, 's')}", f"{role} bold end"),
                (left + 34, floor + 26, "first", "bad", 12),
                ((left + right) / 2, floor + 26, "each waited for", "memory", 12),
                (right - 16, floor + 26, "asked", "other", 12),
            ),
            boxes("middle", [0], left, high, right - left, max(low - high, 2), "good tint", **band),
            lines("median", [0], left, median, right, median, "good", 2),
            lines("printed", [0], left, level, right, level, f"{role} dashed", 2.5),
            spots("calls", range(len(calls)), x, self._at(calls), 10, looks, who=who, says=says),
            spots("asked", [0], right - 16, self._at(run.asked), 12, "other", who=asked, says=si(run.asked, "s")),
        ]

    def say(self, found):
        much = f"{number(found.factor)} times the median" if found.factor != 1 else "the median"
        said = f"{found.way[0].upper()}{found.way[1:]}: {si(found.seconds, 's')}, {much} of"
        middle = f"the middle 80 % lie between {si(found.low, 's')} and {si(found.high, 's')}"
        return f"{said} {counted(found.warm, 'warm call')} that were waited for. Of these, {middle}."
