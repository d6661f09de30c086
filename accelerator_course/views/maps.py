"""A table of one quantity over two arguments of a function, in shades; the place of the controls is framed.

explore(busy, views.Map(over=("m", "edge"), unit="%"), m=..., edge=..., size=log(128, 8192))
"""

import numpy as np

from accelerator_course import settings
from accelerator_course.views.charts import tick_texts
from accelerator_course.views.kit import shares, words
from accelerator_course.views.stage import Stage, boxes, pick, texts
from accelerator_lib.units import quantity, sentence

WRITTEN = 100  # cells of a map that carries its numbers
LEFT, TOP, FLOOR = 92, 40, 330  # of the cells [px]
SHADES = ("paper soft", *(f"compute soft tenths-{n}" for n in range(1, 10)))


class Map(Stage):
    """What a function returns, a number, over its two arguments `over`: the first across, the second up.

    label, unit, limits: of the number. x, y: labels of the axes, where those of the controls will not do. say: the
    sentence, a template in which {here:%} is the number, or a function of (here, **given).

    >>> view, m = Map(over=("m", "edge"), label="of the PEs are busy"), Axis("m", "rows", np.array([1, 2, 4]))
    >>> edge = Axis("edge", "edge", np.array([64, 128]), printed=("64", "128"))
    >>> view.show(Across(m, edge, np.array([[0.1, 0.2, 0.4], [0.05, 0.1, 0.2]]), 0.4, {"m": 4, "edge": 64}))
    >>> view.show(Across(m, edge, np.array([[0.2, 0.4, 0.8], [0.1, 0.2, 0.4]]), 0.1, {"m": 1, "edge": 128}))
    >>> view.show(Across(m, edge, np.array([[np.nan, 0.4, 0.8], [0.1, 0.2, 0.4]]), np.nan, {"m": 1, "edge": 64}))
    """

    size, noun = (760, 390), "setting"
    blind = False  # whether a guess comes first: only the framed cell is painted

    def __init__(self, over, label="", unit="%", limits=(0, 1), say=None, x=None, y=None):
        self.over, self.label, self.unit, self.limits, self.sentence = over, label, unit, limits, say
        self.x, self.y = x, y

    def marks(self, across):  # results.Across
        (rows, cols), axes = across.table.shape, (across.x, across.y)
        written, self.axes = across.table.size <= WRITTEN, {"x": across.x, "y": across.y}
        wide, high = ((738 if written else 664) - LEFT) / cols, (FLOOR - TOP) / rows
        self.cell, self.frame = (wide, high), [_nearest(axis, across.given[axis.name]) for axis in axes]
        values = across.table[::-1].ravel()  # from above
        places = np.arange(rows * cols)
        seen = np.isfinite(values)
        if self.blind:
            seen &= places == (rows - 1 - self.frame[1]) * cols + self.frame[0]
        places, values = places[seen], values[seen]
        x, y = LEFT + wide * (places % cols), TOP + high * (places // cols)
        x_words, y_words = ([_word(axis, value) for value in axis.values] for axis in axes)
        who = [f"{x_words[place % cols]}, {y_words[rows - 1 - place // cols]}" for place in places]
        says = [quantity(value, self.unit) for value in values]
        low, high_ = self.limits
        shades = np.clip((values - low) / (high_ - low), 0, 1) * (5 if written else 9)  # paler under numbers
        shades = pick(SHADES, np.round(shades).astype(int))
        yield boxes("cells", places, x, y, wide, high, shades, who=who, says=says)
        yield from self._named(axes, (x_words, y_words))
        if written:
            numbers = [_short(value, self.unit) for value in values]
            yield texts("numbers", places, x + wide / 2, y + high / 2, numbers, "ink", 13)
        else:
            yield from self._scale()
        col, row = self.frame
        yield boxes("frame", [0], LEFT + wide * col, FLOOR - high * (row + 1), wide, high, "ink line")

    def place(self, axis, value, row=None):
        """A value of one axis, in the column or row of the frame: the nearest cell, as shares of the picture."""
        (wide, high), (col, line), cell = self.cell, self.frame, _nearest(self.axes[axis], value)
        col, line = (cell, line) if axis == "x" else (col, cell)
        return shares(self.size, LEFT + wide * (col + 0.5), FLOOR - high * (line + 0.5))

    def say(self, across):
        if not np.isfinite(across.here):
            return "There is no value here."
        if callable(self.sentence):
            return self.sentence(across.here, **across.given)
        if self.sentence:
            return sentence(self.sentence, **across.given, here=across.here)
        places = ", ".join(f"{axis.label} {_word(axis, across.given[axis.name])}" for axis in (across.x, across.y))
        return f"{places}: {quantity(across.here, self.unit)} {self.label}".rstrip() + "."

    def _named(self, axes, named):
        (wide, high), (x_words, y_words) = self.cell, named
        x, y = _ticks(axes[0], 7 if settings.hall() else 13), _ticks(axes[1])
        right = LEFT + wide * len(x_words)
        yield texts("x ticks", x, LEFT + wide * (x + 0.5), FLOOR + 16, [x_words[at] for at in x], "muted", 12)
        yield texts("y ticks", y, LEFT - 8, FLOOR - high * (y + 0.5), [y_words[at] for at in y], "muted end", 12)
        below = ((LEFT + right) / 2, FLOOR + 40, self.x or axes[0].label, "ink")
        yield words("axes", below, (16, 18, self.y or axes[1].label))

    def _scale(self):
        steps, (low, high) = len(SHADES), self.limits
        tall, n = (FLOOR - TOP) / steps, np.arange(steps)
        ends = low + (high - low) * np.array([0, 0.5, 1])
        at = FLOOR - (FLOOR - TOP) * np.array([0, 0.5, 1])
        yield boxes("scale", n, 684, FLOOR - tall * (n + 1), 18, tall, pick(SHADES, n))
        yield boxes("scale edge", [0], 684, TOP, 18, FLOOR - TOP, "muted line")
        yield texts("scale words", range(3), 708, at, tick_texts(self.unit, ends), "muted start", 12)
        yield words("scale name", (752, 18, self.label, "ink end"))


def _nearest(axis, value):
    words = axis.values.dtype.kind == "U"
    return int(np.argmin(axis.values != value if words else np.abs(axis.values - value)))


def _ticks(axis, most=13):
    """Places of the ticks: all of few, round numbers of many in even steps, otherwise evenly between the ends."""
    count = len(axis.values)
    gaps = np.diff(axis.values) if not axis.printed else ()
    if count > most and len(gaps) and np.allclose(gaps, gaps[0]):
        steps = axis.values / (gaps[0] * next(k for k in (2, 4, 5, 8, 10, 20, 50, 100) if count <= k * most))
        places = np.flatnonzero(np.isclose(steps, steps.round()))
        if len(places) > 2:
            return places
    return np.unique(np.linspace(0, count - 1, min(most, count)).round().astype(int))


def _word(axis, value):
    return axis.printed[_nearest(axis, value)] if axis.printed else quantity(value)


def _short(value, unit):
    """A number that fits a cell: percent without its sign."""
    if unit == "%":
        return f"{100 * value:.0f}" if value > 0.095 else f"{100 * value:.1g}"
    return f"{value:.3g}"
