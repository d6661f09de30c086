"""Pictures of the roofline itself: one kernel on its chip, several of them."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.placing import spot
from accelerator_lib.units import number, percent, si

LIMIT = {"memory": "the memory sets the pace", "compute": "the arithmetic sets the pace"}
DASHES = {"memory": "-", "compute": (0, (6, 1.5))}


class Roof:
    """Log-log axes with one roof: a slope (memory, blue), a flat part (compute, orange), the ridge between."""

    def __init__(self, intensity=(0.1, 1e4), flops_per_s=(1e10, 1e17)):
        self.figure, self.ax = style.axes(
            "arithmetic intensity [FLOP/byte], logarithmic",
            "throughput [FLOP/s], logarithmic",
            intensity,
            flops_per_s,
            log="xy",
        )
        style.plain(self.ax.xaxis)
        self.ends = np.array(intensity, dtype=float)
        self.slope, self.flat = (self._line(style.BOUND[bound], dashes) for bound, dashes in DASHES.items())
        self.corner = style.moving(style.label(self.ax, color=style.INK, ha="right", va="bottom", fontweight="bold"))
        self.rates = [
            style.moving(style.label(self.ax, color=style.MEMORY, ha="left", va="bottom", rotation_mode="anchor")),
            style.moving(style.label(self.ax, color=style.COMPUTE, ha="right", va="bottom")),
        ]
        self.figure.draw_without_rendering()  # lays out: from now on a slope has an angle on the paper

    def _line(self, color, dashes):
        return style.moving(self.ax.plot([], [], color=color, linestyle=dashes, solid_capstyle="round", zorder=3)[0])

    def draw_roof(self, placed, thick=None):
        """Move the roof to that of a Placed; `thick` names the part that binds."""
        peak, bandwidth, ridge = placed.peak, placed.bandwidth, placed.ridge_point
        low, high = self.ends
        corner = min(max(ridge, low), high)  # the ridge, as far as it lies within the picture
        self.slope.set_data([low, corner], [low * bandwidth, min(peak, corner * bandwidth)])
        self.flat.set_data([corner, high], [peak, peak])
        for line, bound in ((self.slope, "memory"), (self.flat, "compute")):
            line.set_linewidth(5 if thick == bound else 2)
        aside = corner > low * (high / low) ** 0.35  # at the left edge the words would run into the axis
        place, side = (corner / 1.15, "right") if aside else (corner * 1.15, "left")
        self.corner.set(position=(place, peak * 1.15), ha=side, text=f"ridge {number(ridge)} FLOP/byte")
        start = max(low * 1.4, self.ax.get_ylim()[0] * 1.6 / bandwidth)
        self.rates[0].set(position=(start, start * bandwidth * 1.25), text=si(bandwidth, "B/s"), rotation=self._angle())
        self.rates[1].set(position=(high / 1.1, peak * 2.3), text=f"{si(peak, _rate(placed.dtype))}, {placed.dtype}")

    def _angle(self):
        """Slope of a line of constant bandwidth on the paper [degrees]."""
        box = self.ax.get_window_extent()
        x, y = (np.diff(np.log10(limits))[0] for limits in (self.ax.get_xlim(), self.ax.get_ylim()))
        return np.degrees(np.arctan2(box.height / y, box.width / x))


def _rate(dtype):
    """Integer work is counted in OP, not FLOP."""
    return "OP/s" if dtype.startswith("int") else "FLOP/s"


class Roofline(Roof):
    """One kernel on one chip's roof; the part that binds is thick, the paper takes its colour.

    >>> view = Roofline()
    >>> view.show(roofline.place(Gemm(1, 8192, 8192), "h100-sxm5"))
    >>> view.show(roofline.place(Gemm(512, 8192, 8192), "h100-sxm5"))
    >>> view.show(roofline.place(Gemm(16384, 8192, 8192), "h100-sxm5", overlap=False))
    >>> view.show(roofline.place(Gemm(2, 8192, 8192), "tpu-v4"))
    """

    def __init__(self, **limits):
        super().__init__(**limits)
        self.bound = None
        self.drop = style.moving(self.ax.plot([], [], ":", color=style.MUTED, linewidth=1.4, zorder=2)[0])
        self.dot = style.moving(style.dot(self.ax, size=13))
        self.reach = style.moving(style.label(self.ax, va="center", fontweight="bold", zorder=7))

    def show(self, placed):
        """`placed`: roofline.Placed."""
        self.draw_roof(placed, placed.bound)
        x, y = placed.intensity, placed.flops_per_s
        self.drop.set_data([x, x], [self.ax.get_ylim()[0], placed.roof])
        self.dot.set_data([x], [y])
        self.dot.set(color=style.BOUND[placed.bound], marker=style.MARKER[placed.bound])
        right = x > 700
        self.reach.set(text=si(y, _rate(placed.dtype)), position=(x / 1.35 if right else x * 1.35, y / 2.5))
        self.reach.set(color=style.BOUND[placed.bound], ha="right" if right else "left")
        if self.bound != placed.bound:  # only then: new paper means that the whole background is drawn again
            self.bound = placed.bound
            self.ax.set_facecolor(style.TINT[placed.bound])
        return (
            f"{number(x)} FLOP per byte on {placed.chip.name} (ridge {number(placed.ridge_point)}): "
            f"{LIMIT[placed.bound]}. {si(placed.seconds, 's')}, {percent(placed.utilization)} of the "
            f"{placed.peak_unit} unit's {placed.dtype} peak."
        )

    def place(self, axis, value, row=None):
        """A throughput [FLOP/s], at the intensity of the kernel that is shown."""
        return spot(self.ax, float(self.dot.get_xdata()[0]), value)


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
