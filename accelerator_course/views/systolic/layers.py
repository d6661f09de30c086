"""Layers on an array: which PEs they use; an array beside tensor cores; the first TPU beside what it delivered."""

import numpy as np

from accelerator_course.views.charts import Rows, key_rows, signs
from accelerator_course.views.kit import bars, rows, ticks, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent, si


class Beside(Stage):
    """An SM's tensor cores beside an array: a square is as large as what it multiplies in a cycle.

    >>> view = Beside()
    >>> view.show(systolic.beside.units("a100-80gb-sxm", 64)), view.show(systolic.beside.units("b200", 1))
    """

    size, noun = (760, 364), "setting"
    LEFT, FLOOR, ARRAY = 20, 268, 176  # of the squares; where the array's begins
    PIXELS, BARS, LONG, PITCH = 1.375, 450, 180, 84  # the side of one multiply-add; where bars begin, the longest

    def marks(self, pair):  # (beside.Unit of an SM, beside.Unit of an array)
        sm, array = pair
        (small, large), left, place = ((one.macs / one.parts) ** 0.5 for one in pair), self.LEFT, np.arange(sm.parts)
        edge, step = self.PIXELS * np.array([*[small] * sm.parts, large]), self.PIXELS * small + 8
        x = np.append(left + step * (place % 2), self.ARRAY)
        y = self.FLOOR - edge - np.append(step * (place // 2), 0)
        full, look = edge * [*[sm.busy] * sm.parts, array.busy], [*["compute"] * sm.parts, "memory"]
        who = [*[f"tensor core {i + 1}" for i in place], array.name]
        yield boxes("units", range(len(x)), x, y, edge, edge, [f"{one} tint" for one in look], who=who)
        yield boxes("at work", range(len(x)), x, y + edge - full, edge, full, look, who=who)
        fills = f"at least {sm.latency}" if sm.latency else "not published", number(array.latency)
        measures = {  # [of both], and their words
            "operand reads for a multiply-add": ([one.reads for one in pair], [number(one.reads) for one in pair]),
            "cycles from inputs to sums": ([one.latency or 0 for one in pair], fills),
            "busy": ([one.busy for one in pair], [percent(one.busy) for one in pair]),
            "rows for 90 % of the peak": ([one.least_rows for one in pair], [number(one.least_rows) for one in pair]),
        }
        top = rows(28, self.PITCH, len(measures))
        long = np.ravel([self.LONG * np.array(both) / max(both) for both, _ in measures.values()])
        said, n = [text for _, both in measures.values() for text in both], len(top)
        y = np.add.outer(top, (24, 48)).ravel()
        yield from bars("bars", range(2 * n), self.BARS, y, long, 18, look[-2:] * n, said, names=["SM", "array"] * n)
        yield words(
            "heads",
            (left, 24, "to scale: multiply-adds a cycle", "ink bold start"),
            (left, self.FLOOR + 24, f"{sm.name}, {sm.parts} tensor cores: {sm.macs:,}", "compute bold start"),
            (left, self.FLOOR + 48, f"{array.name}: {array.macs:,}", "memory bold start"),
            *((self.BARS, at, name, "ink bold start") for at, name in zip(top, measures, strict=True)),
        )

    def say(self, pair):
        sm, array = pair
        said = f"{sm.name}: {percent(sm.busy)} busy, {number(sm.reads)} operands read for a multiply-add, 90 % from "
        said += f"{counted(sm.least_rows, 'row')} on. The {array.name}: {percent(array.busy)}, {number(array.reads)}, "
        return said + f"{counted(array.least_rows, 'row')}."


class Mapped(Stage):
    """One layer on the array: the PEs that each kind of fold uses; beside it, how busy each layer keeps the array.

    >>> view, jobs = Mapped(), systolic.layers.jobs()
    >>> view.show(("depthwise 3×3, 512 channels", {n: systolic.layers.mapped(j, 128) for n, j in jobs.items()}))
    >>> view.show(("129 wide, batch 512", {n: systolic.layers.mapped(j, 8, True, 4) for n, j in jobs.items()}))
    """

    size, noun = (800, 400), "setting"
    LEFT, TOP, SIDE = 36, 40, 296  # of the arrays [px]

    def marks(self, result):  # (name of a layer, {name: layers.Mapping} of all)
        name, found = result
        rows = Rows(found, (1e-4, 1), 20, 320 / len(found), right=714, log="x", left=556, size=12)
        shares, x = [one.utilization for one in found.values()], (1e-4, 1e-2, 1)
        said, own = [percent(share) for share in shares], [one == name for one in found]
        roles = ["compute" if chosen else "memory" for chosen in own]
        looks = ["ink bold start" if chosen else "ink start" for chosen in own]
        shapes = ["square" if chosen else "round" for chosen in own]
        yield from self._arrays(found[name])
        yield from rows.frame("busy PEs, logarithmic axis", x, ["0.01 %", "1 %", "100 %"])
        yield from rows.drawn(shares, said, (1e-4, 1), 0, roles, looks, shapes)

    def say(self, result):
        name, found = result
        own = found[name]
        size = f"{counted(own.rows, 'row')} × {counted(own.cols, 'column')}"
        said = f"{name}: {counted(own.folds, 'fold')} of up to {size} on {own.edge} × {own.edge}; "
        return said + f"{percent(own.utilization)} of the PEs do useful work."

    def _arrays(self, mapping):
        """One array for each kind of fold: full ones and those in the last columns; below, those in the last rows."""
        pitch = self.SIDE / max(len(mapping.tiles), len(mapping.tiles[0]))
        kinds = [(d, r, kind) for d, row in enumerate(mapping.tiles) for r, kind in enumerate(row)]
        keys, side = [2 * down + right for down, right, _ in kinds], 0.92 * pitch
        x, y = ([start + pitch * (one[at] + 0.04) for one in kinds] for start, at in ((self.LEFT, 1), (self.TOP, 0)))
        folds, rows, cols = zip(*(kind for *_, kind in kinds), strict=True)
        said = [counted(fold, "fold") for fold in folds]
        who, says = [f"{fold} of {r} × {c} PEs" for fold, r, c in zip(said, rows, cols, strict=True)], "used"
        wide, high = ([side * one / mapping.edge for one in ends] for ends in (cols, rows))
        middle = self.LEFT + self.SIDE / 2
        yield boxes("arrays", keys, x, y, side, side, "muted tint")
        yield boxes("used", keys, x, y, wide, high, "compute tint", who=who, says=says)
        yield texts("counts", range(len(said)), np.array(x) + side / 2, np.array(y) + side / 2, said, "ink bold")
        across = (middle, self.TOP + self.SIDE + 18, "output channels on columns", "ink")
        yield words("sides", across, (self.LEFT, 20, "k on rows"))


ENDS = 2e11, 1.6e14  # of the axis [OP/s]
RATES = ("roofline", "memory", "round", -0.12), ("tile time", "other", "square", 0.12)
RATES += (("delivered, published", "ink", "diamond", 0),)


class TpuV1(Stage):
    """The first TPU: two predictions beside what it delivered.

    >>> view = TpuV1()
    >>> view.show((systolic.tpu.applications(), True)), view.show((systolic.tpu.applications(10), False))
    """

    size, noun = (760, 384), "setting"

    def marks(self, result):  # (tpu.Applications, whether what was measured is shown)
        applications, measured = result
        names, x = [one.name for one in applications], ticks(*ENDS, True)
        rows = Rows(names, ENDS, 40, (322 - 46) / len(names), log="x")
        chart, y = rows.chart, rows.y
        self.size = (760, round(chart.up[0]) + 58)
        chart.inside = True
        values = np.array([(one.roofline, one.tiled, one.delivered) for one in applications]).T
        yield from rows.frame("rate, logarithmic axis", x, [si(one, "OP/s") for one in x])
        yield from key_rows([(name, role, None, shape) for name, role, shape, _ in RATES], 40, 740, 18)[0]
        if measured:
            yield lines("missed", names, chart.x(values[1]), y, chart.x(values[2]), y, "muted faint", 4)
        for (name, role, shape, shift), rates in list(zip(RATES, values, strict=True))[: 3 if measured else 2]:
            place = 1 - (y + shift * rows.pitch - chart.up[1]) / (chart.up[0] - chart.up[1])
            says = [f"{name}: {si(rate, 'OP/s')}" for rate in rates]
            yield signs(chart, name, names, rates, place, shape, role, names, says)

    def say(self, result):
        applications, measured = result
        first = applications[0]
        delivered = f"; the real machine delivered {si(first.delivered, 'OP/s')}" if measured else ""
        return f"{first.name}: {si(first.tiled, 'OP/s')} by the tile time, limited by {first.tile.bound}{delivered}."
