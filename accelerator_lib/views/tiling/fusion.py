"""What a compiler put into one kernel."""

from accelerator_lib.units import counted, number, si
from accelerator_lib.views import style


class FusedKernels:
    """What the compiler made of a function: a box for every kernel, its operations inside; bytes before and after."""

    MOST, LINES = 6, 9

    def __init__(self):
        self.figure = style.figure((7.2, 3.8))
        top, low = self.figure.subplots(2, 1, height_ratios=[2.6, 1])
        top.set(xlim=(0, self.MOST), ylim=(0, 1))
        top.axis("off")
        box = {"boxstyle": "round,pad=0.4", "facecolor": "#eef5fb", "edgecolor": style.MEMORY, "linewidth": 1.5}
        self.boxes = [
            top.text(i + 0.08, 0.97, "", fontsize=9.5, va="top", color=style.INK, bbox=dict(box))
            for i in range(self.MOST)
        ]
        style.dress(low, "bytes", "", (1e5, 1e11), (-0.6, 1.6), log="x")
        low.set_yticks([1, 0], ["each step alone", "compiled"])
        low.grid(axis="y", visible=False)
        self.bars = low.barh([1, 0], [1, 1], 0.62, left=1e5, color=[style.MUTED, style.MEMORY])
        self.texts = [style.label(low, y=y, va="center", fontweight="bold") for y in (1, 0)]
        style.moving(*self.boxes, *self.bars, *self.texts)

    def show(self, report):
        for i, box in enumerate(self.boxes):
            kernel = report.kernels[i] if i < len(report.kernels) else None
            box.set_visible(kernel is not None)
            if kernel:
                names = list(kernel.operations)
                shown = (
                    names
                    if len(names) <= self.LINES
                    else [*names[: self.LINES - 1], f"+ {len(names) - self.LINES + 1} more"]
                )
                box.set_text("\n".join(shown))
        for bar, text, value in zip(self.bars, self.texts, (report.bytes_before, report.bytes_after), strict=True):
            bar.set_width(max(value - 1e5, 1))
            text.set(text=si(value, "B"), x=max(value, 1e5) * 1.1)
        count = len(report.kernels)
        steps = sum(len(kernel.operations) for kernel in report.kernels)
        return (
            f"{steps} operations in {counted(count, 'kernel')}: {si(report.bytes_before, 'B')} if each stood "
            f"alone, {si(report.bytes_after, 'B')} as compiled, {number(report.saved)} times less."
        )
