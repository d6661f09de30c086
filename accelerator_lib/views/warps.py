"""Pictures of chapter 5, lane by lane: a warp that diverges, a scheduler at work, sectors and banks."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib import access, scheduler
from accelerator_lib.units import counted, percent
from accelerator_lib.views import style

LANES = access.LANES
ROLL = ListedColormap(["white", "#e4e4e4", "#e08a50"])
SLOTS = ListedColormap(["white", "#ededed", "#8fbfe0", style.COMPUTE])  # dark, middle, light: legible in grey, too


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


class Schedule:
    """Warps over cycles: who issues, who is ready, who waits for memory."""

    WINDOW, MOST = 80, 32

    def __init__(self):
        self.figure, self.ax = style.axes(
            "cycle (the last 80)", "warp", (-0.5, self.WINDOW - 0.5), (self.MOST - 0.5, -0.5), size=(7.4, 4.0)
        )
        for axis in (self.ax.xaxis, self.ax.yaxis):
            style.plain(axis)
        self.ax.grid(False)
        self.image = self.ax.imshow(
            np.zeros((self.MOST, self.WINDOW)), cmap=SLOTS, vmin=0, vmax=3, aspect="auto",
            extent=(-0.5, self.WINDOW - 0.5, self.MOST - 0.5, -0.5),
        )  # fmt: skip
        self.cursor = self.ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        names = ("waits for memory", "ready", "issues")
        handles = [Rectangle((0, 0), 1, 1, facecolor=SLOTS(i + 1), label=name) for i, name in enumerate(names)]
        self.figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(self.image, self.cursor)

    def show(self, result):
        """`result`: (slots, position)."""
        slots, at = result
        begin, now = max(0, at - self.WINDOW + 1), slots[at]
        shown = np.array([slot.doing for slot in slots[begin : at + 1]]).T
        picture = np.zeros((self.MOST, self.WINDOW))
        picture[: len(shown), : shown.shape[1]] = 1 + shown[: self.MOST]
        self.image.set_data(picture)
        self.cursor.set_xdata([at - begin] * 2)
        issuing = np.flatnonzero(now.doing == scheduler.ISSUED)
        doing = f"warp {issuing[0]} issues" if len(issuing) else "no warp is ready, the cycle is lost"
        return f"Cycle {at}: {doing}. So far {percent(now.utilization)} of the cycles issued something."


class Sectors:
    """What 32 lanes touch in memory: each lane's bytes, and the 32-byte sectors that must be brought."""

    MOST = 64

    def __init__(self):
        self.figure, ax = style.axes("", "", (-0.5, 31.5), (-0.35, 1.35), size=(7.4, 3.4))
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.text(-0.4, 1.25, "lanes of the warp", fontsize=10, color=style.MUTED)
        self.under = ax.text(-0.4, -0.3, "", fontsize=10, color=style.MUTED)
        self.lanes = ax.scatter(range(LANES), [1] * LANES, s=55, marker="s", color=style.COMPUTE, zorder=3)
        self.lines = ax.add_collection(LineCollection([], colors=style.MUTED, linewidths=0.8))
        self.boxes = [
            ax.add_patch(Rectangle((0, 0), 1, 0.2, facecolor="#cfe3f2", edgecolor=style.MEMORY))
            for _ in range(self.MOST)
        ]
        style.moving(self.lines, self.lanes, self.under, *self.boxes)

    def show(self, result):
        """`result`: (name, byte addresses [lanes, bytes])."""
        name, addresses = result
        sectors = access.sectors_of(addresses)
        width = min(2.0, 32 / len(sectors))
        left = 15.5 - width * len(sectors) / 2
        place = dict(zip(sectors, left + width * np.arange(len(sectors)), strict=True))
        for box, sector in zip(self.boxes, [*sectors, *[None] * self.MOST], strict=False):
            box.set_visible(sector is not None)
            if sector is not None:
                box.set_bounds(place[sector] + 0.04 * width, -0.15, 0.92 * width, 0.22)
        ends = [(place[a // 32] + width * (a % 32) / 32, 0.07) for a in addresses[:, 0]]
        self.lines.set_segments([[(lane, 0.96), end] for lane, end in enumerate(ends)])
        count, share = len(sectors), access.efficiency_of(addresses)
        gaps = int((np.diff(sectors) > 1).sum())
        self.under.set_text(
            f"{counted(count, 'sector')} of 32 bytes" + (f", in {gaps + 1} places" if gaps else ", in a row")
        )
        return f"{name}: {counted(count, 'sector')}, {32 * count:,} bytes brought, {percent(share)} of them asked for."


class Banks:
    """The 32 banks of shared memory: how many different words each must deliver."""

    def __init__(self):
        self.figure, ax = style.axes("bank", "different words", (-0.7, 31.7), (0, 33), size=(7.4, 2.9))
        for axis in (ax.xaxis, ax.yaxis):
            style.plain(axis)
        self.bars = ax.bar(range(32), [1] * 32, 0.8, edgecolor="white")
        self.line = ax.axhline(1, color=style.INK, linewidth=1.2, linestyle="--")
        style.moving(*self.bars, self.line)

    def show(self, result):
        """`result`: (name, byte addresses [lanes, bytes])."""
        name, addresses = result
        counts = access.banks_of(addresses)
        worst = int(counts.max())
        for bar, count in zip(self.bars, counts, strict=True):
            bar.set_height(count)
            bar.set(
                facecolor=style.COMPUTE if count == worst > 1 else style.MEMORY,
                hatch="..." if count == worst > 1 else "",
            )
        self.line.set_ydata([worst, worst])
        if worst == 1:
            return f"{name}: no conflict, {counted(int(counts.sum()), 'word')} in one turn."
        return f"{name}: one bank must deliver {worst} words, so the access takes {worst} turns."
