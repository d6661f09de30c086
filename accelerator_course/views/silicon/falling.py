"""Defects fall on a wafer; the die that was hit last is enlarged beside it."""

import numpy as np

from accelerator_course.views.silicon.wafer import Disc, numbered
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

ROLES = ("good tint", "compute tint dashed", "bad")
NAMES = ("good", "salvaged", "scrap")
SIGN = 15  # pixels that a die needs for a sign in it


class Tally:
    """How many dies are good, salvaged, scrap, and what share can be sold beside the formula."""

    def __init__(self, left, top, wide):
        self.left, self.top, self.wide = left, top, wide

    def marks(self, fallen):
        counts = np.array(fallen.counts)
        y = self.top + 27 * np.arange(3)
        wide = counts / max(counts.sum(), 1) * self.wide
        bar, sold, many = self.top + 112, fallen.sold * self.wide, fallen.formula * self.wide
        return [
            texts("tally-names", range(3), self.left - 8, y + 9, NAMES, "ink end", 13),
            boxes("tally", range(3), self.left, y, wide, 18, ROLES, who=NAMES, says=[f"{n:,} dies" for n in counts]),
            texts(
                "tally-counts", range(3), self.left + wide + 6, y + 9, [f"{n:,}" for n in counts], "ink bold start", 13
            ),
            texts("sold-name", [0], self.left - 8, bar + 9, ["sold"], "ink end", 13),
            boxes(
                "sold", [0], self.left, bar, sold, 18, "good", who="sold", says=f"{percent(fallen.sold)} of the dies"
            ),
            texts("sold-share", [0], self.left + self.wide + 6, bar + 9, [percent(fallen.sold)], "ink bold start", 13),
            lines("many", [0], self.left + many, bar - 6, self.left + many, bar + 26, "ink dashed", 2.5),
            texts(
                "many-name",
                [0],
                self.left + min(max(many, 50), self.wide - 50),
                bar - 16,
                [f"many wafers {percent(fallen.formula)}"],
                "ink",
                12,
            ),
            lines(
                "tally-axis",
                range(2),
                self.left,
                [self.top - 4, bar - 4],
                self.left,
                [self.top + 76, bar + 22],
                "muted",
                1.2,
            ),
        ]


def looks(fallen, scale):
    """Role, sign and words of every die."""
    role = pick(ROLES, fallen.states)
    room = min(fallen.cut.width, fallen.cut.height) * scale >= SIGN
    signs = pick(("", "s", "×"), fallen.states) if room else ""
    return role, signs


class Falling(Stage):
    """Defects on a wafer: one in every state, and what becomes of the dies.

    >>> view = Falling()
    >>> run = list(silicon.fall(spare=3))
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    >>> view.show(list(silicon.fall(60, 0.05, 3))[5])
    """

    size, noun = (740, 440), "step"

    def __init__(self):
        self.disc, self.tally = Disc(4, 10, 420), Tally(520, 290, 140)

    def marks(self, fallen):
        """`fallen`: silicon.falling.Fallen."""
        role, signs = looks(fallen, self.disc.scale)
        dies = self.disc.dies(fallen.cut, role, signs, self._says(fallen))
        shown = [*self.disc.marks(fallen.cut.edge), dies, *self._dots(fallen)]
        return [*shown, *self._enlarged(fallen), *self.tally.marks(fallen)]

    def _says(self, fallen):
        """What every die has become; few different sentences for many dies."""
        kinds, which = np.unique(np.column_stack([fallen.states, fallen.bad_units]), axis=0, return_inverse=True)
        words = [f"{NAMES[state]}, {counted(bad, 'bad unit')}" if bad else NAMES[state] for state, bad in kinds]
        return pick(words, which)

    def _dots(self, fallen):
        """Defects so far; a ring around the last one."""
        n, (x, y) = len(fallen.points), self.disc.at(fallen.points).T
        where = ["beside the dies" if d < 0 else f"in die {d + 1}" for d in fallen.die]
        return [
            boxes(
                "defects",
                range(n),
                x - 2.5,
                y - 2.5,
                5,
                5,
                "ink round",
                who=numbered("defect", n),
                says=where,
            ),
            boxes("ring", range(len(x[-1:])), x[-1:] - 8, y[-1:] - 8, 16, 16, "ink line round"),
        ]

    def _enlarged(self, fallen):
        """The die that was hit last, or an untouched one: its units, those that are bad, its defects."""
        die = fallen.last
        height = 200
        scale = height / fallen.cut.height
        left, top = 456, 44
        points, bad = fallen.within(die) if die is not None and die >= 0 else (np.zeros((0, 2)), np.zeros(0, int))
        x, y, wide, high = fallen.units.boxes().T * scale
        broken = np.isin(np.arange(fallen.units.count), bad)
        spots = points * scale + [left, top]
        title = "no die was hit" if die == -1 else "a die" if die is None else f"die {die + 1}, hit last"
        words = self._verdict(fallen, die, bad)
        beside = left + fallen.cut.width * scale + 10
        return [
            boxes("die", [0], left, top, fallen.cut.width * scale, height, "muted tint"),
            boxes(
                "units",
                range(len(x)),
                left + x,
                top + y,
                wide - np.minimum(1, wide / 6),
                high - np.minimum(1, high / 6),
                pick(("good tint", "bad"), broken),
            ),
            boxes("spots", range(len(spots)), spots[:, 0] - 3.5, spots[:, 1] - 3.5, 7, 7, "ink round"),
            texts("die-title", [0], left, 24, [title], "ink bold start", 14),
            texts(
                "verdict",
                range(len(words)),
                beside,
                [top + 12 + 19 * i for i in range(len(words))],
                words,
                ["ink start"] * len(words),
                13,
            ),
        ]

    def _verdict(self, fallen, die, bad):
        if die is None or die < 0:
            return [f"{fallen.units.count} units", "in the", "green"]
        count, outside = len(np.unique(bad[bad >= 0])), (bad < 0).any()
        words = [counted(count, "bad unit")] if count or not outside else []
        words += ["hit outside", "the units:"] if outside else [f"{fallen.spare} allowed:"]
        return [*words, NAMES[fallen.states[die]]]

    def say(self, fallen):
        good, salvaged, scrap = fallen.counts
        kept = f", {salvaged:,} salvaged" if fallen.spare else ""
        dies = f"{good + salvaged + scrap:,} dies: {good:,} good{kept}, {scrap:,} scrap"
        return (
            f"{len(fallen.points)} of {fallen.most} defects have fallen on {dies}. {percent(fallen.sold)} can be "
            f"sold (once all have fallen, of many wafers {percent(fallen.formula)})."
        )
