"""The die grows; defects stay. Beside the wafer: dollars for a good square millimetre."""

import numpy as np

from accelerator_course.views.silicon.falling import looks
from accelerator_course.views.silicon.wafer import Disc
from accelerator_course.views.stage import Stage, boxes, lines, paths, texts

LEFT, TOP, WIDE, HIGH = 486, 50, 236, 300  # of the diagram
STEPS = (0.5, 1, 2, 5, 10, 20, 50, 100)


class Growing(Stage):
    """The die grows: the defects stay where they are, and a good square millimetre becomes dearer.

    >>> view = Growing(("wafer at $17,000", "modelled, 2020"))
    >>> run = list(silicon.grow())
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    >>> view.show(list(silicon.grow(defects_per_cm2=0.5, spare=3))[-1])
    """

    size, noun = (740, 440), "size"

    def __init__(self, price):
        """`price`: of a wafer, and its basis: two lines."""
        self.disc, self.price = Disc(4, 10, 420), price

    def marks(self, grown):
        """`grown`: silicon.growing.Grown."""
        wafer = grown.wafer
        role, signs = looks(wafer, self.disc.scale)
        x, y = self.disc.at(wafer.points).T
        return [
            *self.disc.marks(wafer.cut.edge),
            self.disc.dies(wafer.cut, role, signs, who=False),
            boxes("defects", range(len(x)), x - 3, y - 3, 6, 6, "ink round"),
            *self._diagram(grown),
        ]

    def _diagram(self, grown):
        finite = grown.formula[np.isfinite(grown.formula)]
        top = next((step for step in STEPS if 1.05 * finite.max() <= step), STEPS[-1])
        across = LEFT + grown.areas / grown.areas[-1] * WIDE
        up = TOP + HIGH - np.minimum(grown.formula / top, 1) * HIGH
        line = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(across, up, strict=True))
        there = np.flatnonzero(np.isfinite(grown.counted))
        height = np.minimum(grown.counted[there] / top, 1.03)
        here = np.flatnonzero(there == len(grown.counted) - 1)
        edge = np.full(len(there), 6.0)
        edge[here] = 11
        role = ["compute round"] * len(there)
        x, y = across[there], TOP + HIGH - height * HIGH
        names = [f"{grown.areas[i]:,.0f} mm²" for i in there]
        says = [f"${grown.counted[i]:,.2f} for a good mm², counted" for i in there]
        ticks = np.array([0, 200, 400, 600, 800])
        return [
            lines("axes", range(2), LEFT, [TOP, TOP + HIGH], [LEFT, LEFT + WIDE], TOP + HIGH, "muted", 1.2),
            texts("across", range(5), LEFT + ticks / grown.areas[-1] * WIDE, TOP + HIGH + 16, ticks, "muted", 12),
            texts(
                "up",
                range(3),
                LEFT - 8,
                [TOP + HIGH, TOP + HIGH / 2, TOP],
                ["0", f"${top / 2:g}", f"${top:g}"],
                "muted end",
                12,
            ),
            lines(
                "grid",
                range(2),
                LEFT,
                [TOP, TOP + HIGH / 2],
                LEFT + WIDE,
                [TOP, TOP + HIGH / 2],
                "muted dashed faint",
                1,
            ),
            texts(
                "labels",
                range(4),
                [LEFT - 8, LEFT + WIDE, LEFT - 8, LEFT - 8],
                [18, TOP + HIGH + 36, TOP + HIGH + 60, TOP + HIGH + 79],
                ["cost of a good mm²", "area of the die [mm²]", *self.price],
                ["ink bold start", "ink end", "muted start", "muted start"],
                [13, 12, 12, 12],
            ),
            paths("formula", [0], [line], role="ink line", size=2.5),
            boxes("counted", there, x - edge / 2, y - edge / 2, edge, edge, role, who=names, says=says),
            texts(
                "key",
                range(2),
                LEFT + 14,
                [TOP + 14, TOP + 34],
                ["— Murphy, many wafers", "● counted on this one"],
                ["ink start", "compute start"],
                12,
            ),
        ]

    def say(self, grown):
        sold = sum(grown.wafer.counts[:2])
        each = f"${grown.counted[-1]:.2f}" if np.isfinite(grown.counted[-1]) else "no price"
        kept = "can be sold" if grown.wafer.spare else "are good"
        return (
            f"{grown.area:,.0f} mm²: {sold:,} of {len(grown.wafer.cut.centres):,} dies {kept} on this wafer, {each} "
            f"for a good mm²; Murphy's formula says ${grown.expected:.2f}."
        )
