"""Pictures of an array at work: its PEs cycle by cycle, what waits at the edges, the trapezoid of busy PEs."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib.units import percent
from accelerator_lib.views import style

NAMES = {"os": "output-stationary", "ws": "weight-stationary", "is": "input-stationary"}
CELLS = ListedColormap(["white", "#dbe9f4", "#eeeeee", "#f0b48a", "#cbb6ea"])
EMPTY, WAITING, IDLE, BUSY = range(4)  # and one more: busy with a fold of odd number
LENGTHS = (10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 10_000)  # of the axis of cycles: it rarely changes
LOOK, WRITTEN = 4, 8  # cycles of the feed that are shown; the largest array with numbers in it


class _Grid:
    """The PEs of an array on given axes, what is about to enter at its edges, and what leaves below."""

    def __init__(self, ax, size=11):
        self.image = ax.imshow(np.zeros((2, 2)), cmap=CELLS, vmin=0, vmax=4, extent=(0, 1, 1, 0), aspect="auto")
        ax.set(xticks=[], yticks=[], xlim=(0, 1), ylim=(1, 0))
        for side in ax.spines.values():
            side.set_visible(False)
        self.lines = ax.add_collection(LineCollection([], colors="white", linewidths=1.5))
        self.edge = ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=style.INK, linewidth=1.5, zorder=3))
        self.texts = [ax.text(0, 0, "", ha="center", va="center", color=style.INK) for _ in range(240)]
        self.size = size
        style.moving(self.image, self.lines, self.edge, *self.texts)

    def show(self, states, at):
        now, after = states[at], states[at + 1 : at + 1 + LOOK]
        rows, cols = now.active.shape
        cells = np.full((rows + LOOK + 1, cols + LOOK), EMPTY)
        passing = np.where(np.ma.getmaskarray(now.chain), IDLE, WAITING)
        busy = np.where(now.active, BUSY + now.working % 2, passing)
        cells[LOOK:-1, LOOK:] = busy
        for wait, state in enumerate(after):
            cells[LOOK:-1, LOOK - 1 - wait][~state.enters_left.mask] = WAITING
            cells[LOOK - 1 - wait, LOOK:][~state.enters_top.mask] = WAITING
        cells[-1, LOOK:][~now.leaves_bottom.mask] = WAITING
        self.image.set_data(cells)
        high, wide = cells.shape
        self.edge.set_bounds(LOOK / wide, LOOK / high, cols / wide, rows / high)
        small = max(rows, cols) <= WRITTEN
        self.lines.set_segments(_lines(high, wide) if max(rows, cols) <= 16 else [])
        written = self._written(now, after) if small else []
        for text, (row, col, value, bold, share) in zip(self.texts, written, strict=False):
            scale = min(1, 9 / wide) * share
            text.set(x=(col + 0.5) / wide, y=(row + 0.5) / high, text=value, fontsize=self.size * scale, visible=True)
            text.set_fontweight("bold" if bold else "normal")
        for text in self.texts[len(written) :]:
            text.set_visible(False)

    @staticmethod
    def _written(now, after):
        """(row, column, text, bold, size) of every number on the picture."""
        found = []
        for row, col in np.ndindex(*now.active.shape):
            busy, total = now.active[row, col], now.sums[row, col]
            held, passing = now.held[row, col], now.chain[row, col]
            if busy:
                meet = f"{now.across[row, col]:g}×{now.partner[row, col]:g}"
                found.append((LOOK + row - 0.22, LOOK + col, meet, False, 0.85))
            elif passing is not np.ma.masked:
                found.append((LOOK + row - 0.22, LOOK + col, f"↓{passing:g}", False, 0.85))
            elif now.dataflow != "os" and held is not np.ma.masked:
                found.append((LOOK + row - 0.22, LOOK + col, f"{held:g}", False, 0.85))
            if total is not np.ma.masked:
                found.append((LOOK + row + 0.2, LOOK + col, f"{total:g}", busy, 1.1))
        for wait, state in enumerate(after):
            for lane in np.flatnonzero(~state.enters_left.mask):
                found.append((LOOK + lane, LOOK - 1 - wait, f"{state.enters_left[lane]:g}", False, 1))
            for lane in np.flatnonzero(~state.enters_top.mask):
                found.append((LOOK - 1 - wait, LOOK + lane, f"{state.enters_top[lane]:g}", False, 1))
        bottom, rows = now.leaves_bottom, len(now.active)
        found += [(LOOK + rows, LOOK + lane, f"{bottom[lane]:g}", True, 1) for lane in np.flatnonzero(~bottom.mask)]
        return found


def _lines(high, wide):
    """Segments between the cells of a picture."""
    across = [[(0, row / high), (1, row / high)] for row in range(1, high)]
    return across + [[(col / wide, 0), (col / wide, 1)] for col in range(1, wide)]


class _Trapezoid:
    """Busy PEs over the cycles, and where we stand."""

    def __init__(self, ax):
        self.ax = style.dress(ax, "cycle", "busy PEs", (0, 1), (0, 1.05))
        style.percents(ax.yaxis)
        style.plain(ax.xaxis)
        self.area = ax.fill_between([0, 1], [0, 0], step="post", color="#f0b48a")
        self.line = ax.plot([], [], color=style.COMPUTE, linewidth=2, drawstyle="steps-post")[0]
        self.cursor = ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        self.dot = style.dot(ax, style.INK, 9)
        style.moving(self.area, self.line, self.cursor, self.dot)

    def show(self, states, at, most=None):
        busy = [state.utilization for state in states]
        end = next(length for length in LENGTHS if length >= (most or len(busy)))
        if self.ax.get_xlim()[1] != end:
            self.ax.set_xlim(0, end)
        x, y = np.repeat(np.arange(len(busy) + 1), 2)[1:-1], np.repeat(busy, 2)
        self.area.set_verts([[(0, 0), *zip(x, y, strict=True), (len(busy), 0)]])
        self.line.set_data(np.arange(len(busy) + 1), [*busy, busy[-1]])
        self.cursor.set_xdata([at + 0.5] * 2)
        self.dot.set_data([at + 0.5], [busy[at]])


class _Result:
    """The product as it is completed: white nothing yet, light a part of the sum, dark the whole."""

    def __init__(self, ax):
        paper = ListedColormap(["white", "#cfe3d9", style.GOOD])
        self.image = ax.imshow(np.zeros((2, 2)), cmap=paper, vmin=0, vmax=2, extent=(0, 1, 1, 0), aspect="auto")
        ax.set(xticks=[], yticks=[])
        ax.set_title("C so far", color=style.INK, fontsize=11)
        style.moving(self.image)

    def show(self, states, at):
        self.image.set_data(completed(states, at))


def completed(states, at):
    """[m, n]: 0 nothing has left for this result, 1 a part of its sum, 2 all of it."""
    counts = np.zeros(states[0].outputs.shape, int)
    before = np.zeros_like(states[0].outputs)
    last = np.zeros_like(counts)
    for cycle, state in enumerate(states):
        changed = state.outputs != before
        last[changed], before = cycle, state.outputs
        if cycle <= at:
            counts[changed] = 1
    return np.where((last <= at) & (counts > 0), 2, counts)


class Wavefront:
    """One array, cycle by cycle: what each PE multiplies, what waits at the edges, how many are busy."""

    def __init__(self):
        self.figure = style.figure((7.4, 4.9))
        places = self.figure.add_gridspec(2, 2, width_ratios=[1.8, 1], height_ratios=[1, 1.15])
        array, result, trapezoid = (self.figure.add_subplot(places[at]) for at in (np.s_[:, 0], (0, 1), (1, 1)))
        self.grid, self.result, self.trapezoid = _Grid(array), _Result(result), _Trapezoid(trapezoid)

    def show(self, result):
        """`result`: (states, position)."""
        states, at = result
        now = states[at]
        for part in (self.grid, self.result, self.trapezoid):
            part.show(states, at)
        return f"{_where(now, states)}: {_busy(now)}. Over the whole run {percent(_mean(states))} of the PEs are busy."


class Dataflows:
    """The same product on two arrays that keep different things still."""

    def __init__(self):
        self.figure = style.figure((7.8, 5.2))
        axes = self.figure.subplots(2, 2, height_ratios=[2.3, 1])
        self.grids = [_Grid(ax, size=10) for ax in axes[0]]
        self.titles = [ax.set_title("output-stationary", fontsize=11, color=style.INK) for ax in axes[0]]
        style.moving(*self.titles)
        self.trapezoids = [_Trapezoid(ax) for ax in axes[1]]

    def show(self, result):
        """`result`: (states of the left array, of the right one, position)."""
        *runs, at = result
        most, parts = max(map(len, runs)), []
        for states, title, grid, trapezoid in zip(runs, self.titles, self.grids, self.trapezoids, strict=True):
            own = min(at, len(states) - 1)
            title.set_text(NAMES[states[0].dataflow])
            grid.show(states, own)
            trapezoid.show(states, own, most)
            done = f"finished after {len(states)}" if at >= len(states) else _busy(states[own])
            parts.append(f"{NAMES[states[0].dataflow]}: {done}")
        return f"Cycle {at}. {'; '.join(parts)}.".replace(". o", ". O").replace(". w", ". W").replace(". i", ". I")


def _where(now, states):
    fold = f", fold {now.fold + 1} of {now.folds}" if now.folds > 1 else ""
    return f"Cycle {now.cycle} of {len(states)}{fold}"


def _busy(now):
    if not now.active.any():
        loads = now.dataflow != "os" and not now.enters_top.mask.all()
        return "nothing to multiply yet, the array is being loaded" if loads else "no PE multiplies"
    return f"{int(now.active.sum())} of {now.active.size} PEs multiply"


def _mean(states):
    return float(np.mean([state.utilization for state in states]))
