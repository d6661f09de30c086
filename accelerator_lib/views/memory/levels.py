"""Four rulers for one chip, the gap between its levels, and where every value comes from."""

import numpy as np
from matplotlib.ticker import LogLocator

from accelerator_lib.memory.levels import source_title
from accelerator_lib.units import binary, counted, number, si
from accelerator_lib.views import style

KINDS = {
    "registers": "registers",
    "shared": "shared / L1",
    "l2": "L2",
    "l3": "L3",
    "dram": "main memory",
    "link": "link",
}
RULERS = (
    ("capacity", "capacity [B]", (1e5, 1e13)),
    ("bandwidth", "bandwidth [B/s]", (1e10, 1e15)),
    ("latency", "latency [s]", (3e-10, 3e-6)),
    ("energy", "energy [pJ/byte]", (0.3, 1000)),
)


def told(quantity, value):
    """A value with its unit."""
    if quantity == "energy":
        return f"{number(value)} pJ/byte"
    return (
        binary(value)
        if quantity == "capacity" and value < 1e9
        else si(value, {"latency": "s", "capacity": "B"}.get(quantity, "B/s"))
    )


class Rulers:
    """The levels of one chip on four rulers; a bar spans what the sources say, a dot is each of their values."""

    def __init__(self):
        self.figure = style.figure((7.2, 5.6))
        self.axes = self.figure.subplots(2, 2, sharey=True).ravel()
        self.bars, self.dots = [], []
        names = list(KINDS.values())
        self.rows = {kind: len(names) - 1 - i for i, kind in enumerate(KINDS)}
        for ax, (_, label, limits) in zip(self.axes, RULERS, strict=True):
            style.dress(ax, label, "", limits, (-0.6, len(names) - 0.4), log="x")
            ax.set_yticks(list(self.rows.values()), names)
            ax.xaxis.set_major_locator(LogLocator(numticks=5))
            ax.grid(axis="y", visible=False)
            self.bars.append([ax.plot([], [], color=style.MEMORY, linewidth=7, alpha=0.35, zorder=2)[0] for _ in names])
            self.dots.append(ax.plot([], [], "o", color=style.MEMORY, markersize=7, markeredgecolor="white")[0])
        style.moving(*[bar for bars in self.bars for bar in bars], *self.dots)

    def show(self, result):
        """`result`: (chip's name, levels)."""
        chip, levels = result
        for bars, dots, (quantity, _, _) in zip(self.bars, self.dots, RULERS, strict=True):
            x, y = [], []
            for bar in bars:
                bar.set_data([], [])
            for level in levels:
                values = [v.value for v in getattr(level, quantity)]
                if values:
                    row = self.rows[level.kind]
                    bars[len(bars) - 1 - row].set_data([min(values), max(values)], [row, row])
                    x, y = x + values, y + [row] * len(values)
            dots.set_data(x, y)
        count = sum(len(getattr(level, quantity)) for level in levels for quantity, _, _ in RULERS)
        disagree = sum(len(getattr(level, q)) > 1 for level in levels for q, _, _ in RULERS)
        return f"{chip}: {count} published or derived values; for {disagree} of them more than one source has a say."


class Origins:
    """Every published value of one level, with what was measured and by whom."""

    MOST = 6

    def __init__(self):
        self.figure = style.figure((7.2, 4.2))
        self.ax = self.figure.subplots()
        self.ax.set(xlim=(0, 1), ylim=(-0.3, self.MOST))
        self.ax.axis("off")
        rows = range(self.MOST - 1, -1, -1)
        self.values = [style.label(self.ax, "", 0, y + 0.45, size=12, fontweight="bold", va="center") for y in rows]
        self.words = [style.label(self.ax, "", 0.22, y + 0.62, va="center") for y in rows]
        self.sources = [style.label(self.ax, "", 0.22, y + 0.28, style.MUTED, 9, va="center") for y in rows]
        style.moving(*self.values, *self.words, *self.sources)

    def show(self, result):
        """`result`: (chip, quantity, (level, values))."""
        chip, quantity, (level, values) = result
        for i, (number_, words, source) in enumerate(zip(self.values, self.words, self.sources, strict=True)):
            value = values[i] if i < len(values) else None
            number_.set_text(told(quantity, value.value) if value else "")
            words.set_text(_short(f"{value.what}{': ' + value.how if value.how else ''}", 78) if value else "")
            titles = "; ".join(source_title(name) for name in value.sources) if value else ""
            source.set_text(_short(f"{value.basis}: {titles}", 92) if value else "")
        spread = max(v.value for v in values) / min(v.value for v in values)
        differ = f" The largest is {number(spread)} times the smallest." if spread > 1.001 else ""
        return f"{chip}, {level}: {counted(len(values), 'source')} for its {quantity}.{differ}"


def _short(text, letters):
    return text if len(text) <= letters else text[: letters - 2].rsplit(" ", 1)[0] + " …"


class Gap:
    """How far the levels of one machine are apart, as multiples of the last one."""

    def __init__(self, names=("registers", "shared memory and L1", "L2", "HBM2e")):
        self.figure, ax = style.axes("factor to the main memory", "", (0.8, 1e5), (-0.6, 3.6), log="x", size=(7.2, 3.2))
        style.plain(ax.xaxis)
        self.rows = np.arange(len(names))[::-1]
        ax.set_yticks(self.rows, names)
        ax.grid(axis="y", visible=False)
        ax.axvline(1e4, color=style.COMPUTE, linestyle="--", linewidth=1.2)
        style.label(ax, "10,000", 1.05e4, 3.2, style.COMPUTE)
        self.bars = ax.barh(self.rows, [1] * len(names), 0.6, left=1, color=style.MEMORY)
        self.spans = [ax.plot([], [], color=style.INK, linewidth=2)[0] for _ in names]
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in self.rows]
        style.moving(*self.bars, *self.spans, *self.texts)

    def show(self, gap):
        _, last_low, last_high = gap.rungs[-1]
        for bar, span, text, y, (_, low, high) in zip(
            self.bars, self.spans, self.texts, self.rows, gap.rungs, strict=True
        ):
            if gap.quantity == "bandwidth":
                least, most = low / last_high, high / last_low
            else:  # a shorter time, less energy, fewer bytes
                least, most = last_low / high, last_high / low
            if y == 0:
                least = most = 1.0
            bar.set_width(max(most, 1.0) - 1)
            span.set_data([max(least, 1), max(most, 1)], [y, y])
            words = (
                told(gap.quantity, low) if low == high else f"{told(gap.quantity, low)} to {told(gap.quantity, high)}"
            )
            text.set(text=words, x=max(most, 1) * 1.15)
        least, most = gap.ratio
        times = number(least) if round(least, 3) == round(most, 3) else f"{number(least)} to {number(most)}"
        words = {
            "bandwidth": f"the registers deliver {times} times as much as the main memory",
            "latency": f"the main memory takes {times} times as long as a register",
            "energy": f"a byte from the main memory costs {times} times as much as one from a register",
            "capacity": f"the main memory holds {times} times as much as all registers",
        }
        return f"{gap.quantity.capitalize()}: {words[gap.quantity]}."
