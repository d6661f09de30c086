"""What lies between the roof and a measured speed: launches, losses, one layer's time."""

from dataclasses import replace

import numpy as np

from accelerator_lib.roofline import losses
from accelerator_lib.units import percent, si
from accelerator_lib.views import style


class LaunchOverhead:
    """Step time against useful work: with launches, the curve never falls below their sum."""

    def __init__(self, work_seconds=(1e-4, 0.1), seconds=(5e-5, 0.5)):
        self.figure, ax = style.axes(
            "useful work per step [s]", "time per step [s]", style.room(*work_seconds), seconds, log="xy"
        )
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
        left = step.work_seconds < 3 * self.work[0]  # there is no room for the text beside the axis
        place = (step.work_seconds * (1.15 if left else 1 / 1.12), step.seconds * (0.85 if left else 1.25))
        self.text.set(text=f"+{percent(step.added)}", position=place)
        self.text.set(ha="left" if left else "right", va="top" if left else "bottom")
        return (
            f"Launches: {step.kernels:,} of {si(step.launch_seconds, 's')} add {si(step.overhead_seconds, 's')} to "
            f"{si(step.work_seconds, 's')} of work: {percent(step.added)} more, {si(step.seconds, 's')} a step."
        )


class LossWaterfall:
    """From the datasheet peak down to what is left, one bar a loss."""

    def __init__(self):
        self.figure, ax = style.axes("", "share of the datasheet peak", ylim=(0, 1.12))
        names = ["datasheet\npeak", *(name.replace(" ", "\n", 1) for name in losses.from_peak().factors), "achieved"]
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
            text.set_text(f"−{percent(high - low)}" if high > low else "no loss")
        name = min(result.factors, key=result.factors.get)
        worst = f"The largest loss is “{name}”." if result.factors[name] < 1 else "Nothing is lost."
        return f"{percent(result.achieved)} of the datasheet peak is left. {worst}"


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
