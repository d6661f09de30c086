"""What is left of a peak, and what it takes: losses one after the other, a layer's time, MFU and MBU, Amdahl's law."""

import numpy as np
from matplotlib.colors import LogNorm

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_course.views.shares import Cut
from accelerator_lib.units import number, percent, si

MOST = 1.45  # of the axis of shares: room for what is impossible, and for its words
NAMES = ("partial waves", "power-capped clock", "not matmul", "traffic not hidden")


class LossWaterfall:
    """From the datasheet peak down to what is left, one bar a loss.

    >>> view = LossWaterfall()
    >>> view.show(roofline.losses.from_peak())
    >>> view.show(roofline.losses.from_peak(1, 1, 1, 1))
    """

    def __init__(self):
        self.figure, ax = style.axes("", "share of the datasheet peak", ylim=(0, 1.12))
        names = ["datasheet\npeak", *(name.replace(" ", "\n", 1) for name in NAMES), "achieved"]
        style.percents(ax.yaxis)
        at = range(len(names))
        ax.set_xticks(list(at), names)
        ax.grid(axis="x", visible=False)
        colors = [style.MUTED, *[style.OTHER] * len(NAMES), style.COMPUTE]
        self.bars = ax.bar(at, [1] * len(names), width=0.62, color=colors)
        for bar in self.bars[1:-1]:
            bar.set_hatch("//")
            bar.set_edgecolor("white")
        self.texts = [style.label(ax, x=i, ha="center", va="bottom", fontweight="bold") for i in at]
        style.moving(*self.bars, *self.texts)

    def show(self, result):
        """`result`: losses.Losses."""
        left = [1.0, *(result.left[name] for name in NAMES)]
        spans = [(0, 1), *zip(left[1:], left[:-1], strict=True), (0, result.achieved)]
        for bar, text, (low, high) in zip(self.bars, self.texts, spans, strict=True):
            bar.set(y=low, height=high - low)
            text.set(y=high + 0.01, text=percent(high - low) if bar in (self.bars[0], self.bars[-1]) else "")
        for text, (low, high) in zip(self.texts[1:-1], spans[1:-1], strict=True):
            text.set_text(f"−{percent(high - low)}" if high > low else "no loss")
        name = min(result.factors, key=result.factors.get)
        worst = f"The largest loss is “{name}”." if result.factors[name] < 1 else "Nothing is lost."
        return f"{percent(result.achieved)} of the datasheet peak is left. {worst}"


class LayerTime:
    """Where the time of a transformer layer goes: one bar, and the matrix unit's share of it.

    >>> view = LayerTime()
    >>> view.show(roofline.losses.layer_time(1, "h100-sxm5", 0, 5e-6))
    >>> view.show(roofline.losses.layer_time(4096, "h100-sxm5", 1, 5e-6))
    """

    LOOKS = {
        "matrix unit works": (style.COMPUTE, ""),
        "products wait for weights": (style.MEMORY, "///"),
        "norms, residuals, activation": ("#3d8fc4", "..."),
        "kernel launches": ("#8c8c8c", "xx"),
    }

    def __init__(self):
        self.figure, ax = style.axes("share of the layer's time", "", (0, 1), size=(7.2, 2.9))
        style.percents(ax.xaxis)
        ax.spines["left"].set_visible(False)
        self.cut = Cut(ax, [""], self.LOOKS, list(self.LOOKS.values()))
        ax.set_yticks([])

    def show(self, layer):
        """`layer`: losses.LayerTime."""
        self.cut.draw([[layer.shares[name] for name in self.LOOKS]])
        return (
            f"The matrix unit works {percent(layer.utilization)} of the time; one layer takes {si(layer.seconds, 's')}."
        )


class Utilization:
    """Two gauges for one model step: MFU, the share of the peak; MBU, the share of the bandwidth.

    >>> view = Utilization()
    >>> view.show({"MFU": 0.4})
    >>> view.show({"MFU": 0.01, "MBU": 0.8})
    >>> view.show({"MFU": 1.5, "MBU": 0.2})
    """

    def __init__(self):
        self.figure, ax = style.axes("utilisation", "", xlim=(0, MOST), size=(7.2, 2.6))
        style.percents(ax.xaxis)
        ax.set_xticks(np.linspace(0, 1.2, 7))
        ax.axvline(1, color=style.INK, linewidth=1.2, linestyle="--")
        names = {"MFU": "MFU\narithmetic", "MBU": "MBU\nbandwidth"}
        hatches = style.HATCH["compute"], style.HATCH["memory"]
        self.rows = Rows(ax, names.values(), 0.5, [style.COMPUTE, style.MEMORY], 11, hatches)
        ax.barh(self.rows.at, [1, 1], height=0.5, color="#eeeeee", zorder=0)

    def show(self, shares):
        """`shares`: {"MFU": share, "MBU": share or left out}; above one, the numbers given cannot be true."""
        mfu, mbu = shares["MFU"], shares.get("MBU")
        words = ["not counted" if share is None else percent(share) + " →" * (share > MOST) for share in (mfu, mbu)]
        self.rows.draw([mfu, mbu], words)
        gauges = f"MFU {percent(mfu)}" + ("" if mbu is None else f", MBU {percent(mbu)}")
        if max(mfu, mbu or 0) > 1:
            return f"{gauges}: more than the machine has. Such a speed is impossible."
        if mbu is None:
            return f"{gauges}: this share of the peak did work that the model needs."
        honest = "bandwidth" if mbu > mfu else "arithmetic"
        return f"{gauges}: the {honest} is the busier half, so judge by its gauge."


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
