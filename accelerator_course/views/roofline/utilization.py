"""Amdahl's law: what the whole gains where a part of its time gets faster."""

from matplotlib.colors import LogNorm

from accelerator_course.views import style
from accelerator_lib.units import number, percent


class Amdahl:
    """Speed-up of the whole over the share that is accelerated and by how much: lines of equal gain.

    >>> view = Amdahl()
    >>> speedup = Axis("speedup", "speed-up of that part", np.array([1.0, 8.0, 64.0]), log=True)
    >>> fraction = Axis("fraction", "share of the time", np.array([0.5, 0.75, 1.0]))
    >>> table = np.array([[1, 1.8, 2.0], [1, 2.9, 3.8], [1, 8.0, 64.0]])
    >>> view.show(Across(speedup, fraction, table, 2.9, {"speedup": 8.0, "fraction": 0.75}))
    >>> view.show(Across(speedup, fraction, table, 64.0, {"speedup": 64.0, "fraction": 1.0}))
    """

    LEVELS = (1, 1.5, 2, 3, 4, 6, 8, 16, 32, 64)
    over = ("speedup", "fraction")

    def __init__(self, say=None):
        """`say`: the sentence, a function of (gain, **given)."""
        self.say = say
        self.figure, self.ax = style.axes("speed-up of that part", "share of the time that gets faster", log="x")
        self.dot = style.moving(style.dot(self.ax, style.COMPUTE, 13, "s"))
        self.drawn = None

    def show(self, across):
        """`across`: the gain of the whole, results.Across."""
        if self.drawn is None:
            self._draw(across)
            self.drawn = across
        speedup, fraction = (across.given[name] for name in self.over)
        self.dot.set_data([speedup], [fraction])
        if self.say:
            return self.say(across.here, **across.given)
        return (
            f"{percent(fraction)} of the time made {number(speedup)}x as fast: the whole is {across.here:.2f}x as fast."
        )

    def _draw(self, across):
        x, y = across.x.values, across.y.values
        self.ax.contourf(x, y, across.table, levels=self.LEVELS, cmap="Purples", norm=LogNorm(0.7, 150))
        lines = self.ax.contour(x, y, across.table, levels=self.LEVELS[1:-1], colors=style.MUTED, linewidths=0.8)
        self.ax.clabel(lines, fmt=lambda v: f"{v:g}x", fontsize=9, colors=style.INK)
        self.ax.set(xlim=style.room(x[0], x[-1]), ylim=(y[0] - 0.01, y[-1] + 0.01))
        self.ax.set_xticks([1, 2, 4, 8, 16, 32, 64])
        style.plain(self.ax.xaxis)
        style.percents(self.ax.yaxis)
