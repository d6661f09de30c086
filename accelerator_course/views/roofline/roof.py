"""Pictures of the roofline itself: one kernel on its chip, and chips over the years."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.placing import spot
from accelerator_lib.units import counted, number, percent, si

LIMIT = {"memory": "the memory sets the pace", "compute": "the arithmetic sets the pace"}
FOUND = ((style.INK, "D"), (style.OTHER, "v"))  # published products: of the drawn roof's peak, and of another
DASHES = {"memory": "-", "compute": (0, (6, 1.5))}


class Roof:
    """Log-log axes with one roof: a slope (memory, blue), a flat part (compute, orange), the ridge between."""

    def __init__(self, intensity=(0.1, 1e4), flops_per_s=(1e10, 1e17)):
        self.figure, self.ax = style.axes(
            "arithmetic intensity [FLOP/byte]", "throughput [FLOP/s]", intensity, flops_per_s, log="xy"
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


def _told(found, peak):
    """What was published for the chip, as a sentence; nothing where nobody asks. `peak`: of the roof that is drawn."""
    if found is None:
        return ""
    if not found.rows:
        return " No published product of this chip is in the data."
    marks = {
        kind: "diamonds" if own == peak else "triangles" for kind, own in zip(found.dtypes, found.peaks, strict=True)
    }
    formats = " and ".join(f"{kind} ({mark})" for kind, mark in marks.items())
    return (
        f" Measured (open marks): {counted(len(found.rows), 'published product')}, {formats}; "
        f"typically {number(found.typical)} times slower than the roof."
    )


def _rate(dtype):
    """Integer work is counted in OP, not FLOP."""
    return "OP/s" if dtype.startswith("int") else "FLOP/s"


class Roofline(Roof):
    """One kernel on one chip's roof; the part that binds is thick, the paper takes its colour. Small open marks are
    published products, under a thinner roof where their format has another peak.

    >>> view = Roofline()
    >>> view.show(roofline.place(Gemm(1, 8192, 8192), "h100-sxm5"))
    >>> view.show(roofline.place(Gemm(512, 8192, 8192), "h100-sxm5"))
    >>> view.show(roofline.place(Gemm(16384, 8192, 8192), "h100-sxm5", overlap=False))
    >>> view.show(roofline.place(Gemm(2, 8192, 8192), "tpu-v4"))
    >>> view.show(roofline.with_products(roofline.place(Gemm(1, 8192, 8192), "h100-sxm5")))
    >>> view.show(roofline.with_products(roofline.place(Gemm(1, 8192, 8192), "a100-80gb-sxm")))
    >>> view.show(roofline.with_products(roofline.place(Gemm(1, 8192, 8192), "tpu-v4")))
    """

    def __init__(self, **limits):
        super().__init__(**limits)
        self.bound = None
        self.drop = style.moving(self.ax.plot([], [], ":", color=style.MUTED, linewidth=1.4, zorder=2)[0])
        self.found = [style.moving(self._open(color, marker)) for color, marker in FOUND]
        self.other = self._line(style.COMPUTE, (0, (2, 2)))
        self.format = style.moving(style.label(self.ax, color=style.COMPUTE, size=9, ha="right", va="bottom"))
        self.dot = style.moving(style.dot(self.ax, size=13))
        self.reach = style.moving(style.label(self.ax, va="center", fontweight="bold", zorder=7))

    def _open(self, color, marker):
        drawn = self.ax.plot([], [], marker, color=color, markersize=6, markerfacecolor="none", markeredgewidth=1.5)[0]
        drawn.set_zorder(4)
        return drawn

    def show(self, placed):
        """`placed`: roofline.Placed."""
        self.draw_roof(placed, placed.bound)
        self._measured(placed)
        x, y = placed.intensity, placed.flops_per_s
        self.drop.set_data([x, x], [self.ax.get_ylim()[0], placed.roof])
        self.dot.set_data([x], [y])
        self.dot.set(color=style.BOUND[placed.bound], marker=style.MARKER[placed.bound])
        right = x > 700
        lower = y / 2.5 if placed.measured is None else max(y / 12, 1.6 * self.ax.get_ylim()[0])  # under what was found
        self.reach.set(text=si(y, _rate(placed.dtype)), position=(x / 1.35 if right else x * 1.35, lower))
        self.reach.set(color=style.BOUND[placed.bound], ha="right" if right else "left")
        if self.bound != placed.bound:  # only then: new paper means that the whole background is drawn again
            self.bound = placed.bound
            self.ax.set_facecolor(style.TINT[placed.bound])
        return (
            f"{number(x)} FLOP per byte on {placed.chip.name} (ridge {number(placed.ridge_point)}): "
            f"{LIMIT[placed.bound]}. {si(placed.seconds, 's')}, {percent(placed.utilization)} of the "
            f"{placed.peak_unit} unit's {placed.dtype} peak." + _told(placed.measured, placed.peak)
        )

    def _measured(self, placed):
        """Marks of the published products: those under the roof that is drawn, and those of another format."""
        found = placed.measured
        same = found.peaks == placed.peak if found else np.zeros(0, bool)
        for marks, chosen in zip(self.found, (same, ~same), strict=True):
            marks.set_data(*((found.intensity[chosen], found.flops_per_s[chosen]) if found else ([], [])))
        other = found is not None and not same.all()
        if other:
            peak, dtype = next((p, d) for p, d, under in zip(found.peaks, found.dtypes, same, strict=True) if not under)
            high = self.ends[1]
            self.other.set_data([min(peak / placed.bandwidth, high), high], [peak, peak])
            self.other.set_linewidth(1.5)
            self.format.set(text=f"{si(peak, _rate(dtype))}, {dtype}", position=(high / 1.1, peak * 1.15))
            self.rates[1].set(position=(high / 1.1, placed.peak * 0.72))  # between two roofs there is no room
        self.rates[1].set_va("top" if other else "bottom")
        self.other.set_visible(other)
        self.format.set_visible(other)

    def place(self, axis, value, row=None):
        """A throughput [FLOP/s], at the intensity of the kernel that is shown."""
        return spot(self.ax, float(self.dot.get_xdata()[0]), value)


class MemoryWall:
    """Peak and bandwidth since the first chip, and the ridge they leave, up to a year.

    >>> view = MemoryWall([hardware.chip("v100-sxm2-32gb"), hardware.chip("h100-sxm5"), hardware.chip("h200-sxm")])
    >>> known = roofline.wall.generations(["v100-sxm2-32gb", "h100-sxm5", "h200-sxm"])
    >>> view.show((2018, known[:1]))
    >>> view.show((2022, known[:2]))
    >>> view.show((2025, known))
    """

    def __init__(self, chips):
        """`chips`: Chip records in order of year."""
        self.names = [chip.name.split()[1] for chip in chips]
        self.figure = style.figure()
        grown, ridges = self.figure.subplots(1, 2)
        style.dress(grown, "", f"times the {self.names[0]}", ylim=(0.45, 25), log="y")
        style.plain(grown.yaxis)
        grown.set_yticks([1, 2, 4, 8, 16])
        style.dress(ridges, "", "ridge point [FLOP/byte]", ylim=(0, 440))
        self.ridges = ridges
        self.lines = [
            style.moving(grown.plot([], [], line, color=color, linewidth=2, markersize=8)[0])
            for line, color in (("s--", style.COMPUTE), ("o-", style.MEMORY))
        ]
        self.tags = [
            style.moving(style.label(grown, text, color=color, fontweight="bold", ha="center", va=va))
            for text, color, va in (("peak", style.COMPUTE, "bottom"), ("bandwidth", style.MEMORY, "top"))
        ]
        at = range(len(chips))
        self.bars = ridges.bar(at, [1] * len(chips), color=style.OTHER, width=0.65)
        self.values = [style.label(ridges, x=i, ha="center") for i in at]
        style.moving(*self.bars, *self.values)
        for ax in (grown, ridges):
            ax.set_xlim(-0.9, len(chips) - 0.1)
            ax.set_xticks(list(at), [f"{n}\n{c.year}" for n, c in zip(self.names, chips, strict=True)])
            ax.tick_params(labelsize=9)
            ax.grid(axis="x", visible=False)

    def show(self, result):
        """`result`: (year, roofline.wall.Generations of the chips known by then)."""
        year, known = result
        last, newest = len(known) - 1, known[-1]
        growths = [one.peak_growth for one in known], [one.bandwidth_growth for one in known]
        for grown, line, tag in zip(growths, self.lines, self.tags, strict=True):
            line.set_data(range(len(known)), grown)
            tag.set_position((last, grown[-1] * (1.12 if tag.get_va() == "bottom" else 0.62)))
        for i, (bar, text) in enumerate(zip(self.bars, self.values, strict=True)):
            ridge = known[i].ridge if i <= last else 0
            bar.set(height=ridge, visible=i <= last)
            text.set(text=number(ridge), y=ridge + 6, visible=i <= last)
        step = f", {'up' if newest.rises else 'down'} from {number(newest.ridge_before)}" if newest.before else ""
        return (
            f"{year}: {self.names[last]} does {si(newest.peak, 'FLOP/s')} {newest.dtype} on "
            f"{si(newest.bandwidth, 'B/s')}. Its ridge is {number(newest.ridge)} FLOP/byte{step}."
        )

    def place(self, axis, value, row=None):
        """A ridge point [FLOP/byte], across the bar of the newest chip."""
        bar = next(bar for bar in reversed(self.bars) if bar.get_visible())
        return spot(self.ridges, (bar.get_x(), bar.get_x() + bar.get_width()), value)
