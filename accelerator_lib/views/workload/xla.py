"""The model's counts beside the compiler's."""

from accelerator_lib.units import si
from accelerator_lib.views import style


class XlaCounts:
    """FLOP and bytes of one computation: the model beside XLA's own cost analysis."""

    def __init__(self):
        self.figure = style.figure((7.2, 3.4))
        self.panes = []
        for ax, unit in zip(self.figure.subplots(2, 1), ("FLOP", "B"), strict=True):
            style.dress(ax, "FLOP" if unit == "FLOP" else "bytes", "", (1e3, 1e13), (-0.6, 1.6), log="x")
            ax.set_yticks([0, 1], ["XLA", "model"])
            ax.grid(axis="y", visible=False)
            bars = ax.barh([1, 0], [1, 1], left=1e3, height=0.7, color=[style.MUTED, style.OTHER], hatch=None)
            bars[1].set_hatch("xx")
            bars[1].set_edgecolor("white")
            texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in (1, 0)]
            style.moving(*bars, *texts)
            self.panes.append((bars, texts, unit))

    def show(self, counts):
        pairs = ((counts.model_flops, counts.xla_flops), (counts.model_bytes, counts.xla_bytes))
        for (bars, texts, unit), values in zip(self.panes, pairs, strict=True):
            for bar, text, value in zip(bars, texts, values, strict=True):
                bar.set_width(max(value - 1e3, 1))
                text.set(x=max(value, 1e3) * 1.15, text=si(value, unit))
        apart = f" {si(counts.exponentials)} exponentials are counted apart." if counts.exponentials else ""
        return (
            f"{counts.kind}: XLA counts {counts.flops_ratio:.3f} times the model's FLOP and "
            f"{counts.bytes_ratio:.2f} times its bytes.{apart}"
        )
