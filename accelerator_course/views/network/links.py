"""Links: models beside measurements."""

import numpy as np

from accelerator_course.views.charts import ground, key_rows, signs
from accelerator_course.views.kit import Chart, words
from accelerator_course.views.stage import Stage, lines
from accelerator_lib.units import percent, si

MOST = 0.72  # of the miss axis, up and down


class Misses(Stage):
    """Published times as diamonds, the model as a line, and below the miss of each: too fast below zero.

    along: "bytes" on two logarithmic axes, or "chips" on one.

    >>> view = Misses("bytes")
    >>> view.show(network.published.by_size()), view.show(network.published.by_size(15e-6, 2e-6, 231.6e9))
    >>> view.show(network.published.by_size(60e-6, 5e-6, 100e9))
    """

    size, noun = (760, 490), "setting"

    def __init__(self, along):
        self.axis, across = along, (78, 738)
        x, y, log = ((420, 1.5e10), (6e-6, 0.3), "xy") if along == "bytes" else ((6.5, 310), (0, 500e-6), "x")
        self.above = Chart(across, (262, 54), x, y, log, inside=True, name="above")
        self.low = Chart(across, (436, 306), x, (-MOST, MOST), "x", inside=True)

    def marks(self, rows):  # network.published.Beside, one for each size or number of chips
        above, low, n = self.above, self.low, range(len(rows))
        (left, right), middle = low.across, float(low.y(0))
        x = np.array([row.bytes_moved if self.axis == "bytes" else row.n for row in rows], float)
        model, measured, miss = np.array([(row.model, row.measured, row.miss) for row in rows]).T
        name, unit, own = ("size of the array", "B", None) if self.axis == "bytes" else ("chips", "", x)
        who = [row.what for row in rows]
        pairs = [f"{si(a, 's')} by the model, {si(b, 's')} measured" for a, b in zip(model, measured, strict=True)]
        off = [f"{percent(abs(one))} {'too fast' if one < 0 else 'too slow'}" for one in miss]
        shapes = ["triangle" if one >= MOST else "down" if one <= -MOST else "round" for one in miss]
        at, ends, zero = low.x(x), low.y(miss), [f"{share:.0%}".replace("%", " %") for share in (-0.5, 0, 0.5)]
        top = ground(above, "", "time", (unit, "s"), own, said=("", None))
        yield from key_rows([("model", "compute", "", None), ("measured", "memory", None, "diamond")], left, 740, 18)[0]
        yield from top
        yield above.line("model", x, model, "compute line", 2.5, "model")
        yield signs(above, "measured", n, x, measured, "diamond", "memory", who, pairs)
        yield from ground(low, name, "", (unit, "%"), own, (-0.5, 0, 0.5), (None, zero))
        yield words("ways", (left, low.up[1] - 12, "missed by: above 0 too slow, below it too fast"))
        yield lines("zero", [0], left, middle, right, middle, "muted", 1.2)
        yield lines("stems", n, at, middle, at, ends, "other", 3)
        yield signs(low, "ends", n, x, miss, shapes, "other", who, off, 0.8)

    def say(self, rows):
        near = sum(abs(row.miss) <= 0.05 for row in rows)
        worst = max(rows, key=lambda row: abs(row.miss))
        way = "too fast" if worst.miss < 0 else "too slow"
        said = f"{near} of {len(rows)} within 5 %. Farthest off at {worst.what}: the line says {si(worst.model, 's')}, "
        return said + f"measured are {si(worst.measured, 's')}. So it is {percent(abs(worst.miss))} {way}."
