"""Several kernels under one roof."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.roofline.roof import Roof
from accelerator_lib.units import percent


class Kernels(Roof):
    """Several named kernels on one roof; round and blue are memory-bound, square and orange compute-bound.

    >>> view = Kernels()
    >>> works = {f"{m:,} rows": Gemm(m, 8192, 8192) for m in (1, 64, 4096)}
    >>> view.show(roofline.place_all(works, "h100-sxm5"))
    >>> view.show(roofline.place_all({"one row": Gemm(1, 8192, 8192), **works}, "a100-80gb-sxm"))
    """

    def __init__(self, labels=6, **limits):
        """At most so many dots are labelled: of more kernels, some from end to end of the intensities."""
        super().__init__(**limits)
        self.dots = {bound: style.moving(self._dots(bound)) for bound in style.BOUND}
        self.labels = [style.moving(style.label(self.ax, size=9, va="center", zorder=7)) for _ in range(labels)]

    def _dots(self, bound):
        return style.dot(self.ax, style.BOUND[bound], 9, style.MARKER[bound], linestyle="none")

    def show(self, group):
        """`group`: roofline.Group."""
        placed = [p for _, p in group.kernels]
        self.draw_roof(placed[0])
        for bound, dots in self.dots.items():
            chosen = [p for p in placed if p.bound == bound]
            dots.set_data([p.intensity for p in chosen], [p.flops_per_s for p in chosen])
        self._label(dict(group.kernels))
        return (
            f"{len(group.waiting)} of {len(placed)} kernels are memory-bound on {placed[0].chip.name}; "
            f"they do {percent(group.waiting_share)} of the FLOP."
        )

    def _label(self, named):
        """Names to the lower right of their dots; one in the way of another goes lower, none below the axis."""
        ordered = sorted(named.items(), key=lambda pair: pair[1].intensity)
        chosen = np.unique(np.linspace(0, len(ordered) - 1, len(self.labels)).round().astype(int))
        (letter, line), floor = self._letter(), np.log10(self.ax.get_ylim()[0])
        taken = []  # (left, right, height) of the labels so far, in decades
        for text in self.labels:
            text.set_visible(False)
        for text, index in zip(self.labels, chosen, strict=False):
            name, p = ordered[index]
            width, height, way = letter * len(name), np.log10(p.flops_per_s / 1.9), -line / 4
            if height - line / 2 < floor:
                height, way = np.log10(p.flops_per_s * 1.9), line / 4
            left, side = np.log10(p.intensity * 1.2), "left"
            if left + width > np.log10(self.ends[1]):
                left, side = np.log10(p.intensity / 1.2) - width, "right"
            while any(left < to and start < left + width and abs(height - at) < line for start, to, at in taken):
                height += way
            taken.append((left, left + width, height))
            near = left if side == "left" else left + width
            text.set(text=name, position=(10**near, 10**height), ha=side, color=style.BOUND[p.bound], visible=True)

    def _letter(self):
        """Width of a letter and height of a line of the labels, in decades of the axes."""
        box, pixel = self.ax.get_window_extent(), style.DPI / 100
        x, y = (np.diff(np.log10(limits))[0] for limits in (self.ax.get_xlim(), self.ax.get_ylim()))
        return 7 * pixel * x / box.width, 14 * pixel * y / box.height
