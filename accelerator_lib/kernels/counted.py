"""Counted: what every warp issued; what that comes to, in the words of chapters 2, 4, 5: in all, by array, by line."""

from collections import Counter
from dataclasses import astuple, dataclass

import numpy as np

from accelerator_lib.gpu.arch import SECTOR_BYTES, WARP_LANES
from accelerator_lib.gpu.residency import Occupancy

COSTS = ("turns", "sectors", "new", "asked", "brought")


@dataclass(frozen=True, eq=False)
class Issued:
    """The instructions of a launch. Arrays run over all of them, warp after warp, each in its order."""

    op: np.ndarray  # which instruction of the program's text
    warp: np.ndarray
    turns: np.ndarray  # of shared memory, or of the L1 for a load; a store's lines; an atomic's lanes at one place
    sectors: np.ndarray  # of global memory
    new: np.ndarray  # of these, sectors that nobody had moved before: they cross from or to DRAM
    asked: np.ndarray  # distinct bytes
    brought: np.ndarray  # sectors that the L1 does not have; -1: it has had all of them
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
    per_warp = np.cumsum(np.bincount(warp.astype(np.intp), minlength=every))
    working = [lanes for _, _, lanes in frame.trace]
    lanes = np.bincount(ops.astype(np.intp), working, minlength=len(frame.ops)).astype(np.int64)
    op = np.repeat(ops, counts)[order]
    return Issued(op, warp[order], *costs[:, order], per_warp, lanes, tuple(steps), frame.warps, frame.blocks)


GLOBAL = {"load": "loads", "copy": "loads", "store": "stores", "atomic": "stores"}
SHARED, ATOMIC = ("shared load", "shared store", "shared atomic", "copy"), ("atomic", "shared atomic")


@dataclass(frozen=True)
class Traffic:
    """Accesses of warps to global memory."""

    accesses: int = 0
    asked_bytes: int = 0  # distinct ones, warp by warp
    sectors: int = 0

    brought_bytes = property(lambda self: SECTOR_BYTES * self.sectors)
    # share of the bytes brought that were asked for; None where there was no access
    efficiency = property(lambda self: self.asked_bytes / self.brought_bytes if self.sectors else None)
    # bytes brought for each byte asked for; None where there was no access
    excess = property(lambda self: self.brought_bytes / self.asked_bytes if self.sectors else None)

    def __add__(self, other):
        return Traffic(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Counts:
    """What was done, but for global memory."""

    instructions: int = 0  # of warps
    lanes: int = 0  # at work, summed
    shared_accesses: int = 0
    shared_turns: int = 0
    atomics: int = 0
    atomic_turns: int = 0  # lanes that add to one place queue; in shared memory reals do, and words of one bank
    barriers: int = 0  # warps that come to one
    shared_least: int = 0  # turns of shared memory without conflicts: several where a lane has 8 or 16 bytes
    products: int = 0  # of tensor cores, 16 x 8 x 16

    # lanes at work / lanes; None where there is no instruction
    efficiency = property(lambda self: self.lanes / (WARP_LANES * self.instructions) if self.instructions else None)
    # turns of shared memory beyond those that each access takes anyway
    conflicts = property(lambda self: self.shared_turns - self.shared_least)


@dataclass(frozen=True, kw_only=True)
class LineCount(Counts):
    """What one line of a kernel has done."""

    line: int
    text: str
    loads: Traffic = Traffic()
    stores: Traffic = Traffic()


@dataclass(frozen=True, eq=False, kw_only=True)
class Counted(Counts):
    """What a launch has done."""

    lines: dict  # line -> LineCount, for lines that cost anything
    loads: dict  # global array -> Traffic
    stores: dict  # the same; an atomic is a store
    dram_bytes: int  # 32 x sectors, once where they are read, once where they are written, once where filled
    occupancy: Occupancy

    traffic = property(lambda self: sum([*self.loads.values(), *self.stores.values()], Traffic()))
    asked_bytes = property(lambda self: self.traffic.asked_bytes)
    global_bytes = property(lambda self: self.traffic.brought_bytes)  # bytes moved between the SM and the L2


def count_up(run):
    """Counted of a Run."""
    ops, record = run.program.ops, run.issued
    at = record.op.astype(np.intp)
    times = np.bincount(at, minlength=len(ops))
    each = (np.bincount(at, its, len(ops)) for its in (record.turns, record.sectors, record.asked))
    turns, sectors, asked = (sums.astype(np.int64).tolist() for sums in each)
    rows, total, traffic = {}, Counter(), {"loads": {}, "stores": {}}
    for number, op in enumerate(ops):
        count = int(times[number])
        if not count:
            continue
        found = {"instructions": count, "lanes": int(record.lanes[number])}
        if op.kind in SHARED:
            found |= {"shared_accesses": count, "shared_turns": turns[number]}
            found["shared_least"] = min(turns[number], count * op.words)
        if op.kind in ATOMIC:
            found |= {"atomics": count, "atomic_turns": turns[number]}
        if op.kind in ("barrier", "tensor"):
            found["barriers" if op.kind == "barrier" else "products"] = count
        total.update(found)
        row = rows.setdefault(op.line, Counter())
        row.update(found)
        if op.kind in GLOBAL:
            moved, way = Traffic(count, asked[number], sectors[number]), GLOBAL[op.kind]
            row[way] = row.get(way, Traffic()) + moved
            traffic[way][op.place] = traffic[way].get(op.place, Traffic()) + moved
    lines = {line: LineCount(line=line, text=run.lines[line - 1].strip(), **rows[line]) for line in sorted(rows)}
    more = {"dram_bytes": SECTOR_BYTES * (int(record.new.sum()) + run.filled), "occupancy": run.occupancy}
    return Counted(**total, lines=lines, **traffic, **more)
