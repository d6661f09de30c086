"""A wafer, drawn as a wafer: the dies on it, the defects that fall on them, and what a good die costs."""

from functools import lru_cache

import numpy as np

from accelerator_course.views.kit import bars, below, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent

RADIUS, FIELD = 150, (26, 33)  # of a wafer, and what a scanner prints at once [mm]
NOTCH = "M-7 0L0 -9L7 0"
LOOKS = {"good": "good tint", "salvaged": "compute tint dashed", "scrap": "bad"}  # of a die, by its state
SIGN = 15  # pixels that a die needs for a sign in it


@lru_cache(64)
def numbered(noun, count):
    """("die 1", "die 2" ...): the same tuple for every state."""
    return tuple(f"{noun} {n + 1}" for n in range(count))


class Disc:
    """Where a wafer stands on a stage [px], and how many pixels a millimetre has there."""

    def __init__(self, left, top=10, size=420, name=""):
        self.left, self.top, self.size, self.scale, self.name = left, top, size, size / (2 * RADIUS), name
        self.middle = np.array([left + size / 2, top + size / 2])

    def at(self, points):
        """Pixels of points [n, 2] in mm from the middle of the wafer."""
        return self.middle + np.asarray(points, float).reshape(-1, 2) * self.scale

    def marks(self, edge):
        """The disc, its edge where no die may lie, its notch."""
        (x, y), inner = self.middle, 2 * (RADIUS - edge) * self.scale
        return [
            spots(f"{self.name}disc", [0], [x], [y], self.size, "muted tint round"),
            spots(f"{self.name}inside", [0], [x], [y], inner, "paper round"),
            paths(f"{self.name}notch", [0], NOTCH, x, self.top + self.size, "paper"),
        ]

    def dies(self, cut, role, text="", says="", who=True):
        """The dies of a silicon.wafer.Cut; the middle one has the key of the middle in every grid."""
        i, j = np.rint(2 * cut.centres / [cut.width + cut.scribe, cut.height + cut.scribe]).astype(int).T // 2
        wide, high = cut.width * self.scale, cut.height * self.scale
        names = numbered("die", len(cut.centres)) if who else ""
        return boxes(
            f"{self.name}dies", (i + 512) * 1024 + j, *self.at(cut.corners).T, wide, high, role, text, 13, names, says
        )

    def fallen(self, fallen, says="", who=True):
        """The dies of a silicon.falling.Fallen: good, salvaged or scrap."""
        room = min(fallen.cut.width, fallen.cut.height) * self.scale >= SIGN
        signs = pick(("", "s", "×"), fallen.states) if room else ""
        return self.dies(fallen.cut, pick(tuple(LOOKS.values()), fallen.states), signs, says, who)


class Dies(Stage):
    """Dies on a wafer: each where it lies, and beside it the field that a scanner exposes at once.

    >>> view = Dies()
    >>> view.show(silicon.cut(800, 1.2))
    >>> view.show(silicon.cut(800, 1.0))
    >>> view.show(silicon.cut(50, 2.0, 0.0, 0.0))
    """

    size, noun = (740, 440), "wafer"

    def __init__(self):
        self.disc = Disc(6)

    def marks(self, cut):
        """`cut`: silicon.wafer.Cut."""
        role = "other tint" if cut.fits else "bad tint"
        return [*self.disc.marks(cut.edge), self.disc.dies(cut, role), *self._field(cut, role), *self._counts(cut)]

    def _field(self, cut, role):
        """The die in the corner of the field, turned to lie as the field does."""
        left, top, scale = 476, 52, 5.0
        wide, high = sorted((cut.width, cut.height))
        x, y = FIELD[0] * scale, FIELD[1] * scale
        hover = {"who": "the exposure field", "says": "what a scanner prints at once"}
        size, fits = f"die {wide:.1f} × {high:.1f} mm", ("fits", "good") if cut.fits else ("too large", "bad")
        return [
            boxes("field-die", [0], left, top, wide * scale, high * scale, role),
            boxes("field", [0], left, top, x, y, "ink line dashed", **hover),
            below(
                "names", left, 20, ["field 26 × 33 mm", (size, f"{role.split()[0]} bold start")], 18, "ink bold start"
            ),
            words("fits", (left + max(wide * scale, x) + 12, top + 18, fits[0], f"{fits[1]} bold start", 14)),
        ]

    def _counts(self, cut):
        """Two bars from zero: dies placed, dies by the formula."""
        left, y = 476, rows(350, 52, 2)
        counts = np.array([len(cut.centres), cut.formula])
        long, said = 150 * counts / max(counts.max(), 1), [f"{counts[0]:,.0f}", f"{counts[1]:,.1f}"]
        return [
            below("rows", left + 4, 330, ["dies placed one by one", "dies by the formula"], 52),
            *bars("counts", range(2), left, y, long, 18, ["other", "muted"], said, "ink bold start"),
            lines("axis", [0], left, 338, left, 414, "muted", 1.2),
        ]

    def say(self, cut):
        dies = f"{len(cut.centres):,} dies of {cut.width:.1f} × {cut.height:.1f} mm, {cut.area:,.0f} mm² each"
        fits = "" if cut.fits else " But no scanner prints one: it is larger than the field of 26 × 33 mm."
        return f"{dies}; the formula says {cut.formula:,.1f}. They use {percent(cut.used)} of the wafer.{fits}"


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
        self.disc = Disc(4)

    def marks(self, fallen):
        """`fallen`: silicon.falling.Fallen."""
        dies = [*self.disc.marks(fallen.cut.edge), self.disc.fallen(fallen, self._says(fallen))]
        return [*dies, *self._defects(fallen), *self._enlarged(fallen), *self._tally(fallen)]

    def _says(self, fallen):
        """What every die has become; few different sentences for many dies."""
        kinds, which = np.unique(np.column_stack([fallen.states, fallen.bad_units]), axis=0, return_inverse=True)
        names = tuple(LOOKS)
        said = [f"{names[state]}, {counted(bad, 'bad unit')}" if bad else names[state] for state, bad in kinds]
        return pick(said, which)

    def _defects(self, fallen):
        """Defects so far; a ring around the last one."""
        n, (x, y) = len(fallen.points), self.disc.at(fallen.points).T
        where = ["beside the dies" if die < 0 else f"in die {die + 1}" for die in fallen.die]
        return [
            spots("defects", range(n), x, y, 5, "ink round", who=numbered("defect", n), says=where),
            spots("ring", range(len(x[-1:])), x[-1:], y[-1:], 16, "ink line round"),
        ]

    def _enlarged(self, fallen):
        """The die that was hit last, or an untouched one: its units, those that are bad, its defects."""
        die, left, top, high = fallen.last, 456, 44, 200
        scale = high / fallen.cut.height
        points, bad = fallen.within(die) if die is not None and die >= 0 else (np.zeros((0, 2)), np.zeros(0, int))
        x, y, wide, tall = fallen.units.boxes().T * scale
        units = left + x, top + y, wide - np.minimum(1, wide / 6), tall - np.minimum(1, tall / 6)
        title = "no die was hit" if die == -1 else "a die" if die is None else f"die {die + 1}, hit last"
        right = left + fallen.cut.width * scale
        return [
            boxes("die", [0], left, top, right - left, high, "muted tint"),
            boxes("units", range(len(x)), *units, pick(("good tint", "bad"), np.isin(np.arange(len(x)), bad))),
            spots("spots", range(len(points)), *(points * scale + [left, top]).T, 7, "ink round"),
            words("title", (left, 24, title, "ink bold start", 14)),
            below("verdict", right + 10, top + 12, self._verdict(fallen, die, bad), 19),
        ]

    def _verdict(self, fallen, die, bad):
        if die is None or die < 0:
            return [f"{fallen.units.count} units", "in the", "green"]
        count, outside = fallen.bad_units[die], (bad < 0).any()
        found = [counted(count, "bad unit")] if count or not outside else []
        found += ["hit outside", "the units:"] if outside else [f"{fallen.spare} allowed:"]
        return [*found, list(LOOKS)[fallen.states[die]]]

    def _tally(self, fallen):
        """How many dies are good, salvaged, scrap, and what share can be sold beside the formula."""
        left, wide, y, sold = 520, 140, rows(299, 27, 3), 411
        counts, names, many = np.array(fallen.counts), tuple(LOOKS), left + wide * fallen.formula
        numbers, share = [f"{n:,}" for n in counts], percent(fallen.sold)
        said = {"said": numbers, "look": "ink bold start", "who": names, "says": [f"{n} dies" for n in numbers]}
        return [
            texts("names", range(4), left - 8, [*y, sold], [*names, "sold"], "ink end"),
            *bars("tally", range(3), left, y, wide * counts / max(counts.sum(), 1), 18, [*LOOKS.values()], **said),
            *bars("sold", [0], left, [sold], wide * fallen.sold, 18, "good", who="sold", says=f"{share} of the dies"),
            lines("many", [0], many, sold - 15, many, sold + 17, "ink dashed", 2.5),
            words(
                "shares",
                (left + wide + 6, sold, share, "ink bold start"),
                (
                    min(max(many, left + 50), left + wide - 50),
                    sold - 25,
                    f"many wafers {percent(fallen.formula)}",
                    "ink",
                    12,
                ),
            ),
            lines("axis", range(2), left, [y[0] - 13, sold - 13], left, [y[2] + 13, sold + 13], "muted", 1.2),
        ]

    def say(self, fallen):
        good, salvaged, scrap = fallen.counts
        kept = f", {salvaged:,} salvaged" if fallen.spare else ""
        dies = f"{good + salvaged + scrap:,} dies: {good:,} good{kept}, {scrap:,} scrap"
        many = f"; over many wafers {percent(fallen.formula)}" if len(fallen.points) == fallen.most else ""
        here = f"{len(fallen.points)} of {fallen.most} defects have fallen on {dies}"
        return f"{here}. {percent(fallen.sold)} can be sold{many}."


class Rain(Stage):
    """The same defects on two wafers, one with small dies and one with large ones, and what a good die costs.

    >>> view = Rain()
    >>> run = list(frames.silicon.rain())
    >>> view.show(run[0])
    >>> view.show(run[12])
    >>> view.show(run[-1])
    >>> view.show(list(frames.silicon.rain(858, 0.5))[-1])
    """

    size, noun = (740, 470), "step"

    def __init__(self):
        self.discs = Disc(24, 34, 316, "small "), Disc(400, 34, 316, "large ")

    def marks(self, rain):
        """`rain`: frames.silicon.Rain."""
        made = [layer for pair in zip(self.discs, rain.wafers, strict=True) for layer in self._wafer(*pair)]
        return [*made, *self._words(rain), *self._dollars(rain)]

    def _wafer(self, disc, fallen):
        x, y = disc.at(fallen.points).T
        return [
            *disc.marks(fallen.cut.edge),
            disc.fallen(fallen, who=False),
            spots(f"{disc.name}defects", range(len(x)), x, y, 6, "ink round"),
        ]

    def _words(self, rain):
        """Above each wafer its dies, below it how many are good."""
        middles = np.array([disc.middle[0] for disc in self.discs])
        heads = [f"dies of {one.cut.area:,.0f} mm²" for one in rain.wafers]
        good = [f"{one.saleable:,} of {len(one.states):,} dies are good" for one in rain.wafers]
        return [
            texts("heads", range(2), middles, 16, heads, "ink bold", 15),
            texts("good", range(2), middles, 370, good, "good bold", 14),
        ]

    def _dollars(self, rain):
        """Two bars from zero: what a good die costs on each wafer."""
        left, y, long = 110, rows(412, 30, 2), 380
        usd, names = rain.usd, [f"{one.cut.area:,.0f} mm²" for one in rain.wafers]
        said = ["none is good" if one is None else f"${one:,.0f}" for one in usd]
        wide = long * np.array([one or 0 for one in usd]) / rain.most
        many = [f"many wafers: ${one:,.0f}" if rain.ended else "" for one in rain.many]
        return [
            words("bill", (left, 391, f"a good die costs (a wafer costs ${rain.wafer_usd:,.0f})", "ink bold start")),
            texts("names", range(2), left - 8, y, names, "ink end"),
            *bars("dollars", range(2), left, y, wide, 20, "compute", said, "ink bold start", names, said),
            texts("many", range(2), 730, y, many, "muted end"),
            lines("zero", [0], left, y[0] - 14, left, y[1] + 14, "ink", 1.5),
        ]

    def say(self, rain):
        small, large = rain.wafers
        fallen = f"{counted(rain.fallen, 'defect')} of {large.most} on each wafer"
        if rain.times is None:
            return f"{fallen}: no die of {large.cut.area:,.0f} mm² is good."
        here = (
            f"a good die of {large.cut.area:,.0f} mm² costs {number(rain.times)} times one of {small.cut.area:,.0f} mm²"
        )
        return f"{fallen}: {here}" + (f"; over many wafers {number(rain.many_times)} times." if rain.ended else ".")
