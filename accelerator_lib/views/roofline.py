"""Pictures of chapter 3: the roofline and what lies between it and a measured speed."""

from dataclasses import replace

import numpy as np
from matplotlib.colors import LogNorm

from accelerator_lib.roofline import amdahl, attainable, losses, ridge_point
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

    def __init__(self, names, **limits):
        super().__init__(**limits)
        self.names = list(names)
        self.dots = {bound: style.moving(self._dots(bound)) for bound in style.BOUND}
        self.labels = [style.moving(style.label(self.ax, size=9, va="center", zorder=7)) for _ in self.names]

    def _dots(self, bound):
        return style.dot(self.ax, style.BOUND[bound], 9, style.MARKER[bound], linestyle="none")

    def show(self, placed):
        """`placed`: a Placed for each name, in order, all on one chip and format."""
        first = placed[0]
        self.draw_roof(first)
        for bound, dots in self.dots.items():
            chosen = [p for p in placed if p.bound == bound]
            dots.set_data([p.intensity for p in chosen], [p.flops_per_s for p in chosen])
        for text, name, p in zip(self.labels, self.names, placed, strict=True):
            text.set(text=name, position=(p.intensity * 1.25, p.flops_per_s / 1.7), color=style.BOUND[p.bound])
        memory = [name for name, p in zip(self.names, placed, strict=True) if p.bound == "memory"]
        which = f": {', '.join(memory)}" if 0 < len(memory) <= 6 else ""
        return f"{len(memory)} of {len(placed)} kernels are memory-bound on {first.chip.name}{which}."


class MemoryWall:
    """Peak and bandwidth since the first chip, and the ridge they leave; chips to come are faint."""

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
        ridges.bar(at, self.ridges, color="none", edgecolor=style.GRID, width=0.65)
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


class LaunchOverhead:
    """Step time against useful work: with launches, the curve never falls below their sum."""

    def __init__(self, work_seconds=(1e-4, 0.1), seconds=(5e-5, 0.5)):
        self.figure, ax = style.axes("useful work per step [s]", "time per step [s]", work_seconds, seconds, log="xy")
        self.work = np.geomspace(*work_seconds, 120)
        ax.plot(self.work, self.work, "--", color=style.MUTED)
        style.label(ax, "no launches", self.work[40], self.work[40] / 1.6, style.MUTED, ha="left", va="top")
        self.curve = style.moving(ax.plot([], [], color=style.OTHER, linewidth=3)[0])
        self.gap = style.moving(ax.plot([], [], color=style.OTHER, linewidth=1.5, linestyle=":")[0])
        self.dot = style.moving(style.dot(ax, style.OTHER))
        self.text = style.moving(style.label(ax, color=style.OTHER, ha="right", va="bottom", fontweight="bold"))

    def show(self, step):
        self.curve.set_data(self.work, replace(step, work_seconds=self.work).seconds)
        self.gap.set_data([step.work_seconds] * 2, [step.work_seconds, step.seconds])
        self.dot.set_data([step.work_seconds], [step.seconds])
        self.text.set(text=f"+{percent(step.added)}", position=(step.work_seconds / 1.12, step.seconds * 1.25))
        return (
            f"Launches: {step.kernels:,} of {si(step.launch_seconds, 's')} add {si(step.overhead_seconds, 's')} to "
            f"{si(step.work_seconds, 's')} of work: {percent(step.added)} more, {si(step.seconds, 's')} a step."
        )


class LossWaterfall:
    """From the datasheet peak down to what is left, one bar a loss."""

    def __init__(self):
        self.figure, ax = style.axes("", "share of the datasheet peak", ylim=(0, 1.12))
        names = ["datasheet\npeak", *(name.replace(" ", "\n", 1) for name in losses().factors), "achieved"]
        style.percents(ax.yaxis)
        at = range(len(names))
        ax.set_xticks(list(at), names)
        ax.grid(axis="x", visible=False)
        colors = [style.MUTED, *[style.OTHER] * (len(names) - 2), style.COMPUTE]
        self.bars = ax.bar(at, [1] * len(names), width=0.62, color=colors)
        for bar in self.bars[1:-1]:
            bar.set_hatch("//")
            bar.set_edgecolor("white")
        self.texts = [style.label(ax, x=i, ha="center", va="bottom", fontweight="bold") for i in at]
        style.moving(*self.bars, *self.texts)

    def show(self, result):
        left = np.cumprod([1, *result.factors.values()])
        spans = [(0, 1), *zip(left[1:], left[:-1], strict=True), (0, left[-1])]
        for bar, text, (low, high) in zip(self.bars, self.texts, spans, strict=True):
            bar.set(y=low, height=high - low)
            text.set(y=high + 0.01, text=percent(high - low) if bar in (self.bars[0], self.bars[-1]) else "")
        for text, (low, high) in zip(self.texts[1:-1], spans[1:-1], strict=True):
            text.set_text(f"−{percent(high - low)}")
        name = min(result.factors, key=result.factors.get)
        worst = f"The largest loss is “{name}”." if result.factors[name] < 1 else "Nothing is lost."
        return f"{percent(result.achieved)} of the datasheet peak is left. {worst}"


class Utilization:
    """Two gauges for one model step: MFU, the share of the peak; MBU, the share of the bandwidth."""

    def __init__(self):
        self.figure, ax = style.axes("utilisation", "", xlim=(0, 1.0), ylim=(-0.6, 1.6), size=(7.2, 2.6))
        style.percents(ax.xaxis)
        ax.set_yticks([0, 1], ["MBU\nbandwidth", "MFU\narithmetic"])
        ax.tick_params(axis="y", labelsize=11)
        ax.grid(axis="y", visible=False)
        ax.barh([0, 1], [1, 1], height=0.5, color="#eeeeee")
        self.bars = ax.barh([0, 1], [0, 0], height=0.5, color=[style.MEMORY, style.COMPUTE])
        for bar, hatch in zip(self.bars, style.HATCH.values(), strict=True):
            bar.set_hatch(hatch)
            bar.set_edgecolor("white")
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold", size=12) for y in (0, 1)]
        style.moving(*self.bars, *self.texts)

    def show(self, result):
        """`result`: (mfu, mbu), shares of one; above one means that the numbers given cannot be true."""
        mfu, mbu = result
        for bar, text, share in zip(self.bars, self.texts, (mbu, mfu), strict=True):
            bar.set_width(min(share, 1))
            text.set(text=percent(share), x=min(share, 0.86) + 0.015)
        if max(mfu, mbu) > 1:
            return f"MFU {percent(mfu)}, MBU {percent(mbu)}: more than the machine has. Such a speed is impossible."
        honest = "bandwidth" if mbu > mfu else "arithmetic"
        return f"MFU {percent(mfu)}, MBU {percent(mbu)}: the {honest} is the busier half, so judge by its gauge."


class Serving:
    """Time of a step and tokens per second against batch: together at first, then they part."""

    def __init__(self, batch=(1, 4096)):
        self.figure = style.figure()
        upper, lower = self.figure.subplots(2, 1, sharex=True)
        style.dress(upper, "", "time of a step [s]", batch, (5e-5, 5e-3), "xy")
        style.dress(lower, "batch [tokens per step]", "tokens per second", batch, (5e3, 5e6), "xy")
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


class Amdahl:
    """Speed-up of the whole over the share that is accelerated and by how much: lines of equal gain."""

    def __init__(self, speedup=(1, 64), fraction=(0.5, 1)):
        self.figure, ax = style.axes("speed-up of that part", "share of the time that gets faster", log="x")
        x, y = np.geomspace(*speedup, 120), np.linspace(*fraction, 90)
        levels = [1, 1.5, 2, 3, 4, 6, 8, 16, 32]
        gains = amdahl(y[:, None] * np.ones_like(x), np.ones_like(y)[:, None] * x)
        ax.contourf(x, y, gains, levels=[*levels, 64], cmap="Purples", norm=LogNorm(0.7, 150))
        lines = ax.contour(x, y, gains, levels=levels[1:], colors=style.MUTED, linewidths=0.8)
        ax.clabel(lines, fmt=lambda v: f"{v:g}x", fontsize=9, colors=style.INK)
        ax.set(xlim=speedup, ylim=fraction)
        ax.set_xticks([1, 2, 4, 8, 16, 32, 64])
        style.plain(ax.xaxis)
        style.percents(ax.yaxis)
        self.dot = style.moving(style.dot(ax, style.COMPUTE, 13, "s"))

    def show(self, result):
        """`result`: (fraction, speedup, gain of the whole)."""
        fraction, speedup, gain = result
        self.dot.set_data([speedup], [fraction])
        limit = f" Even an endless speed-up would stop at {number(1 / (1 - fraction))}x." if fraction < 1 else ""
        return (
            f"{percent(fraction)} of the time made {number(speedup)}x as fast: the whole is {gain:.2f}x as fast.{limit}"
        )


class LayerTime:
    """Where the time of a transformer layer goes: one bar, and the matrix unit's share of it."""

    PARTS = (
        ("tensor_seconds", "matrix unit works", style.COMPUTE, ""),
        ("waiting_seconds", "products wait for weights", style.MEMORY, "///"),
        ("elementwise_seconds", "norms, residuals, activation", "#3d8fc4", "..."),
        ("launch_seconds", "kernel launches", "#8c8c8c", "xx"),
    )

    def __init__(self):
        self.figure, ax = style.axes("share of the layer's time", "", (0, 1), (-0.75, 0.5), size=(7.2, 2.9))
        style.percents(ax.xaxis)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        self.bars = [
            ax.barh([0], [0.25], height=0.6, color=color, hatch=hatch, edgecolor="white", label=name)[0]
            for _, name, color, hatch in self.PARTS
        ]
        self.texts = [style.label(ax, y=0, ha="center", va="center", fontweight="bold") for _ in self.PARTS]
        style.moving(*self.bars, *self.texts)
        ax.legend(loc="lower center", ncols=2, frameon=False, fontsize=10)

    def show(self, layer):
        left = 0.0
        for bar, text, (part, *_) in zip(self.bars, self.texts, self.PARTS, strict=True):
            share = getattr(layer, part) / layer.seconds
            bar.set(x=left, width=share)
            text.set(x=left + share / 2, text=percent(share) if share > 0.07 else "")
            left += share
        return (
            f"The matrix unit works {percent(layer.utilization)} of the time; one layer takes {si(layer.seconds, 's')}."
        )
