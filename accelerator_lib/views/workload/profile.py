"""Where FLOP and time go, by class of operator."""

from accelerator_lib.units import percent
from accelerator_lib.views.shares import Shares
from accelerator_lib.workload.profile import CLASSES


class OperatorClasses(Shares):
    """Share of FLOP beside share of time: a sliver on top is a thick band below."""

    def __init__(self):
        super().__init__(["FLOP", "time", "time after"], CLASSES.values(), "share of the step before the change")

    def show(self, step):
        self.draw([list(parts.values()) for parts in (step.flops, step.before, step.after)])
        rest = 1 - step.flops["matrix products"]
        return (
            f"{percent(rest)} of the FLOP is not matrix products. Of the time it is {percent(step.rest)} now, "
            f"and the step takes {percent(step.seconds)} of what it took."
        )
