"""Pictures of an array at work: its PEs cycle by cycle, what waits at the edges, the trapezoid of busy PEs."""

from functools import cache

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.font_manager import FontProperties, findfont

from accelerator_lib.units import percent
from accelerator_lib.views import style

NAMES = {"os": "output-stationary", "ws": "weight-stationary", "is": "input-stationary"}
CELLS = np.array([[255, 255, 255], [219, 233, 244], [238, 238, 238], [240, 180, 138], [203, 182, 234]], dtype=np.uint8)
EMPTY, WAITING, IDLE, BUSY = range(4)  # and one more: busy with a fold of odd number
LENGTHS = (10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 10_000)  # of the axis of cycles: it rarely changes
LOOK, WRITTEN = 4, 8  # cycles of the feed that are shown; the largest array with numbers in it


class _Grid:
    """The PEs of an array on given axes, what is about to enter at its edges, and what leaves below.

    Painted as one image: two hundred text artists would take 120 ms a cycle, their picture takes 10.
    """

    def __init__(self, ax, size=11):
        self.ax, self.size = ax, size
        self.image = ax.imshow(np.zeros((2, 2, 3)), extent=(0, 1, 1, 0), aspect="auto", interpolation="nearest")
        style.bare(ax, (0, 1), (1, 0))
        style.moving(self.image)

    def show(self, states, at):
        now, after = states[at], states[at + 1 : at + 1 + LOOK]
        rows, cols = now.active.shape
        cells = np.full((rows + LOOK + 1, cols + LOOK), EMPTY)
        passing = np.where(np.ma.getmaskarray(now.chain), IDLE, WAITING)
        cells[LOOK:-1, LOOK:] = np.where(now.active, BUSY + now.working % 2, passing)
        for wait, state in enumerate(after):
            cells[LOOK:-1, LOOK - 1 - wait][~state.enters_left.mask] = WAITING
            cells[LOOK - 1 - wait, LOOK:][~state.enters_top.mask] = WAITING
        cells[-1, LOOK:][~now.leaves_bottom.mask] = WAITING
        most = max(rows, cols)
        self.image.set_data(self._painted(cells, self._written(now, after) if most <= WRITTEN else [], most <= 16))

    def _painted(self, cells, written, lines):
        """[pixels, pixels, 3]: cells, white lines between them, the outline of the array, numbers."""
        from PIL import Image, ImageDraw

        box, dpi = self.ax.get_window_extent(), self.ax.figure.dpi
        wide, high = round(box.width), round(box.height)
        picture = Image.fromarray(CELLS[cells]).resize((wide, high), Image.Resampling.NEAREST)
        draw, (down, across) = ImageDraw.Draw(picture), cells.shape
        x, y = (lambda col: col * wide / across), (lambda row: row * high / down)
        for col in range(1, across) if lines else ():
            draw.line((x(col), 0, x(col), high), fill="white", width=3)
        for row in range(1, down) if lines else ():
            draw.line((0, y(row), wide, y(row)), fill="white", width=3)
        draw.rectangle((x(LOOK), y(LOOK), wide - 1, y(down - 1)), outline=style.INK, width=3)
        for row, col, value, bold, share in written:
            font = _font(round(self.size * share * min(1, 9 / across) * dpi / 72), bold)
            draw.text((x(col + 0.5), y(row + 0.5)), value, fill=style.INK, font=font, anchor="mm")
        return np.asarray(picture)

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


@cache
def _font(pixels, bold):
    from PIL import ImageFont

    return ImageFont.truetype(
        findfont(FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")), pixels
    )


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
        self.states = self.busy = None

    def show(self, states, at, most=None):
        if self.states is not states:  # another run: what belongs to all of it is computed once
            self.states, self.busy = states, [state.utilization for state in states]
        busy = self.busy
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
        self.states = self.first = self.last = None

    def show(self, states, at):
        if self.states is not states:
            self.states, (self.first, self.last) = states, _completion(states)
        self.image.set_data((self.first <= at).astype(int) + (self.last <= at))


def _completion(states):
    """([m, n], [m, n]): the cycles in which the first and the last part of each result left."""
    before = np.zeros_like(states[0].outputs)
    first = last = np.full(before.shape, len(states))
    for cycle, state in enumerate(states):
        changed, before = state.outputs != before, state.outputs
        first, last = np.where(changed, np.minimum(first, cycle), first), np.where(changed, cycle, last)
    return first, last


class Wavefront:
    """One array, cycle by cycle: what each PE multiplies, what waits at the edges, how many are busy."""

    def __init__(self):
        self.figure = style.figure((7.4, 4.9))
        places = self.figure.add_gridspec(2, 2, width_ratios=[1.8, 1], height_ratios=[1, 1.15])
        array, result, trapezoid = (self.figure.add_subplot(places[at]) for at in (np.s_[:, 0], (0, 1), (1, 1)))
        self.grid, self.result, self.trapezoid = _Grid(array), _Result(result), _Trapezoid(trapezoid)
        self.figure.draw_without_rendering()  # places the axes: the grid is painted pixel by pixel

    def show(self, result):
        """`result`: (states, position)."""
        states, at = result
        now = states[at]
        for part in (self.grid, self.result, self.trapezoid):
            part.show(states, at)
        mean = percent(np.mean(self.trapezoid.busy))
        return f"{_where(now, states)}: {_busy(now)}. Over the whole run {mean} of the PEs are busy."


class Dataflows:
    """The same product on two arrays that keep different things still."""

    def __init__(self):
        self.figure = style.figure((7.8, 5.2))
        axes = self.figure.subplots(2, 2, height_ratios=[2.3, 1])
        self.grids = [_Grid(ax, size=10) for ax in axes[0]]
        self.titles = [ax.set_title("output-stationary", fontsize=11, color=style.INK) for ax in axes[0]]
        style.moving(*self.titles)
        self.trapezoids = [_Trapezoid(ax) for ax in axes[1]]
        self.figure.draw_without_rendering()  # places the axes: the grids are painted pixel by pixel

    def show(self, result):
        """`result`: (states of the left array, of the right one, position)."""
        *runs, at = result
        most, told = max(map(len, runs)), []
        for states, title, grid, trapezoid in zip(runs, self.titles, self.grids, self.trapezoids, strict=True):
            own = min(at, len(states) - 1)
            title.set_text(NAMES[states[0].dataflow])
            grid.show(states, own)
            trapezoid.show(states, own, most)
            done = f"finished after {len(states)}" if at >= len(states) else _busy(states[own])
            told.append(f"{NAMES[states[0].dataflow]}: {done}")
        both = "; ".join(told)
        return f"Cycle {at}. {both[0].upper()}{both[1:]}."


def _where(now, states):
    fold = f", fold {now.fold + 1} of {now.folds}" if now.folds > 1 else ""
    return f"Cycle {now.cycle} of {len(states)}{fold}"


def _busy(now):
    if not now.active.any():
        loads = now.dataflow != "os" and not now.enters_top.mask.all()
        return "nothing to multiply yet, the array is being loaded" if loads else "no PE multiplies"
    return f"{int(now.active.sum())} of {now.active.size} PEs multiply"
