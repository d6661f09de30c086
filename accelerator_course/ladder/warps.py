"""Warps: the rungs of the warp machine: cycles or bytes on one SM.

bound = max(bytes of the specification, once / bandwidth, multiply-adds / lanes)
"""

import inspect
from dataclasses import dataclass
from functools import cached_property

from accelerator_course.ladder.hints import COUNTERS
from accelerator_course.ladder.rung import Rung
from accelerator_lib.gpu.arch import SECTOR_BYTES, WARP_LANES
from accelerator_lib.kernels import chips, machine
from accelerator_lib.kernels.cuda import to_cuda
from accelerator_lib.kernels.launch import defaults, launch

CHIP = "a100-80gb-sxm"


@dataclass(frozen=True, eq=False)
class WarpRung(Rung):
    """A rung whose kernel runs lane by lane; `work` gives its multiply-adds, or additions."""

    machine = "warp"
    counters = COUNTERS

    along: list  # the sizes that blocks share out, x first

    @cached_property
    def started(self):
        """{name: value} of the constants in the blank kernel."""
        return defaults(self.blank)

    def run(self, source, case, watched=0):
        """Run of a kernel's text on a Case. Raises Fault."""
        with machine.said(source):
            blocks, threads, own = launch(source, [case.sizes[name] for name in self.along], self.started)
        return machine.run(source, case.arguments, blocks, threads, CHIP, own, watched)

    def cuda(self, source):
        """A kernel's text as CUDA C. Raises Fault."""
        _, threads, _ = launch(source, [self.measured[name] for name in self.along], self.started)
        return to_cuda(source, self.scoring.arguments, threads, name=f"{self.id}_kernel")

    def score(self, made):
        """What is scored of a Run."""
        return made.timed.cycles if self.scored == "cycles" else made.counted.global_bytes

    def least_bytes(self, case):
        """Bytes that any kernel moves: what is read and what is written, once, in whole sectors."""
        names = inspect.signature(self.specification).parameters
        moved = [case.arguments[name] for name in names] + [case.arguments[name] for name in self.expected(case)]
        return sum(-(-4 * array.size // SECTOR_BYTES) * SECTOR_BYTES for array in moved)

    def least(self, case):
        """No kernel scores less on a Case."""
        moved = self.least_bytes(case)
        if self.scored == "bytes":
            return moved
        sm = chips.of(CHIP)
        a_cycle = WARP_LANES * sm.schedulers / sm.alu_issue
        return max(chips.least_cycles(moved, CHIP), self.work(**case.sizes) / a_cycle)

    def cost(self, made):
        """Cycles, whatever is scored."""
        return made.timed.cycles
