"""Pictures of the roofline itself: one kernel, several, chips over the years, a layer over the batch."""

import numpy as np

from accelerator_lib.roofline import attainable, ridge_point
from accelerator_lib.units import number, percent, si
from accelerator_lib.views import style

LIMIT = {"memory": "the memory sets the pace", "compute": "the arithmetic sets the pace"}


class _Roof:
    """Log-log axes with one roof: a slope (memory, blue), a flat part (compute, orange), the ridge between."""

    def __init__(self, intensity=(0.1, 1e4), flops_per_s=(1e10, 1e17)):
        self.figure, self.ax = style.axes(
            "arithmetic intensity [FLOP/byte]", "throughput [FLOP/s]", intensity, flops_per_s, log="xy"
        )
        style.plain(self.ax.xaxis)
        self.ends = np.array(intensity, dtype=float)
        self.slope, self.flat = (self._line(style.BOUND[bound], dashes) for bound, dashes in _ROOF_DASHES)
        self.corner = style.moving(style.label(self.ax, color=style.INK, ha="right", va="bottom", fontweight="bold"))
        self.rates = [
            style.moving(style.label(self.ax, color=style.MEMORY, ha="left", va="bottom", rotation_mode="anchor")),
            style.moving(style.label(self.ax, color=style.COMPUTE, ha="right", va="bottom")),
        ]

    def _line(self, color, dashes):
        return style.moving(self.ax.plot([], [], color=color, linestyle=dashes, solid_capstyle="round", zorder=3)[0])

    def draw_roof(self, placed, thick=None):
        """Move the roof to that of a Placed; `thick` names the part that binds."""
        peak, bandwidth = placed.peak, placed.chip.bytes_per_s
        ridge = ridge_point(peak, bandwidth)
        low, high = self.ends
        corner = min(max(ridge, low), high)
        self.slope.set_data([low, corner], [low * bandwidth, attainable(corner, peak, bandwidth)])
        self.flat.set_data([corner, high], [peak, peak])
        for line, bound in ((self.slope, "memory"), (self.flat, "compute")):
            line.set_linewidth(5 if thick == bound else 2)
        self.corner.set(position=(corner / 1.15, peak * 1.15), text=f"ridge {number(ridge)} FLOP/byte")
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


_ROOF_DASHES = (("memory", "-"), ("compute", (0, (6, 1.5))))


class Roofline(_Roof):
    """One kernel on one chip's roof; the part that binds is thick, the paper takes its colour."""

    def __init__(self, **limits):
        super().__init__(**limits)
        self.bound = None
        self.drop = style.moving(self.ax.plot([], [], ":", color=style.MUTED, linewidth=1.4, zorder=2)[0])
        self.dot = style.moving(style.dot(self.ax, size=13))
        self.reach = style.moving(style.label(self.ax, va="center", fontweight="bold", zorder=7))

    def show(self, placed):
        self.draw_roof(placed, placed.bound)
        x, y = placed.intensity, placed.flops_per_s
        roof = attainable(x, placed.peak, placed.chip.bytes_per_s)
        self.drop.set_data([x, x], [self.ax.get_ylim()[0], roof])
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


class Kernels(_Roof):
    """Several named kernels on one roof; round and blue are memory-bound, square and orange compute-bound."""

    def __init__(self, labels=6, **limits):
        """At most so many dots are labelled: of more kernels, some from end to end of the intensities."""
        super().__init__(**limits)
        self.dots = {bound: style.moving(self._dots(bound)) for bound in style.BOUND}
        self.labels = [style.moving(style.label(self.ax, size=9, va="center", zorder=7)) for _ in range(labels)]

    def _dots(self, bound):
        return style.dot(self.ax, style.BOUND[bound], 9, style.MARKER[bound], linestyle="none")

    def show(self, kernels):
        """`kernels`: pairs of a name and a Placed, all on one chip and format."""
        placed = [p for _, p in kernels]
        chip = placed[0].chip
        self.draw_roof(placed[0])
        for bound, dots in self.dots.items():
            chosen = [p for p in placed if p.bound == bound]
            dots.set_data([p.intensity for p in chosen], [p.flops_per_s for p in chosen])
        self._label(dict(kernels))
        waiting = [p for p in placed if p.bound == "memory"]
        share = sum(p.work.flops for p in waiting) / sum(p.work.flops for p in placed)
        return (
            f"{len(waiting)} of {len(placed)} kernels are memory-bound on {chip.name}; "
            f"they hold {percent(share)} of the FLOP."
        )

    def _label(self, named):
        """Names to the lower right of their dots; one that would cover another goes a line lower."""
        ordered = sorted(named.items(), key=lambda pair: pair[1].intensity)
        chosen = np.unique(np.linspace(0, len(ordered) - 1, len(self.labels)).round().astype(int))
        letter, line = self._letter()
        taken = []  # (left, right, height) of the labels so far, in decades
        for text in self.labels:
            text.set_visible(False)
        for text, index in zip(self.labels, chosen, strict=False):
            name, p = ordered[index]
            width, height = letter * len(name), np.log10(p.flops_per_s / 1.9)
            left = np.log10(p.intensity * 1.2)
            if left + width > np.log10(self.ends[1]):
                left = np.log10(p.intensity / 1.2) - width
            while any(left < to and start < left + width and abs(height - at) < line for start, to, at in taken):
                height -= line / 4
            taken.append((left, left + width, height))
            text.set(text=name, position=(10**left, 10**height), color=style.BOUND[p.bound], visible=True)

    def _letter(self):
        """Width of a letter and height of a line of the labels, in decades of the axes."""
        box, pixel = self.ax.get_window_extent(), style.DPI / 100
        x, y = (np.diff(np.log10(limits))[0] for limits in (self.ax.get_xlim(), self.ax.get_ylim()))
        return 7 * pixel * x / box.width, 14 * pixel * y / box.height


class MemoryWall:
    """Peak and bandwidth since the first chip, and the ridge they leave, up to a year."""

    def __init__(self, chips, dtype="fp16"):
        """`chips`: Chip records in order of year."""
        self.chips, self.dtype = list(chips), dtype
        self.names = [chip.name.split()[1] for chip in self.chips]
        peaks = np.array([chip.peak(dtype) for chip in self.chips])
        rates = np.array([chip.bytes_per_s for chip in self.chips])
        self.figure = style.figure()
        grown, ridges = self.figure.subplots(1, 2)
        style.dress(grown, "", f"times the {self.names[0]}", ylim=(0.8, 25), log="y")
        style.plain(grown.yaxis)
        grown.set_yticks([1, 2, 4, 8, 16])
        style.dress(ridges, "", "ridge point [FLOP/byte]", ylim=(0, 340))
        self.growth = [
            (style.moving(grown.plot([], [], line, color=color, linewidth=2, markersize=8)[0]), values / values[0])
            for line, color, values in (("s--", style.COMPUTE, peaks), ("o-", style.MEMORY, rates))
        ]
        self.tags = [
            style.moving(style.label(grown, text, color=color, fontweight="bold", ha="center", va=va))
            for text, color, va in (("peak", style.COMPUTE, "bottom"), ("bandwidth", style.MEMORY, "top"))
        ]
        self.ridges = peaks / rates
        at = range(len(self.chips))
        self.bars = ridges.bar(at, self.ridges, color=style.OTHER, width=0.65)
        self.values = [style.label(ridges, number(v), i, v + 6, ha="center") for i, v in enumerate(self.ridges)]
        style.moving(*self.bars, *self.values)
        for ax in (grown, ridges):
            ax.set_xlim(-0.6, len(self.chips) - 0.1)
            ax.set_xticks(list(at), [f"{n}\n{c.year}" for n, c in zip(self.names, self.chips, strict=True)])
            ax.tick_params(labelsize=9)
            ax.grid(axis="x", visible=False)

    def show(self, year):
        """`year`: chips of later years are not drawn yet."""
        known = [i for i, chip in enumerate(self.chips) if chip.year <= year] or [0]
        last = known[-1]
        for (line, values), tag in zip(self.growth, self.tags, strict=True):
            line.set_data(known, values[known])
            tag.set_position((last, values[last] * (1.12 if tag.get_va() == "bottom" else 0.88)))
        for i, (bar, text) in enumerate(zip(self.bars, self.values, strict=True)):
            bar.set_visible(i in known)
            text.set_visible(i in known)
        chip, step = self.chips[last], ""
        if last:
            change = "up" if self.ridges[last] > self.ridges[last - 1] else "down"
            step = f", {change} from {number(self.ridges[last - 1])}"
        return (
            f"{year}: {self.names[last]} does {si(chip.peak(self.dtype), 'FLOP/s')} {self.dtype} on "
            f"{si(chip.bytes_per_s, 'B/s')}. Its ridge is {number(self.ridges[last])} FLOP/byte{step}."
        )


class Serving:
    """Time of a step and tokens per second against batch: together at first, then they part."""

    def __init__(self, batch=(1, 4096)):
        self.figure = style.figure()
        upper, lower = self.figure.subplots(2, 1, sharex=True)
        style.dress(upper, "", "time of a step [s]", style.room(*batch), (2e-5, 2e-2), "xy")
        style.dress(lower, "batch [tokens per step]", "tokens per second", style.room(*batch), (1e3, 1e7), "xy")
        style.plain(lower.xaxis)
        upper.tick_params(labelbottom=False)
        self.axes = (upper, lower)
        self.curves = [style.moving(ax.plot([], [], color=style.INK, linewidth=2)[0]) for ax in self.axes]
        self.dots = [style.moving(style.dot(ax)) for ax in self.axes]
        self.knees = [style.moving(ax.axvline(1, color=style.MUTED, linestyle=":")) for ax in self.axes]
        self.texts = [style.moving(style.label(ax, ha="left", va="top", fontweight="bold")) for ax in self.axes]

    def show(self, result):
        """`result`: (curve, point): Placed of a Gemm over an array of batches, and of the batch chosen."""
        curve, point = result
        batches, batch = curve.work.m, point.work.m
        knee = batches[np.argmax(curve.bound == "compute")] if np.any(curve.bound == "compute") else None
        rate = batch / point.seconds
        pairs = (
            (curve.seconds, point.seconds, si(point.seconds, "s")),
            (batches / curve.seconds, rate, f"{number(rate)} tokens/s"),
        )
        for i, (line, value, text) in enumerate(pairs):
            self.curves[i].set_data(batches, line)
            self.dots[i].set_data([batch], [value])
            self.dots[i].set(color=style.BOUND[point.bound], marker=style.MARKER[point.bound])
            low, high = self.axes[i].get_ylim()
            self.texts[i].set(text=text, position=(1.2, high / (high / low) ** 0.06))
            self.texts[i].set_color(style.BOUND[point.bound])
            self.knees[i].set_visible(knee is not None)
            self.knees[i].set_xdata([knee or 1] * 2)
        return (
            f"Batch {batch:,}: {si(point.seconds, 's')} a step ({point.seconds / curve.seconds[0]:.2f}x one token "
            f"alone), {number(rate)} tokens per second; {point.bound}-bound."
        )
