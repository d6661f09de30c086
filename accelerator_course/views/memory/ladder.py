"""How far the levels of one chip are apart."""

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_course.views.memory.levels import told
from accelerator_lib.units import number

SAID = {
    "bandwidth": "the registers deliver {} times as much as the main memory",
    "latency": "the main memory takes {} times as long as a register",
    "energy": "a byte from the main memory costs {} times as much as one from a register",
    "capacity": "the main memory holds {} times as much as all registers",
}


class Gap:
    """The levels of one chip as multiples of the last one; a span where the sources disagree.

    >>> view = Gap()
    >>> view.show(memory.levels.gap())
    >>> view.show(memory.levels.gap("latency"))
    >>> view.show(memory.levels.gap("energy", sms=8))
    """

    def __init__(self, names=("registers", "shared memory and L1", "L2", "HBM2e")):
        self.figure, ax = style.axes("factor to the main memory", "", (1, 1e5), log="x", size=(7.2, 3.2))
        style.plain(ax.xaxis)
        ax.axvline(1e4, color=style.COMPUTE, linestyle="--", linewidth=1.2)
        self.rows = Rows(ax, names)
        for text in self.rows.texts:  # a value may stand where the dashed line runs
            text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
        style.label(ax, "10,000", 1.05e4, 3.2, style.COMPUTE)
        self.spans = [ax.plot([], [], color=style.INK, linewidth=2)[0] for _ in names]
        style.moving(*self.spans)

    def place(self, axis, value, row=None):
        """A factor, on the bar of one level or over all."""
        return self.rows.place(axis, value, row)

    def show(self, gap):
        """`gap`: memory.ladder.Gap."""
        words = []
        for span, y, span_, (least, most) in zip(self.spans, self.rows.at, gap.spans, gap.ratios, strict=True):
            span.set_data([least, most], [y, y])
            low, high = told(gap.quantity, span_.low), told(gap.quantity, span_.high)
            words.append(low if span_.low == span_.high else f"{low} to {high}")
        self.rows.draw([most for _, most in gap.ratios], words)
        least, most = gap.ratio
        times = number(least) if round(least, 3) == round(most, 3) else f"{number(least)} to {number(most)}"
        return f"{gap.quantity.capitalize()}: {SAID[gap.quantity].format(times)}."
