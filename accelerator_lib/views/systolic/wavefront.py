"""Arrays at work, cycle by cycle: one with its product and its trapezoid, two beside each other."""

import numpy as np

from accelerator_lib.units import percent
from accelerator_lib.views import style
from accelerator_lib.views.systolic.recording import Result, Trapezoid
from accelerator_lib.views.systolic.registers import Grid

NAMES = {"os": "output-stationary", "ws": "weight-stationary", "is": "input-stationary"}


class Wavefront:
    """One array, cycle by cycle: what each PE multiplies, what waits at the edges, how many are busy.

    >>> view, ones = Wavefront(), np.ones((4, 4), int)
    >>> run, large = systolic.record(ones, 2 * ones, 4, 3, "ws"), systolic.record(ones, ones, 12, 12)
    >>> view.show((run, 0))
    >>> view.show((run, 7))
    >>> view.show((large, 5))
    """

    RESIZES = True

    def __init__(self):
        self.figure = style.figure((7.4, 4.9))
        places = self.figure.add_gridspec(2, 2, width_ratios=[1.8, 1], height_ratios=[1, 1.15])
        array, result, trapezoid = (self.figure.add_subplot(places[at]) for at in (np.s_[:, 0], (0, 1), (1, 1)))
        self.parts = Grid(array), Result(result), Trapezoid(trapezoid)
        style.settle(self.figure)

    def show(self, result):
        """`result`: (recording, cycle)."""
        run, at = result
        grid, product, trapezoid = self.parts
        grid.draw(run.cycles, at)
        product.draw(run, at)
        trapezoid.draw(run, at)
        now = run.cycles[at]
        fold = f", fold {now.fold + 1} of {now.folds}" if now.folds > 1 else ""
        mean = percent(run.utilization)
        return f"Cycle {at} of {len(run)}{fold}: {_busy(now)}. Over the whole run {mean} of the PEs are busy."


class Dataflows:
    """The same product on two arrays that keep different things still.

    >>> view, ones = Dataflows(), np.ones((3, 3), int)
    >>> sums, weights = (systolic.record(ones, ones, 3, 3, flow) for flow in ("os", "ws"))
    >>> view.show((sums, weights, 0))
    >>> view.show((sums, weights, 5))
    >>> view.show((weights, sums, 8))
    """

    RESIZES = True

    def __init__(self):
        self.figure = style.figure((7.8, 5.2))
        axes = self.figure.subplots(2, 2, height_ratios=[2.3, 1])
        self.titles = [ax.set_title("output-stationary", fontsize=11, color=style.INK) for ax in axes[0]]
        self.grids, self.trapezoids = [Grid(ax, size=10) for ax in axes[0]], [Trapezoid(ax) for ax in axes[1]]
        style.moving(*self.titles)
        style.settle(self.figure)

    def show(self, result):
        """`result`: (recording on the left, on the right, cycle)."""
        *runs, at = result
        most, told = max(map(len, runs)), []
        for run, title, grid, trapezoid in zip(runs, self.titles, self.grids, self.trapezoids, strict=True):
            own = min(at, len(run) - 1)
            name = NAMES[run.cycles[0].dataflow]
            title.set_text(name)
            grid.draw(run.cycles, own)
            trapezoid.draw(run, own, most)
            told.append(f"{name}: finished after {len(run)}" if at >= len(run) else f"{name}: {_busy(run.cycles[at])}")
        both = "; ".join(told)
        return f"Cycle {at}. {both[0].upper()}{both[1:]}."


def _busy(now):
    if not now.active.any():
        loads = now.dataflow != "os" and now.enters_top.there.any()
        return "nothing to multiply yet, the array is being loaded" if loads else "no PE multiplies"
    return f"{now.active.sum():,} of {now.active.size:,} PEs multiply"
