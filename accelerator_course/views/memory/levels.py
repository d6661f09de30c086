"""Four rulers for one chip, and where every value comes from."""

from matplotlib.ticker import LogLocator

from accelerator_course.views import style
from accelerator_lib.units import binary, counted, number, si

KINDS = {
    "registers": "registers",
    "shared": "shared / L1",
    "l2": "L2",
    "l3": "L3",
    "dram": "main memory",
    "link": "link",
}
BASIS = {"seen": "paper", "seen_secondary": "quoted", "recalled": "from memory"}  # as told to a reader
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
            number_.set_text(told(published.quantity, value.value) if value else "")
            words.set_text(_short(f"{value.what}{': ' + value.how if value.how else ''}", 78) if value else "")
            source.set_text(
                _short(f"{BASIS.get(value.basis, value.basis)}: {'; '.join(value.titles)}", 76) if value else ""
            )
        differ = f" The largest is {number(published.spread)} times the smallest." if published.spread > 1.001 else ""
        several = counted(len(values), "value")
        return f"{published.chip}, {published.level}: {several} for its {published.quantity}.{differ}"


def _short(text, letters):
    return text if len(text) <= letters else text[: letters - 2].rsplit(" ", 1)[0] + " …"
