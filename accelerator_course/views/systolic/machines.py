"""Machines around arrays: the first TPU beside what it delivered."""

import numpy as np

from accelerator_course.views.charts import Rows, key_rows, signs
from accelerator_course.views.kit import ticks
from accelerator_course.views.stage import Stage, lines
from accelerator_lib.units import si

ENDS = 2e11, 1.6e14  # of the axis [OP/s]
RATES = (
    ("roofline", "memory", "round", -0.12),
    ("tile time", "other", "square", 0.12),
    ("delivered, published", "ink", "diamond", 0),
)


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
