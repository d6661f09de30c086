"""The error as a distribution: a brick for each row, in the bin of how far off it is."""

from math import exp, log

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, percent

MIDDLE, BIN, TOP, FLOOR = 382, 22, 84, 398  # x of an exact prediction; of a bin; y of the field
EDGES = MIDDLE - 15.5 * BIN, MIDDLE + 15.5 * BIN  # of 15 bins to either side
STEPS = (1, 2, 5, 10, 20, 50, 100)  # rows from level to level
TICKS = (0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 2)
MOST = 16  # px of a brick


class Misses(Stage):
    """How far off: rows by the factor between prediction and measurement.

    >>> view = Misses(validation.rows.KINDS)
    >>> view.show(validation.misses.spread())
    >>> view.show(validation.misses.spread("gemm"))
    >>> view.show(validation.misses.spread("gemm", "device"))
    """

    size, noun, follows = (746, 462), "choice", True

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def marks(self, found):
        """`found`: validation.misses.Misses."""
        rows, _, bins, places = zip(*found.rows, strict=True)
        bins, places = np.array(bins), np.array(places)
        high = min(MOST, (FLOOR - TOP) / (places.max() + 1))
        levels = np.arange(0, places.max() + 2, next(step for step in STEPS if places.max() < 6 * step))
        ticks = MIDDLE + BIN * np.log(TICKS) / log(found.width)
        half, most = (BIN * log(each) / log(found.width) for each in found.factors)
        marks = np.array([-most, -half, half, most])
        return [
            lines("levels", levels, EDGES[0], FLOOR - high * levels, EDGES[1], FLOOR - high * levels, "muted faint", 1),
            texts("level words", levels, EDGES[0] - 4, FLOOR - high * levels, [*map(str, levels)], "muted end", 12),
            lines("floor", [0], EDGES[0], FLOOR, EDGES[1], FLOOR, "ink", 1),
            lines("exact", [0], MIDDLE, TOP - 26, MIDDLE, FLOOR + 6, "ink", 1),
            lines("share", range(4), MIDDLE + marks, TOP - 26, MIDDLE + marks, FLOOR, "memory dashed", 2),
            texts("share words", [0, 1], [MIDDLE + half + 6, MIDDLE + most + 6], [TOP - 50, TOP - 24],
                  [f"half within a factor of {number(found.factors[0], 3)}",
                   f"nine of ten within {number(found.factors[1], 3)}"], "memory bold start", 13),
            lines("leaders", [0], MIDDLE + half, TOP - 50, MIDDLE + half, TOP - 26, "memory dashed", 2),
            boxes("bricks", [row.id for row in rows], MIDDLE + BIN * (bins - 0.5) + 1, FLOOR - high * (places + 1),
                  BIN - 2, high * 0.9, ["compute" if row.held else "bad tint" for row in rows], "", 12,
                  [row.name for row in rows],
                  [self._says(row, off) for row, off, *_ in found.rows]),
            texts("ticks", range(len(TICKS)), ticks, FLOOR + 16, [f"{tick:g}" for tick in TICKS], "muted", 12),
            texts("ends", [0, 1, 2], [24, MIDDLE, 722], FLOOR + 40,
                  ["← thought slower", "predicted / measured speed", "thought faster →"],
                  ["muted start", "ink", "muted end"], [12, 13, 12]),
            boxes("key", [0, 1], 24, [20, 42], 18, 11, ["compute", "bad tint"]),
            texts("key words", [0, 1], 50, [26, 48], [f"{found.held} in their intervals",
                  f"{len(rows) - found.held} outside"], "ink start", 13),
        ]  # fmt: skip

    def _says(self, row, off):
        return (
            f"{self.kinds[row.kind]}: predicted {number(row.told.value, 3)} {row.unit}, measured "
            f"{number(row.measured, 4)}: {number(exp(min(off, 9)), 3)} times the speed"
        )

    def say(self, found):
        """Median, ninth tenth, intervals, and to which side."""
        what = "all kinds" if found.kind == "all" else self.kinds[found.kind]
        half, most = (number(each, 3) for each in found.factors)
        return (
            f"{len(found.rows)} rows, {what}, {found.apart}: half are within a factor of {half}, nine of ten "
            f"within {most}; {found.held} of the intervals hold ({percent(found.held / len(found.rows))}, meant are "
            f"{percent(found.wanted)}); {percent(found.fast)} were thought too fast."
        )
