"""Copies beside work, chunk by chunk."""

from accelerator_course.views import style
from accelerator_lib.units import counted, si

MOST = 64  # chunks


class Transfer:
    """Copies and work on a time axis, chunk by chunk.

    >>> view = Transfer()
    >>> view.show(memory.hostlink.plan())
    >>> view.show(memory.hostlink.plan(chunks=64, compute_seconds=0.02))
    >>> view.show(memory.hostlink.plan(chunks=1, pinned=False))
    """

    def __init__(self, noun="chunk"):
        self.noun = noun
        label = "time, as a share of doing one after the other"
        self.figure, ax = style.axes(label, "", (0, 1), (-0.7, 1.9), size=(7.2, 2.9))
        style.percents(ax.xaxis)
        ax.set_yticks([1, 0], ["copy", "work"])
        ax.grid(axis="y", visible=False)
        self.copies, self.works = (
            [ax.barh([y], [0], 0.6, color=color, edgecolor="white", linewidth=0.6, hatch=hatch)[0] for _ in range(MOST)]
            for y, color, hatch in ((1, style.MEMORY, "///"), (0, style.COMPUTE, ""))
        )
        self.end = ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        self.text = style.label(ax, y=1.6, ha="right", va="center", fontweight="bold")
        style.moving(*self.copies, *self.works, self.end, self.text)

    def show(self, line):
        """`line`: memory.Timeline."""
        chunks, whole = len(line.copy_starts), line.one_by_one_seconds
        rows = ((self.copies, line.copy_starts, line.copy_seconds), (self.works, line.work_starts, line.work_seconds))
        for bars, starts, length in rows:
            for bar in bars[chunks:]:
                bar.set_visible(False)
            for bar, start in zip(bars, starts, strict=False):
                bar.set(x=start / whole, width=length / whole, visible=True)
        end, seconds = line.seconds / whole, si(line.seconds, "s")
        self.end.set_xdata([end, end])
        self.text.set(text=seconds, x=max(end - 0.01, 0.2))
        pace = (
            f"The {line.slower} set{'s' * (line.slower == 'work')} the pace." if line.overlaps else "Nothing overlaps."
        )
        return f"{seconds} for {counted(chunks, self.noun)}, {si(whole, 's')} one after the other. {pace}"
