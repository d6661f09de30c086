"""A tile chosen for a product: its two budgets, the speeds that it foretells, the buffers that keep it busy."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_course.views.placing import spot
from accelerator_lib.units import binary, counted, number, percent, si

OVER = "#b3261e"
FORECASTS = (
    ("published", "D", style.OTHER),
    ("every matrix once", "o", style.MEMORY),
    ("tiles, no cache", "s", style.COMPUTE),
)
MOST, END = 5, 4e-6  # buffers, and the time axis [s]
COPIES = {
    "on its way": ("#dbe9f3", ""),
    "arrives": (style.MEMORY, "///"),
    "worked on": (style.COMPUTE, ""),
}


class TileBudget:
    """Traffic of a product over the tile, with the lower bound; below, what the tile needs on the chip.

    >>> edges, room = np.array([1, 8, 64, 512]), tiling.Budget(163 * 1024, 256 * 1024)
    >>> view = TileBudget(edges)
    >>> gemm = tiling.square(8192)
    >>> curve = tiling.gemm_bytes(gemm, edges, edges)
    >>> view.show((tiling.Choice(gemm, 1, 1, tiling.budget(1, 1, 64), room), curve))
    >>> view.show((tiling.Choice(gemm, 128, 64, tiling.budget(128, 64, 64), room), curve))
    >>> view.show((tiling.Choice(gemm, 512, 512, tiling.budget(512, 512, 64), room), curve))
    """

    def __init__(self, edges):
        self.figure = style.figure((7.2, 5.0))
        top, low = self.figure.subplots(2, 1, height_ratios=[2.4, 1])
        ends = style.room(float(edges[0]), float(edges[-1]))
        style.dress(top, "edge of a square tile", "traffic [B]", ends, (1e5, 1e14), log="xy")
        style.plain(top.xaxis)
        self.edges, self.top = edges, top
        self.curve = top.plot([], [], color=style.COMPUTE, linewidth=2.5, label="square tiles whose sums fit")[0]
        self.bound = top.axhline(
            1e9, color=style.INK, linewidth=1.5, linestyle="--", label="lower bound with this much memory"
        )
        self.dot = style.dot(top, style.COMPUTE, 13, "s", label="your tile")
        top.legend(frameon=False, fontsize=10, loc="upper right")
        style.dress(low, "share of the budget", "", (0, 2))
        style.percents(low.xaxis)
        low.axvline(1, color=style.INK, linewidth=1.5)
        self.rows = Rows(low, ["strips, in the\nshared memory", "sums, in the\nregisters"])
        style.moving(self.curve, self.bound, self.dot)

    def show(self, result):
        """`result`: (tiling.Choice, traffic of square tiles [byte], one for each of the edges)."""
        chosen, traffic = result
        self.curve.set_data(self.edges, traffic)
        self.bound.set_ydata([chosen.least_bytes] * 2)
        self.dot.set_data([chosen.edge], [chosen.bytes_moved])
        need, room = chosen.need, chosen.room
        sizes = zip(need.both, room.both, strict=True)
        self._fill(chosen, [f"{binary(used)} of {binary(there)}" for used, there in sizes])
        full = need.takes_every_register(room)
        wrong = "Its sums take every register." if full else "It does not fit the chip."
        verdict = "It fits." if chosen.fits else wrong
        return (
            f"Tiles of {chosen.tile_m} × {chosen.tile_n} move {si(chosen.bytes_moved, 'B')}: "
            f"{number(chosen.intensity)} FLOP per byte, {number(chosen.excess)} times the lower bound. {verdict}"
        )

    def place(self, axis, value, row=None):
        """A traffic [B], at the edge of the tile that is shown."""
        return spot(self.top, float(self.dot.get_xdata()[0]), value)

    def _fill(self, chosen, words):
        """Bars of shares; what is too much turns red; sums must leave a register."""
        over = [not fit for fit in chosen.need.fit(chosen.room)]
        said = [word + ": too much" * much for much, word in zip(over, words, strict=True)]
        self.rows.draw(chosen.shares.values(), said)
        for much, bar, text in zip(over, self.rows.marks, self.rows.texts, strict=True):
            bar.set(facecolor=OVER if much else style.MEMORY, hatch="xx" if much else "")
            text.set(x=1.02, ha="left")  # right of the line of all there is


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
            for name, marker, color in FORECASTS
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
            f"without a cache allow. Typical error: a factor of {number(once)} with every matrix moved once, "
            f"{number(tiled)} with tiles alone."
        )


class Stages:
    """A lane for each buffer, and one for the arithmetic; the time axis holds still.

    >>> view = Stages()
    >>> view.show(tiling.staged(40, 5e-7, 1e-7, 2e-7, 1))
    >>> view.show(tiling.staged(40, 5e-7, 1e-7, 2e-7, 4))
    >>> view.show(tiling.staged(40, 1e-6, 5e-7, 2e-7, 5))
    """

    def __init__(self):
        self.figure, ax = style.axes("time [s]", "", (0, END), (-0.6, MOST + 1.2), size=(7.2, 3.6))
        ax.set_yticks(range(MOST + 1), [*(f"buffer {MOST - i}" for i in range(MOST)), "arithmetic"])
        ax.set_xlabel("time")  # its ticks carry their unit
        ax.grid(axis="y", visible=False)
        self.bars = {
            name: ax.broken_barh([], (0, 0), facecolor=color, hatch=hatch, edgecolor="white", linewidth=0.6, label=name)
            for name, (color, hatch) in COPIES.items()
        }
        ax.legend(frameon=False, fontsize=10, ncols=3, loc="upper right", borderaxespad=0)
        style.moving(*self.bars.values())

    def show(self, run):
        """`run`: tiling.Staged."""
        lane = MOST - 1 - np.arange(len(run.works)) % run.buffers
        self._lay("on its way", run.asked, run.transfers - run.asked, lane)
        self._lay("arrives", run.transfers, run.transfer_seconds, lane)
        both = np.concatenate([lane, np.full(len(lane), MOST)])
        self._lay("worked on", np.concatenate([run.works] * 2), run.work_seconds, both)
        enough = f"{run.enough} are enough" if run.buffers >= run.enough else f"{run.enough} would be enough"
        more = f"{enough} to keep the link busy, which is the limit" if run.link_bound else enough
        return (
            f"{counted(run.buffers, 'buffer')}: a tile every {si(run.each, 's')}, the arithmetic is busy "
            f"{percent(run.busy)} of the time; {more}."
        )

    def _lay(self, name, start, long, lane):
        """Boxes from `start` on, so long [s], in their lanes."""
        left, right = start, np.minimum(start + long, END)
        low, high = lane - 0.36, lane + 0.36
        corners = [(left, low), (left, high), (right, high), (right, low)]
        boxes = np.stack([np.stack(np.broadcast_arrays(x, y), axis=-1) for x, y in corners], axis=1)
        self.bars[name].set_verts(boxes[left < END])
