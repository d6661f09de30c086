"""A tile walks over the output of a product, and the bytes tick."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib.units import number, si
from accelerator_lib.views import style
from accelerator_lib.views.bars import Rows

COLORS = (style.MEMORY, style.OTHER, style.COMPUTE, style.MUTED)
HATCHES = ("///", "xx", "...", "")


class Odometer:
    """A tile walks over the output; the bytes of each operand tick, and the lower bound waits.

    >>> view = Odometer()
    >>> first, *_, last = tiling.tiles(Gemm(300, 200, 100), 64, 96)
    >>> view.show(tiling.Reading(first, 1e5))
    >>> view.show(tiling.Reading(last, 1e5))
    >>> view.show(tiling.Reading(next(tiling.tiles(Gemm(64, 64, 64), 64, 64)), 2e4))
    """

    def __init__(self):
        self.figure = style.figure((7.2, 3.9))
        grid, ax = self.figure.subplots(1, 2, width_ratios=[1, 1.25])
        paper = ListedColormap(["white", "#f0d9cc", style.COMPUTE])
        self.image = grid.imshow(np.zeros((8, 8)), cmap=paper, vmin=0, vmax=2, extent=(0, 1, 1, 0))
        style.bare(grid, (-0.2, 1.02), (1.02, -0.2))
        self.strips = [
            grid.add_patch(Rectangle((0, 0), 0.1, 0.1, facecolor=color, alpha=0.6, hatch=hatch))
            for color, hatch in zip(COLORS[:2], HATCHES, strict=False)
        ]
        style.label(grid, "A", -0.155, 0.5, style.MEMORY, 12, ha="center", va="center", fontweight="bold")
        style.label(grid, "B", 0.5, -0.15, style.OTHER, 12, ha="center", va="center", fontweight="bold")
        grid.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=style.MUTED))
        grid.set_xlabel("tiles of C", color=style.INK, fontsize=11)
        style.dress(ax, "bytes so far / lower bound", "", (0, 4.6))
        style.plain(ax.xaxis)
        self.rows = Rows(ax, ["A", "B", "C", "all"], 0.62, COLORS, hatches=HATCHES)
        ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        for text in self.rows.texts:  # the line of the bound ends at the words
            text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 3})
        style.moving(self.image, *self.strips)

    def show(self, reading):
        """`reading`: tiling.Reading."""
        tile = reading.tile
        grid = np.zeros((tile.rows, tile.cols))
        grid.ravel()[: tile.number] = 1
        grid[tile.row, tile.col] = 2
        self.image.set_data(grid)
        self.strips[0].set_bounds(-0.1, tile.row / tile.rows, 0.08, 1 / tile.rows)
        self.strips[1].set_bounds(tile.col / tile.cols, -0.1, 1 / tile.cols, 0.08)
        values = (tile.input_bytes, tile.weight_bytes, tile.output_bytes, tile.bytes_moved)
        self.rows.draw([*reading.shares, reading.excess], [si(value, "B") for value in values])
        return (
            f"Tile {tile.number + 1:,} of {tile.rows * tile.cols:,}: {si(tile.bytes_moved, 'B')} moved, "
            f"{number(reading.excess)} times the lower bound of {si(reading.bound_bytes, 'B')} for the whole product."
        )
