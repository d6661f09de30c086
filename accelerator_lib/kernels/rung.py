"""Rung: one step of the ladder: what is asked, the blank kernel, kernels on the way to a good one, sizes to try.

    rung.specification(a) -> arrays       what a kernel must leave, as plain NumPy
    rung.cases(seed)                      the visible ones, then hidden ones, whose sizes the seed draws
    rung.bound                            no kernel is better: the bytes of the specification, or its multiply-adds
    rung.steps                            from a typical slow kernel to the worked one, whose own score is the par

Texts: data/kernels.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_lib.gpu.arch import SECTOR_BYTES, WARP_LANES
from accelerator_lib.kernels import chips, machine
from accelerator_lib.kernels.cuda import to_cuda
from accelerator_lib.kernels.launch import defaults, launch

CHIP = "a100-80gb-sxm"
HIDDEN = 4  # cases that a learner does not see


@dataclass(frozen=True)
class Draft:
    """A kernel on the way: its name, what its counters say, the counter that is at fault ("" in the worked one)."""

    name: str
    says: str
    text: str
    fault: str = ""


@dataclass(frozen=True, eq=False)
class Case:
    """Sizes of one trial, and the arrays that are drawn for them."""

    sizes: dict
    arguments: dict
    hidden: bool = False

    def __str__(self):
        return ", ".join(f"{name} = {size:,}" for name, size in self.sizes.items())


@dataclass(frozen=True, eq=False)
class Rung:
    """One step of the ladder."""

    steps: tuple  # of Draft, the worked one last
    specification: Callable
    drawn: Callable  # (draw, **sizes) -> arguments
    sizes: Callable  # draw -> sizes
    operations: Callable  # **sizes -> multiply-adds, or additions, of the specification
    id: str
    title: str
    task: str
    blank: str
    chapter: str  # the topic of the chapter after which it can be done
    section: str  # the heading there
    scored: str  # "cycles" or "bytes"
    along: list  # the sizes that blocks share out, x first
    visible: list  # of sizes
    measured: dict  # the sizes that are scored

    @property
    def worked(self):
        """The worked solution."""
        return self.steps[-1]

    @property
    def slow(self):
        """The typical slow solution."""
        return self.steps[0]

    @property
    def specified(self):
        """The specification as text."""
        return inspect.getsource(self.specification)

    @cached_property
    def started(self):
        """{name: value} of the constants in the blank kernel."""
        return defaults(self.blank)

    def case(self, sizes, hidden=False):
        """Case of these sizes; the same sizes always hold the same numbers."""
        seed = [*self.id.encode(), *sizes.values()]
        return Case(sizes, self.drawn(np.random.default_rng(seed), **sizes), hidden)

    def cases(self, seed=0):
        """The visible Cases, then those whose sizes the seed draws; no size comes twice."""
        draw, taken = np.random.default_rng([seed, *self.id.encode()]), [*self.visible, self.measured]
        while len(taken) < len(self.visible) + 1 + HIDDEN:
            sizes = self.sizes(draw)
            if sizes not in taken:
                taken.append(sizes)
        hidden = [self.case(sizes, hidden=True) for sizes in taken[len(self.visible) + 1 :]]
        return [*map(self.case, self.visible), *hidden]

    @cached_property
    def scoring(self):
        """The Case that is scored."""
        return self.case(self.measured)

    def expected(self, case):
        """{name: array} that a kernel must leave for a Case."""
        names = inspect.signature(self.specification).parameters
        return self.specification(**{name: case.arguments[name] for name in names})

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
        return max(chips.least_cycles(moved, CHIP), self.operations(**case.sizes) / a_cycle)

    @cached_property
    def bound(self):
        """No kernel scores less."""
        return self.least(self.scoring)

    @cached_property
    def best(self):
        """Run of the worked solution on the Case that is scored."""
        return self.run(self.worked.text, self.scoring)

    @cached_property
    def par(self):
        """The worked solution's own score."""
        return self.score(self.best)
