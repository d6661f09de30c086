"""Recording: every cycle of a product on an array, kept; and what can be said of the whole run.

    busy share of the run = mean over its cycles of (PEs that multiply / all PEs)

Sums of a fold leave one by one, and a result is complete when its last part has left.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_lib.signature import Switch, checked
from accelerator_lib.systolic.closed_form import Dataflow
from accelerator_lib.systolic.wavefront import Edge, steps


@dataclass(frozen=True, eq=False)
class Recording:
    """The Cycles of one run, in order."""

    cycles: tuple

    def __len__(self):
        return len(self.cycles)

    @cached_property
    def busy(self):
        """[cycles]: share of the PEs that multiply."""
        return np.array([cycle.utilization for cycle in self.cycles])

    @cached_property
    def utilization(self):
        """Busy share over the whole run."""
        return float(self.busy.mean())

    @cached_property
    def completion(self):
        """([m, n], [m, n]): the cycles in which the first and the last part of each result left."""
        outputs = np.array([cycle.outputs for cycle in self.cycles])
        outputs[1:] = outputs[1:] != outputs[:-1]
        cycle, row, col = np.nonzero(outputs)
        first = np.full(outputs.shape[1:], len(self) - 1)  # parts that add nothing are seen at the end
        last = first.copy()
        np.minimum.at(first, (row, col), cycle)
        last[row, col] = cycle  # in order: the last one stays
        return first, last

    def progress(self, at):
        """[m, n] at a cycle: 0 nothing of a result has left yet, 1 a part of its sum, 2 all of it."""
        first, last = self.completion
        return (first <= at).astype(int) + (last <= at)


@checked
def record(a, b, rows: Edge, cols: Edge, dataflow: Dataflow = "os", overlap: Switch = False, drain: Switch = False):
    """Recording of a @ b on a rows x cols array: all that `steps` yields."""
    return Recording(tuple(steps(a, b, rows, cols, dataflow, overlap, drain)))
