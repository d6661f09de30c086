"""What changes along an axis: a layer's time over its batch, peak and bandwidth of chips over the years."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.placing import spot
from accelerator_lib.units import number, si


class Serving:
    """Time of a step and tokens per second against batch: together at first, then they part.

    >>> view = Serving()
    >>> batch = Axis("batch", "batch [tokens]", np.array([1, 64, 4096]), log=True)
    >>> curves = {"seconds": [1e-4, 1.1e-4, 2e-3], "tokens_per_s": [1e4, 6e5, 2e6], "longer": [1, 1.1, 20]}
    >>> curves = {name: np.array(values) for name, values in curves.items()} | {"compute_bound": np.array([0, 0, 1])}
    >>> view.show(Along(batch, curves, {name: values[0] for name, values in curves.items()}, {"batch": 1}))
    >>> view.show(Along(batch, curves, {name: values[2] for name, values in curves.items()}, {"batch": 4096}))
    """

    over = "batch"

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

    def show(self, along):
        """`along`: seconds and tokens_per_s over the batch, how much longer than one token alone, compute_bound."""
        here, beyond = along.here, along.axis.values[along.curves["compute_bound"] > 0]
        bound = "compute" if here["compute_bound"] else "memory"
        words = {"seconds": si(here["seconds"], "s"), "tokens_per_s": f"{number(here['tokens_per_s'])} tokens/s"}
        for i, (name, text) in enumerate(words.items()):
            self.curves[i].set_data(along.axis.values, along.curves[name])
            self.dots[i].set_data([along.at], [here[name]])
            self.dots[i].set(color=style.BOUND[bound], marker=style.MARKER[bound])
            low, high = self.axes[i].get_ylim()
            self.texts[i].set(text=text, position=(1.2, high / (high / low) ** 0.06), color=style.BOUND[bound])
            self.knees[i].set_visible(beyond.size > 0)
            self.knees[i].set_xdata([np.min(beyond, initial=along.axis.values[-1])] * 2)
        return (
            f"Batch {along.at:,}: {words['seconds']} a step ({here['longer']:.2f}x one token alone), "
            f"{number(here['tokens_per_s'])} tokens per second; {bound}-bound."
        )


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
