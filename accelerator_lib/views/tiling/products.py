"""Pictures of chapter 4: the tile odometer, a tile and its budgets, traffic against the lower bound, staged tiles."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib import tiling
from accelerator_lib.units import binary, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves

OPERANDS = (
    ("inputs", "A", style.MEMORY, "///"),
    ("weights", "B", style.OTHER, "xx"),
    ("outputs", "C", style.COMPUTE, "..."),
)
OVER = "#b3261e"


class Odometer:
    """A tile walks over the output; the bytes of each operand tick, and the lower bound waits."""

    def __init__(self):
        self.figure = style.figure((7.2, 3.9))
        self.grid_ax, ax = self.figure.subplots(1, 2, width_ratios=[1, 1.25])
        paper = ListedColormap(["white", "#f0d9cc", style.COMPUTE])
        self.image = self.grid_ax.imshow(np.zeros((8, 8)), cmap=paper, vmin=0, vmax=2, extent=(0, 1, 1, 0))
        style.bare(self.grid_ax, (-0.18, 1.02), (1.02, -0.18))
        self.strips = [
            self.grid_ax.add_patch(Rectangle((0, 0), 0.1, 0.1, facecolor=color, alpha=0.6, hatch=hatch))
            for _, _, color, hatch in OPERANDS[:2]
        ]
        style.label(self.grid_ax, "A", -0.13, 0.5, style.MEMORY, 12, va="center", fontweight="bold")
        style.label(self.grid_ax, "B", 0.5, -0.12, style.OTHER, 12, ha="center", va="center", fontweight="bold")
        self.grid_ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=style.MUTED))
        self.grid_ax.set_xlabel("tiles of C", color=style.INK, fontsize=11)
        style.dress(ax, "bytes so far / lower bound", "", (0, 4.6), (-0.6, 3.6))
        style.plain(ax.xaxis)
        ax.set_yticks([3, 2, 1, 0], ["A", "B", "C", "all"])
        ax.grid(axis="y", visible=False)
        colors = [color for _, _, color, _ in OPERANDS] + [style.MUTED]
        self.bars = ax.barh([3, 2, 1, 0], [0] * 4, 0.62, color=colors, edgecolor="white")
        for bar, (_, _, _, hatch) in zip(self.bars[:3], OPERANDS, strict=True):
            bar.set_hatch(hatch)
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in (3, 2, 1, 0)]
        ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        style.moving(self.image, *self.strips, *self.bars, *self.texts)

    def show(self, result):
        """`result`: (tiling.Tile, bytes of the lower bound for the whole product)."""
        tile, bound = result
        grid = np.zeros((tile.rows, tile.cols))
        grid.ravel()[: tile.number] = 1
        grid[tile.row, tile.col] = 2
        self.image.set_data(grid)
        self.strips[0].set_bounds(-0.1, tile.row / tile.rows, 0.08, 1 / tile.rows)
        self.strips[1].set_bounds(tile.col / tile.cols, -0.1, 1 / tile.cols, 0.08)
        values = [getattr(tile, name) for name, *_ in OPERANDS] + [tile.total]
        for bar, text, value in zip(self.bars, self.texts, values, strict=True):
            bar.set_width(min(value / bound, 4.6))
            text.set(text=f" {si(value, 'B')}", x=min(value / bound, 3.7))
        return (
            f"Tile {tile.number + 1:,} of {tile.rows * tile.cols:,}: {si(tile.total, 'B')} moved, "
            f"{number(tile.total / bound)} times the lower bound of {si(bound, 'B')} for the whole product."
        )


class TileBudget:
    """Traffic of a product over the tile, with the lower bound; below, what the tile needs on the chip."""

    def __init__(self):
        self.figure = style.figure((7.2, 5.0))
        top, self.low = self.figure.subplots(2, 1, height_ratios=[2.4, 1])
        style.dress(top, "edge of a square tile", "traffic [B]", style.room(1, 512), (1e5, 1e14), log="xy")
        style.plain(top.xaxis)
        self.edges = np.unique(np.geomspace(1, 512, 90).round())
        self.curve = top.plot([], [], color=style.COMPUTE, linewidth=2.5, label="square tiles")[0]
        self.bound = top.axhline(
            1e9, color=style.INK, linewidth=1.5, linestyle="--", label="lower bound for this memory"
        )
        self.dot = style.dot(top, style.COMPUTE, 13, "s", label="your tile")
        top.legend(frameon=False, fontsize=10, loc="upper right")
        style.dress(self.low, "share of the budget", "", (0, 2), (-0.6, 1.6))
        style.percents(self.low.xaxis)
        self.low.set_yticks([1, 0], ["operands", "sums"])
        self.low.grid(axis="y", visible=False)
        self.low.axvline(1, color=style.INK, linewidth=1.5)
        self.bars = self.low.barh([1, 0], [0.5, 0.5], 0.6, color=style.MEMORY)
        self.texts = [style.label(self.low, y=y, va="center", fontweight="bold") for y in (1, 0)]
        style.moving(self.curve, self.bound, self.dot, *self.bars, *self.texts)

    def show(self, result):
        """`result`: (gemm, tile_m, tile_n, dtype, need: Budget, room: Budget)."""
        gemm, tile_m, tile_n, dtype, need, room = result
        moved = tiling.gemm_bytes(gemm, tile_m, tile_n, dtype)
        self.curve.set_data(self.edges, [tiling.gemm_bytes(gemm, int(e), int(e), dtype) for e in self.edges])
        size = tiling.format_bytes(dtype)
        bound = size * tiling.io_lower_bound_words(gemm, room.operand_bytes / size + room.accumulator_bytes / 4)
        self.bound.set_ydata([bound, bound])
        self.dot.set_data([np.sqrt(tile_m * tile_n)], [moved])
        pairs = ((need.operand_bytes, room.operand_bytes), (need.accumulator_bytes, room.accumulator_bytes))
        for bar, text, (used, there) in zip(self.bars, self.texts, pairs, strict=True):
            share, over = used / there, used > there
            bar.set(width=min(share, 2))
            bar.set_facecolor(OVER if over else style.MEMORY)
            bar.set_hatch("xx" if over else "")
            text.set(
                text=f"{binary(used)} of {binary(there)}" + (": too much" if over else ""), x=min(share, 1.25) + 0.02
            )
        fits = all(used <= there for used, there in pairs)
        verdict = "It fits." if fits else "It does not fit the chip."
        return (
            f"Tiles of {tile_m} × {tile_n} move {si(moved, 'B')}: {number(gemm.flops / moved)} FLOP per byte, "
            f"{number(moved / bound)} times the lower bound. {verdict}"
        )


class LowerBound(Curves):
    """The least traffic over the size of the memory on the chip: four times the memory, half the traffic."""

    def __init__(self, sizes=(16, 65_536)):
        names = ["lower bound", "largest square tile of sums"]
        super().__init__(
            names, "memory on the chip [KiB]", "traffic [B]", sizes, (1e6, 1e12), log="xy", legend="upper right"
        )
        self.sizes = np.geomspace(*sizes, 80)

    def show(self, result):
        """`result`: (gemm, memory [KiB])."""
        gemm, kib = result
        curves, here = (self._both(gemm, size) for size in (self.sizes, np.array([kib], dtype=float)))
        self.draw(self.sizes, curves, kib, [float(line[0]) for line in here])
        double = self._both(gemm, np.array([2.0 * kib]))[0][0]
        return (
            f"{binary(kib * 1024)} on the chip: at least {si(float(here[0][0]), 'B')}. Twice the memory would save "
            f"{percent(1 - double / float(here[0][0]))} of the traffic."
        )

    @staticmethod
    def _both(gemm, kib):
        words = kib * 1024 / 2  # two bytes each
        edges = np.minimum(np.sqrt(words), gemm.m)
        tiles = 2 * (2 * gemm.m * gemm.n * gemm.k / edges + gemm.m * gemm.n)
        return 2 * tiling.io_lower_bound_words(gemm, words), tiles


class Products:
    """Published speeds of matrix products beside two predictions: every matrix moved once; tiles without a cache."""

    def __init__(self, names):
        self.figure, ax = style.axes(
            "TFLOP/s", "", (0, 330), (-0.7, len(names) - 0.3), size=(7.2, 1.4 + 0.42 * len(names))
        )
        style.plain(ax.xaxis)
        self.rows = np.arange(len(names))[::-1]
        ax.set_yticks(self.rows, names)
        ax.grid(axis="y", visible=False)
        self.links = [ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in names]
        looks = (
            ("published", "D", style.OTHER),
            ("every matrix once", "o", style.MEMORY),
            ("tiles, no cache", "s", style.COMPUTE),
        )
        self.marks = [
            ax.plot([], [], m, color=c, markersize=9, markeredgecolor="white", label=n)[0] for n, m, c in looks
        ]
        style.moving(*self.links, *self.marks)
        self.figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=10)

    def show(self, result):
        """`result`: (tile, published, once, tiled), the last three [FLOP/s], one for each name."""
        tile, *speeds = result
        table = np.array(speeds) / 1e12
        for mark, values in zip(self.marks, table, strict=True):
            mark.set_data(values, self.rows)
        for link, low, high, y in zip(self.links, table.min(axis=0), table.max(axis=0), self.rows, strict=True):
            link.set_data([low, high], [y, y])
        beat = int((table[0] > table[2] * 1.01).sum())
        mean = float(np.exp(np.abs(np.log(table[0] / table[1])).mean()))
        return (
            f"Tiles of {tile} × {tile}: {beat} of {len(self.rows)} published products are faster than tiles without a "
            f"cache allow. Moving every matrix once predicts too much by a factor of {number(mean)} on average."
        )
