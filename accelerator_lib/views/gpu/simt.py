"""Lane by lane: a warp that diverges."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib.units import percent
from accelerator_lib.views import style

ROLL = ListedColormap(["white", "#e4e4e4", "#e08a50"])
LINES, WINDOW, SHORTEST = 12, 64, 16  # lines of code; instructions drawn, at most and at least


class WarpSteps:
    """A kernel and the lanes that run it: which line, who works, who waits masked.

    >>> view = WarpSteps()
    >>> short, long = (gpu.simt.kernels()[name] for name in ("if and else", "Collatz"))
    >>> view.show((short, list(gpu.simt.run(short)), 0, 5))
    >>> view.show((long, list(gpu.simt.run(long)), 90, 5))
    """

    RESIZES = True

    def __init__(self):
        self.figure = style.figure((7.6, 4.4))
        text, self.ax = self.figure.subplots(1, 2, width_ratios=[1, 1.5])
        style.bare(text, (0, 1), (LINES - 0.4, -1.4))
        self.band = text.add_patch(Rectangle((0, 0), 1, 0.9, facecolor="#fbe3d3", edgecolor=style.COMPUTE))
        self.lines = [
            text.text(0.02, y, "", fontsize=10, family="monospace", va="center", color=style.INK) for y in range(LINES)
        ]
        self.lane = text.text(0.02, -1.0, "", fontsize=9, color=style.MUTED, va="center")
        style.dress(self.ax, f"instruction (the last {WINDOW})", "lane", (-0.5, WINDOW - 0.5))
        for axis in (self.ax.xaxis, self.ax.yaxis):
            style.plain(axis)
        self.ax.grid(False)
        self.image, self.cursor = None, self.ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        style.moving(self.band, *self.lines, self.lane)

    def show(self, result):
        """`result`: (source, [simt.Issue], position, lane whose variables are shown)."""
        source, steps, at, lane = result
        now, code = steps[at], source.splitlines()
        self._page(code, now.line - 1)
        self._roll([step.mask for step in steps[max(0, at - WINDOW + 1) : at + 1]], len(steps))
        values = ", ".join(f"{name} = {v[lane]}" for name, v in now.values.items() if name != "lane")
        self.lane.set_text(f"lane {lane}: {values}"[:64])
        return (
            f"Instruction {at + 1} of {len(steps)}, line {now.line}: {now.working} of {len(now.mask)} lanes work. "
            f"So far {percent(now.efficiency)} of the lanes' slots did."
        )

    def _page(self, code, line):
        """The code around a line, which is lit."""
        first = max(0, min(line - LINES // 2, len(code) - LINES))
        for text, words in zip(self.lines, code[first : first + LINES] + [""] * LINES, strict=False):
            text.set_text(words)
        self.band.set_y(line - first - 0.45)

    def _roll(self, masks, steps):
        """Who worked in the last instructions, of so many in all."""
        lanes, window = len(masks[0]), min(WINDOW, max(SHORTEST, steps))
        if self.image is None:
            extent = (-0.5, WINDOW - 0.5, lanes - 0.5, -0.5)
            blank = np.zeros((lanes, WINDOW))
            self.image = self.ax.imshow(blank, cmap=ROLL, vmin=0, vmax=2, aspect="auto", extent=extent)
            style.moving(self.image, self.cursor)
        if self.ax.get_xlim()[1] != window - 0.5:
            self.ax.set_xlim(-0.5, window - 0.5)
        roll = np.zeros((lanes, WINDOW))
        roll[:, : len(masks)] = 1 + np.transpose(masks)
        self.image.set_data(roll)
        self.cursor.set_xdata([len(masks) - 1] * 2)
