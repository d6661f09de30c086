"""An analog array: inputs on rows, cells on crossings, and a converter under every column that reads the sum."""

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import number, percent

LEFT, TOP, GAP = 84, 46, 20  # the array
SHOWN, COLUMNS, PITCH = 10, 4, 62
BARS, LONG, MOST = 372, 290, 2.5  # pJ at the end of the axis
RULER = 372, 300, 330  # x, y, length
MANY = 64  # steps that are still drawn


class Crossbar(Stage):
    """Crossbar: sums that a wire adds up, and what reading them costs.

    >>> view = Crossbar()
    >>> view.show((design.analog.simulate(128, 9), {"digital": 0.1, "digital, weight read": 1.16}))
    >>> view.show((design.analog.simulate(512, 6), {"digital": 0.1, "digital, weight read": 1.16}))
    >>> view.show((design.analog.simulate(16, 4, 200.0, 0.05), {"digital": 0.1, "digital, weight read": 1.16}))
    >>> view.show((design.analog.simulate(512, 6, spans="what occurs"), {"digital": 0.1, "digital, weight read": 1.16}))
    """

    size, noun = (740, 430), "array"

    def marks(self, found):
        """`found`: (design.analog.Analog, {name: pJ of a MAC done otherwise})."""
        array, others = found
        return [*self._array(array), *self._energy(array, others), *self._ruler(array)]

    def _array(self, array):
        row, column = np.indices((SHOWN, COLUMNS)).reshape(2, -1)
        y, x = TOP + GAP * np.arange(SHOWN), LEFT + 30 + PITCH * np.arange(COLUMNS)
        right, bottom = x[-1] + 24, y[-1] + 26
        return [
            lines("rows", range(SHOWN), LEFT - 8, y, right, y, "memory", 1.5),
            lines("columns", range(COLUMNS), x, TOP - 12, x, bottom, "compute", 1.5),
            boxes(
                "cells",
                range(SHOWN * COLUMNS),
                x[column] - 6,
                y[row] - 6,
                12,
                12,
                "ink tint round",
                "",
                13,
                "a cell",
                "two bits of a weight, as a conductance",
            ),
            texts(
                "pulses",
                range(SHOWN),
                LEFT - 22,
                y,
                ["1" if k * 7 % 3 else "0" for k in range(SHOWN)],
                "memory mono",
                13,
                "an input",
                "one of its eight bits",
            ),
            arrows("down", range(COLUMNS), x, bottom, x, bottom + 18, "compute", 2),
            boxes(
                "adc",
                range(COLUMNS),
                x - 25,
                bottom + 20,
                50,
                30,
                "compute tint",
                [f"{array.adc_bits} bits"],
                13,
                "a converter",
                f"reads the sum of a column in {array.adc_bits} bits",
            ),
            texts(
                "array words",
                range(4),
                [LEFT + 118] * 4,
                [16, bottom + 70, bottom + 92, bottom + 114],
                [
                    f"{array.rows} rows: {SHOWN} of them drawn",
                    "four cells hold a weight of 8 bits,",
                    "an input comes in 8 pulses:",
                    f"32 conversions for {array.rows} products",
                ],
                ["ink bold", "ink", "ink", "ink bold"],
                13,
            ),
        ]

    def _energy(self, array, others):
        names = ["the converters", *others]
        values = np.array([array.pj, *others.values()])
        y = 58 + 52 * np.arange(len(names))
        long = np.minimum(values / MOST, 1) * LONG
        said = [f"{number(v)} pJ{' →' if v > MOST else ''}" for v in values]
        return [
            texts("energy head", [0], BARS, 16, ["energy of one multiply-accumulate"], "ink bold start", 14),
            boxes(
                "energy",
                range(len(names)),
                BARS,
                y,
                np.maximum(long, 1),
                20,
                ["compute", *["memory"] * len(others)],
                "",
                13,
                names,
                said,
            ),
            texts("energy names", range(len(names)), BARS, y - 12, names, "ink start", 13),
            texts("energies", range(len(names)), BARS + np.minimum(long, LONG) + 6, y + 10, said, "ink bold start", 13),
        ]

    def _ruler(self, array):
        x, y, long = RULER
        top = 4.0 * array.rows
        count = min(top / array.step, 2**array.adc_bits - 1)
        drawn = np.arange(int(count) + 1) if count <= MANY else np.arange(0)
        at = x + long * np.minimum((array.low + array.step * drawn) / top, 1)
        here, read = (x + long * min(max(v / top, 0), 1) for v in (array.sum, array.read))
        bits = (
            "all are the exact integer"
            if array.bits is None
            else f"effective bits of a result: {number(max(float(array.bits), 0), 2)}"
        )
        steps = "a step for every integer" if array.step == 1 else f"a step is {array.step:.3g}"
        return [
            texts("ruler head", [0], x, y - 62, [f"the sum in one wire: {steps}"], "ink bold start", 14),
            lines("ruler", [0], x, y, x + long, y, "ink", 2),
            lines("steps", drawn, at, y - 6, at, y + 6, "compute", 1),
            arrows("sum", ["sum"], here, y - 30, here, y - 4, "ink", 2),
            texts("sum words", ["sum"], max(here, x + 40), y - 40, [f"sum {number(array.sum)}"], "ink", 13),
            arrows("read", ["read"], read, y + 34, read, y + 6, "compute", 2),
            texts("read words", ["read"], max(read, x + 40), y + 44, [f"read as {number(array.read)}"], "compute", 13),
            texts(
                "bits",
                range(2),
                x,
                [y + 76, y + 98],
                [f"results that are not exact: {percent(array.wrong)}", bits],
                ["ink start", "good bold start" if array.bits is None else "bad bold start"],
                14,
            ),
        ]

    def say(self, found):
        """Energy and exactness."""
        array, others = found
        rest = ", ".join(f"{name} {number(value)} pJ" for name, value in others.items())
        bits = (
            "all results exact"
            if array.bits is None
            else f"{number(max(float(array.bits), 0), 2)} effective bits, {percent(array.wrong)} of results not exact"
        )
        return (
            f"{array.rows} rows, {array.adc_bits} bits, cells off by {percent(array.spread)}: converters take "
            f"{number(array.pj)} pJ a MAC ({rest}); {bits}; every possible sum needs {number(array.exact_bits)} bits."
        )
