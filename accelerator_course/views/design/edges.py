"""One die filled with arrays of six edges: six dies to scale, and above each what it does."""

from math import ceil, sqrt

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import counted, percent

LEFT, SLOT, FLOOR, TALL, DIES = 31, 113, 226, 140, 268
SIDE = 98  # of the largest die
TIE = 0.1  # below this the model of chapter 13 tells no two designs apart
LARGEST = 858
UNITS = {
    "decode": "tokens/s", "prefill": "tokens/s", "training": "tokens/s", "vision": "images/s",
    "recommender": "queries/s", "mix": "score for the money, H100 = 1",
}  # fmt: skip
TITLES = {"mix": "all five jobs"}


class Edges(Stage):
    """Which edge: a die filled with arrays of six edges, drawn to scale, and what each does.

    >>> view = Edges()
    >>> view.show((design.edges.filled(), "prefill"))
    >>> view.show((design.edges.filled(800.0, "decode", 1.0), "decode"))
    >>> view.show((design.edges.filled(260.0, "vision", 0.0, 0.0), "vision"))
    >>> view.show((design.edges.filled(858.0, "mix", 0.5, 64.0), "mix"))
    """

    size, noun = (740, 440), "die"

    def marks(self, shown):
        """`shown`: (tuple of design.edges.Filled, the job)."""
        found, job = shown
        n = range(len(found))
        middle = LEFT + SLOT * (np.arange(len(found)) + 0.5)
        most = max(one.gain for one in found) or 1.0
        high = np.array([TALL * one.gain / most for one in found])
        best, alike = _best(found), _alike(found)
        return [
            texts("head", [0], 12, 18, f"{TITLES.get(job, job)}: {UNITS[job]}", "ink bold start", 15),
            lines("floor", [0], LEFT, FLOOR, LEFT + SLOT * len(found), FLOOR, "ink", 1.5),
            boxes("bars", n, middle - 30, FLOOR - high, 60, high,
                  ["compute" if i in alike else "compute tint" for i in n],
                  who=[f"edge {one.edge}" for one in found], says=[_gain(one, job) for one in found]),
            texts("gains", n, middle, FLOOR - high - 14, [_gain(one, job) for one in found],
                  ["good bold" if i in alike else "ink" for i in n], 14),
            texts("best", alike, middle[alike], FLOOR - high[best] - 34, "★ most" if len(alike) == 1 else "★ a tie",
                  "good bold", 13),
            texts("edges", n, middle, FLOOR + 18, [f"{one.edge} × {one.edge}" for one in found], "ink bold", 14),
            *self._dies(found, middle),
            texts("counts", n, middle, DIES + SIDE + 18, [counted(one.arrays, "array") if one.arrays else "none fits"
                  for one in found], ["ink" if one.arrays else "bad bold" for one in found], 13),
            texts("pes", n, middle, DIES + SIDE + 38, [f"{_thousands(one)} PEs" if one.arrays else "" for one in found],
                  "ink", 13),
            texts("key", [0], 12, DIES + SIDE + 62,
                  "on each die: PEs solid, what feeds them light, SRAM and the interfaces of the memory blue",
                  "muted start", 13),
        ]  # fmt: skip

    def _dies(self, found, middle):
        side = SIDE * sqrt(found[0].die_mm2 / LARGEST)
        left, top = middle - side / 2, DIES + (SIDE - side) / 2
        outer, inner = zip(*(_squares(one, side) for one in found), strict=True)
        n = range(len(found))
        rest = [side * (1 - min(1, one.arrays_mm2 / one.die_mm2)) if one.arrays else side for one in found]
        rest = [min(strip, side * _rest(found)) for strip in rest]
        return [
            boxes("die", n, left, top, side, side, "muted line"),
            boxes("rest", n, left, top, side, rest, "memory tint", who="SRAM, memory interfaces"),
            paths("fed", n, list(outer), left, top, "compute tint", 0.4),
            paths("multiplying", n, list(inner), left, top, "compute", 0.1,
                  [f"edge {one.edge}" for one in found],
                  [f"PEs: {percent(one.multiplying)} of an array" for one in found]),
        ]  # fmt: skip

    def say(self, shown):
        found, job = shown
        best = found[_best(found)]
        die = f"{found[0].die_mm2:,.0f} mm²"
        if not best.gain:
            return f"On {die}, {job} does not fit: no array, or no memory."
        others = len(_alike(found)) - 1
        alike = f" (as good for this model: {counted(others, 'other edge')})" if others else ""
        least = min((one for one in found if one.gain), key=lambda one: one.gain)
        unit = "the score for the money is" if job == "mix" else UNITS[job]
        return (
            f"{die}, {TITLES.get(job, job)}: most with arrays of {best.edge} × {best.edge}, "
            f"{counted(best.arrays, 'array')}{alike}; "
            f"{unit} {_gain(best, job)}, against {_gain(least, job)} with {least.edge} × {least.edge}."
        )


def _rest(found):
    """Share of the die that no array may take, the same for all edges."""
    return 1 - max(one.room for one in found)


def _squares(one, side):
    """Paths of all arrays of a die, and of what multiplies in them: squares to scale, row by row, from below."""
    if not one.arrays:
        return "M0 0", "M0 0"
    cell = side * sqrt(one.arrays_mm2 / one.arrays / one.die_mm2)
    room = side * min(1.0, one.room)
    columns = max(1, int(side // cell))
    rows = ceil(one.arrays / columns)
    wide, high = side / columns, min(side / columns, room / rows)
    fed, pes = [], []
    part = sqrt(one.multiplying)
    for i in range(one.arrays):
        x, y = i % columns * wide, side - (i // columns + 1) * high
        w, h = 0.94 * wide, 0.94 * high
        fed.append(f"M{x:.2f} {y:.2f}H{x + w:.2f}V{y + h:.2f}H{x:.2f}Z")
        pes.append(f"M{x:.2f} {y:.2f}H{x + w * part:.2f}V{y + h * part:.2f}H{x:.2f}Z")
    return "".join(fed), "".join(pes)


def _best(found):
    return max(range(len(found)), key=lambda i: found[i].gain)


def _alike(found):
    """Places of those that the model cannot tell from the best."""
    most = max(one.gain for one in found)
    return [i for i, one in enumerate(found) if most and one.gain > (1 - TIE) * most]


def _gain(one, job):
    if not one.arrays:
        return "0"
    if job == "mix":
        return f"{one.gain:.2f}"
    return f"{one.gain / 1e6:,.2f} M" if one.gain >= 1e6 else f"{one.gain:,.0f}"


def _thousands(one):
    return f"{one.arrays * one.edge**2 / 1000:,.0f} k"
