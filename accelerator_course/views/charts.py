"""What any function returns, as curves, bars or parts of bars; marks that follow the theme and answer the pointer.

The function is the law. `Lines` draws it along one of its arguments, over all positions of that slider, with a dot
where the slider stands; `Bars` and `Shares` draw what it returns at the controls.
"""

import re
from functools import cache
from itertools import pairwise

import numpy as np

from accelerator_course.views.kit import Chart, bars, in_rows, legend, shares, ticks, wide, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import number, percent, quantity, sentence, si

WIDE, LEFT, RIGHT = 760, 78, 738  # of a picture, and of its plot [px]
LOOKS = ("compute", "", "square"), ("memory", "dashed", "round"), ("other", "dashdot", "diamond")
LOOKS += (("good", "dotted", "triangle"),)
MARKED = ("other", "memory", "compute", "good")
PARTS = ("compute", "memory", "memory tint", "other", "muted tint", "good", "compute tint")
SHAPES = {  # around (0, 0), as wide as 12 px
    "square": "M-6 -6H6V6H-6Z",
    "round": "M6 0L4.2 4.2L0 6L-4.2 4.2L-6 0L-4.2 -4.2L0 -6L4.2 -4.2Z",
    "diamond": "M0 -7.5L7.5 0L0 7.5L-7.5 0Z",
    "triangle": "M0 -7L7 6H-7Z",
    "beyond": "M-5 -7L8 0L-5 7Z",
    "below": "M5 -7L-8 0L5 7Z",
    "down": "M0 7L7 -6H-7Z",
    "cross": "M-6 -6L6 6M-6 6L6 -6",
    "star": "M0 -10L2.6 -3.2L9.5 -3.1L4.2 1.3L6 8.1L0 4.3L-6 8.1L-4.2 1.3L-9.5 -3.1L-2.6 -3.2Z",
}
CARRIED = ("s", "B", "B/s", "J", "W", "FLOP/s")  # units that ticks carry with their prefixes


def tick_texts(unit, values, digits=6):
    """Ticks as words."""
    if unit == "%":
        return [f"{100 * value:.4g} %" for value in values]
    if unit in CARRIED:
        return [si(value, unit) if value else "0" for value in values]
    large = max(values, default=0) >= 1e7
    return [si(value) if large else number(value, digits) for value in values]


def bracket(unit):
    """A unit behind the label of an axis whose ticks do not carry it."""
    return "" if unit in ("%", "x", "", *CARRIED) else f" [{unit}]"


def logarithmic(low, high):
    """Whether an axis with these ends is drawn so, unless another way is asked for."""
    return low > 0 and high >= 100 * low


def key_rows(keys, left, right, top, name="key", gap=62, size=15):
    """(name, role, dash, shape) in rows: a line unless the dash is None, a sign unless the shape is; where they end."""
    rows = in_rows([gap + wide(words, size) for words, *_ in keys], left, right)  # 15: as in a hall
    x, y = np.array([place for place, _ in rows]), np.array([top + 21 * row for _, row in rows])
    lined, signed = ([i for i, key in enumerate(keys) if key[at] is not None] for at in (2, 3))
    dashes = [f"{keys[i][1]} {keys[i][2]}" for i in lined]
    shapes, roles = [SHAPES[keys[i][3]] for i in signed], [keys[i][1] for i in signed]
    middle, start = (15, 38) if lined else (7, 20)
    return [
        lines(f"{name} lines", lined, x[lined], y[lined], x[lined] + 30, y[lined], dashes, 2.5),
        paths(name, signed, shapes, x[signed] + middle, y[signed], roles, 2),
        texts(f"{name} words", range(len(keys)), x + start, y, [words for words, *_ in keys], "ink start", 13),
    ], y[-1] + 16


def ground(chart, x_name, y_name="", units=("", ""), x=None, y=None, said=(None, None)):
    """Axes of a chart: round ticks in the words of their units, names, lines below and at the left."""
    (left, right), (floor, top), (across, up) = chart.across, chart.up, chart.scales
    x = ticks(*across, "x" in chart.log) if x is None else np.asarray(x)
    y = ticks(*up, "y" in chart.log, 5) if y is None else np.asarray(y)
    sides = zip(said, units, (x, y), strict=True)
    words_x, words_y = (tick_texts(unit, at) if own is None else own or [""] * len(at) for own, unit, at in sides)
    yield from chart.axes(x, y, x_name, y_name, _apart(words_x, chart.x(x)), words_y)
    yield lines(f"{chart.name}foot", range(2), left, floor, [right, left], [floor, top], "muted", 1.2)


def curve(chart, name, x, y, role, size=2.5, who="", says=""):
    """A line through values, within the chart: it ends where it leaves it, and where there is no value."""
    floor, top = chart.up
    y = np.asarray(y, float) * np.ones(len(x))
    with np.errstate(divide="ignore", invalid="ignore"):
        points = np.column_stack([chart.x(x), np.where(np.isfinite(y), chart.y(y), np.nan)])
    way, last = "", None
    for begin, end in filter(None, (_piece(a, b, top, floor) for a, b in pairwise(points.tolist()))):
        way, last = f"{way}{'' if begin == last else f'M{begin}'}L{end}", end
    return paths(name, [0] * bool(way), [way] * bool(way), role=role, size=size, who=who, says=says)


@cache
def sized(shape, factor):
    """A shape, so many times as large."""
    return re.sub(r"-?[\d.]+", lambda found: f"{float(found[0]) * factor:.4g}", SHAPES[shape])


def signs(chart, name, key, x, y, shape, role, who="", says="", factor=1.0):
    """A sign of this shape at each point of a chart."""
    way = sized(shape, factor) if isinstance(shape, str) else [sized(one, factor) for one in shape]
    return paths(name, key, way, chart.x(x), chart.y(y), role, 2 if "line" in role else 1, who, says)


class Lines(Stage):
    """What a function returns, {name: number}, along its argument `over`.

    y, unit: the label and unit of the vertical axis ("%": a share of one); limits: its ends, logarithmic from 100x on.
    say: the sentence, a template such as "{m:row}: {one array:%} busy", or a function of (here, **given) that returns
    it; names are those of the results and of the controls. marks: {name: (x, y)}, published or measured points;
    (x, y, curve) in the look of that curve; or a function of the controls that gives them, where a switch hides them
    or where they move with a control. best: the curve whose highest point gets a star. dots: names of curves
    whose dot is seen, or a function of the controls that gives them, where a switch chooses. unplotted: results that
    only the sentence names. note: a template, filled in inside the picture.

    >>> view = Lines(over="m", y="busy PEs", unit="%", say="{m:row}: {one:%} against {two:%}.")
    >>> m = Axis("m", "M, rows", np.array([1, 10, 100]), log=True)
    >>> view.show(Along(m, {"one": [0, 0.1, 1], "two": [0, 0.5, 1]}, {"one": 0.1, "two": 0.5}, {"m": 10}))
    >>> view.show(Along(m, {"one": [0, 0.2, 1], "two": [1, 1, 1]}, {"one": 0.0, "two": 1.0}, {"m": 1}))
    """

    size, floor = (WIDE, 430), 372
    blind = False  # whether a guess comes first: the axes and the dot as the controls stand, no curve

    def __init__(self, over, y, unit="", limits=None, say=None, x=None, marks=None, best=None, dots=None, unplotted=(),
                 note="", log=None):  # fmt: skip
        if limits is None and unit != "%":
            raise ValueError(f"give the limits of {y!r} [{unit}]: the axis must hold still while sliders move")
        self.over, self.unit, self.limits, self.y, self.x = over, unit, limits or (0, 1.04), y, x
        self.sentence, self.given, self.best, self.dots = say, marks or {}, best, dots
        self.unplotted, self.note, self.chart = unplotted, note, None
        self.log = logarithmic(*self.limits) if log is None else log

    def marks(self, along):  # results.Along
        drawn = [name for name in along.here if name not in self.unplotted]
        looks = dict(zip(drawn, LOOKS * (1 + len(drawn) // len(LOOKS)), strict=False))
        points = self.given(**along.given) if callable(self.given) else self.given
        self.at, axis = along.at, along.axis
        keys = [(name, *looks[name]) for name in drawn if len(drawn) > 1]
        marked = list(self._named(points, looks))
        keys += [(name, f"{look[0]} line", None, look[2]) for name, look, xy in marked if np.ndim(xy[0])]
        head, top = key_rows(keys, LEFT, RIGHT, 44, size=19) if keys else ([], 40)  # 19: as on a phone
        ends = float(axis.values[0]), float(axis.values[-1])
        x, y = roomy(ends, axis.log, 0.015), roomy(self.limits, self.log, 0.02 * self.log)
        self.chart = Chart((LEFT, RIGHT), (self.floor, top), x, y, log="x" * axis.log + "y" * self.log)
        at = self._across(along.at)
        x, y = axis.values if axis.printed else ticks(*ends, axis.log), ticks(*self.limits, self.log, 5)
        unit = axis.unit if axis.unit in CARRIED or axis.unit == "%" else ""
        shown = list(axis.printed) if axis.printed else tick_texts(unit, x)
        label = (self.x or axis.label).removesuffix(f" [{unit}]")
        yield from ground(self.chart, label, "", ("", self.unit), x, y, (shown, None))
        yield words("y name", (16, 18, f"{self.y}{bracket(self.unit)}"))
        yield from head
        yield lines("cursor", [0], at, top, at, self.floor, "muted dotted", 1)
        if not self.blind:
            for name, (role, dash, _) in looks.items():
                role = f"{role} line {dash}".strip()
                yield curve(self.chart, name, axis.values, along.curves[name], role, 2.5, name)
            yield from self._points(marked)
        seen = self.dots(**along.given) if callable(self.dots) else self.dots or along.here
        here = {name: along.here[name] for name in drawn if name in seen and along.here[name] is not None}
        here = {name: value for name, value in here.items() if np.isfinite(value)}
        shapes, roles = [SHAPES[looks[name][2]] for name in here], [looks[name][0] for name in here]
        y, says = [self._up(one) for one in here.values()], [quantity(one, self.unit) for one in here.values()]
        yield paths("dots", list(here), shapes, at, y, roles, 1, list(here), says)
        if self.best is not None and not self.blind:
            place = int(np.nanargmax(along.curves[self.best]))
            value, who = along.curves[self.best][place], f"the best of {self.best}"
            star = SHAPES["star"], self._across(axis.values[place]), self._up(value)
            yield paths("best", [0], *star, "ink", 1, who, quantity(value, self.unit))
        if self.note:
            note = sentence(self.note, **{**along.given, **along.here})
            yield texts("note", [0], LEFT + 14, self.floor - 18, [note], "ink bold start", 14)
        yield from self.decorate()

    def decorate(self):
        """Further layers: a reference line, a label. For views that are more than a declaration."""
        return []

    def place(self, axis, value, row=None):
        """Shares of the picture: a value of the x axis over the whole height, one of y where the slider stands."""
        if axis == "x":
            return shares(self.size, self._across(value), self.chart.up[1], self.floor)
        return shares(self.size, self._across(self.at), self._up(value))

    def say(self, along):
        if callable(self.sentence):
            return self.sentence(along.here, **along.given)
        if self.sentence:
            return sentence(self.sentence, **{**along.given, **along.here})
        values = [f"{name} {quantity(value, self.unit)}".strip() for name, value in along.here.items()]
        return f"{along.axis.label} {quantity(along.at)}: {', '.join(values)}."

    def _named(self, points, looks):
        """(name, look, (x, y)) of every mark; those of one kind that belong to no curve get looks of their own."""
        for place, (name, (x, y, *curve)) in enumerate(points.items()):
            yield name, looks[curve[0]] if curve else (MARKED[place % 4], "", "diamond"), (x, y)

    def _points(self, marked):
        single = []
        for name, (role, _, shape), (x, y) in marked:
            across, up = np.atleast_1d(self.chart.x(x)), np.array([self._up(one) for one in np.atleast_1d(y)])
            keys, says = range(len(across)), [quantity(one, self.unit) for one in np.atleast_1d(y)]
            hollow = " line" * np.ndim(x)
            yield paths(f"mark {name}", keys, SHAPES[shape], across, up, role + hollow, 2, name, says)
            if not hollow:
                shift, side = (12, "start") if across[0] + 12 + wide(name, 12) < RIGHT else (-12, "end")
                single.append((across[0] + shift, up[0] - 10, name, f"{role} {side}", 12))
        yield words("mark names", *single)

    def _across(self, value):
        return min(max(float(self.chart.x(value)), LEFT), RIGHT)

    def _up(self, value):
        """Where a value lies upwards; beyond an end of the axis, at that end."""
        low, high = self.chart.scales[1]
        return float(self.chart.y(min(max(value, low), high)))


class Rows:
    """Things one below the other: a name on the left, and an axis below all of them. A part of views."""

    def __init__(self, names, scale, top, pitch, right=RIGHT, log="", foot=6, left=None, size=14, name=""):
        self.names, floor = list(names), top + pitch * len(names) + foot
        left = 28 + max(wide(one, size) for one in self.names) if left is None else left
        self.pitch, self.size = pitch, size
        self.y = top + pitch * np.arange(len(self.names)) + pitch / 2
        self.chart = Chart((left, right), (floor, top), scale, (0, 1), log, name=name)

    def frame(self, label, x, said):
        """What stands before there are values: ticks `x` and their words, a line, the names."""
        chart, (left, _), (floor, top) = self.chart, self.chart.across, self.chart.up
        return [
            *chart.axes(x, (), label, "", _apart(said, chart.x(x))),
            lines(f"{chart.name}zero", [0], left, top, left, floor, "muted", 1.2),
            texts(f"{chart.name}names", self.names, left - 10, self.y, self.names, "ink end", self.size),
        ]

    def drawn(self, values, said, ends, tall, roles="memory", look="ink bold start", shapes=None, beyond=0):
        """A bar, or on a logarithmic axis a dot, of each value, an arrow head at an end that it lies beyond; its words.

        None leaves a row without; `shapes`: of the dots, round without; no word begins left of `beyond`.
        """
        (low, high), (left, _), name = ends, self.chart.across, self.chart.name
        value = np.array([np.nan if one is None else one for one in values], float)
        seen = np.flatnonzero(np.isfinite(value))
        value, y, keys = value[seen], self.y[seen], [self.names[i] for i in seen]
        said, roles, look = ([one[i] for i in seen] if isinstance(one, list) else one for one in (said, roles, look))
        end = self.chart.x(np.clip(value, low, high))
        if self.chart.log:
            usual = zip(value, [shapes[i] if shapes else "round" for i in seen], strict=True)
            ways = [SHAPES["beyond" if one > high else "below" if one < low else own] for one, own in usual]
            yield lines(f"{name}ways", keys, left, y, end, y, "muted dotted", 1)
            yield paths(f"{name}bars", keys, ways, end, y, roles, 1, keys, said)
        else:
            yield from bars(f"{name}bars", keys, left, y, end - left, tall, roles, who=keys, says=said)
        yield texts(f"{name}said", keys, np.maximum(end + 14, beyond), y, said, look, 14)

    def place(self, size, ends, value, row, tall):
        """A value of the axis, on the bar of that name or over all of them, as shares of a picture of this size."""
        (low, most), (floor, top) = ends, self.chart.up
        if row is not None:
            middle = self.y[self.names.index(row)]
            floor, top = middle + 0.6 * tall, middle - 0.6 * tall
        return shares(size, self.chart.x(min(max(value, low), most)), top, floor)


class Bars(Stage):
    """What a function returns, {name: number}, side by side on an axis with fixed limits.

    The length of a bar is its number, so a bar begins at zero. A logarithmic axis has no zero: there each has a dot.

    >>> view = Bars("time", "s", (1e-3, 10))
    >>> view.show({"one": 0.01, "another": 1.0}), view.show({"one": 5.0, "another": 0.002})
    """

    blind = False  # whether a guess comes first: no bar is drawn
    TALL = 30

    def __init__(self, label, unit, limits, say=None):
        self.label, self.unit, self.limits, self.sentence = label, unit, limits, say
        self.log, self.rows = logarithmic(*limits), None

    def marks(self, values):  # {name: number}, the same names every time
        x, ends = ticks(*self.limits, self.log, 5), roomy(self.limits, self.log, 0.02 * self.log)
        self.rows = Rows(values, ends, 24, 50, RIGHT - 80, "x" * self.log)
        self.size = (WIDE, self.rows.chart.up[0] + 58)
        made = self.rows.frame(f"{self.label}{bracket(self.unit)}", x, tick_texts(self.unit, x))
        said = [quantity(one, self.unit) for one in values.values()]
        return made if self.blind else [*made, *self.rows.drawn(values.values(), said, self.limits, self.TALL)]

    def place(self, axis, value, row=None):
        """A value of the axis, on the bar of that name or over all of them, as shares of the picture."""
        return self.rows.place(self.size, self.limits, value, row, self.TALL)

    def say(self, values):
        if self.sentence:
            return sentence(self.sentence, **values)
        least, most = min(values, key=values.get), max(values, key=values.get)
        if values[least] == values[most]:
            return f"All the same: {quantity(values[most], self.unit)}."
        said = [f"{name}: {quantity(values[name], self.unit)}" for name in (least, most)]
        ratio = values[most] / values[least]
        return f"{said[0]}; {said[1]}, {number(ratio)} times as much."


class Shares(Stage):
    """What a function returns, {thing: {part: number}}, as bars cut into parts.

    of: "each", every bar is one; "largest", bars relative to the longest; "one", the numbers are shares already; or the
    name of a thing, which is then no bar but the line at 100 %. say: a template of the totals such as
    "{weights stay:J}", or a function of the table. total: what the numbers add up to, in words, and `least`, how the
    smallest total is called: for the plain sentence.

    >>> view = Shares("energy", of="largest", say="Weights {weights stay:J}, sums {sums stay:J}.")
    >>> view.show({"weights stay": {"arithmetic": 1e-6, "DRAM": 3e-6}, "sums stay": {"arithmetic": 1e-6, "DRAM": 1e-6}})
    >>> view.show({"weights stay": {"arithmetic": 1e-6, "DRAM": 1e-6}, "sums stay": {"arithmetic": 1e-6, "DRAM": 9e-6}})
    """

    blind = False  # whether a guess comes first: only the first bar is drawn
    TALL = 34

    def __init__(self, label, of="each", most=1.0, say=None, total="", least="The least"):
        self.label, self.of, self.most = label, of, most
        self.sentence, self.total, self.least = say, total, least
        self.rows = None

    def marks(self, table):  # {thing: {part: number}}, the same things and parts every time
        things = {thing: parts for thing, parts in table.items() if thing != self.of}
        parts = list(dict.fromkeys(part for one in things.values() for part in one))
        values = np.array([[one.get(part, 0.0) for part in parts] for one in things.values()], float)
        totals = {thing: sum(parts.values()) for thing, parts in table.items()}
        each = np.array([totals[thing] for thing in things])
        whole = {"each": each[:, None], "largest": each.max(initial=0) or 1.0, "one": 1.0, **totals}[self.of]
        values = values / whole * (np.arange(len(things)) < (1 if self.blind else len(things)))[:, None]
        self.rows, ends = Rows(things, (0, self.most), 20, 54, foot=4), ticks(0, self.most)
        chart, y, (floor, top), names = self.rows.chart, self.rows.y, self.rows.chart.up, self.rows.names
        yield from self.rows.frame(self.label, ends, tick_texts("%", ends))
        before = np.cumsum(values, 1) - values
        for i, part in enumerate(parts):
            ends = before[:, i], before[:, i] + values[:, i]
            begin, end = (chart.x(np.minimum(one, self.most)) for one in ends)
            says = [percent(share) for share in values[:, i]]
            fits = [word if wide(word) < e - b - 4 else "" for word, b, e in zip(says, begin, end, strict=True)]
            who, role = [f"{thing}: {part}" for thing in names], PARTS[i % len(PARTS)]
            place = begin, y - self.TALL / 2, end - begin, self.TALL
            yield boxes(f"part {part}", names, *place, role, fits, 13, who, says)
        if self.of in table:
            yield lines("whole", [0], chart.x(1), top - 6, chart.x(1), floor, "ink dashed", 1.5)
        rows = in_rows([44 + wide(part) for part in parts], 16, WIDE)
        self.size = (WIDE, floor + 88 + 22 * rows[-1][1])
        for i, (part, (x, row)) in enumerate(zip(parts, rows, strict=True)):
            yield from legend(f"key {part}", x, floor + 68 + 22 * row, [(PARTS[i % len(PARTS)], part)])

    def place(self, axis, value, row=None):
        """A share, on the bar of that thing or over all of them, as shares of the picture."""
        return self.rows.place(self.size, (0, self.most), value, row, self.TALL)

    def say(self, table):
        totals = {thing: sum(parts.values()) for thing, parts in table.items()}
        if callable(self.sentence):
            return self.sentence(table)
        if self.sentence:
            return sentence(self.sentence, **totals)
        if self.total:
            printed = {thing: number(total) for thing, total in totals.items()}
            said = ", ".join(f"{thing} {one}" for thing, one in printed.items())
            best = printed[min(totals, key=totals.get)]
            least = " and ".join(thing for thing, one in printed.items() if one == best)
            return f"{self.total}: {said}. {self.least}: {least}."
        said = []
        for thing, parts in table.items():
            each = {part: value / max(totals[thing], 1e-300) for part, value in parts.items()}
            said.append(f"{thing}: " + ", ".join(f"{part} {percent(share)}" for part, share in each.items()))
        return "; ".join(said) + "."


def roomy(ends, log, share):
    """Limits wider by this share of the axis, so that a dot at an end is seen whole."""
    low, high = ends
    if log:
        margin = (high / low) ** share
        return low / margin, high * margin
    return low - share * (high - low), high + share * (high - low)


def _apart(shown, at):
    """Words of ticks, those left out that would run into the one before."""
    free, kept = -1e9, []
    for word, x in zip(shown, at, strict=True):
        half = wide(word, 12) / 2
        kept.append(word if x - half > free else "")
        free = x + half + 8 if x - half > free else free
    return kept


def _piece(a, b, top, floor):
    """Both ends, in SVG's words, of the part of a line between two points that lies in the picture, or None."""
    (x1, y1), (x2, y2) = a, b
    if not (np.isfinite(y1) and np.isfinite(y2)) or max(y1, y2) < top or min(y1, y2) > floor:
        return None
    ends = []
    for x, y in ((x1, y1), (x2, y2)):
        inside = min(max(y, top), floor)
        ends.append((x if y2 == y1 else x1 + (x2 - x1) * (inside - y1) / (y2 - y1), inside))
    return tuple(f"{x:.1f} {y:.1f}" for x, y in ends)
