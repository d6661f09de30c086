"""A table of one quantity over two arguments of a function, painted; the place of the controls is framed.

def busy(m=64, edge=128, size=4096):
    return systolic.cycles(Gemm(m, size, size), edge, edge, "ws", overlap=True).utilization

explore(busy, views.Map(over=("m", "edge"), unit="%"), m=..., edge=..., size=log(128, 8192))
"""

import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from accelerator_course.views import style
from accelerator_course.views.painted import Painted, cells, font
from accelerator_course.views.placing import spot
from accelerator_lib import settings
from accelerator_lib.units import quantity, sentence

WRITTEN = 100  # cells of a map that carries its numbers


class Map:
    """What a function returns, a number, over its two arguments `over`: the first across, the second up.

    label, unit, limits: of the number. x, y: labels of the axes, where those of the controls will not do. say: the
    sentence, a template in which {here:%} is the number, or a function of (here, **given).

    >>> view = Map(over=("m", "edge"), label="of the PEs are busy")
    >>> m = Axis("m", "rows", np.array([1, 2, 4]))
    >>> edge = Axis("edge", "edge", np.array([64, 128]), printed=("64", "128"))
    >>> view.show(Across(m, edge, np.array([[0.1, 0.2, 0.4], [0.05, 0.1, 0.2]]), 0.4, {"m": 4, "edge": 64}))
    >>> view.show(Across(m, edge, np.array([[0.2, 0.4, 0.8], [0.1, 0.2, 0.4]]), 0.1, {"m": 1, "edge": 128}))
    """

    blind = False  # whether a guess comes first: only the framed cell is painted

    def __init__(self, over, label="", unit="%", limits=(0, 1), say=None, x=None, y=None, size=(7.6, 3.9)):
        self.over, self.label, self.unit, self.limits, self.say = over, label, unit, limits, say
        self.x, self.y, self.size = x, y, size
        self.figure = self.drawn = None

    def show(self, across):
        """`across`: results.Across."""
        if self.figure is None:
            self._build(across)
        col, row = (int(np.argmin(np.abs(axis.values - across.given[axis.name]))) for axis in (across.x, across.y))
        if self.blind:
            alone = np.full(across.table.shape, np.nan)
            alone[row, col] = across.table[row, col]
            self._paint(alone)
        elif self.drawn is not across.table:  # the map itself stays while only the frame moves
            self._paint(across.table)
        self.drawn = None if self.blind else across.table
        self.frame.set_bounds(col - 0.5, row - 0.5, 1, 1)
        return self.sentence(across)

    def place(self, axis, value, row=None):
        """A value of one axis, in the column or row of the frame: the cell that is nearest."""
        col, line = (edge + 0.5 for edge in self.frame.get_xy())
        cell = int(np.argmin(np.abs(self.axes[axis].values - value)))
        return spot(self.picture.axes, cell, line) if axis == "x" else spot(self.picture.axes, col, cell)

    def sentence(self, across):
        """What the picture shows, from the results alone."""
        if callable(self.say):
            return self.say(across.here, **across.given)
        if self.say:
            return sentence(self.say, **across.given, here=across.here)
        places = ", ".join(f"{axis.label} {_word(axis, across.given[axis.name])}" for axis in (across.x, across.y))
        return f"{places}: {quantity(across.here, self.unit)} {self.label}".rstrip() + "."

    def _build(self, across):
        self.axes = {"x": across.x, "y": across.y}
        self.figure, ax = style.axes(self.x or across.x.label, self.y or across.y.label, size=self.size)
        (low, high), written = self.limits, across.table.size <= WRITTEN
        top = low + (1.6 if written else 1.25) * (high - low)  # paler under numbers
        self.shades = ScalarMappable(Normalize(low, top), colormaps["Oranges"].with_extremes(bad="white"))
        for axis, own in ((ax.xaxis, across.x), (ax.yaxis, across.y)):
            places = _ticks(own, 7 if settings.hall() and axis is ax.xaxis else 13)
            axis.set_ticks(places, [_word(own, own.values[place]) for place in places])
        rows, cols = across.table.shape
        ax.set(xlim=(-0.5, cols - 0.5), ylim=(-0.5, rows - 0.5))
        ax.grid(False)
        if not written:
            bar = self.figure.colorbar(self.shades, ax=ax, label=self.label, boundaries=np.linspace(low, high, 9))
            if self.unit == "%":
                style.percents(bar.ax.yaxis)
        self.picture = Painted(ax)
        self.frame = ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=style.INK, linewidth=3))
        style.moving(self.frame, *ax.spines.values())
        style.settle(self.figure)

    def _paint(self, table):
        """Cells in their shades, the first row below, and their numbers where there is room."""
        from PIL import ImageDraw

        wide, high = self.picture.size
        shades = self.shades.to_rgba(np.ma.masked_invalid(table[::-1]), bytes=True)[..., :3]
        picture = cells(shades, (wide, high))
        if table.size <= WRITTEN:
            draw, (rows, cols) = ImageDraw.Draw(picture), table.shape
            for (row, col), value in np.ndenumerate(table):
                if np.isnan(value):
                    continue
                place = (col + 0.5) * wide / cols, high - (row + 0.5) * high / rows
                draw.text(place, _short(value, self.unit), fill="black", font=font(9, dpi=self.figure.dpi), anchor="mm")
        self.picture.paint(picture)


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
    """A value as its control prints it."""
    index = int(np.argmin(np.abs(axis.values - value)))
    return axis.printed[index] if axis.printed else quantity(value)


def _short(value, unit):
    """A number that fits a cell: percent without its sign."""
    if unit == "%":
        return f"{100 * value:.0f}" if value > 0.095 else f"{100 * value:.1g}"
    return f"{value:.3g}"
