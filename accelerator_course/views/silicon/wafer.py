"""A wafer, drawn as a wafer: the disc with its notch and edge, and the dies on it, to scale."""

from functools import lru_cache

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import percent

RADIUS = 150  # mm
NOTCH = "M-7 0L0 -9L7 0"


@lru_cache(64)
def numbered(noun, count):
    """("die 1", "die 2" ...): the same tuple for every state."""
    return tuple(f"{noun} {n + 1}" for n in range(count))


class Disc:
    """Where a wafer stands on a stage [px], and how many pixels a millimetre has there."""

    def __init__(self, left, top, size):
        self.left, self.top, self.size, self.scale = left, top, size, size / (2 * RADIUS)
        self.middle = np.array([left + size / 2, top + size / 2])

    def at(self, points):
        """Pixels of points [n, 2] in mm from the middle of the wafer."""
        return self.middle + np.asarray(points, float).reshape(-1, 2) * self.scale

    def marks(self, edge):
        """The disc, its edge where no die may lie, its notch."""
        inner = 2 * (RADIUS - edge) * self.scale
        rim = self.middle - inner / 2
        x, y = [self.left, rim[0]], [self.top, rim[1]]
        return [
            boxes("disc", range(2), x, y, [self.size, inner], [self.size, inner], ["muted tint round", "paper round"]),
            paths("notch", [0], NOTCH, self.middle[0], self.top + self.size, "paper"),
        ]

    def dies(self, cut, role, text="", says="", who=True):
        """The dies of a silicon.wafer.Cut; the middle one has the key of the middle in every grid."""
        corners = self.at(cut.corners)
        i, j = np.rint(2 * cut.centres / [cut.width + cut.scribe, cut.height + cut.scribe]).astype(int).T // 2
        wide, high = cut.width * self.scale, cut.height * self.scale
        names = numbered("die", len(cut.centres)) if who else ""
        return boxes("dies", (i + 512) * 1024 + j, *corners.T, wide, high, role, text, 13, names, says)


class Dies(Stage):
    """Dies on a wafer: each where it lies, and beside it the field that a scanner exposes at once.

    >>> view = Dies()
    >>> view.show(silicon.cut(800, 1.2))
    >>> view.show(silicon.cut(800, 1.0))
    >>> view.show(silicon.cut(50, 2.0, 0.0, 0.0))
    """

    size, noun = (740, 440), "wafer"

    def __init__(self):
        self.disc = Disc(6, 10, 420)

    def marks(self, cut):
        """`cut`: silicon.wafer.Cut."""
        role = "other tint" if cut.fits else "bad tint"
        return [*self.disc.marks(cut.edge), self.disc.dies(cut, role), *self._field(cut), *self._counts(cut)]

    def _field(self, cut):
        """The die in the corner of the field, both six pixels a millimetre; turned to lie as the field does."""
        left, top, scale = 476, 52, 5.0
        wide, high = sorted((cut.width, cut.height))
        told = f"die {wide:.1f} × {high:.1f} mm"
        return [
            boxes("field-die", [0], left, top, wide * scale, high * scale, "other tint" if cut.fits else "bad tint"),
            boxes("field", [0], left, top, 26 * scale, 33 * scale, "ink line dashed", who="the exposure field",
                  says="what a scanner prints at once"),
            texts("field-names", range(2), left, [20, 38], ["field 26 × 33 mm", told],
                  ["ink bold start", f"{'other' if cut.fits else 'bad'} bold start"], 13),
            texts("verdict", [0], [left + max(wide, 26) * scale + 12], top + 18,
                  ["fits" if cut.fits else "too large"], f"{'good' if cut.fits else 'bad'} bold start", 14),
        ]  # fmt: skip

    def _counts(self, cut):
        """Two bars from zero: dies placed, dies by the formula."""
        left, top, most = 476, 330, 150
        counts = np.array([len(cut.centres), cut.formula])
        wide = counts / max(counts.max(), 1) * most
        names = ["dies placed one by one", "dies by the formula"]
        return [
            texts("count-names", range(2), left + 4, [top, top + 52], names, "ink start", 13),
            boxes("counts", range(2), left, [top + 11, top + 63], wide, 18, ["other", "muted"]),
            texts("count-numbers", range(2), left + wide + 6, [top + 20, top + 72],
                  [f"{counts[0]:,.0f}", f"{counts[1]:,.1f}"], "ink bold start", 13),
            lines("count-axis", [0], [left], top + 8, [left], top + 84, "muted", 1.2),
        ]  # fmt: skip

    def say(self, cut):
        dies = f"{len(cut.centres):,} dies of {cut.width:.1f} × {cut.height:.1f} mm, {cut.area:,.0f} mm² each"
        fits = "" if cut.fits else " But no scanner prints one: it is larger than the field of 26 × 33 mm."
        return f"{dies}; the formula says {cut.formula:,.1f}. They use {percent(cut.used)} of the wafer.{fits}"
