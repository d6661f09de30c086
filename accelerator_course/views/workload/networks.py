"""Where a vision network keeps its weights and its activations."""

import numpy as np

from accelerator_course.views import style
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
