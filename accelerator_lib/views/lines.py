"""A few curves over one axis, and on each a dot where the slider stands."""

from accelerator_lib.views import style

LOOKS = (
    (style.COMPUTE, "-", "s"),
    (style.MEMORY, "--", "o"),
    (style.OTHER, "-.", "D"),
    (style.GOOD, ":", "^"),
)


class Lines:
    """Base of views with curves: `names` in the legend, limits fixed, `draw` moves everything."""

    def __init__(self, names, xlabel, ylabel, xlim, ylim, log="x", size=style.SIZE, legend="upper left"):
        margin = 0.015 * (xlim[1] - xlim[0])  # so that a dot at an end is seen whole
        limits = [style.room(*xlim) if "x" in log else (xlim[0] - margin, xlim[1] + margin)]
        limits.append(style.room(*ylim) if "y" in log else ylim)
        self.figure, self.ax = style.axes(xlabel, ylabel, *limits, log=log, size=size)
        style.plain(self.ax.xaxis)
        looks = list(zip(names, LOOKS, strict=False))
        self.curves = [
            self.ax.plot([], [], color=color, linestyle=dash, linewidth=2.5, label=name)[0]
            for name, (color, dash, _) in looks
        ]
        self.dots = [style.dot(self.ax, color, marker=marker) for _, (color, _, marker) in looks]
        self.cursor = self.ax.axvline(xlim[0], color=style.MUTED, linewidth=1, linestyle=":")
        style.moving(*self.curves, *self.dots, self.cursor)
        if len(names) > 1:
            owner, columns = (self.figure, 2) if legend.startswith("outside") else (self.ax, 1)
            owner.legend(frameon=False, fontsize=10, loc=legend, ncols=columns)

    def draw(self, x, curves, at, values):
        """Curves over `x` (arrays), the dots at `at` with one value a curve (None: no dot)."""
        for curve, dot, line, value in zip(self.curves, self.dots, curves, values, strict=True):
            curve.set_data(x, line)
            dot.set_data([at] if value is not None else [], [value] if value is not None else [])
        self.cursor.set_xdata([at, at])
