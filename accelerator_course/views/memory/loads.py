"""Loads that leave one lane together, come back from three distances, and what memory could have sent meanwhile."""

import numpy as np

from accelerator_course.views.kit import rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick
from accelerator_lib.units import number, scaled, si

HOME, FAR, LANE = 74, 690, 54  # where loads leave and the farthest turns back; width of the lane [px]
FIRST, PITCH, DOT = 62, 50, 20  # of the tracks, and the size of a load
GRID, CELL, LOOK = 262, 15.4, 40  # top of the squares, their pitch, squares in a row
SQUARE = 1000  # numbers of one square


class Loads(Stage):
    """Three loads on their way: how far each has come, and what memory could have delivered in that time.

    >>> view = Loads()
    >>> moments = list(frames.memory.travel((33, 206, 552), 1.41e9, 2.039e12))
    >>> view.show(moments[0])
    >>> view.show(moments[20])
    >>> view.show(moments[-1])
    """

    size, noun = (740, 374), "moment"

    def __init__(self, names=("L1", "L2", "HBM")):
        self.names = tuple(names)

    def marks(self, now):
        """`now`: frames.memory.Travel."""
        count, y = range(len(self.names)), rows(FIRST, PITCH, len(self.names))
        ends = HOME + (FAR - HOME) * now.cycles / now.cycles.max()
        took = [
            f"{number(cycles)} cycles, {si(each, 's')}"
            for cycles, each in zip(now.cycles, now.each_seconds, strict=True)
        ]
        told = [f"back after {one}" if back else "on its way" for one, back in zip(took, now.back, strict=True)]
        role = pick(("compute round", "good round"), now.back)
        named = zip(ends, y - 19, self.names, ["ink bold"] * 3, [14] * 3, strict=True)
        said = zip(np.full(len(y), HOME + 14), y + 17, np.where(now.back, told, ""), strict=True)
        return [
            words(
                "head", (HOME, 16, "distances to scale: a load covers the same length in every cycle", "muted start")
            ),
            boxes("lane", [0], HOME - LANE - 14, y[0] - 18, LANE, y[-1] - y[0] + 36, "compute tint", "lane", 14),
            lines("tracks", count, HOME, y, ends, y, "muted", 2),
            spots("levels", count, ends, y, 14, "memory", who=self.names),
            spots("loads", count, HOME + (FAR - HOME) * now.places, y, DOT, role, who=self.names, says=told),
            words("named", *named),
            words("said", *((*one, "good bold start") for one in said)),
            *self._meanwhile(now),
        ]

    def _meanwhile(self, now):
        """One square for each thousand numbers that memory could have sent, and the time."""
        places = np.arange(round(now.needed / SQUARE))
        x, y = HOME + CELL * (places % LOOK), GRID + CELL * (places // LOOK)
        sent = number(round(now.numbers, -2))
        slow = f"played {scaled(now.slowdown, 1e6)} million times slower than life"
        return [
            words(
                "meanwhile",
                (
                    HOME,
                    GRID - 34,
                    "what HBM could have sent in that time: a square is 1,000 numbers of 4 bytes",
                    "muted start",
                ),
                (HOME, GRID - 14, f"{sent} numbers" if now.now else "none yet", "memory bold start", 14),
            ),
            boxes(
                "squares",
                places,
                x,
                y,
                CELL - 2,
                CELL - 2,
                pick(("muted soft", "memory"), places < now.numbers / SQUARE),
            ),
            words(
                "clock",
                (HOME, GRID + 5 * CELL + 22, f"{now.now} cycles, {si(now.seconds, 's')} · {slow}", "muted start", 12),
            ),
        ]

    def say(self, now):
        back = [name for name, home in zip(self.names, now.back, strict=True) if home]
        if not now.now:
            return "Three loads leave one lane together: to L1, to L2 and to HBM."
        if len(back) == len(self.names):
            sent = number(round(now.numbers, -2))
            return f"After {now.now} cycles all are back. HBM could have sent {sent} numbers meanwhile."
        who = f"{' and '.join(back)} {'has' if len(back) == 1 else 'have'} answered" if back else "none is back"
        return f"After {now.now} cycles, {si(now.seconds, 's')}: {who}."
