"""Copies beside work, chunk by chunk."""

from accelerator_lib.units import counted, si
from accelerator_lib.views import style


class Transfer:
    """Copies and work on a time axis, chunk by chunk."""

    MOST = 64

    def __init__(self, noun="chunk"):
        self.noun = noun
        self.figure, self.ax = style.axes(
            "time, as a share of doing one after the other", "", (0, 1), (-0.7, 1.9), size=(7.2, 2.9)
        )
        style.percents(self.ax.xaxis)
        self.ax.set_yticks([1, 0], ["copy", "work"])
        self.ax.grid(axis="y", visible=False)
        self.copies, self.works = (
            [
                self.ax.barh([y], [0], 0.6, color=color, edgecolor="white", linewidth=0.6, hatch=hatch)[0]
                for _ in range(self.MOST)
            ]
            for y, color, hatch in ((1, style.MEMORY, "///"), (0, style.COMPUTE, ""))
        )
        self.end = self.ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        self.text = style.label(self.ax, y=1.6, ha="right", va="center", fontweight="bold")
        style.moving(*self.copies, *self.works, self.end, self.text)

    def show(self, line):
        chunks = len(line.copy_starts)
        whole = chunks * (line.copy_seconds + line.work_seconds)
        rows = ((self.copies, line.copy_starts, line.copy_seconds), (self.works, line.work_starts, line.work_seconds))
        for bars, starts, length in rows:
            for i, bar in enumerate(bars):
                bar.set(x=starts[i] / whole if i < chunks else 0, width=length / whole if i < chunks else 0)
        self.end.set_xdata([line.seconds / whole] * 2)
        self.text.set(text=si(line.seconds, "s"), x=max(line.seconds / whole - 0.01, 0.2))
        slower = "copies" if line.copy_seconds > line.work_seconds else "work"
        pace = f"The {slower} set{'s' * (slower == 'work')} the pace."
        if line.seconds > 0.999 * whole:
            pace = "Nothing overlaps."
        return f"{si(line.seconds, 's')} for {counted(chunks, self.noun)}, {si(whole, 's')} one after the other. {pace}"
