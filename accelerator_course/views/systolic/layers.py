"""An array beside tensor cores; the first TPU beside what it delivered."""

import numpy as np

from accelerator_course.views.charts import Rows, key_rows, signs
from accelerator_course.views.kit import bars, rows, ticks, words
from accelerator_course.views.stage import Stage, boxes, lines
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
        said = f"{sm.name}: {percent(sm.busy)} busy, {number(sm.reads)} operands read for a multiply-add, 90 % of its "
        said += f"peak from {counted(sm.least_rows, 'row')} on. The {array.name}: {percent(array.busy)} busy, "
        return said + f"{number(array.reads)} operands, 90 % from {counted(array.least_rows, 'row')} on."


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
