"""A convolution as a product, and what grows how."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib.units import number, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves
from accelerator_lib.workload import Elementwise, Gemm


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


class Growth(Curves):
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
