"""Ranks in a circle: where they, their chunks and what they send stand."""

from math import cos, pi, sin

import numpy as np

from accelerator_course.views.stage import boxes, pick

MIDDLE, RADIUS = (238, 242), {2: 132, 4: 148, 8: 170}
FAR = 178  # of many ranks
CELLS = {2: (2, 1, 58, 42), 4: (2, 2, 42, 30), 8: (4, 2, 30, 22)}  # ranks: columns, rows, width, height of a chunk
SMALL = 60, 36  # the card of many ranks
HUB = 62, 78  # around the switch: few ranks, many
SWITCH = -1


class Circle:
    """Where ranks, their chunks and what they send stand."""

    def __init__(self, ranks):
        self.ranks = ranks
        angle = -pi / 2 + 2 * pi * np.arange(ranks) / ranks
        self.radius = RADIUS.get(ranks, FAR)
        self.angle = angle
        self.x = MIDDLE[0] + self.radius * np.cos(angle)
        self.y = MIDDLE[1] + self.radius * np.sin(angle)
        self.columns, rows, wide, high = CELLS.get(ranks, (ranks, 1, SMALL[0] / ranks, SMALL[1]))
        self.cell_wide, self.cell_high = wide, high
        self.wide, self.high = self.columns * wide, rows * high
        beside = (np.abs(np.cos(angle)) > 0.8) & (ranks > 8)  # above and below, arrows pass
        self.label_x = self.x + np.where(beside, np.sign(np.cos(angle)) * (self.wide / 2 + 13), 0)
        self.label_y = self.y + np.where(beside, 0, np.where(np.sin(angle) > 0.3, 1, -1) * (self.high / 2 + 13))

    def cell(self, rank, chunk):
        """x, y, width, height of chunks."""
        x = self.x[rank] - self.wide / 2 + chunk % self.columns * self.cell_wide
        y = self.y[rank] - self.high / 2 + chunk // self.columns * self.cell_high
        return x, y, self.cell_wide, self.cell_high

    def spot(self, rank):
        """The middle of a rank, or the switch."""
        return MIDDLE if rank == SWITCH else (self.x[rank], self.y[rank])

    def inner(self, rank, target=0):
        """Beside a rank, on the side of the middle; of the switch, on the side of who gets it."""
        if rank == SWITCH:
            angle, far = self.angle[target], self.ranks > 8
            return MIDDLE[0] + HUB[far] * cos(angle), MIDDLE[1] + HUB[far] * sin(angle)
        angle = self.angle[rank]
        off = abs(cos(angle)) * self.wide / 2 + abs(sin(angle)) * self.high / 2 + 20
        off = off if self.ranks <= 8 else off - 6
        return MIDDLE[0] + (self.radius - off) * cos(angle), MIDDLE[1] + (self.radius - off) * sin(angle)


def discs(keys, places, side, words, who, says, done=None):
    """Tokens as discs."""
    x, y = np.array(places, float).reshape(-1, 2).T
    role = pick(("compute round", "good round"), done) if done is not None else ["compute round"] * len(keys)
    return boxes("tokens", keys, x - side / 2, y - side / 2, side, side, role, words, 12, who, says)
