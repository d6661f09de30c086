"""A convolution as a product of patches and filters."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib.units import number, si
from accelerator_lib.views import style


class Patches:
    """A convolution as a product: how often each pixel is copied, and the shapes of the three matrices.

    >>> view = Patches()
    >>> view.show(Conv(1, 56, 56, 64, 64, 3, 1, 1))
    >>> view.show(Conv(8, 7, 7, 512, 512, 11, 4, 5, groups=512))
    """

    def __init__(self):
        self.figure = style.figure((7.2, 3.9))
        self.image_ax, self.shape_ax = self.figure.subplots(1, 2, width_ratios=[1, 1.35])
        self.image = self.image_ax.imshow(np.zeros((7, 7)), cmap="Blues", vmin=0, vmax=9, interpolation="nearest")
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
        style.moving(self.image, *self.boxes, *self.texts, self.dims)
        style.label(self.shape_ax, "edges to a logarithmic scale", x=0, y=-0.7, color=style.MUTED)

    def show(self, conv):
        """`conv`: workload.Conv."""
        counts = conv.pixel_copies()
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
