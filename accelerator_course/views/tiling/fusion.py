"""What a compiler put into one kernel."""

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import counted, number, si


class FusedKernels:
    """What the compiler made of a function: a box for every kernel, its operations inside; bytes before and after.

    >>> kernels = (tiling.fusion.Kernel("a", ("add",)), tiling.fusion.Kernel("b", ("reduce",)))
    >>> view = FusedKernels()
    >>> view.show(tiling.fusion.Report(kernels, 1e9, 1e8, 1e6))
    >>> view.show(tiling.fusion.Report((tiling.fusion.Kernel("c", ("add", "tanh") * 10),), 2e10, 1e8, 1e6))
    """

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
        style.dress(low, "bytes", "", (1e5, 1e11), log="x")
        self.rows = Rows(low, ["each step alone", "compiled"], 0.62, [style.MUTED, style.MEMORY])
        style.moving(*self.boxes)

    def show(self, report):
        """`report`: fusion.Report."""
        for i, box in enumerate(self.boxes):
            there = i < len(report.kernels)
            box.set_visible(there)
            if there:
                box.set_text("\n".join(self._shown(report.kernels[i].operations)))
        values = (report.bytes_before, report.bytes_after)
        before, after = (si(value, "B") for value in values)
        self.rows.draw(values, [before, after])
        kernels = counted(len(report.kernels), "kernel")
        return (
            f"{report.steps} operations in {kernels}: {before} if each stood alone, {after} as compiled, "
            f"{number(report.saved)} times less."
        )

    def _shown(self, operations):
        """As many names as a box has lines for."""
        if len(operations) <= self.LINES:
            return operations
        return [*operations[: self.LINES - 1], f"+ {len(operations) - self.LINES + 1} more"]
