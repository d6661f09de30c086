"""A run so far, beside the array: busy PEs over the cycles, and the product as it is completed."""

import numpy as np

from accelerator_course.views.stage import boxes, lines, pick, texts
from accelerator_lib.units import percent

PHASES = {"": 0, "up": 0, "down": 0, "full": 1}
WORDS = 8  # the largest product with numbers in it


class Trapezoid:
    """Bars of busy PEs, one a cycle: grey while the array fills or empties, orange while all of it works."""

    def __init__(self, left, top, wide, high, tag=""):
        self.left, self.top, self.wide, self.high, self.tag = left, top, wide, high, tag

    def marks(self, watched, most=None):
        """Layers; `most`: cycles that the axis holds."""
        most, so_far = max(most or 0, watched.length), len(watched.busy)
        step, floor = self.wide / most, self.top + self.high
        high = np.zeros(watched.length)
        high[:so_far] = watched.busy * self.high
        full = high >= self.high
        bars = boxes(
            f"busy{self.tag}", np.arange(watched.length), self.left + step * np.arange(watched.length), floor - high,
            step - min(1, step / 5), high, pick(("muted", "compute"), full),
            who=[f"cycle {i + 1}" for i in range(watched.length)] if watched.length <= 200 else "",
            says=[f"{percent(share)} of the PEs multiply" for share in watched.busy] + [""] * (watched.length - so_far)
            if watched.length <= 200 else "",
        )  # fmt: skip
        end, here = self.left + self.wide, self.left + step * (so_far - 0.5)
        axes = lines(
            f"axes{self.tag}", range(3), [self.left, self.left, here], [floor, self.top, floor + 3],
            [end, end, here], [floor, self.top, floor + 12],
            pick(("muted", "muted dashed", "ink"), range(3)), [1.2, 1, 3],
        )  # fmt: skip
        words = ["100 %", "0", "1", f"{most:,} cycles"]
        says = texts(
            f"ticks{self.tag}", range(4), [self.left - 6, self.left - 6, self.left, end],
            [self.top, floor, floor + 22, floor + 22], words, pick(("muted end", "muted start"), [0, 0, 1, 0]), 12,
        )  # fmt: skip
        title = texts(f"title{self.tag}", [0], [self.left], [self.top - 16], ["busy PEs"], "ink bold start", 13)
        return [axes, bars, says, title]


class Result:
    """The matrix C: white nothing yet, light a part of a sum, dark the whole, with its number where there is room."""

    def __init__(self, left, top, wide, high):
        self.left, self.top, self.wide, self.high = left, top, wide, high

    def marks(self, watched):
        done, (m, n) = watched.complete, watched.complete.shape
        cell = min(self.wide / n, self.high / m)
        row, col = np.indices((m, n)).reshape(2, -1)
        there = max(m, n) <= WORDS
        values = watched.now.outputs.ravel()
        written = [f"{v:g}" if d else "" for v, d in zip(values, done.ravel(), strict=True)] if there else ""
        cells = boxes(
            "c", np.arange(m * n), self.left + col * cell, self.top + row * cell, cell * 0.96, cell * 0.96,
            pick(("paper", "good soft", "good"), done), written, min(14, 0.4 * cell),
        )  # fmt: skip
        title = texts("c-title", [0], [self.left], [self.top - 14], ["C = A B so far"], "good bold start", 13)
        return [cells, title]
