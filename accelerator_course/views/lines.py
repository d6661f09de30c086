"""Curves over one axis, and on each a dot where the slider stands.

    def busy(m=64, edge=128):
        return {"one array": ..., "four of half the edge": ...}

    explore(busy, views.Lines(over="m", y="busy PEs", unit="%"), m=log(1, 4096), edge=[64, 128])

The function is the law, and the view draws it along the argument `over`: over all positions of that slider.
"""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.placing import spot
from accelerator_course.views.tell import quantity, tell

LOOKS = (
    (style.COMPUTE, "-", "s"),
    (style.MEMORY, "--", "o"),
    (style.OTHER, "-.", "D"),
    (style.GOOD, ":", "^"),
)
MARKED = (style.OTHER, style.MEMORY, style.COMPUTE, style.GOOD)
SHARES = (0, 1.04)


class Curves:
    """Base of views with curves: `names` in the legend, limits fixed, `draw` moves everything."""

    def __init__(self, names, xlabel, ylabel, xlim, ylim, log="x", size=style.SIZE, legend="upper left"):
        margin = 0.015 * (xlim[1] - xlim[0])  # so that a dot at an end is seen whole
        limits = [style.room(*xlim) if "x" in log else (xlim[0] - margin, xlim[1] + margin)]
        limits.append(style.room(*ylim) if "y" in log else ylim)
        self.figure, self.ax = style.axes(xlabel, ylabel, *limits, log=log, size=size)
        if not xlabel.endswith(("[s]", "[B]")):  # these keep their prefixes: 1 ms, 10 ms; 1 kB, 10 kB
            style.plain(self.ax.xaxis)
        looks = [(name, LOOKS[place % len(LOOKS)]) for place, name in enumerate(names)]
        self.curves = [
            self.ax.plot([], [], color=color, linestyle=dash, linewidth=2.5, label=name)[0]
            for name, (color, dash, _) in looks
        ]
        sizes = [10 + 4 * above for above in range(len(looks))][::-1]  # where dots meet, each is seen around the next
        self.dots = [
            style.dot(self.ax, color, size, marker) for size, (_, (color, _, marker)) in zip(sizes, looks, strict=True)
        ]
        self.cursor = self.ax.axvline(xlim[0], color=style.MUTED, linewidth=1, linestyle=":")
        style.moving(*self.curves, *self.dots, self.cursor)
        self.legend, self.legended = legend, None
        if len(names) > 1:
            self.key()

    def key(self):
        """The names of all curves and points that have one."""
        if self.legended:
            self.legended.remove()
        owner, columns = (self.figure, 2) if self.legend.startswith("outside") else (self.ax, 1)
        handles = self.ax.get_legend_handles_labels()[0]
        self.legended = owner.legend(handles=handles, frameon=False, fontsize=10, loc=self.legend, ncols=columns)

    def draw(self, x, curves, at, values):
        """Curves over `x` (arrays), the dots at `at` with one value a curve (None, NaN: no dot)."""
        low, high = self.ax.get_ylim()
        for curve, dot, line, value in zip(self.curves, self.dots, curves, values, strict=True):
            curve.set_data(x, line)
            there = value is not None and np.isfinite(value)
            dot.set_data([at] if there else [], [value] if there else [])
            dot.set_clip_on(not there or not low <= value <= high)  # on the edge of the picture it is seen whole
        self.cursor.set_xdata([at, at])


class Lines:
    """What a function returns, {name: number}, along its argument `over`.

    y, unit: the label and unit of the vertical axis ("%": a share of one); limits: its ends, logarithmic from 100x on.
    say: the sentence, a template such as "{m:row}: {one array:%} busy", or a function of (here, **given) that returns
    it; names are those of the results and of the controls. marks: {name: (x, y)}, published or measured points;
    (x, y, curve) in the look of that curve; or a function of the controls that gives them, where a switch hides them
    or where they move with a control. best: the curve whose highest point gets a star. dots: names of curves
    whose dot is seen, or a function of the controls that gives them, where a switch chooses. told: results that only
    the sentence tells, without a curve. note: a template, filled in inside the picture.

    >>> view = Lines(over="m", y="busy PEs", unit="%", say="{m:row}: {one:%} against {two:%}.")
    >>> m = Axis("m", "M, rows", np.array([1, 10, 100]), log=True)
    >>> view.show(Along(m, {"one": [0, 0.1, 1], "two": [0, 0.5, 1]}, {"one": 0.1, "two": 0.5}, {"m": 10}))
    >>> view.show(Along(m, {"one": [0, 0.2, 1], "two": [1, 1, 1]}, {"one": 0.0, "two": 1.0}, {"m": 1}))
    """

    blind = False  # whether a guess comes first: the axes and the dot as the controls stand, no curve

    def __init__(
        self,
        over,
        y,
        unit="",
        limits=None,
        say=None,
        x=None,
        marks=None,
        best=None,
        dots=None,
        told=(),
        note="",
        legend="upper left",
        log=None,
    ):
        if limits is None and unit != "%":
            raise ValueError(f"give the limits of {y!r} [{unit}]: the axis must hold still while sliders move")
        self.over, self.unit, self.limits = over, unit, limits or SHARES
        self.y, self.x, self.say, self.marks, self.legend = y, x, say, marks or {}, legend
        self.best, self.dots, self.told, self.note = best, dots, told, note
        low, high = self.limits
        self.log = (low > 0 and high >= 100 * low) if log is None else log
        self.figure = self.base = None
        self.marked = {}  # the artist of each name

    def show(self, along):
        """`along`: results.Along."""
        drawn = [name for name in along.here if name not in self.told]
        marks = self.marks(**along.given) if callable(self.marks) else self.marks
        if self.base is None:
            self._build(along.axis, drawn)
        self._mark(marks, drawn)
        seen = self.dots(**along.given) if callable(self.dots) else self.dots or along.here
        values = [along.here[name] if name in seen else None for name in drawn]
        x = [] if self.blind else along.axis.values
        self.base.draw(x, [[] if self.blind else along.curves[name] for name in drawn], along.at, values)
        if self.best is not None:
            place = int(np.nanargmax(along.curves[self.best]))
            self.star.set_data([along.axis.values[place]], [along.curves[self.best][place]])
            self.star.set_visible(not self.blind)
        if self.note:
            self.noted.set_text(tell(self.note, **{**along.given, **along.here}))
        return self.sentence(along)

    def place(self, axis, value, row=None):
        """A value of the x axis over the whole height; one of the y axis where the slider stands."""
        at = float(self.base.cursor.get_xdata()[0])
        return spot(self.base.ax, x=value) if axis == "x" else spot(self.base.ax, at, value)

    def sentence(self, along):
        """What the picture shows, from the results alone."""
        named = {**along.given, **along.here}
        if callable(self.say):
            return self.say(along.here, **along.given)
        if self.say:
            return tell(self.say, **named)
        values = [f"{name} {quantity(value, self.unit)}".strip() for name, value in along.here.items()]
        return f"{along.axis.label} {quantity(along.at)}: {', '.join(values)}."

    def _build(self, axis, names):
        unit = "" if self.unit in ("%", "x", "") else f" [{self.unit}]"
        log = "x" * axis.log + "y" * self.log
        ends = float(axis.values[0]), float(axis.values[-1])
        label = self.x or (f"{axis.label} [s]" if axis.unit == "s" else axis.label)
        self.base = Curves(names, label, f"{self.y}{unit}", ends, self.limits, log, legend=self.legend)
        self.figure, ax = self.base.figure, self.base.ax
        if self.unit == "%":
            style.percents(ax.yaxis)
        elif not unit and self.limits[1] < 1e6:
            style.plain(ax.yaxis)
        if axis.unit == "%":
            style.percents(ax.xaxis)
        if self.best is not None:
            self.star = style.moving(style.dot(ax, style.INK, 14, "*"))
        if self.note:
            self.noted = style.moving(
                style.label(ax, "", 0.04, 0.06, size=12, fontweight="bold", transform=ax.transAxes)
            )
        self.decorate(ax)

    def decorate(self, ax):
        """What never moves: a reference line, a label. For views that are more than a declaration."""

    def _mark(self, marks, names):
        """Points that stand where `marks` says, those of other names nowhere; a new name gets its look and label."""
        for name, artist in self.marked.items():
            if callable(self.marks):
                artist.set_data(*marks[name][:2] if name in marks else ([], []))
        for name, (x, y, *curve) in marks.items():
            if name not in self.marked:
                look = LOOKS[names.index(*curve)] if curve else (MARKED[len(self.marked) % 4], "", "D")
                self.marked[name] = self._new(self.base.ax, name, x, y, look)

    def _new(self, ax, name, x, y, look):
        """One named point with its name beside it; many points of one kind in the legend."""
        color, _, marker = look
        if not np.ndim(x):
            style.label(ax, f"   {name}", x, y, style.OTHER, 9, va="bottom")
            return ax.plot([x], [y], "D", color=style.OTHER, markersize=7)[0]
        (made,) = ax.plot(
            x, y, marker, color=color, markersize=8, markerfacecolor="none", markeredgewidth=2, label=name
        )
        if callable(self.marks):
            style.moving(made)
        self.base.key()
        return made
