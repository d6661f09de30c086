"""Lane by lane: a warp that diverges."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib import gpu
from accelerator_lib.gpu import access
from accelerator_lib.units import counted, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves

LANES = access.LANES


ROLL = ListedColormap(["white", "#e4e4e4", "#e08a50"])


class WarpSteps:
    """A kernel and the 32 lanes that run it: which line, who works, who waits masked."""

    LINES, WINDOW = 12, 64

    def __init__(self):
        self.figure = style.figure((7.6, 4.4))
        text, roll = self.figure.subplots(1, 2, width_ratios=[1, 1.5])
        style.bare(text, (0, 1), (self.LINES - 0.4, -1.4))
        self.band = text.add_patch(Rectangle((0, 0), 1, 0.9, facecolor="#fbe3d3", edgecolor=style.COMPUTE))
        self.lines = [
            text.text(0.02, y, "", fontsize=10, family="monospace", va="center", color=style.INK)
            for y in range(self.LINES)
        ]
        self.lane = text.text(0.02, -1.0, "", fontsize=9, color=style.MUTED, va="center")
        style.dress(roll, "instruction (the last 64)", "lane", (-0.5, self.WINDOW - 0.5), (LANES - 0.5, -0.5))
        for axis in (roll.xaxis, roll.yaxis):
            style.plain(axis)
        roll.grid(False)
        shape = (LANES, self.WINDOW)
        extent = (-0.5, self.WINDOW - 0.5, LANES - 0.5, -0.5)
        self.image = roll.imshow(np.zeros(shape), cmap=ROLL, vmin=0, vmax=2, aspect="auto", extent=extent)
        self.cursor = roll.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        self.ax = roll
        style.moving(self.band, *self.lines, self.lane, self.image, self.cursor)

    def show(self, result):
        """`result`: (source, steps, position, lane whose variables are shown)."""
        source, steps, at, lane = result
        window = min(self.WINDOW, max(16, len(steps)))
        if self.ax.get_xlim()[1] != window - 0.5:
            self.ax.set_xlim(-0.5, window - 0.5)
        now, code = steps[at], source.splitlines()
        first = max(0, min(now.line - self.LINES // 2 - 1, len(code) - self.LINES))
        for text, line in zip(self.lines, code[first : first + self.LINES] + [""] * self.LINES, strict=False):
            text.set_text(line)
        self.band.set_y(now.line - 1 - first - 0.45)
        begin = max(0, at - self.WINDOW + 1)
        roll = np.zeros((LANES, self.WINDOW))
        shown = np.array([step.mask for step in steps[begin : at + 1]]).T
        roll[:, : shown.shape[1]] = 1 + shown
        self.image.set_data(roll)
        self.cursor.set_xdata([at - begin] * 2)
        values = ", ".join(f"{name} = {v[lane]}" for name, v in now.values.items() if name not in ("lane",))
        self.lane.set_text(f"lane {lane}: {values}"[:64])
        return (
            f"Instruction {at + 1} of {len(steps)}, line {now.line}: {int(now.mask.sum())} of {LANES} lanes work. "
            f"So far {percent(now.efficiency)} of the lanes' slots did."
        )


class Divergence(Curves):
    """Efficiency of a warp over the number of lanes that go the long way."""

    def __init__(self):
        super().__init__(
            ["lanes at work"], "lanes on the long path", "lanes at work, all instructions", (0, 32), (0, 1.04), log=""
        )
        style.percents(self.ax.yaxis)
        self.lanes = np.arange(33)

    def show(self, result):
        """`result`: (lanes on the long path, its instructions, those of the short path)."""
        lanes, long, short = result
        share = lambda n: gpu.simt_efficiency([(n, long), (32 - n, short)])  # noqa: E731
        self.draw(self.lanes, [[share(int(n)) for n in self.lanes]], lanes, [share(lanes)])
        taken = gpu.simt_cycles([(lanes, long), (32 - lanes, short)])
        return (
            f"{counted(lanes, 'lane')} on the long path: the warp issues {counted(taken, 'instruction')}, "
            f"{percent(share(lanes))} of its lanes' slots work."
        )
