"""The ladder at a glance: for each rung how far from its bound a slow kernel, the par and one's own best are."""

from math import log2

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number

LEFT, RIGHT, TOP, ROW, MOST = 316, 640, 66, 31, 14  # the axis; the first row; pixels of a row; rows that fit
TICKS = (1, 2, 4, 8, 16, 32)
HALF, RING = 6, 20  # half of a square; a ring around one's own place, which leaves the square in it to be seen


class Ladder(Stage):
    """The ladder: each rung's own scores as multiples of what no kernel beats.

    >>> view = Ladder()
    >>> places = glance.glance({"copy": 131072.0, "map": 20000.0}, {"copy"})
    >>> view.show(glance.glance({}, set()))
    >>> view.show(places)
    >>> view.show(places[8:])
    """

    size, noun, follows = (746, TOP + ROW * MOST + 44), "choice", True

    def marks(self, places):
        """`places`: ladder.glance.Place of some rungs."""
        rows = range(len(places))
        y = [TOP + ROW * row + ROW / 2 for row in rows]
        floor = TOP + ROW * len(places) + 4
        slow, par = ([_at(place.times(score)) for place, score in _scores(places, name)] for name in ("slow", "par"))
        at = [LEFT if place.mine is None else _at(place.times(place.mine)) for place in places]
        own = [0 if place.mine is None else RING for place in places]  # without a size it is not seen
        ticks, who = [_at(tick) for tick in TICKS], [place.title for place in places]
        says = [_told(place) for place in places]
        named = [f"{place.number} · {place.title}" for place in places]
        return [
            lines("ticks", TICKS, ticks, TOP - 8, ticks, floor, "muted faint", 1),
            texts("tick words", TICKS, ticks, TOP - 18, [f"{tick}" for tick in TICKS], "muted", 12),
            texts("axis", [0], LEFT, TOP - 40, ["times what no kernel beats"], "muted start", 12),
            lines("bound", [0], LEFT, TOP - 10, LEFT, floor, "ink", 2),
            texts("names", rows, LEFT - 14, y, named, "ink end", 13, who, says),
            lines("way", rows, par, y, slow, y, "muted dashed", 1.5),
            _marks("slow", rows, slow, y, "bad tint", who, says),
            _marks("par", rows, par, y, "good", who, says),
            boxes("mine", rows, [each - size / 2 for each, size in zip(at, own, strict=True)],
                  [each - size / 2 for each, size in zip(y, own, strict=True)], own, own, "compute line round",
                  who=who, says=says),
            texts("own", rows, RIGHT + 14, y, [_own(place) for place in places],
                  ["ink bold start" if place.mine is not None else "muted start" for place in places], 13, who, says),
            *_key(floor + 18),
        ]  # fmt: skip

    def say(self, places):
        right, stars = sum(place.mine is not None for place in places), sum(place.star for place in places)
        if not right:
            worst = max(places, key=lambda place: place.times(place.slow))
            slow, par = number(worst.times(worst.slow)), number(worst.times(worst.par))
            return (
                f"{len(places)} rungs, none climbed yet. The slowest of the slow kernels, in {worst.title}, takes "
                f"{slow} times what no kernel beats; the par there is {par} times."
            )
        return f"{len(places)} rungs: in {right} your kernel is right, in {stars} it is at the par or better."


def _scores(places, name):
    return [(place, getattr(place, name)) for place in places]


def _at(times):
    """The x of a multiple of the bound, on a logarithmic axis; beyond its end at the end."""
    return LEFT + (RIGHT - LEFT) * min(1.0, log2(max(1.0, times)) / log2(TICKS[-1] * 1.25))


def _marks(name, key, x, y, role, who, says):
    """Small squares, or rings where the role is round, around places."""
    return boxes(name, key, [each - HALF for each in x], [each - HALF for each in y], 2 * HALF, 2 * HALF, role,
                 who=who, says=says)  # fmt: skip


def _told(place):
    """What the pointer reads."""
    mine = "none of yours is right yet" if place.mine is None else f"yours {place.mine:,.0f}"
    return f"{place.scored}: at least {place.bound:,.0f}, par {place.par:,.0f}, {mine}, a slow one {place.slow:,.0f}"


def _own(place):
    return "not yet" if place.mine is None else f"{number(place.times(place.mine))} {'★' if place.star else ''}"


def _key(y):
    """What the marks mean, in a row below."""
    names = [("par", "good"), ("a typical slow kernel", "bad tint"), ("yours; ★ at the par", "compute line round")]
    x = [LEFT, LEFT + 62, LEFT + 226]
    return [
        *(_marks(f"key {name}", [0], [at], [y], role, "", "") for at, (name, role) in zip(x, names[:2], strict=False)),
        boxes("key mine", [0], x[2] - RING / 2, y - RING / 2, RING, RING, names[2][1]),
        texts(
            "key words",
            range(3),
            [x[0] + 12, x[1] + 12, x[2] + RING / 2 + 6],
            y,
            [name for name, _ in names],
            "ink start",
            12,
        ),
    ]
