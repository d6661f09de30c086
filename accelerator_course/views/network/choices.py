"""A map of splits: tp across, pp up; what does not fit or divide is said."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import percent, si

LEFT, TOP, WIDE, HIGH = 66, 34, 92, 66  # of the cells


class SplitMap(Stage):
    """The best split: seconds of a step for every tp and pp; what does not fit or divide is said.

    >>> H100 = hardware.chip("h100-sxm5")
    >>> view, ways = SplitMap((1, 2, 4, 8, 16), (1, 2, 4)), (1, 2, 4, 8, 16)
    >>> given = {"model": "llama-3-70b", "chip": H100, "chips": 512, "sequences": 1024, "tokens": 4096}
    >>> view.show(network.choices.table(**given, capacity_bytes=72e9, tps=ways, pps=(1, 2, 4), interleaves=(1, 2)))
    >>> view.show(network.choices.table(**given, capacity_bytes=30e9, tps=ways, pps=(1, 2, 4), interleaves=(1,)))
    """

    noun = "setting"

    def __init__(self, tps, pps):
        self.tps, self.pps = tps, pps
        self.size = (LEFT + WIDE * len(tps) + 10, TOP + HIGH * len(pps) + 56)

    def marks(self, table):
        """`table`: {(tp, pp): (network.parallel.Split or None, whether it fits)}."""
        best, cells = _best(table), list(table)
        x = LEFT + WIDE * np.array([self.tps.index(tp) for tp, _ in cells])
        y = TOP + HIGH * np.array([len(self.pps) - 1 - self.pps.index(pp) for _, pp in cells])
        first, second, third, role, says = zip(*(self._cell(*table[cell], best) for cell in cells), strict=True)
        n, floor = range(len(cells)), TOP + HIGH * len(self.pps)
        inks = ["ink bold" if table[cell][1] else "muted" for cell in cells]
        return [
            boxes(
                "cells",
                n,
                x + 2,
                y + 2,
                WIDE - 4,
                HIGH - 4,
                role,
                who=[f"tp {tp}, pp {pp}" for tp, pp in cells],
                says=says,
            ),
            texts("first", n, x + WIDE / 2, y + 18, first, inks, 15),
            texts("second", n, x + WIDE / 2, y + 36, second, "ink", 12),
            texts("third", n, x + WIDE / 2, y + 52, third, "ink", 12),
            texts(
                "tp",
                range(len(self.tps)),
                LEFT + WIDE * (np.arange(len(self.tps)) + 0.5),
                floor + 14,
                [f"tp {n}" for n in self.tps],
                "ink bold",
                14,
            ),
            texts(
                "pp",
                range(len(self.pps)),
                LEFT - 8,
                floor - HIGH * (np.arange(len(self.pps)) + 0.5),
                [f"pp {n}" for n in self.pps],
                "ink bold end",
                14,
            ),
            texts(
                "head",
                [0],
                LEFT,
                16,
                ["seconds of a step, bytes of a chip, chunks of a stage where it has several"],
                "ink start",
                13,
            ),
            texts(
                "key",
                range(3),
                [LEFT, LEFT + 130, LEFT + 300],
                floor + 40,
                ["★ fastest", "dashed: does not fit", "–: does not divide"],
                ("good bold start", "bad start", "muted start"),
                13,
            ),
        ]

    def _cell(self, split, fits, best):
        """(three lines, role, words) of a cell."""
        if split is None:
            return "–", "", "", "muted soft", "does not divide"
        chunks = f"{split.interleave} chunks" if split.interleave > 1 else ""
        room = si(split.bytes_per_chip, "B")
        told = f"{_seconds(split)} s, {room}, MFU {percent(split.mfu)}, {split.dp} copies"
        if not fits:
            return f"{_seconds(split)} s", room, chunks, "bad tint dashed", f"does not fit: {told}"
        star = "★ " if split is best else ""
        return f"{star}{_seconds(split)} s", room, chunks, "good tint" if split is best else "compute tint", told

    def say(self, table):
        best = _best(table)
        if best is None:
            return "No way of splitting this divides and fits: take more chips, more memory or fewer sequences."
        chunks = f", {best.interleave} chunks a stage" if best.interleave > 1 else ""
        count = sum(fits for _, fits in table.values())
        return (
            f"Fastest of {count} that fit: tp {best.tp}, pp {best.pp}{chunks}, {best.dp} copies: "
            f"{_seconds(best)} s a step, {si(best.bytes_per_chip, 'B')} a chip, MFU {percent(best.mfu)}."
        )


def _best(table):
    return min((split for split, fits in table.values() if fits), key=lambda split: split.seconds, default=None)


def _seconds(split):
    """Three digits, or whole seconds."""
    return f"{split.seconds:.3g}" if split.seconds < 999.5 else f"{split.seconds:,.0f}"
