"""Four ways to have the same work done: what each costs in all, and when its first unit works."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number

LEFT, LONG, TOP, ROW, HIGH = 74, 320, 74, 62, 26
CLOCK, YEARS, MONTHS = 548, 168, 36  # where the months begin, their length in px, how many
LOWEST = 0.012  # of the longest bar: what is there is seen


def usd(value):
    """Millions of dollars."""
    return f"${number(value / 1e6)} M"


class Ways(Stage):
    """Ways: a bought processor, a GPU, an FPGA, a chip of one's own.

    >>> view, ways = Ways(), {"CPU": (0, 30_000, 0), "GPU": (3e5, 1e4, 2), "ASIC": (3e7, 500, 24)}
    >>> view.show(design.volume.choose(ways, 100, 36))
    >>> view.show(design.volume.choose(ways, 100_000, 36))
    >>> view.show(design.volume.choose(ways, 100_000, 12))
    """

    size, noun = (740, 352), "choice"

    def marks(self, found):
        """`found`: design.volume.Choice."""
        ways = found.ways
        n, names = len(ways), [way.name for way in ways]
        y = TOP + ROW * np.arange(n)
        most = max(way.total for way in ways)
        once, units = (
            np.array([max(part, 0) / most for part in parts]) * LONG
            for parts in ([way.once for way in ways], [way.total - way.once for way in ways])
        )
        role = ["good bold start" if way.best else "ink start" if way.in_time else "muted start" for way in ways]
        said = [f"{usd(way.total)}{', the cheapest in time' if way.best else ''}" for way in ways]
        late = ["too late" if not way.in_time else "" for way in ways]
        bottom = TOP + ROW * n
        months = np.array([way.months for way in ways])
        wait = np.minimum(months / MONTHS, 1) * YEARS
        at = CLOCK + YEARS * min(found.deadline / MONTHS, 1)
        return [
            texts(
                "head",
                ["cost", "time"],
                [LEFT, CLOCK],
                22,
                [f"{counted(found.units, 'unit')}, all dollars", "first unit works"],
                "ink bold start",
                14,
            ),
            texts(
                "names",
                names,
                LEFT - 10,
                y + HIGH / 2,
                names,
                ["ink bold end" if w.in_time else "muted end" for w in ways],
                14,
            ),
            boxes(
                "once",
                names,
                LEFT,
                y,
                np.maximum(once, 0),
                HIGH,
                "other",
                "",
                13,
                names,
                [f"{usd(w.once)} once" for w in ways],
            ),
            boxes(
                "units",
                names,
                LEFT + once,
                y,
                np.maximum(units, LOWEST * LONG),
                HIGH,
                "memory",
                "",
                13,
                names,
                [f"{usd(w.total - w.once)} for {found.units:,} units" for w in ways],
            ),
            texts("totals", names, LEFT, y + HIGH + 13, said, role, 13),
            boxes(
                "waits",
                names,
                CLOCK,
                y,
                np.maximum(wait, 2),
                HIGH,
                ["muted tint" if w.in_time else "bad tint" for w in ways],
                "",
                13,
                names,
                [f"{w.months:g} months" for w in ways],
            ),
            texts(
                "months",
                names,
                CLOCK,
                y + HIGH + 13,
                [f"{w.months:g} months{', ' + x if x else ''}" for w, x in zip(ways, late, strict=True)],
                ["ink start" if w.in_time else "bad start" for w in ways],
                13,
            ),
            lines(
                "deadline", ["head", *names], at, [TOP - 16, *(y - 6)], at, [TOP - 8, *(y + HIGH + 4)], "bad dashed", 2
            ),
            texts(
                "deadline words",
                [0],
                min(at, CLOCK + YEARS - 40),
                TOP - 28,
                [f"deadline {found.deadline:g}"],
                "bad",
                13,
            ),
            boxes("keys", range(2), [LEFT, LEFT + 160], bottom + 4, 13, 13, ["other", "memory"]),
            texts(
                "key words",
                range(2),
                [LEFT + 19, LEFT + 179],
                bottom + 11,
                ["once, to design", "for the units"],
                "ink start",
                13,
            ),
        ]

    def say(self, found):
        """Which is the cheapest in time."""
        many = counted(found.units, "unit")
        if found.best is None:
            return f"{many} within {found.deadline:g} months: none of the four is ready in time."
        words = f"{many} within {counted(found.deadline, 'month')}: {found.best.name} for {usd(found.best.total)}"
        if found.cheapest.name == found.best.name:
            return f"{words}, the cheapest of all."
        other = found.cheapest
        return f"{words}; the {other.name} would cost {usd(other.total)}, but needs {other.months:g} months."
