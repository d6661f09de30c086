"""The levels of one chip: four rulers, where every value comes from, how far apart they are."""

from textwrap import shorten

from matplotlib.ticker import LogLocator

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import binary, counted, number, si

KINDS = {
    "registers": "registers",
    "shared": "shared / L1",
    "l2": "L2",
    "l3": "L3",
    "dram": "main memory",
    "link": "link",
}
BASIS = {"seen": "paper", "seen_secondary": "quoted", "recalled": "from memory"}  # as a reader knows it
RULERS = (
    ("capacity", "capacity [B]", (1e5, 1e13)),
    ("bandwidth", "bandwidth [B/s]", (1e10, 1e15)),
    ("latency", "latency [s]", (3e-10, 3e-6)),
    ("energy", "energy [pJ/byte]", (0.3, 1000)),
)
SAID = {
    "bandwidth": "the registers deliver {} times as much as the main memory",
    "latency": "the main memory takes {} times as long as a register",
    "energy": "a byte from the main memory costs {} times as much as one from a register",
    "capacity": "the main memory holds {} times as much as all registers",
}


def written(quantity, value):
    """A value with its unit."""
    if quantity == "energy":
        return f"{number(value)} pJ/byte"
    return (
        binary(value)
        if quantity == "capacity" and value < 1e9
        else si(value, {"latency": "s", "capacity": "B"}.get(quantity, "B/s"))
    )


class Rulers:
    """The levels of one chip on four rulers; a bar spans what the sources say, a dot is each of their values.

    >>> view = Rulers()
    >>> view.show(("A100", memory.levels.of("a100-80gb-sxm")))
    >>> view.show(("TPU v5e", memory.levels.of("tpu-v5e")))
    """

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
        """`result`: (chip's name, memory.levels.Levels)."""
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
        places = counted(len(levels.disputed), "place")
        return (
            f"{chip}: {counted(len(levels.values), 'published or derived value')}; "
            f"in {places} values of different sources stand side by side."
        )


class Origins:
    """Every published value of one level, with what was measured and by whom.

    >>> view = Origins()
    >>> view.show(memory.levels.published("a100-80gb-sxm", "l2", "latency"))
    >>> view.show(memory.levels.published("a100-80gb-sxm", "dram", "capacity"))
    """

    MOST = 6

    def __init__(self):
        self.figure = style.figure((7.2, 4.2))
        self.ax = self.figure.subplots()
        self.ax.set(xlim=(0, 1), ylim=(-0.3, self.MOST))
        self.ax.axis("off")
        rows = range(self.MOST - 1, -1, -1)
        self.values = [style.label(self.ax, "", 0, y + 0.45, size=12, fontweight="bold", va="center") for y in rows]
        self.words = [style.label(self.ax, "", 0.25, y + 0.62, va="center") for y in rows]
        self.sources = [style.label(self.ax, "", 0.25, y + 0.28, style.MUTED, 9, va="center") for y in rows]
        style.moving(*self.values, *self.words, *self.sources)

    def show(self, published):
        """`published`: memory.levels.Published."""
        values = published.values
        for i, (number_, words, source) in enumerate(zip(self.values, self.words, self.sources, strict=True)):
            value = values[i] if i < len(values) else None
            number_.set_text(written(published.quantity, value.value) if value else "")
            what = f"{value.what}{': ' + value.how if value.how else ''}" if value else ""
            where = f"{BASIS.get(value.basis, value.basis)}: {'; '.join(value.titles)}" if value else ""
            words.set_text(shorten(what, 78, placeholder=" …"))
            source.set_text(shorten(where, 76, placeholder=" …"))
        differ = f" The largest is {number(published.spread)} times the smallest." if published.spread > 1.001 else ""
        several = counted(len(values), "value")
        return f"{published.chip}, {published.level}: {several} for its {published.quantity}.{differ}"


class Gap:
    """The levels of one chip as multiples of the last one; a span where the sources disagree.

    >>> view = Gap()
    >>> view.show(memory.levels.gap())
    >>> view.show(memory.levels.gap("latency"))
    >>> view.show(memory.levels.gap("energy", sms=8))
    """

    def __init__(self, names=("registers", "shared memory and L1", "L2", "HBM2e")):
        self.figure, ax = style.axes("factor to the main memory", "", (1, 1e5), log="x", size=(7.2, 3.2))
        style.plain(ax.xaxis)
        ax.axvline(1e4, color=style.COMPUTE, linestyle="--", linewidth=1.2)
        self.rows = Rows(ax, names)
        for text in self.rows.texts:  # a value may stand where the dashed line runs
            text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
        style.label(ax, "10,000", 1.05e4, 3.2, style.COMPUTE)
        self.spans = [ax.plot([], [], color=style.INK, linewidth=2)[0] for _ in names]
        style.moving(*self.spans)

    def place(self, axis, value, row=None):
        """A factor, on the bar of one level or over all."""
        return self.rows.place(axis, value, row)

    def show(self, gap):
        """`gap`: memory.levels.Gap."""
        words = []
        for span, y, level, (least, most) in zip(self.spans, self.rows.at, gap.spans, gap.ratios, strict=True):
            span.set_data([least, most], [y, y])
            low, high = written(gap.quantity, level.low), written(gap.quantity, level.high)
            words.append(low if level.low == level.high else f"{low} to {high}")
        self.rows.draw([most for _, most in gap.ratios], words)
        least, most = gap.ratio
        times = number(least) if round(least, 3) == round(most, 3) else f"{number(least)} to {number(most)}"
        return f"{gap.quantity.capitalize()}: {SAID[gap.quantity].format(times)}."
