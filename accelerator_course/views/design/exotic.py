"""An analog array: inputs on rows, cells on crossings, and a converter under every column that reads the sum."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, rows, spots, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import number, percent

SHOWN, COLUMNS, LEFT, TOP = 10, 4, 84, 46  # of the array: rows and columns that are drawn, where
RIGHT, LONG, MOST = 372, 290, 2.5  # of the energies: where, how long; pJ at the end of the axis
MANY = 64  # steps of a converter that are still drawn


class Crossbar(Stage):
    """Crossbar: sums that a wire adds up, and what reading them costs.

    >>> view = Crossbar()
    >>> view.show((design.exotic.simulate(128, 9), {"digital": 0.1, "digital, weight read": 1.16}))
    >>> view.show((design.exotic.simulate(512, 6), {"digital": 0.1, "digital, weight read": 1.16}))
    >>> view.show((design.exotic.simulate(16, 4, 200.0, 0.05), {"digital": 0.1, "digital, weight read": 1.16}))
    >>> view.show((design.exotic.simulate(512, 6, spans="what occurs"), {"digital": 0.1, "digital, weight read": 1.16}))
    """

    size, noun = (740, 430), "array"

    def marks(self, found):
        """`found`: (design.exotic.Analog, {name: pJ of a MAC done otherwise})."""
        array, others = found
        y, x = rows(TOP, 20, SHOWN), rows(LEFT + 30, 62, COLUMNS)
        right, bottom, bits = x[-1] + 24, y[-1] + 26, f"{array.adc_bits} bits"
        pulses, says = ["1" if k * 7 % 3 else "0" for k in range(SHOWN)], f"reads the sum of a column in {bits}"
        cells, who = range(SHOWN * COLUMNS), ("a cell", "two bits of a weight, as a conductance")
        told = ["four cells hold a weight of 8 bits,", "an input comes in 8 pulses:"]
        told.append((f"32 conversions for {array.rows} products", "ink bold"))
        yield lines("rows", range(SHOWN), LEFT - 8, y, right, y, "memory", 1.5)
        yield lines("columns", range(COLUMNS), x, TOP - 12, x, bottom, "compute", 1.5)
        yield spots("cells", cells, np.tile(x, SHOWN), np.repeat(y, COLUMNS), 12, "ink tint round", "", 13, *who)
        yield texts(
            "pulses", range(SHOWN), LEFT - 22, y, pulses, "memory mono", 13, "an input", "one of its eight bits"
        )
        yield arrows("down", range(COLUMNS), x, bottom, x, bottom + 18, "compute", 2)
        yield boxes("adc", range(COLUMNS), x - 25, bottom + 20, 50, 30, "compute tint", bits, 13, "a converter", says)
        yield words("rows drawn", (LEFT + 118, 16, f"{array.rows} rows: {SHOWN} of them drawn", "ink bold"))
        yield below("array words", LEFT + 118, bottom + 70, told, 22, "ink")
        names, values = ["the converters", *others], np.array([array.pj, *others.values()])
        y, role = rows(68, 52, len(names)), ["compute", *["memory"] * len(others)]
        said = [f"{number(value)} pJ{' →' if value > MOST else ''}" for value in values]
        long = LONG * np.minimum(values / MOST, 1)
        yield words("energy head", (RIGHT, 16, "energy of one multiply-accumulate", "ink bold start", 14))
        yield from bars("energy", range(len(names)), RIGHT, y, long, 20, role, said, "ink bold start", names, said, 1)
        yield below("energy names", RIGHT, y[0] - 22, names, 52)
        y, scale = 300, Chart((RIGHT, RIGHT + 330), (0, 0), (0, array.most), (0, 1), inside=True)
        steps = np.arange(array.steps + 1) if array.steps <= MANY else np.arange(0)
        at, here, read = scale.x(array.low + array.step * steps), float(scale.x(array.sum)), float(scale.x(array.read))
        each = "a step for every integer" if array.step == 1 else f"a step is {array.step:.3g}"
        exact = array.bits is None
        bits = "all are the exact integer" if exact else f"effective bits of a result: {number(array.bits, 2)}"
        yield lines("ruler", [0], RIGHT, y, scale.across[1], y, "ink", 2)
        yield lines("steps", steps, at, y - 6, at, y + 6, "compute", 1)
        yield arrows("sum", [0], here, y - 30, here, y - 4, "ink", 2)
        yield arrows("read", [0], read, y + 34, read, y + 6, "compute", 2)
        yield words(
            "ruler words",
            (RIGHT, y - 62, f"the sum in one wire: {each}", "ink bold start", 14),
            (max(here, RIGHT + 40), y - 40, f"sum {number(array.sum)}", "ink"),
            (max(read, RIGHT + 40), y + 44, f"read as {number(array.read)}", "compute"),
            (RIGHT, y + 76, f"results that are not exact: {percent(array.wrong)}", "ink start", 14),
            (RIGHT, y + 98, bits, "good bold start" if exact else "bad bold start", 14),
        )

    def say(self, found):
        array, others = found
        rest = ", ".join(f"{name} {number(value)} pJ" for name, value in others.items())
        bits = "all results exact"
        if array.bits is not None:
            bits = f"{number(array.bits, 2)} effective bits, {percent(array.wrong)} of results not exact"
        return (
            f"{array.rows} rows, {array.adc_bits} bits, cells off by {percent(array.spread)}: converters take "
            f"{number(array.pj)} pJ a MAC ({rest}); {bits}; every possible sum needs {number(array.exact_bits)} bits."
        )
