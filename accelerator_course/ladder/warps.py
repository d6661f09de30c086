"""Warps: the rungs of the warp machine: cycles or bytes on one SM.

A hint costs: of what is busy half the time half; of barriers half, at most what goes beyond the cycles of instructions;
of waiting and of instructions, whose cause another counter names, a quarter.
"""

import inspect
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_course.ladder.launch import defaults, launch
from accelerator_course.ladder.readers import language_of, read
from accelerator_course.ladder.rung import Rung
from accelerator_lib.gpu.arch import SECTOR_BYTES, WARP_LANES
from accelerator_lib.kernels import chips, machine
from accelerator_lib.kernels.cuda import to_cuda

CHIP = "a100-80gb-sxm"
GENERAL, HALF = 0.25, 0.5


def _line(made, cost):
    return max(made.counted.lines.values(), key=cost)


def _sectors(rung, made):
    return made.counted.global_bytes / max(1, made.counted.asked_bytes)


def _waste(traffic):
    return traffic.brought_bytes - traffic.asked_bytes


def _sectors_told(rung, made, mine, par):
    line = _line(made, lambda line: max(_waste(line.loads), _waste(line.stores)))
    each = max(line.loads, line.stores, key=_waste)
    sectors, asked = each.sectors / each.accesses, each.asked_bytes / each.accesses
    times = f"{each.excess:.2g} times what is asked for, at line {line.line}."
    many, often = ("1 sector", f", {each.accesses:,} times") if sectors == 1 else (f"{sectors:.0f} sectors", "")
    return f"{many} for {asked:.0f} bytes{often}: {times}", line.line, made.bound.parts["L2"] * (1 - 1 / mine)


def _again(rung, made, mine, par):
    line = _line(made, lambda line: (line.loads + line.stores).asked_bytes)
    asked, least = made.counted.asked_bytes, rung.least_bytes(rung.scoring)
    text = f"{asked:,} bytes are asked of global memory where {least:,} would do: {mine:.1f} times as many, most at line {line.line}."  # noqa: E501
    return text, line.line, made.bound.parts["L2"] * (1 - par / mine) / _sectors(rung, made)


def _plain(made):
    return [line for line in made.counted.lines.values() if line.shared_accesses and not line.atomics]


def _turns(rung, made):
    lines = _plain(made)
    return sum(line.shared_turns for line in lines) / max(1, sum(line.shared_least for line in lines))


def _conflicts(rung, made, mine, par):
    line = max(_plain(made), key=lambda line: line.conflicts)
    turns = line.shared_turns / line.shared_least  # of 16 bytes a lane, an access takes four turns anyway
    text = f"An access to shared memory takes {turns:.2g} turns at line {line.line}: lanes ask one bank for different words."  # noqa: E501
    return text, line.line, sum(line.conflicts for line in _plain(made)) * made.timed.busy["shared memory"]


def _looked(made):
    """{line: turns of the L1 that its loads of global memory take beyond two for each word of a lane}."""
    record, found = made.issued, Counter()
    turns = np.bincount(record.op.astype(np.intp), record.turns, len(made.program.ops)).astype(int)
    times = np.bincount(record.op.astype(np.intp), minlength=len(turns))
    for op, each, many in zip(made.program.ops, turns.tolist(), times.tolist(), strict=True):
        found[op.line] += max(0, each - 2 * op.words * many) if op.kind == "load" else 0
    return found


def _looked_told(rung, made, mine, par):
    line = max(found := _looked(made), key=found.get)
    text = (
        f"Loads take {mine:,} turns of the L1 too many (par: {par:,}), most at line {line}. Do lanes stand far apart?"
    )
    return text, line, (mine - par) * made.timed.busy["shared memory"]


def _shared(rung, made, mine, par):
    line = max(_plain(made), key=lambda line: line.shared_accesses)
    text = f"{mine:,} accesses of warps to shared memory (par: {par:,}), most at line {line.line}: could registers keep some?"  # noqa: E501
    return text, line.line, (mine - par) * made.timed.busy["shared memory"]


def _lanes(rung, made, mine, par):
    line = _line(made, lambda line: WARP_LANES * line.instructions - line.lanes)
    work = line.lanes / line.instructions
    text = f"{work:.0f} of 32 lanes work at line {line.line}; the others wait until it is done."
    return text, line.line, made.bound.parts["issue"] * (1 - par / mine) * made.timed.utilization


def _barriers(rung, made, mine, par):
    line = _line(made, lambda line: line.barriers)
    text = f"Each warp comes to a barrier {mine:.0f} times (par: {par:.0f}), most often at line {line.line}."
    beyond = made.timed.cycles - made.bound.parts["issue"]  # whoever waits, the issue slots of the others go on
    return text, line.line, min(HALF * made.timed.stalls["barrier"] / _resident(made), beyond)


def _atomics(rung, made, mine, par):
    line = _line(made, lambda line: line.atomic_turns)
    queue = line.atomic_turns / line.atomics
    every = f" with those of all {made.sm.sms} SMs" if mine > made.counted.atomic_turns else ""
    what = f"{queue:.2g} lanes of a warp queue for one place" if queue != 1 else "Adds meet in one part of the L2"
    text = f"{what} at line {line.line}: {mine:,} turns{every} (par: {par:,})."
    return text, line.line, min(mine - par, max(made.timed.cycles - made.bound.parts["issue"], 0))


def _resident(made):
    return made.timed.resident * made.issued.warps


def _idle(made):
    """Cycles in which neither the issue slots nor any memory are busy, if one of them could always be."""
    return made.timed.cycles * (1 - min(1, max(made.timed.busy.values())))


def _warps(rung, made, mine, par):
    has, could = _resident(made), _resident(rung.best)
    idle = 1 - made.timed.utilization
    text = f"Only {has} warps are there at a time (par: {could}). Nothing fills the waits: {idle:.0%} of the issue slots stay empty."  # noqa: E501
    return text.replace("1 warps are", "1 warp is") if has == 1 else text, None, _idle(made)


def _waits(rung, made):
    return (made.timed.stalls["memory"] + made.timed.stalls["barrier"]) / (made.issued.warps * made.blocks)


def _waiting(rung, made, mine, par):
    waits = {line: causes["memory"] for line, causes in made.timed.lines.items()}
    line = max(waits, key=waits.get)
    text = f"A warp waits {mine:,.0f} cycles for memory and for other warps (par: {par:,.0f}), for memory longest at line {line}: could that be asked for earlier?"  # noqa: E501
    return text, line, GENERAL * _idle(made)


def _instructions(rung, made, mine, par):
    line = _line(made, lambda line: line.instructions)
    text = f"{mine:,} instructions of warps (par: {par:,}), most at line {line.line}."
    more = made.bound.parts["issue"] - rung.best.bound.parts["issue"]
    return text, line.line, GENERAL * more * made.timed.utilization


COUNTERS = {
    "sectors": (_sectors, _sectors_told),
    "again": (lambda rung, made: made.counted.asked_bytes / rung.least_bytes(rung.scoring), _again),
    "conflicts": (_turns, _conflicts),
    "turns": (lambda rung, made: _looked(made).total(), _looked_told),
    "shared": (lambda rung, made: sum(line.shared_accesses for line in _plain(made)), _shared),
    "lanes": (lambda rung, made: 1 / max(made.counted.efficiency or 1, 1e-3), _lanes),
    "barriers": (lambda rung, made: made.counted.barriers / made.issued.warps / made.blocks, _barriers),
    "atomics": (lambda rung, made: max(made.counted.atomic_turns, made.slice_turns * made.sm.sms), _atomics),
    "warps": (lambda rung, made: 1 / _resident(made), _warps),
    "waiting": (_waits, _waiting),
    "instructions": (lambda rung, made: made.counted.instructions, _instructions),
}


@dataclass(frozen=True, eq=False)
class WarpRung(Rung):
    """A rung whose kernel runs lane by lane; `work` gives its multiply-adds, or additions."""

    machine = "warp"
    counters = COUNTERS

    along: list  # the sizes that blocks share out, x first
    numba: str = ""

    started = cached_property(lambda self: defaults(self.blank))

    def read(self, source, case=None):
        """A kernel's text, or Pasted of one in CUDA C, Numba or Triton, with the names of a Case. Raises Fault."""
        return read(source, arguments=(case or self.scoring).arguments) if language_of(source) else source

    def run(self, source, case, watched=0):
        """Run of a kernel's text on a Case. Raises Fault."""
        source = self.read(source, case)
        with machine.said(source):
            blocks, threads, own = launch(source, [case.sizes[name] for name in self.along], self.started)
        return machine.run(source, case.arguments, blocks, threads, CHIP, own, watched)

    def cuda(self, source):
        """A kernel's text as CUDA C. Raises Fault."""
        _, threads, _ = launch(source, [self.measured[name] for name in self.along], self.started)
        return to_cuda(source, self.scoring.arguments, threads, name=f"{self.id}_kernel")

    def score(self, made):
        return made.timed.cycles if self.scored == "cycles" else made.counted.global_bytes

    def counts(self, made):
        counted = made.counted
        found = {"instructions of warps": counted.instructions, "barriers": counted.barriers}
        found |= {"sectors": counted.traffic.sectors, "turns of atomics": counted.atomic_turns}
        return found | {"turns of shared memory and L1": counted.shared_turns + _looked(made).total()}

    def least_bytes(self, case):
        """Bytes that any kernel moves: what is read and what is written, once, in whole sectors."""
        names = inspect.signature(self.specification).parameters
        moved = [case.arguments[name] for name in names] + [case.arguments[name] for name in self.expected(case)]
        return sum(-(-min(4, array.itemsize) * array.size // SECTOR_BYTES) * SECTOR_BYTES for array in moved)

    def least(self, case):
        """The bytes, once / bandwidth, or multiply-adds / lanes."""
        moved = self.least_bytes(case)
        if self.scored == "bytes":
            return moved
        sm = chips.of(CHIP)
        computed = self.work(**case.sizes) * sm.alu_issue / (WARP_LANES * sm.schedulers)
        return max(chips.least_cycles(moved, CHIP), computed)

    def cost(self, made):
        return made.timed.cycles
