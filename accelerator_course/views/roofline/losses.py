"""What lies between the roof and a measured speed: losses one after the other, one layer's time."""

from accelerator_course.views import style
from accelerator_course.views.shares import Cut
from accelerator_lib.units import percent, si

NAMES = ("partial waves", "power-capped clock", "not matmul", "traffic not hidden")


class LossWaterfall:
    """From the datasheet peak down to what is left, one bar a loss.

    >>> view = LossWaterfall()
    >>> view.show(roofline.losses.from_peak())
    >>> view.show(roofline.losses.from_peak(1, 1, 1, 1))
    """

    def __init__(self):
        self.figure, ax = style.axes("", "share of the datasheet peak", ylim=(0, 1.12))
        names = ["datasheet\npeak", *(name.replace(" ", "\n", 1) for name in NAMES), "achieved"]
        style.percents(ax.yaxis)
        at = range(len(names))
        ax.set_xticks(list(at), names)
        ax.grid(axis="x", visible=False)
        colors = [style.MUTED, *[style.OTHER] * len(NAMES), style.COMPUTE]
        self.bars = ax.bar(at, [1] * len(names), width=0.62, color=colors)
        for bar in self.bars[1:-1]:
            bar.set_hatch("//")
            bar.set_edgecolor("white")
        self.texts = [style.label(ax, x=i, ha="center", va="bottom", fontweight="bold") for i in at]
        style.moving(*self.bars, *self.texts)

    def show(self, result):
        """`result`: losses.Losses."""
        left = [1.0, *(result.left[name] for name in NAMES)]
        spans = [(0, 1), *zip(left[1:], left[:-1], strict=True), (0, result.achieved)]
        for bar, text, (low, high) in zip(self.bars, self.texts, spans, strict=True):
            bar.set(y=low, height=high - low)
            text.set(y=high + 0.01, text=percent(high - low) if bar in (self.bars[0], self.bars[-1]) else "")
        for text, (low, high) in zip(self.texts[1:-1], spans[1:-1], strict=True):
            text.set_text(f"−{percent(high - low)}" if high > low else "no loss")
        name = min(result.factors, key=result.factors.get)
        worst = f"The largest loss is “{name}”." if result.factors[name] < 1 else "Nothing is lost."
        return f"{percent(result.achieved)} of the datasheet peak is left. {worst}"


class LayerTime:
    """Where the time of a transformer layer goes: one bar, and the matrix unit's share of it.

    >>> view = LayerTime()
    >>> view.show(roofline.losses.layer_time(1, "h100-sxm5", 0, 5e-6))
    >>> view.show(roofline.losses.layer_time(4096, "h100-sxm5", 1, 5e-6))
    """

    LOOKS = {
        "matrix unit works": (style.COMPUTE, ""),
        "products wait for weights": (style.MEMORY, "///"),
        "norms, residuals, activation": ("#3d8fc4", "..."),
        "kernel launches": ("#8c8c8c", "xx"),
    }

    def __init__(self):
        self.figure, ax = style.axes("share of the layer's time", "", (0, 1), size=(7.2, 2.9))
        style.percents(ax.xaxis)
        ax.spines["left"].set_visible(False)
        self.cut = Cut(ax, [""], self.LOOKS, list(self.LOOKS.values()))
        ax.set_yticks([])

    def show(self, layer):
        """`layer`: losses.LayerTime."""
        self.cut.draw([[layer.shares[name] for name in self.LOOKS]])
        return (
            f"The matrix unit works {percent(layer.utilization)} of the time; one layer takes {si(layer.seconds, 's')}."
        )
