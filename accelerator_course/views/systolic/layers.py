"""Layers on an array: which PEs they use, what padding adds; the first TPU beside what it delivered."""

import numpy as np

from accelerator_course.views.charts import Rows, ground, key_rows, signs
from accelerator_course.views.kit import Chart, legend, ticks, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent, si

MOST, EDGES = 536, range(0, 513, 128)  # of the axes; their ticks


class Padding(Stage):
    """A layer of weights and the inputs before it, and the larger ones that the machine computes with.

    >>> view = Padding()
    >>> view.show(systolic.layers.pad(Gemm(1, 1, 1))), view.show(systolic.layers.pad(Gemm(250, 1000, 1000)))
    """

    size, noun = (760, 424), "setting"

    def marks(self, padded):  # layers.Padded
        own, full = padded.gemm, padded.full
        sides = (
            ("inputs", 66, "inputs: features (lanes)", "batch (sublanes)", "m", "k", padded.zeros),
            ("weights", 436, "weights: features", "", "k", "n", padded.weight_zeros),
        )
        yield from legend("key", 66, 408, [("memory tint dashed", "zeros"), ("compute tint", "your numbers")])
        for name, left, across, down, rows, cols, zeros in sides:
            chart = Chart((left, left + 306), (342, 36), (0, MOST), (MOST, 0), inside=True, name=name)
            yield from ground(chart, across, down, x=EDGES, y=EDGES)
            for gemm, what, role in ((full, "zeros", "memory tint dashed"), (own, "your numbers", "compute tint")):
                high, wide = getattr(gemm, rows), getattr(gemm, cols)
                right, floor = float(chart.x(wide)), float(chart.y(high))
                share = f"{high:,} × {wide:,}" + f", {percent(zeros)} of it zeros" * (what == "zeros")
                yield boxes(f"{name} {what}", [0], left, 36, right - left, floor - 36, role, who=name, says=share)

    def say(self, padded):
        own, full = padded.gemm, padded.full
        said = f"Inputs {own.m:,} × {own.k:,} become {full.m:,} × {full.k:,} ({percent(padded.zeros)} zeros), weights "
        said += f"{own.k:,} × {own.n:,} become {full.k:,} × {full.n:,} ({percent(padded.weight_zeros)} zeros): "
        return said + f"{number(padded.excess)} times the work."


class Mapped(Stage):
    """One layer on the array: the PEs that each kind of fold uses; beside it, how busy each layer keeps the array.

    >>> view, jobs = Mapped(), systolic.layers.jobs()
    >>> view.show(("depthwise 3×3, 512 channels", {n: systolic.layers.mapped(j, 128) for n, j in jobs.items()}))
    >>> view.show(("129 wide, batch 512", {n: systolic.layers.mapped(j, 8, True, 4) for n, j in jobs.items()}))
    """

    size, noun = (800, 400), "setting"
    LEFT, TOP, SIDE = 36, 40, 296  # of the arrays [px]

    def marks(self, result):  # (name of a layer, {name: layers.Mapping} of all)
        name, found = result
        rows = Rows(found, (1e-4, 1), 20, 320 / len(found), right=714, log="x", left=556, size=12)
        shares, x = [one.utilization for one in found.values()], (1e-4, 1e-2, 1)
        said, own = [percent(share) for share in shares], [one == name for one in found]
        roles = ["compute" if chosen else "memory" for chosen in own]
        looks = ["ink bold start" if chosen else "ink start" for chosen in own]
        shapes = ["square" if chosen else "round" for chosen in own]
        yield from self._arrays(found[name])
        yield from rows.frame("busy PEs, logarithmic axis", x, ["0.01 %", "1 %", "100 %"])
        yield from rows.drawn(shares, said, (1e-4, 1), 0, roles, looks, shapes)

    def say(self, result):
        name, found = result
        own = found[name]
        size = f"{counted(own.rows, 'row')} × {counted(own.cols, 'column')}"
        said = f"{name}: {counted(own.folds, 'fold')} of up to {size} on {own.edge} × {own.edge}; "
        return said + f"{percent(own.utilization)} of the PEs do useful work."

    def _arrays(self, mapping):
        """One array for each kind of fold: full ones and those in the last columns; below, those in the last rows."""
        pitch = self.SIDE / max(len(mapping.tiles), len(mapping.tiles[0]))
        kinds = [(d, r, kind) for d, row in enumerate(mapping.tiles) for r, kind in enumerate(row)]
        keys, side = [2 * down + right for down, right, _ in kinds], 0.92 * pitch
        x, y = ([start + pitch * (one[at] + 0.04) for one in kinds] for start, at in ((self.LEFT, 1), (self.TOP, 0)))
        folds, rows, cols = zip(*(kind for *_, kind in kinds), strict=True)
        said = [counted(fold, "fold") for fold in folds]
        who, says = [f"{fold} of {r} × {c} PEs" for fold, r, c in zip(said, rows, cols, strict=True)], "used"
        wide, high = ([side * one / mapping.edge for one in ends] for ends in (cols, rows))
        middle = self.LEFT + self.SIDE / 2
        yield boxes("arrays", keys, x, y, side, side, "muted tint")
        yield boxes("used", keys, x, y, wide, high, "compute tint", who=who, says=says)
        yield texts("counts", range(len(said)), np.array(x) + side / 2, np.array(y) + side / 2, said, "ink bold")
        across = (middle, self.TOP + self.SIDE + 18, "output channels on columns", "ink")
        yield words("sides", across, (self.LEFT, 20, "k on rows"))


ENDS = 2e11, 1.6e14  # of the axis [OP/s]
RATES = ("roofline", "memory", "round", -0.12), ("tile time", "other", "square", 0.12)
RATES += (("delivered, published", "ink", "diamond", 0),)


class TpuV1(Stage):
    """The first TPU: two predictions beside what it delivered.

    >>> view = TpuV1()
    >>> view.show((systolic.tpu.applications(), True)), view.show((systolic.tpu.applications(10), False))
    """

    size, noun = (760, 384), "setting"

    def marks(self, result):  # (tpu.Applications, whether what was measured is shown)
        applications, measured = result
        names, x = [one.name for one in applications], ticks(*ENDS, True)
        rows = Rows(names, ENDS, 40, (322 - 46) / len(names), log="x")
        chart, y = rows.chart, rows.y
        self.size = (760, round(chart.up[0]) + 58)
        chart.inside = True
        values = np.array([(one.roofline, one.tiled, one.delivered) for one in applications]).T
        yield from rows.frame("rate, logarithmic axis", x, [si(one, "OP/s") for one in x])
        yield from key_rows([(name, role, None, shape) for name, role, shape, _ in RATES], 40, 740, 18)[0]
        if measured:
            yield lines("missed", names, chart.x(values[1]), y, chart.x(values[2]), y, "muted faint", 4)
        for (name, role, shape, shift), rates in list(zip(RATES, values, strict=True))[: 3 if measured else 2]:
            place = 1 - (y + shift * rows.pitch - chart.up[1]) / (chart.up[0] - chart.up[1])
            says = [f"{name}: {si(rate, 'OP/s')}" for rate in rates]
            yield signs(chart, name, names, rates, place, shape, role, names, says)

    def say(self, result):
        applications, measured = result
        first = applications[0]
        delivered = f"; the real machine delivered {si(first.delivered, 'OP/s')}" if measured else ""
        return f"{first.name}: {si(first.tiled, 'OP/s')} by the tile time, limited by {first.tile.bound}{delivered}."
