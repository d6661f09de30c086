"""Integers laid over a distribution: the histogram, and below it every integer as a tick."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted

LEFT, WIDE = 22, 696
TOP, FLOOR, RULER = 44, 216, 262
APART = 34  # pixels between integers that carry their numbers


class IntegerGrid(Stage):
    """Integers over a distribution: a histogram of the values, and the integers that stand for them.

    >>> view = IntegerGrid()
    >>> view.show(numerics.calibration.gridded("after ReLU", 4))
    >>> view.show(numerics.calibration.gridded("after ReLU", 4, True))
    >>> view.show(numerics.calibration.gridded("weights", 8))
    >>> view.show(numerics.calibration.gridded("after GELU", 2, True))
    """

    size, noun = (740, 330), "setting"

    def marks(self, grid):
        """`grid`: calibration.Gridded."""
        most = 1.06 * grid.edges[-1]

        def at(value):
            return LEFT + WIDE * (np.asarray(value) / most + 1) / 2

        high = (FLOOR - TOP) * np.sqrt(grid.counts / grid.counts.max())
        x, ticks = at(grid.edges), at(grid.at)
        stride = next(n for n in (1, 2, 4, 8, 16, 32) if n * (ticks[1] - ticks[0]) >= APART)
        named = np.flatnonzero((grid.codes - grid.zero_point) % stride == 0)
        ends = [f"{grid.edges[0]:.2g}".replace("-", "−"), "0", f"{grid.edges[-1]:.2g}"]
        words = [str(code).replace("-", "−") for code in grid.codes]
        pairs = list(zip(grid.at, grid.used, strict=True))
        zero = int(np.flatnonzero(grid.codes == grid.zero_point)[0])
        return [
            texts("title", [0], LEFT, 16, "the values (root of their number)", "muted start", 13),
            boxes(
                "bars", range(len(high)), x[:-1] + 0.5, FLOOR - high, np.diff(x) - 1, high, "memory tint",
                who=[f"values near {edge:.2f}" for edge in grid.edges[:-1]], says=[f"{n:,}" for n in grid.counts],
            ),
            lines("floor", [0], LEFT, FLOOR, LEFT + WIDE, FLOOR, "muted", 1),
            texts("ends", range(3), at([grid.edges[0], 0, grid.edges[-1]]), FLOOR + 16, ends, "muted", 12),
            lines(
                "codes", grid.codes, ticks, RULER - 10, ticks, RULER + 10,
                np.where(grid.used, "memory", "bad dashed").tolist(), 3 if len(words) <= 64 else 1.5,
                who=[f"integer {word}" for word in words],
                says=[f"stands for {value:.3g}{'' if used else ', never used'}" for value, used in pairs],
            ),
            texts("names", grid.codes[named], ticks[named], RULER + 24, [words[i] for i in named],
                  ["memory bold" if grid.used[i] else "bad" for i in named], 13),
            boxes("zero", [0], ticks[zero] - 5, RULER - 5, 10, 10, "compute round", who="the integer for 0"),
            texts("legend", [0], LEFT, RULER + 50, "blue: integers in use; dashed: never used; dot: stands for 0",
                  "muted start", 13),
        ]  # fmt: skip

    def say(self, grid):
        how = f"zero point {grid.zero_point}" if grid.codes[0] == 0 else "no zero point"
        used = f"{counted(int(grid.used.sum()), 'integer')} of {len(grid.codes)} in use"
        return f"{grid.bits} bits, scale {grid.scale:.3g}, {how}: {used}. Signal to noise: {grid.snr_db:.1f} dB."
