"""Pictures of chapter 1: where FLOP and time go, a convolution as a product, what grows how."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib import layers, strassen
from accelerator_lib.operators import CLASSES
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines
from accelerator_lib.views.shares import Shares
from accelerator_lib.workload import Elementwise, Gemm


class OperatorClasses(Shares):
    """Share of FLOP beside share of time: a sliver on top is a thick band below."""

    def __init__(self):
        super().__init__(["FLOP", "time", "time after"], CLASSES.values(), "share of the step before the change")

    def show(self, step):
        self.draw([list(parts.values()) for parts in (step.flops, step.before, step.after)])
        rest = 1 - step.flops["matrix products"]
        return (
            f"{percent(rest)} of the FLOP is not matrix products. Of the time it is {percent(step.rest)} now, "
            f"and the step takes {percent(step.seconds)} of what it took."
        )


class Stages:
    """Where a vision network keeps its weights and its activations: a pair of marks for every resolution."""

    def __init__(self, names=("first", "56 px", "28 px", "14 px", "7 px")):
        self.figure, ax = style.axes("elements", "", (1e3, 1e12), (-0.6, len(names) - 0.4), log="x", size=(7.2, 3.6))
        self.rows = np.arange(len(names))[::-1]
        ax.set_yticks(self.rows, names)
        ax.grid(axis="y", visible=False)
        self.links = [ax.plot([], [], color=style.GRID, linewidth=5, zorder=1)[0] for _ in names]
        self.weights = ax.plot([], [], "D", color=style.OTHER, markersize=11, label="weights")[0]
        self.outputs = ax.plot([], [], "o", color=style.MEMORY, markersize=11, label="outputs of the batch")[0]
        self.texts = [style.label(ax, x=6e11, y=y, ha="right", va="center") for y in self.rows]
        style.moving(*self.links, self.weights, self.outputs, *self.texts)
        self.figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=10)

    def show(self, result):
        """`result`: (batch, stages of layers.stages)."""
        batch, stages = result
        weights, outputs = np.array([(s.weights, batch * s.activations) for s in stages]).T
        self.weights.set_data(weights, self.rows)
        self.outputs.set_data(outputs, self.rows)
        for link, text, stage, y, ends in zip(
            self.links, self.texts, stages, self.rows, zip(weights, outputs, strict=True), strict=True
        ):
            link.set_data(ends, [y, y])
            text.set_text(si(batch * stage.flops, "FLOP"))
        more = int((outputs > weights).sum())
        return (
            f"{si(batch * sum(s.flops for s in stages), 'FLOP')}, {si(weights.sum())} weights, {si(outputs.sum())} "
            f"outputs: more outputs than weights in {more} of {len(stages)} stages."
        )


class TransformerFlops(Lines):
    """The parts of a transformer's FLOP over the number of tokens."""

    def __init__(self, tokens=(1, 131_072)):
        names = ["projections", "MLP", "attention scores"]
        super().__init__(names, "tokens", "share of the FLOP", tokens, (0, 1))
        style.percents(self.ax.yaxis)
        self.tokens = np.unique(np.geomspace(*tokens, 120).round())
        self.total = style.moving(style.label(self.ax, x=tokens[0] * 1.3, y=0.06, fontweight="bold", size=12))

    def show(self, result):
        """`result`: (settings of layers.transformer without tokens, TransformerFlops at the slider)."""
        settings, here = result
        curve = layers.transformer(self.tokens, **settings)
        parts = [[f.projections / f.total, f.mlp / f.total, f.scores / f.total] for f in (curve, here)]
        self.draw(self.tokens, parts[0], here.tokens, parts[1])
        self.total.set_text(f"{si(here.total, 'FLOP')} in all")
        return (
            f"{counted(here.tokens, 'token')}: {si(here.total, 'FLOP')}, and the scores take "
            f"{percent(here.scores_share)} of them. "
            f"The MLP takes {percent(here.mlp / here.total)}, the projections {percent(here.projections / here.total)}."
        )


class Patches:
    """A convolution as a product: how often each pixel is copied, and the shapes of the three matrices."""

    def __init__(self):
        self.figure = style.figure((7.2, 3.9))
        self.image_ax, self.shape_ax = self.figure.subplots(1, 2, width_ratios=[1, 1.35])
        self.image = self.image_ax.imshow(np.zeros((7, 7)), cmap="Blues", vmin=0, vmax=9)
        self.image_ax.set(xticks=[], yticks=[])
        self.image_ax.set_xlabel("pixels of one channel:\nhow often im2col copies each", color=style.INK, fontsize=11)
        self.shape_ax.set(xlim=(-0.6, 8), ylim=(-0.9, 11))
        self.shape_ax.axis("off")
        looks = ((style.MEMORY, "///"), (style.OTHER, "xx"), (style.COMPUTE, "..."))
        self.boxes = [
            self.shape_ax.add_patch(
                Rectangle((0, 0), 1, 1, facecolor="white", edgecolor=color, hatch=hatch, linewidth=2)
            )
            for color, hatch in looks
        ]
        names = zip(("patches", "filters", "outputs"), looks, strict=True)
        self.texts = [style.label(self.shape_ax, name, color=color, va="bottom") for name, (color, _) in names]
        self.dims = style.label(self.shape_ax, x=-0.4, y=10.9, size=11, va="top", fontweight="bold")
        style.label(self.shape_ax, "edges to a logarithmic scale", x=0, y=-0.7, color=style.MUTED)

    def show(self, conv):
        counts = _copies(conv)
        self.image.set_data(counts)
        self.image.set_clim(0, max(counts.max(), 1))
        gemm = conv.gemm
        m, n, k = (0.5 + 4.3 * np.log10(size) / 7 for size in (gemm.m, gemm.n, gemm.k))
        spots = [(0, 0.4, k, m), (k + 0.7, 0.4 + m + 1.0, n, k), (k + 0.7, 0.4, n, m)]
        for box, text, (x, y, width, height) in zip(self.boxes, self.texts, spots, strict=True):
            box.set_bounds(x, y, width, height)
            text.set_position((x, y + height + 0.08))
        self.dims.set_text(
            f"M {gemm.m:,} × N {gemm.n:,} × K {gemm.k:,}" + (f", {conv.groups}×" if conv.groups > 1 else "")
        )
        groups = f" in each of {conv.groups} products" if conv.groups > 1 else ""
        return (
            f"A product of {gemm.m:,} × {gemm.k:,} and {gemm.k:,} × {gemm.n:,}{groups}: {si(conv.flops, 'FLOP')}. "
            f"Written out, the patches hold {number(conv.im2col_factor)} times the image."
        )


def _copies(conv):
    """How many patches each pixel lies in: rows times columns."""

    def along(size, outputs):
        first = np.arange(outputs) * conv.stride - conv.padding
        pixels = np.arange(size)[:, None]
        return ((pixels >= first) & (pixels < first + conv.kernel)).sum(axis=1)

    return np.outer(along(conv.height, conv.out_height), along(conv.width, conv.out_width))


class Growth(Lines):
    """Work for every byte over the size: n x n products against work that touches each number once."""

    def __init__(self, sizes=(1, 16_384)):
        names = ["n × n times n × n", "n × n times a vector", "n × n element-wise"]
        super().__init__(names, "n", "FLOP per byte", sizes, (0.05, 20_000), log="xy")
        style.plain(self.ax.yaxis)
        self.sizes = np.unique(np.geomspace(*sizes, 100).round())

    def show(self, result):
        """`result`: (n, dtype)."""
        n, dtype = result
        curves, here = (
            [Gemm(s, s, s).intensity(dtype), Gemm(1, s, s).intensity(dtype), Elementwise(s * s).intensity(dtype)]
            for s in (self.sizes, n)
        )
        self.draw(self.sizes, curves, n, here)
        return (
            f"n = {n:,} in {dtype}: the product does {number(here[0])} FLOP for every byte, a product with one vector "
            f"{number(here[1])}, an element-wise step {number(here[2])}."
        )


class Strassen(Lines):
    """What Strassen gains over the ordinary product, with the bytes of its additions: below one it loses."""

    def __init__(self, sizes=(256, 262_144)):
        super().__init__(["one level", "levels of the slider"], "n", "speed-up", sizes, (0, 1.6))
        style.plain(self.ax.yaxis)
        self.ax.axhline(1, color=style.MUTED, linewidth=1.2)
        self.sizes = np.geomspace(*sizes, 120)

    def show(self, result):
        """`result`: (n, levels, chip, dtype)."""
        n, levels, chip, dtype = result
        curves, here = ([strassen.times(s, count, chip, dtype).gain for count in (1, levels)] for s in (self.sizes, n))
        self.draw(self.sizes, curves, n, here)
        verdict = "gains" if here[1] > 1 else "loses"
        return (
            f"{n:,} × {n:,} with {counted(levels, 'level')}: {here[1]:.2f} times as fast, so it "
            f"{verdict}. One level pays from n = {strassen.crossover(chip, dtype):,.0f} on this chip."
        )


class Experts(Lines):
    """FLOP for every byte over the batch: one MLP for all tokens against experts that share them."""

    def __init__(self, tokens=(1, 16_384)):
        super().__init__(
            ["experts", "one MLP for all"], "tokens at once", "FLOP per byte", tokens, (0.5, 16_384), log="xy"
        )
        style.plain(self.ax.yaxis)
        self.tokens = np.unique(np.geomspace(*tokens, 100).round())

    def show(self, result):
        """`result`: (settings of layers.experts without tokens, Experts at the slider)."""
        settings, here = result
        dense = {**settings, "count": 1, "chosen": 1}
        curves = [layers.experts(self.tokens, **s).intensity for s in (settings, dense)]
        one = layers.experts(here.tokens, **dense)
        self.draw(self.tokens, curves, here.tokens, [here.intensity, one.intensity])
        return (
            f"{counted(here.tokens, 'token')} wake{'s' * (here.tokens == 1)} {number(here.touched)} of "
            f"{settings['count']} experts: {number(here.intensity)} "
            f"FLOP per byte, where one MLP for all would do {number(one.intensity)}."
        )


class XlaCounts:
    """FLOP and bytes of one computation: the model beside XLA's own cost analysis."""

    def __init__(self):
        self.figure = style.figure((7.2, 3.4))
        self.panes = []
        for ax, unit in zip(self.figure.subplots(2, 1), ("FLOP", "B"), strict=True):
            style.dress(ax, "FLOP" if unit == "FLOP" else "bytes", "", (1e3, 1e13), (-0.6, 1.6), log="x")
            ax.set_yticks([0, 1], ["XLA", "model"])
            ax.grid(axis="y", visible=False)
            bars = ax.barh([1, 0], [1, 1], left=1e3, height=0.7, color=[style.MUTED, style.OTHER], hatch=None)
            bars[1].set_hatch("xx")
            bars[1].set_edgecolor("white")
            texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in (1, 0)]
            style.moving(*bars, *texts)
            self.panes.append((bars, texts, unit))

    def show(self, counts):
        pairs = ((counts.model_flops, counts.xla_flops), (counts.model_bytes, counts.xla_bytes))
        for (bars, texts, unit), values in zip(self.panes, pairs, strict=True):
            for bar, text, value in zip(bars, texts, values, strict=True):
                bar.set_width(max(value - 1e3, 1))
                text.set(x=max(value, 1e3) * 1.15, text=si(value, unit))
        apart = f" {si(counts.exponentials)} exponentials are counted apart." if counts.exponentials else ""
        return (
            f"{counts.kind}: XLA counts {counts.flops_ratio:.3f} times the model's FLOP and "
            f"{counts.bytes_ratio:.2f} times its bytes.{apart}"
        )
