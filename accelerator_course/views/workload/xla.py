"""The model's counts beside the compiler's."""

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import si


class XlaCounts:
    """FLOP and bytes of one computation: the model beside XLA's own cost analysis.

    >>> view = XlaCounts()
    >>> view.show(workload.xla.counts("matrix product"))
    >>> view.show(workload.xla.counts("attention", 64, 128))
    >>> view.show(workload.xla.counts("padded convolution"))
    """

    def __init__(self):
        self.figure = style.figure((7.2, 3.4))
        self.panes = []
        for ax, label in zip(self.figure.subplots(2, 1), ("FLOP", "bytes"), strict=True):
            style.dress(ax, label, "", (1e3, 1e13), log="x")
            rows = Rows(ax, ("model", "XLA"), height=0.7, color=[style.MUTED, style.OTHER], hatches=("", "xx"))
            self.panes.append(rows)

    def show(self, counts):
        """`counts`: workload.xla.Counts."""
        flops, moved = (counts.model_flops, counts.xla_flops), (counts.model_bytes, counts.xla_bytes)
        for rows, values, unit in zip(self.panes, (flops, moved), ("FLOP", "B"), strict=True):
            rows.draw(values, [si(value, unit) for value in values])
        apart = f" {si(counts.exponentials)} exponentials are counted apart." if counts.exponentials else ""
        return (
            f"{counts.kind}: XLA counts {counts.flops_ratio:.3f} times the model's FLOP and "
            f"{counts.bytes_ratio:.2f} times its bytes.{apart}"
        )
