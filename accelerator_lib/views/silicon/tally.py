"""What becomes of the dies of a wafer: their roles and signs, and bars that count them."""

import numpy as np

from accelerator_lib.units import percent
from accelerator_lib.views.stage import boxes, lines, pick, texts

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
