"""Counted: what every warp issued; what that comes to, in the words of chapters 2, 4, 5: in all, by array, by line.

efficiency       = lanes at work, summed over instructions / (32 x instructions)
brought bytes    = 32 x sectors,  excess = brought / asked
conflicts        = turns of shared memory beyond the first of each access
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.arch import SECTOR_BYTES, WARP_LANES
from accelerator_lib.gpu.residency import Occupancy

COSTS = ("turns", "sectors", "new", "asked")


@dataclass(frozen=True, eq=False)
class Issued:
    """The instructions of a launch. Arrays run over all of them, warp after warp, each in its order."""

    op: np.ndarray  # which instruction of the program's text
    warp: np.ndarray
    turns: np.ndarray  # of shared memory; of a global atomic, lanes that add to the same place
    sectors: np.ndarray  # of global memory
    new: np.ndarray  # of these, sectors that nobody had moved before: they cross from or to DRAM
    asked: np.ndarray  # distinct bytes
    ends: np.ndarray  # [warps]: where the next warp's begin
    lanes: np.ndarray  # [instructions of the text]: lanes at work, summed
    steps: tuple  # (instruction, warps that issue it, {cost: [warps]}) in the order of the run
    warps: int  # of a block
    blocks: int


def issued(frame):
    """Issued of a frame whose kernel has run."""
    ops = np.array([op for op, _, _ in frame.trace], int)
    counts = np.array([len(which) for _, which, _ in frame.trace], int)
    ends, total = np.cumsum(counts), int(counts.sum())
    costs, steps = np.zeros((len(COSTS), total), np.int64), []
    for number, (op, which, _) in enumerate(frame.trace):
        found = frame.noted.get(number, ())
        for row, each in enumerate(found):
            costs[row, ends[number] - counts[number] : ends[number]] = each
        steps.append((op, which, found))
    warp = np.concatenate([which for _, which, _ in frame.trace]) if total else np.zeros(0, int)
    order = np.argsort(warp, kind="stable")
    every = frame.blocks * frame.warps
    per_warp = np.cumsum(np.bincount(warp, minlength=every))
    working = [lanes for _, _, lanes in frame.trace]
    lanes = np.bincount(ops, working, minlength=len(frame.ops)).astype(np.int64)
    op = np.repeat(ops, counts)[order]
    return Issued(op, warp[order], *costs[:, order], per_warp, lanes, tuple(steps), frame.warps, frame.blocks)


GLOBAL = {"load": "loads", "store": "stores", "atomic": "stores"}
SHARED, ATOMIC = ("shared load", "shared store", "shared atomic"), ("atomic", "shared atomic")


@dataclass(frozen=True)
class Traffic:
    """Accesses of warps to global memory."""

    accesses: int = 0
    asked_bytes: int = 0  # distinct ones, warp by warp
    sectors: int = 0

    @property
    def brought_bytes(self):
        return SECTOR_BYTES * self.sectors

    @property
    def efficiency(self):
        """Share of the bytes brought that were asked for; None where there was no access."""
        return self.asked_bytes / self.brought_bytes if self.sectors else None

    @property
    def excess(self):
        """Bytes brought for each byte asked for; None where there was no access."""
        return self.brought_bytes / self.asked_bytes if self.sectors else None

    def __add__(self, other):
        sums = self.accesses + other.accesses, self.asked_bytes + other.asked_bytes, self.sectors + other.sectors
        return Traffic(*sums)


@dataclass(frozen=True)
class LineCount:
    """What one line of a kernel has done."""

    line: int
    text: str
    instructions: int  # of warps
    lanes: int  # at work, summed
    loads: Traffic
    stores: Traffic
    shared_accesses: int
    shared_turns: int
    atomics: int
    atomic_turns: int
    barriers: int  # warps that come to one

    @property
    def efficiency(self):
        """Lanes at work / lanes."""
        return self.lanes / (WARP_LANES * self.instructions)

    @property
    def conflicts(self):
        """Turns of shared memory beyond the first of each access."""
        return self.shared_turns - self.shared_accesses


@dataclass(frozen=True, eq=False)
class Counted:
    """What a launch has done."""

    lines: dict  # line -> LineCount, for lines that cost anything
    loads: dict  # global array -> Traffic
    stores: dict  # the same; an atomic is a store
    dram_bytes: int  # 32 x sectors, each counted once where it is read and once where it is written
    occupancy: Occupancy

    def _sum(self, name):
        return sum(getattr(line, name) for line in self.lines.values())

    @property
    def instructions(self):
        return self._sum("instructions")

    @property
    def lanes(self):
        return self._sum("lanes")

    @property
    def efficiency(self):
        """Lanes at work / lanes, over all instructions; None where there is none."""
        return self.lanes / (WARP_LANES * self.instructions) if self.instructions else None

    @property
    def traffic(self):
        """All accesses to global memory."""
        return sum([*self.loads.values(), *self.stores.values()], Traffic())

    @property
    def asked_bytes(self):
        return self.traffic.asked_bytes

    @property
    def global_bytes(self):
        """Bytes moved between the SM and the L2."""
        return self.traffic.brought_bytes

    @property
    def shared_accesses(self):
        return self._sum("shared_accesses")

    @property
    def shared_turns(self):
        return self._sum("shared_turns")

    @property
    def conflicts(self):
        return self._sum("conflicts")

    @property
    def atomics(self):
        return self._sum("atomics")

    @property
    def atomic_turns(self):
        """Turns that atomics take: lanes that add to the same place, or in shared memory to the same bank, queue."""
        return self._sum("atomic_turns")

    @property
    def barriers(self):
        """Warps that came to a barrier."""
        return self._sum("barriers")


def count_up(run):
    """Counted of a Run."""
    ops, record = run.program.ops, run.issued
    times = np.bincount(record.op, minlength=len(ops))
    turns, sectors, asked = (
        np.bincount(record.op, weights=each, minlength=len(ops)).astype(np.int64).tolist()
        for each in (record.turns, record.sectors, record.asked)
    )
    rows, traffic = {}, {"loads": {}, "stores": {}}
    for number, op in enumerate(ops):
        count = int(times[number])
        if not count:
            continue
        row = rows.setdefault(op.line, dict.fromkeys(list(LineCount.__dataclass_fields__)[2:], 0))
        row["loads"], row["stores"] = row["loads"] or Traffic(), row["stores"] or Traffic()
        row["instructions"] += count
        row["lanes"] += int(record.lanes[number])
        if op.kind in GLOBAL:
            moved, way = Traffic(count, asked[number], sectors[number]), GLOBAL[op.kind]
            row[way] += moved
            traffic[way][op.place] = traffic[way].get(op.place, Traffic()) + moved
        if op.kind in SHARED:
            row["shared_accesses"] += count
            row["shared_turns"] += turns[number]
        if op.kind in ATOMIC:
            row["atomics"] += count
            row["atomic_turns"] += turns[number]
        row["barriers"] += count * (op.kind == "barrier")
    lines = {line: LineCount(line, run.lines[line - 1].strip(), **rows[line]) for line in sorted(rows)}
    return Counted(lines, **traffic, dram_bytes=SECTOR_BYTES * int(record.new.sum()), occupancy=run.occupancy)
