"""The ladder at a glance: for each rung how far from its bound a slow kernel, the par and one's own best are."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, wide, words
from accelerator_course.views.stage import Stage, lines, texts
from accelerator_lib.units import number

LEFT, RIGHT, TOP, ROW, MOST = 316, 640, 66, 26, 18  # the axis; the first row; pixels of a row; rows that fit
TICKS = (1, 2, 4, 8, 16, 32, 64, 128)
RING = 20  # around one's own place; it leaves the square in it to be seen


class Ladder(Stage):
    """The ladder: each rung's own scores as multiples of what no kernel beats.

    >>> view, places = Ladder(), glance.glance({"copy": 131072.0, "map": 20000.0}, {"copy"})
    >>> view.show(glance.glance({}, set())), view.show(places), view.show(places[8:])
    """

    size, noun, follows = (746, TOP + ROW * MOST + 44), "choice", True

    def marks(self, places):  # ladder.glance.Place of some rungs
        n, y = range(len(places)), rows(TOP + ROW / 2, ROW, len(places))
        chart = Chart((LEFT, RIGHT), (y[-1] + ROW / 2 + 4, TOP - 8), (1, 1.25 * TICKS[-1]), (0, 1), "x", inside=True)
        (floor, top), who, says = chart.up, [place.title for place in places], [self._says(place) for place in places]
        slow, par = (chart.x([place.times(getattr(place, of)) for place in places]) for of in ("slow", "par"))
        mine = chart.x([place.times(place.mine) or 1 for place in places])
        ring = np.array([0 if place.mine is None else RING for place in places])  # without a size it is not seen
        look = ["muted start" if place.mine is None else "ink bold start" for place in places]
        names, ticks, key = [f"{place.number} · {place.title}" for place in places], chart.x(TICKS), floor + 18
        pair = [("good", "par"), ("bad tint", "a typical slow kernel")]
        end = LEFT + 40 + sum(38 + wide(name, 12) for _, name in pair)
        yield lines("ticks", TICKS, ticks, top, ticks, floor, "muted faint", 1)
        yield texts("tick words", TICKS, ticks, top - 10, [f"{tick}" for tick in TICKS], "muted", 12)
        yield lines("bound", [0], LEFT, top - 2, LEFT, floor, "ink", 2)
        yield texts("names", n, LEFT - 14, y, names, "ink end", 13, who, says)
        yield lines("way", n, par, y, slow, y, "muted dashed", 1.5)
        yield spots("slow", n, slow, y, 12, "bad tint", who=who, says=says)
        yield spots("par", n, par, y, 12, "good", who=who, says=says)
        yield spots("mine", n, mine, y, ring, "compute line round", who=who, says=says)
        own = ["not yet" if p.mine is None else f"{number(p.times(p.mine))} {'★' * p.star}" for p in places]
        yield texts("own", n, RIGHT + 14, y, own, look, 13, who, says)
        yield from legend("key", LEFT - 6, key, pair, side=12, size=12)
        yield spots("key mine", [0], end - RING, key, RING, "compute line round")
        own = (end - RING / 2 + 6, key, "yours; ★ at the par", "ink start", 12)
        yield words("words", (LEFT, top - 32, "times the bound", "muted start", 12), own)

    def _says(self, place):
        mine = "none of yours is right yet" if place.mine is None else f"yours {place.mine:,.0f}"
        least = f"{place.scored}: at least {place.bound:,.0f}"
        return f"{least}, par {place.par:,.0f}, {mine}, a slow one {place.slow:,.0f}"

    def say(self, places):
        right, stars = sum(place.mine is not None for place in places), sum(place.star for place in places)
        if not right:
            worst = max(places, key=lambda place: place.times(place.slow))
            slow, par = number(worst.times(worst.slow)), number(worst.times(worst.par))
            said = f"{len(places)} rungs, none climbed yet. The slowest of the slow kernels, in {worst.title}, takes "
            return said + f"{slow} times the bound; the par there is {par} times."
        return f"{len(places)} rungs: in {right} your kernel is right, and in {stars} it reaches par or beats it."
