"""What is counted: weights, activations and FLOP of a vision network; a model's counts beside the compiler's."""

import numpy as np

from accelerator_course.views.charts import Rows, key_rows, signs
from accelerator_course.views.kit import ticks
from accelerator_course.views.stage import Stage, lines, texts
from accelerator_lib.units import si


class Stages(Stage):
    """Where a vision network keeps its weights and its activations: a pair of marks for every resolution.

    >>> view = Stages()
    >>> view.show(workload.networks.stages("resnet-50"))
    >>> view.show(workload.networks.stages("resnet-50", pixels=512, batch=64))
    """

    size, noun = (760, 364), "setting"

    def __init__(self, names=("first", "56 px", "28 px", "14 px", "7 px")):
        self.rows = Rows(names, (1e3, 1e12), 40, 50, right=630, log="x")

    def marks(self, stages):
        """`stages`: networks.Stages."""
        rows, chart, x = self.rows, self.rows.chart, ticks(1e3, 1e12, True)
        weights, outputs = np.array([(one.weights, one.outputs) for one in stages], float).T
        ends = [chart.x(np.clip(one, 1e3, 1e12)) for one in (weights, outputs)]
        at = 1 - (rows.y - chart.up[1]) / (chart.up[0] - chart.up[1])
        kinds = {"weights": (weights, "diamond", "other"), "outputs": (outputs, "round", "memory")}
        keys = [("weights", "other", None, "diamond"), ("outputs of the batch", "memory", None, "round")]
        made = [
            *key_rows(keys, chart.across[0], 740, 18)[0],
            *rows.frame("elements", x, [si(one) for one in x]),
            lines("links", rows.names, ends[0], rows.y, ends[1], rows.y, "muted faint", 5),
        ]
        for name, (values, shape, role) in kinds.items():
            says = [f"{si(value)} {name}" for value in values]
            made.append(signs(chart, name, rows.names, np.clip(values, 1e3, 1e12), at, shape, role, rows.names, says))
        work = [si(one.flops, "FLOP") for one in stages]
        return [*made, texts("work", rows.names, 746, rows.y, work, "ink end", 13)]

    def say(self, stages):
        return (
            f"{si(stages.flops, 'FLOP')}, {si(stages.weights)} weights, {si(stages.outputs)} outputs: "
            f"more outputs than weights in {len(stages.with_more_outputs)} of {len(stages)} stages."
        )


class XlaCounts(Stage):
    """FLOP and bytes of one computation: the model beside XLA's own cost analysis.

    >>> view = XlaCounts()
    >>> view.show(workload.xla.counts("matrix product"))
    >>> view.show(workload.xla.counts("attention", 64, 128))
    >>> view.show(workload.xla.counts("padded convolution"))
    """

    size, noun, ENDS = (760, 312), "setting", (1e3, 1e13)

    def marks(self, counts):
        """`counts`: workload.xla.Counts."""
        flops, moved = (counts.model_flops, counts.xla_flops), (counts.model_bytes, counts.xla_bytes)
        made, x = [], ticks(*self.ENDS, True)
        for label, values, unit, top in (("FLOP", flops, "FLOP", 14), ("bytes", moved, "B", 164)):
            rows = Rows(("model", "XLA"), self.ENDS, top, 42, right=640, log="x", name=label)
            said = [si(value, unit) for value in values]
            made += rows.frame(label, x, [si(one, unit) for one in x])
            made += rows.drawn(values, said, self.ENDS, 0, ["muted", "other"], shapes=["round", "square"])
        return made

    def say(self, counts):
        apart = f" {si(counts.exponentials)} exponentials are counted apart." if counts.exponentials else ""
        return (
            f"{counts.kind}: XLA counts {counts.flops_ratio:.3f} times the model's FLOP and "
            f"{counts.bytes_ratio:.2f} times its bytes.{apart}"
        )
