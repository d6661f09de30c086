"""Published speeds of products beside two predictions."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import number, si

LOOKS = (
    ("published", "D", style.OTHER),
    ("every matrix once", "o", style.MEMORY),
    ("tiles, no cache", "s", style.COMPUTE),
)


class Products:
    """Published speeds of matrix products beside two predictions: every matrix moved once; tiles without a cache.

    >>> view = Products(["small", "large"])
    >>> published, once = np.array([1e14, 2.5e14]), np.array([2e14, 3e14])
    >>> view.show(tiling.Forecast(64, published, once, np.array([5e13, 1e14])))
    >>> view.show(tiling.Forecast(256, published, once, np.array([2e14, 3e14])))
    >>> view.show(tiling.Forecast(256, published, once, np.array([2e14, 3e14]), seen=False))
    """

    def __init__(self, names):
        size = (7.2, 1.4 + 0.42 * len(names))
        self.figure, ax = style.axes("TFLOP/s", "", (0, 330), (-0.7, len(names) - 0.3), size=size)
        style.plain(ax.xaxis)
        self.rows = np.arange(len(names))[::-1]
        ax.set_yticks(self.rows, names)
        ax.grid(axis="y", visible=False)
        self.links = [ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in names]
        self.marks = [
            ax.plot([], [], marker, color=color, markersize=9, markeredgecolor="white", label=name)[0]
            for name, marker, color in LOOKS
        ]
        style.moving(*self.links, *self.marks)
        self.figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=10)

    def show(self, forecast):
        """`forecast`: tiling.Forecast, one product for each name."""
        table = np.array([forecast.published, forecast.once, forecast.tiled]) / 1e12
        self.marks[0].set_visible(forecast.seen)
        for mark, values in zip(self.marks, table, strict=True):
            mark.set_data(values, self.rows)
        table = table if forecast.seen else table[1:]
        for link, low, high, y in zip(self.links, table.min(axis=0), table.max(axis=0), self.rows, strict=True):
            link.set_data([low, high], [y, y])
        edge, (once, tiled) = forecast.edge, forecast.off
        if not forecast.seen:
            low, high = (si(speed, "FLOP/s") for speed in (min(forecast.tiled), max(forecast.tiled)))
            return f"Tiles of {edge} × {edge} without a cache allow {low} to {high}; every matrix once, more."
        return (
            f"Tiles of {edge} × {edge}: {forecast.faster} of {len(self.rows)} published products are faster than tiles "
            f"without a cache allow. Moving every matrix once predicts too much by a factor of "
            f"{number(forecast.factor)} on average, typically {number(once)}; tiles alone are typically "
            f"off by {number(tiled)}."
        )
