"""A wafer, drawn as a wafer: the dies on it, the defects that fall on them, spare units, and what a good die costs."""

from functools import lru_cache

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, pillars, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent

RADIUS, FIELD = 150, (26, 33)  # of a wafer, and what a scanner prints at once [mm]
LOOKS = {"good": "good tint", "salvaged": "compute tint dashed", "scrap": "bad"}  # of a die, by its state


@lru_cache(64)
def numbered(noun, count):
    """("die 1", "die 2" ...): the same tuple for every state."""
    return tuple(f"{noun} {n + 1}" for n in range(count))


class Disc:
    """Where a wafer stands on a stage [px], and how many pixels a millimetre has there."""

    def __init__(self, left, top=10, size=420, name=""):
        self.size, self.scale, self.name = size, size / (2 * RADIUS), name
        self.middle = np.array([left + size / 2, top + size / 2])

    def at(self, points):
        """Pixels of points [n, 2] in mm from the middle of the wafer."""
        return self.middle + np.asarray(points, float).reshape(-1, 2) * self.scale

    def dies(self, cut, role, text="", says="", who=True):
        """The disc, its edge where no die may lie, its notch, and the dies of a silicon.wafer.Cut.

        The middle die has the key of the middle in every grid."""
        (x, y), half, name = self.middle, self.size / 2, self.name
        i, j = np.rint(2 * cut.centres / [cut.width + cut.scribe, cut.height + cut.scribe]).astype(int).T // 2
        wide, high = cut.width * self.scale, cut.height * self.scale
        names = numbered("die", len(cut.centres)) if who else ""
        place = *self.at(cut.corners).T, wide, high
        return [
            spots(f"{name}disc", [0], [x], [y], self.size, "muted tint round"),
            spots(f"{name}inside", [0], [x], [y], 2 * (RADIUS - cut.edge) * self.scale, "paper round"),
            paths(f"{name}notch", [0], "M-7 0L0 -9L7 0", x, y + half, "paper"),
            boxes(f"{name}dies", (i + 512) * 1024 + j, *place, role, text, 13, names, says),
        ]

    def fallen(self, fallen, says="", who=True):
        """The same of a silicon.falling.Fallen: good, salvaged or scrap, with a sign where a die has room for one."""
        room = min(fallen.cut.width, fallen.cut.height) * self.scale >= 15
        signs = pick(("", "s", "×"), fallen.states) if room else ""
        return self.dies(fallen.cut, pick(tuple(LOOKS.values()), fallen.states), signs, says, who)


class Dies(Stage):
    """Dies on a wafer: each where it lies, and beside it the field that a scanner exposes at once.

    >>> view = Dies()
    >>> view.show(silicon.cut(800, 1.2)), view.show(silicon.cut(50, 2.0, 0.0, 0.0))
    """

    size, noun = (740, 440), "wafer"
    disc = Disc(6)

    def marks(self, cut):  # silicon.wafer.Cut
        left, top, scale = 476, 52, 5.0  # of the field; the die in its corner is turned to lie as it does
        (wide, high), (x, y) = sorted((cut.width, cut.height)), np.array(FIELD) * scale
        role, fits, sign = ("other tint", "fits", "good") if cut.fits else ("bad tint", "too large", "bad")
        names = ["field 26 × 33 mm", (f"die {wide:.1f} × {high:.1f} mm", f"{role.split()[0]} bold start")]
        hover = {"who": "the exposure field", "says": "what a scanner prints at once"}
        counts, look = np.array([len(cut.centres), cut.formula]), "ink bold start"
        long, said = 150 * counts / max(counts.max(), 1), [f"{counts[0]:,.0f}", f"{counts[1]:,.1f}"]
        yield from self.disc.dies(cut, role)
        yield boxes("field-die", [0], left, top, wide * scale, high * scale, role)
        yield boxes("field", [0], left, top, x, y, "ink line dashed", **hover)
        yield below("names", left, 20, names, 18, look)
        yield words("fits", (left + max(wide * scale, x) + 12, top + 18, fits, f"{sign} bold start", 14))
        yield below("rows", left + 4, 330, ["dies placed one by one", "dies by the formula"], 52)
        yield from bars("counts", range(2), left, rows(350, 52, 2), long, 18, ("other", "muted"), said, look)
        yield lines("axis", [0], left, 338, left, 414, "muted", 1.2)

    def say(self, cut):
        dies = f"{len(cut.centres):,} dies of {cut.width:.1f} × {cut.height:.1f} mm, {cut.area:,.0f} mm² each"
        fits = "" if cut.fits else " But no scanner prints one: it is larger than the field of 26 × 33 mm."
        return f"{dies}; the formula says {cut.formula:,.1f}. They use {percent(cut.used)} of the wafer.{fits}"


class Falling(Stage):
    """Defects on a wafer: one in every state, and what becomes of the dies.

    >>> view, run = Falling(), list(silicon.fall(spare=3))
    >>> view.show(run[0]), view.show(run[-1]), view.show(list(silicon.fall(60, 0.05, 3))[5])
    """

    size, noun = (740, 440), "step"
    disc = Disc(4)

    def marks(self, fallen):  # silicon.falling.Fallen
        kinds, which = np.unique(np.column_stack([fallen.states, fallen.bad_units]), axis=0, return_inverse=True)
        names, n = tuple(LOOKS), len(fallen.points)
        says = [f"{names[state]}, {counted(bad, 'bad unit')}" if bad else names[state] for state, bad in kinds]
        where = ["beside the dies" if die < 0 else f"in die {die + 1}" for die in fallen.die]
        x, y = self.disc.at(fallen.points).T
        yield from self.disc.fallen(fallen, pick(says, which))
        yield spots("defects", range(n), x, y, 5, "ink round", who=numbered("defect", n), says=where)
        yield spots("ring", range(len(x[-1:])), x[-1:], y[-1:], 16, "ink line round")
        # The die that was hit last, or an untouched one: its units, those that are bad, its defects
        die, left, top, high = fallen.last, 456, 44, 200
        scale, hit = high / fallen.cut.height, die is not None and die >= 0
        points, bad = fallen.within(die) if hit else (np.zeros((0, 2)), np.zeros(0, int))
        x, y, wide, tall = fallen.units.boxes().T * scale
        units = left + x, top + y, wide - np.minimum(1, wide / 6), tall - np.minimum(1, tall / 6)
        title = "no die was hit" if die == -1 else "a die" if die is None else f"die {die + 1}, hit last"
        right, verdict = left + fallen.cut.width * scale, [f"{fallen.units.count} units", "in the", "green"]
        if hit:
            count, outside = fallen.bad_units[die], (bad < 0).any()
            verdict = [counted(count, "bad unit")] if count or not outside else []
            verdict += ["hit outside", "the units:"] if outside else [f"{fallen.spare} allowed:"]
            verdict.append(list(LOOKS)[fallen.states[die]])
        yield boxes("die", [0], left, top, right - left, high, "muted tint")
        yield boxes("units", range(len(x)), *units, pick(("good tint", "bad"), np.isin(np.arange(len(x)), bad)))
        yield spots("spots", range(len(points)), *(points * scale + [left, top]).T, 7, "ink round")
        yield words("title", (left, 24, title, "ink bold start", 14))
        yield below("verdict", right + 10, top + 12, verdict, 19)
        # How many dies are good, salvaged, scrap, and what share can be sold beside the formula
        left, wide, y, sold = 520, 140, rows(299, 27, 3), 411
        counts, names, many = np.array(fallen.counts), [*LOOKS], left + wide * fallen.formula
        said, share = [f"{n:,}" for n in counts], percent(fallen.sold)
        long = wide * counts / max(counts.sum(), 1)
        hover = {"who": names, "says": [f"{n} dies" for n in said], "names": names}
        text, at = f"many wafers {percent(fallen.formula)}", min(max(many, left + 50), left + wide - 50)
        sell = {"who": "sold", "says": f"{share} of the dies", "names": ["sold"]}
        yield from bars("tally", range(3), left, y, long, 18, [*LOOKS.values()], said, "ink bold start", **hover)
        yield from bars("sold", [0], left, [sold], wide * fallen.sold, 18, "good", **sell)
        yield lines("many", [0], many, sold - 15, many, sold + 17, "ink dashed", 2.5)
        yield words("shares", (left + wide + 6, sold, share, "ink bold start"), (at, sold - 25, text, "ink", 12))
        yield lines("axis", range(2), left, [y[0] - 13, sold - 13], left, [y[2] + 13, sold + 13], "muted", 1.2)

    def say(self, fallen):
        good, salvaged, scrap = fallen.counts
        kept = f", {salvaged:,} salvaged" if fallen.spare else ""
        dies = f"{good + salvaged + scrap:,} dies: {good:,} good{kept}, {scrap:,} scrap"
        many = f"; over many wafers {percent(fallen.formula)}" if len(fallen.points) == fallen.most else ""
        here = f"{len(fallen.points)} of {fallen.most} defects have fallen on {dies}"
        return f"{here}. {percent(fallen.sold)} can be sold{many}."


class Rain(Stage):
    """The same defects on two wafers, one with small dies and one with large ones, and what a good die costs.

    >>> view, run = Rain(), list(frames.silicon.rain())
    >>> view.show(run[0]), view.show(run[-1]), view.show(list(frames.silicon.rain(858, 0.5))[-1])
    """

    size, noun = (740, 470), "step"
    discs = Disc(24, 34, 316, "small "), Disc(400, 34, 316, "large ")

    def marks(self, rain):
        """`rain`: frames.silicon.Rain. Above each wafer its dies, below it how many are good; dollars from zero."""
        made, left, y, middles = [], 110, rows(412, 30, 2), [disc.middle[0] for disc in self.discs]
        for disc, fallen in zip(self.discs, rain.wafers, strict=True):
            x, down = disc.at(fallen.points).T
            made += disc.fallen(fallen, who=False)
            made.append(spots(f"{disc.name}defects", range(len(x)), x, down, 6, "ink round"))
        names = [f"{one.cut.area:,.0f} mm²" for one in rain.wafers]
        good = [f"{one.saleable:,} of {len(one.states):,} dies are good" for one in rain.wafers]
        said = ["none is good" if one is None else f"${one:,.0f}" for one in rain.usd]
        wide, look = 380 * np.array([one or 0 for one in rain.usd]) / rain.most, "ink bold start"
        many = [f"many wafers: ${one:,.0f}" if rain.ended else "" for one in rain.many]
        yield from made
        yield texts("heads", range(2), middles, 16, [f"dies of {name}" for name in names], "ink bold", 15)
        yield texts("good", range(2), middles, 370, good, "good bold", 14)
        yield words("bill", (left, 391, f"a good die costs (a wafer costs ${rain.wafer_usd:,.0f})", look))
        yield from bars("dollars", range(2), left, y, wide, 20, "compute", said, look, names, said, names=names)
        yield texts("many", range(2), 730, y, many, "muted end")
        yield lines("zero", [0], left, y[0] - 14, left, y[1] + 14, "ink", 1.5)

    def say(self, rain):
        small, large = (f"{one.cut.area:,.0f} mm²" for one in rain.wafers)
        fallen = f"{counted(rain.fallen, 'defect')} of {rain.wafers[1].most} on each wafer"
        if rain.times is None:
            return f"{fallen}: no die of {large} is good."
        here = f"a good die of {large} costs {number(rain.times)} times as much as one of {small}"
        return f"{fallen}: {here}" + (f"; over many wafers {number(rain.many_times)} times." if rain.ended else ".")


class Redundancy(Stage):
    """Spare units: a die to scale, and the share that can be sold with 0 to 16 of its units bad.

    >>> view = Redundancy()
    >>> view.show(silicon.spares(814, 0.1, 144, 3, 3.4)), view.show(silicon.spares(814, 0.5, 4, 16, 100.0))
    """

    size, noun = (740, 440), "setting"
    blind = False  # whether a guess comes first: the one bar of this setting

    def marks(self, spares):  # silicon.salvage.Spares
        units, left, top, high = spares.units, 14, 40, 370
        x, y, wide, tall = units.boxes().T * high / units.height
        gap, free = np.minimum(1.5, wide / 6), np.arange(units.count) >= spares.needed
        place, role = (left + x, top + y, wide - gap, tall - gap), pick(("good tint", "paper"), free)
        says = list(np.where(free, "may be bad", "must work"))
        key = f"green: must work ({spares.needed}) · empty: may be bad ({units.count - spares.needed})"
        yield boxes("die", [0], left, top, units.width * high / units.height, high, "muted tint")
        yield boxes("units", range(units.count), *place, role, who=numbered("unit", units.count), says=says)
        yield words("size", (left, 18, f"{units.width:.1f} × {units.height:.1f} mm", "ink bold start", 14))
        yield words("key", (left, top + high + 15, key, "ink start", 12))
        chart = Chart((387, 730), (360, 60), (-0.525, 16.625), (0, 1))
        (left, end), floor, here, roof = chart.across, chart.up[0], spares.spare, chart.y(spares.ceiling)
        at = np.arange(len(spares.yields))
        rates = np.where(self.blind & (at != here), 0, spares.yields)
        who, says = [f"{n} spare" for n in at], [f"{_share(rate)} can be sold" for rate in rates]
        role, tall = pick(("other tint", "other"), at == here), floor - chart.y(rates)
        yield from chart.axes(range(0, 17, 4), (0, 0.5, 1), y_words=["0", "50 %", "100 %"])
        yield from pillars("bars", at, chart.x(at), floor, 15, tall, role, who=who, says=says)
        yield lines("ceiling", [0], left, roof, end, roof, "ink dashed", 2)
        yield words(
            "words",
            (350, 22, "share that can be sold", "ink bold start", 14),
            (end, roof - 12, f"at most {_share(spares.ceiling)}", "ink end", 12),
            (min(max(chart.x(here), left + 33), end - 32), floor + 36, _share(spares.here), "other bold", 14),
            (end, floor + 58, "units that may be bad", "ink end", 12),
        )

    def say(self, spares):
        count = spares.units.count
        said = f"{min(spares.spare, count)} of {counted(count, 'unit')} may be bad: {_share(spares.here)} of the dies "
        said += f"can be sold. That share is {_share(spares.yields[0])} if no unit may be bad, "
        return said + f"and {_share(spares.ceiling)} if all units may be bad."


def _share(value):
    return f"{100 * value:.1f} %"
