"""Stacks of HBM along the edges of one die or of two."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, si

PX, MIDDLE, CENTRE = 6.0, 196, 226
DEEP, GAP = 9.5, 1.2  # of a stack across the edge, and between it and the die [mm]
BARS, LONG, MOST = 420, 262, 32e12  # left end of the bars, their length [px] for so many B/s
FIRST, STEP = 236, 44


class Shore(Stage):
    """The edge: two edges with a stack at every site, and the bandwidth that comes across them.

    >>> view = Shore({"H100": 3.35e12, "B200": 8e12})
    >>> view.show(silicon.hbm.shore())
    >>> view.show(silicon.hbm.shore("two", 8, 10.0, 2048))
    >>> view.show(silicon.hbm.shore("one", 14, 2.0))
    """

    size, noun = (746, 440), "package"

    def __init__(self, published):
        """`published`: {chip: B/s}, to compare with."""
        self.published = published

    def marks(self, shore):
        """`shore`: silicon.hbm.Shore."""
        wide, high = PX * shore.width_mm, PX * shore.edge_mm
        left, top, side = MIDDLE - wide / 2, CENTRE - high / 2, shore.stacks // 2
        die, place = np.divmod(np.arange(side), max(shore.each, 1))
        y = np.tile(top + PX * (die * shore.die_mm + shore.spare_mm / 2 + place * shore.pitch_mm + 0.4), 2)
        x = np.repeat([left - PX * (DEEP + GAP), left + wide + PX * GAP], side)
        tall = PX * (shore.pitch_mm - 0.8)
        around = PX * (DEEP + 2 * GAP)
        base = boxes("base", [0], left - around, top - 10, wide + 2 * around, high + 20, "muted tint")
        each = shore.dies
        dies = boxes(
            "dies",
            range(each),
            left,
            top + high / each * np.arange(each),
            wide,
            high / each,
            "compute tint",
            "die" if each == 1 else ["die", "die"],
            15,
        )
        stacks = boxes(
            "stacks",
            range(len(x)),
            x,
            y,
            PX * DEEP,
            tall,
            "memory tint",
            "HBM",
            13,
            who=[f"stack {i + 1}" for i in range(len(x))],
            says=f"one of {shore.stacks}, {number(shore.pitch_mm)} mm apart",
        )
        pins = lines(
            "wires",
            range(len(x)),
            np.where(x < left, x + PX * DEEP, left + wide),
            y + tall / 2,
            np.where(x < left, left, x),
            y + tall / 2,
            "memory",
            6,
        )
        edge = f"{' + '.join([f'{shore.die_mm}'] * shore.dies)} mm of edge on each side"
        head = texts(
            "head",
            range(2),
            [20, MIDDLE],
            [16, top + high + 28],
            ["to scale", edge],
            ["ink bold start", "ink"],
            [14, 13],
        )
        return [base, dies, pins, stacks, head, *self._told(shore), *self._bars(shore)]

    def _told(self, shore):
        spare, each = shore.spare_mm, "each edge" if shore.dies == 1 else "each die's edge"
        words = [
            f"{shore.stacks} stacks",
            f"{shore.pins:,} pins at {number(shore.gbit_per_pin)} Gbit/s",
            f"{number(spare)} mm of {each} left over" if spare > 0.05 else "both edges are full",
            si(shore.bytes_per_s, "B/s"),
        ]
        roles = ["ink bold start", "ink start", "muted start", "memory bold start"]
        return [texts("told", range(4), BARS - 28, [56, 84, 108, 144], words, roles, [19, 14, 13, 22])]

    def _bars(self, shore):
        rates = {"this package": shore.bytes_per_s, **self.published}
        y = FIRST + STEP * np.arange(len(rates))
        long = np.minimum(np.array(list(rates.values())) / MOST, 1) * LONG
        names = texts("names", range(len(rates)), BARS - 28, y - 11, list(rates), "ink start", 13)
        roles = ["memory", *["muted"] * len(self.published)]
        bars = boxes(
            "bars",
            range(len(rates)),
            BARS - 28,
            y,
            long,
            14,
            roles,
            who=list(rates),
            says=[si(rate, "B/s") for rate in rates.values()],
        )
        words = texts(
            "rates", range(len(rates)), BARS - 20 + long, y + 7, [si(r, "B/s") for r in rates.values()], "ink start", 13
        )
        return [names, bars, words]

    def say(self, shore):
        """Stacks and bandwidth."""
        what = "One die" if shore.dies == 1 else "Two dies"
        return (
            f"{what} with {shore.edge_mm} mm of edge on each side: room for {shore.stacks} stacks at "
            f"{number(shore.pitch_mm)} mm each, {si(shore.bytes_per_s, 'B/s')}."
        )
