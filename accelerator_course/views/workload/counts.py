"""What is counted: weights, activations and FLOP of a vision network; a model's counts beside the compiler's."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import si


class Stages:
    """Where a vision network keeps its weights and its activations: a pair of marks for every resolution.

    >>> view = Stages()
    >>> view.show(workload.networks.stages("resnet-50"))
    >>> view.show(workload.networks.stages("resnet-50", pixels=512, batch=64))
    """

    def __init__(self, names=("first", "56 px", "28 px", "14 px", "7 px")):
        self.figure, ax = style.axes("elements", "", (1e3, 1e12), (-0.6, len(names) - 0.4), log="x", size=(7.2, 3.6))
        self.rows = np.arange(len(names))[::-1]
        ax.set_yticks(self.rows, names)
        ax.grid(axis="y", visible=False)
        self.links = [ax.plot([], [], color=style.GRID, linewidth=5, zorder=1)[0] for _ in names]
        self.weights = ax.plot([], [], "D", color=style.OTHER, markersize=11, label="weights")[0]
        self.outputs = ax.plot([], [], "o", color=style.MEMORY, markersize=11, label="outputs of the batch")[0]
        self.texts = [style.label(ax, x=6e11, y=y, ha="right", va="center") for y in self.rows]
        style.moving(*self.links, self.weights, self.outputs, *self.texts)
        self.figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=10)

    def show(self, stages):
        """`stages`: networks.Stages."""
        weights, outputs, flops = np.array([(s.weights, s.outputs, s.flops) for s in stages]).T
        self.weights.set_data(weights, self.rows)
        self.outputs.set_data(outputs, self.rows)
        for link, text, y, ends, work in zip(
            self.links, self.texts, self.rows, zip(weights, outputs, strict=True), flops, strict=True
        ):
            link.set_data(ends, [y, y])
            text.set_text(si(work, "FLOP"))
        return (
            f"{si(stages.flops, 'FLOP')}, {si(stages.weights)} weights, {si(stages.outputs)} outputs: "
            f"more outputs than weights in {len(stages.with_more_outputs)} of {len(stages)} stages."
        )


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
