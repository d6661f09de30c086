"""One kernel, call by call, on a logarithmic axis of time: which of these does a way of timing print?"""

from math import log10

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, si

LEFT, RIGHT, TOP, BOTTOM = 96, 700, 56, 370
FASTEST, SLOWEST = 1e-6, 10.0  # seconds at the ends of the axis
TICKS = {1e-6: "1 µs", 1e-5: "10 µs", 1e-4: "100 µs", 1e-3: "1 ms", 1e-2: "10 ms", 0.1: "100 ms", 1: "1 s", 10: "10 s"}


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

    def marks(self, found):
        """`found`: measure.habits.Reported."""
        run = found.history
        calls = [run.first, *run.seconds]
        n, across = range(len(calls)), (RIGHT - LEFT - 60) / len(calls)
        x = [LEFT + 34 + across * place for place in n]
        y = [_at(seconds) for seconds in calls]
        ticks = list(TICKS)
        level, median = _at(found.seconds), _at(found.median)
        off = not 0.9 < found.factor < 1.1
        role = "bad" if off else "good"
        return [
            lines(
                "ticks",
                range(len(ticks)),
                LEFT,
                [_at(tick) for tick in ticks],
                RIGHT,
                [_at(tick) for tick in ticks],
                "muted faint",
                1,
            ),
            texts(
                "tick-words",
                range(len(ticks)),
                LEFT - 10,
                [_at(tick) for tick in ticks],
                list(TICKS.values()),
                "muted end",
                12,
            ),
            texts("head", [0], LEFT, 20, f"{found.kernel} product, call by call", "ink bold start", 13),
            boxes(
                "middle",
                [0],
                LEFT,
                _at(found.high),
                RIGHT - LEFT,
                max(_at(found.low) - _at(found.high), 2),
                "good tint",
                who="middle 80 % of the warm runs",
                says=f"{si(found.low, 's')} to {si(found.high, 's')}",
            ),
            lines("median", [0], LEFT, median, RIGHT, median, "good", 2),
            lines("printed", [0], LEFT, level, RIGHT, level, f"{role} dashed", 2.5),
            boxes(
                "calls",
                n,
                [each - 5 for each in x],
                [each - 5 for each in y],
                10,
                10,
                ["bad"] + ["memory round"] * (len(calls) - 1),
                who=[f"call {place + 1}" for place in n],
                says=[
                    si(seconds, "s") + (", with compiling" if not place else "") for place, seconds in enumerate(calls)
                ],
            ),
            boxes(
                "asked",
                [0],
                RIGHT - 22,
                _at(run.asked) - 6,
                12,
                12,
                "other",
                who="asked for, not waited for",
                says=si(run.asked, "s"),
            ),
            texts("printed-words", [0], RIGHT, 20, f"{found.way}: {si(found.seconds, 's')}", f"{role} bold end", 13),
            texts(
                "x",
                [0, 1, 2],
                [LEFT + 34, (LEFT + RIGHT) / 2, RIGHT - 16],
                BOTTOM + 26,
                ["first", "each waited for", "asked"],
                ["bad", "memory", "other"],
                12,
            ),
        ]

    def say(self, found):
        much = f"{number(found.factor)} times the median" if found.factor != 1 else "the median"
        said = f"{found.way[0].upper()}{found.way[1:]}: {si(found.seconds, 's')}, {much} of"
        middle = f"the middle 80 % lie between {si(found.low, 's')} and {si(found.high, 's')}"
        return f"{said} {counted(found.warm, 'warm call')} that were waited for. Of these, {middle}."


def _at(seconds):
    share = (log10(min(max(seconds, FASTEST), SLOWEST)) - log10(FASTEST)) / (log10(SLOWEST) - log10(FASTEST))
    return BOTTOM - (BOTTOM - TOP) * share
