"""Machines around arrays: edges that compete for one area, and the first TPU beside what it delivered."""

import numpy as np
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from accelerator_course.views import style
from accelerator_lib.units import counted, percent, si

PAPER, PES = "#f4f4f4", "#f0b48a"
LIMITS = 1e13, 2e15  # FLOP/s
CURVES = (
    ("every PE busy: what fits", style.MUTED, ":"),
    ("what the watts allow", style.OTHER, "--"),
    ("this mix", style.COMPUTE, "-"),
)
RATES = (
    ("roofline", style.MEMORY, "o", 0.12),
    ("tile time", style.OTHER, "s", -0.12),
    ("delivered, published", style.INK, "D", 0),
)
GAP = 0.97  # of a box is drawn
CLOSE = 0.01  # rates that differ by less are called equal


class Contest:
    """The floorplan of one edge; beside it FLOP/s over all edges, stars where the mix is served best.

    >>> view, plans = Contest(), [systolic.floorplan.floorplan(e, 4e5, 0.3, 8) for e in (64, 512)]
    >>> prices = systolic.floorplan.Prices(0.6, 0.002, 0.2, 4)
    >>> made = {p.edge: systolic.floorplan.served(p, (8, 4096), 8192, prices, 1e9, 1e12, 300) for p in plans}
    >>> view.show((64, made))
    >>> view.show((512, made))
    """

    def __init__(self):
        self.figure = style.figure((8.2, 4.2))
        die, self.ax = self.figure.subplots(1, 2, width_ratios=[1, 1.35])
        style.bare(die, (-0.01, 1.01), (-0.01, 1.01)).set_aspect("equal")
        die.add_patch(Rectangle((0, 0), 1, 1, facecolor=PAPER, edgecolor=style.INK, linewidth=1.5))
        self.sram = die.add_patch(Rectangle((0, 0), 1, 0.3, facecolor="#cfe2f1", edgecolor=style.MEMORY, hatch="///"))
        nothing = Path(np.zeros((0, 2)))
        self.cells = die.add_patch(PathPatch(nothing, facecolor=style.MUTED, linewidth=0))
        self.pes = die.add_patch(PathPatch(nothing, facecolor=PES, edgecolor=style.COMPUTE, linewidth=0.6))
        self.name = style.label(die, x=0.5, ha="center", va="center", color=style.MEMORY, fontweight="bold")
        die.set_xlabel("orange: PEs\ngrey: the arrays' edges", color=style.INK, fontsize=10)
        style.moving(self.sram, self.cells, self.pes, self.name)
        self.curves = None

    def show(self, result):
        """`result`: (edge, {edge: floorplan.Served})."""
        edge, made = result
        if self.curves is None:
            self._build(list(made))
        rates = {name: [getattr(one, kind) or np.nan for one in made.values()] for (name, *_), kind in self._kinds()}
        for (name, *_), curve, dot in zip(CURVES, self.curves, self.dots, strict=True):
            curve.set_data(list(made), rates[name])
            dot.set_data([edge], [rates[name][list(made).index(edge)]])
        most = max(one.delivered for one in made.values())
        best = {e: one.delivered for e, one in made.items() if one.delivered >= (1 - CLOSE) * most}
        self.star.set_data(list(best), list(best.values()))
        self._lay(made[edge].plan)
        return self._told(made[edge], list(best))

    @staticmethod
    def _kinds():
        return zip(CURVES, ("by_area", "by_watts", "delivered"), strict=True)

    def _build(self, edges):
        limits = style.room(edges[0], edges[-1], 0.04)
        style.dress(self.ax, "edge of the arrays", "rate [FLOP/s]", limits, LIMITS, log="xy")
        style.plain(self.ax.xaxis)
        self.ax.set_xticks(edges)
        self.curves = [
            self.ax.plot([], [], color=color, linestyle=dash, linewidth=2.5, label=name)[0]
            for name, color, dash in CURVES
        ]
        self.dots = [style.dot(self.ax, color, 9) for _, color, _ in CURVES]
        self.star = style.dot(self.ax, style.INK, 15, "*")
        self.figure.legend(handles=self.curves, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(*self.curves, *self.dots, self.star)

    def _lay(self, plan):
        share = plan.sram / plan.area
        self.sram.set_height(share)
        self.name.set(y=share / 2, text=f"SRAM {percent(share)}" if share > 0.05 else "")
        cell = plan.edge**2 + 2 * plan.edge * plan.lane
        places = _places(plan.arrays, cell / plan.area)
        self.cells.set_path(_boxes(*places, share, GAP))
        self.pes.set_path(_boxes(*places, share, GAP * plan.edge / cell**0.5))

    def _told(self, one, best):
        plan = one.plan
        if not plan.arrays:
            return f"No array of {plan.edge} × {plan.edge} fits beside this SRAM."
        holds = ", ".join(f"{counted(m, 'row')}: {limit}" for m, limit in zip(one.rows, one.limits, strict=True))
        size, rate = f"{plan.edge} × {plan.edge}", si(one.delivered, "FLOP/s")
        return (
            f"{counted(plan.arrays, 'array')} of {size}: {rate} for this mix, {percent(one.utilization)} of what the "
            f"PEs could do, at {one.watts:.0f} W. What holds it back: {holds}. "
            + (f"Best edge: {best[0]}." if len(best) == 1 else f"Best edges, within 1 %: {', '.join(map(str, best))}.")
        )


class TpuV1:
    """The first TPU: two predictions beside what it delivered.

    >>> view = TpuV1()
    >>> view.show((systolic.tpu.applications(), True))
    >>> view.show((systolic.tpu.applications(10), False))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("rate [OP/s], logarithmic axis", "", (2e11, 1.6e14), log="x", size=(7.4, 3.9))
        self.rows = None

    def show(self, result):
        """`result`: (tpu.Applications, whether what was measured is shown)."""
        applications, measured = result
        if self.rows is None:
            self._build(applications)
        values = zip(*((a.roofline, a.tiled, a.delivered) for a in applications), strict=True)
        for dot, rates, (*_, shift) in zip(self.dots, values, RATES, strict=True):
            dot.set_data(rates, self.rows + shift)
        for artist in (self.dots[-1], *self.lines):
            artist.set_visible(measured)
        for a, line, y in zip(applications, self.lines, self.rows, strict=True):
            line.set_data([a.tiled, a.delivered], [y, y])
        first = applications[0]
        delivered = f"; the real machine delivered {si(first.delivered, 'OP/s')}" if measured else ""
        return f"{first.name}: {si(first.tiled, 'OP/s')} by the tile time, limited by {first.tile.bound}{delivered}."

    def _build(self, applications):
        names = [application.name for application in applications]
        self.rows = np.arange(len(names))[::-1]
        self.ax.set(ylim=(-0.7, len(names) - 0.4))
        self.ax.set_yticks(self.rows, names)
        self.ax.grid(axis="y", visible=False)
        self.lines = [self.ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in names]
        self.dots = [style.dot(self.ax, color, 11, mark, label=name, linestyle="") for name, color, mark, _ in RATES]
        self.figure.legend(handles=self.dots, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(*self.lines, *self.dots)


def _places(count, each):
    """(x, y, width, height) of so many boxes of this area, in rows from wall to wall, as square as that allows."""
    if not count:
        return (np.zeros(0),) * 4
    rows = np.array_split(np.arange(count), max(1, min(count, round(count * each**0.5))))
    wide = np.concatenate([np.full(len(row), len(row)) for row in rows])
    x = np.concatenate([np.arange(len(row)) / len(row) for row in rows])
    below = np.concatenate([np.full(len(row), row[0]) for row in rows])
    return x, below * each, 1 / wide, wide * each


def _boxes(x, y, width, height, floor, scale):
    """One path of all boxes, each shrunk around its middle, above the floor."""
    if not len(x):
        return Path(np.zeros((0, 2)))
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * scale / 2
    middle = np.stack([x + width / 2, floor + y + height / 2], axis=1)
    points = middle[:, None, :] + around * np.stack([width, height], axis=1)[:, None, :]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(points.reshape(-1, 2), np.tile(codes, len(x)))
