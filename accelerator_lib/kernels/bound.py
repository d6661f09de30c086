"""Bound: cycles that a launch's instructions take at least, whatever the order in which warps issue them.

Each part is a closed form of the counts, but for the latency: there each warp runs as if it were alone.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.arch import SECTOR_BYTES
from accelerator_lib.kernels.timing import ALU, ATOMIC, LOAD, NEAR, WAIT, chip_queue, registers


@dataclass(frozen=True)
class Bound:
    """The least cycles of a launch, part by part."""

    parts: dict  # "issue", "L2", "DRAM", "shared memory", "atomics", "latency" -> cycles

    @property
    def cycles(self):
        return max(self.parts.values())

    @property
    def limit(self):
        return max(self.parts, key=self.parts.get)


def bound(run):
    """Bound of a Run."""
    sm, record, ops = run.sm, run.issued, registers(run.program.ops)
    kinds = np.array([kind for kind, _, _ in ops], int)[record.op]
    takes = np.where(kinds == ALU, sm.alu_issue, 1)
    issue = np.bincount(record.warp % sm.schedulers, weights=takes, minlength=sm.schedulers).max()
    alone = _alone(run, ops).reshape(record.blocks, record.warps).max(axis=1)
    resident = min(run.occupancy.blocks, run.blocks)
    parts = {  # the atomics of all SMs add to one place; each block's longest warp runs on its own
        "issue": issue,
        "L2": SECTOR_BYTES * record.sectors.sum() / sm.l2_bytes,
        "DRAM": SECTOR_BYTES * record.new.sum() / sm.dram_bytes,
        "shared memory": record.turns[kinds >= NEAR].sum(),
        "atomics": max(record.turns[kinds == ATOMIC].sum(), chip_queue(run)),
        "latency": max(alone.max(), alone.sum() / resident),
    }
    return Bound({name: float(value) for name, value in parts.items()})


def _alone(run, ops):
    """[warps]: when each would end if no other warp of another block were there."""
    sm, record = run.sm, run.issued
    now, there = np.zeros(record.warps * record.blocks), {}
    for number, which, costs in record.steps:
        kind, dst, srcs = ops[number]
        begin = now[which]
        for src in srcs:
            if src in there:
                begin = np.maximum(begin, there[src][which])
        now[which] = begin + (sm.alu_issue if kind == ALU else 1)
        if kind == WAIT:
            blocks = now.reshape(record.blocks, record.warps)
            reached = np.unique(which // record.warps)
            blocks[reached] = blocks[reached].max(axis=1, keepdims=True)
        elif kind in (ALU, NEAR, LOAD, ATOMIC):
            done = begin + (sm.alu_latency if kind == ALU else _latency(sm, kind, costs))
            there.setdefault(dst, np.zeros(len(now)))[which] = done
    return now


def _latency(sm, kind, costs):
    """Cycles until what an access asks for is there, if nobody else asks."""
    turns = np.asarray(costs[0])
    if kind == NEAR:
        return turns - 1 + sm.shared_latency
    _, sectors, new, _ = costs
    waits = turns if kind == ATOMIC else 0
    near = SECTOR_BYTES * sectors / sm.l2_bytes + sm.l2_latency
    far = np.where(new > 0, SECTOR_BYTES * new / sm.dram_bytes + sm.dram_latency, 0)
    return waits + np.maximum(near, far)
