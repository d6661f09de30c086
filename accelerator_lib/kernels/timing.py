"""Timing: the warps of a launch under the schedulers of one SM, event by event; and the least cycles they can take.

A warp issues in order, one instruction when the registers that it waits for are there; a scheduler takes the warp that
has been ready longest. A load takes turns of the L1, which has the banks of shared memory; what is not there returns
when the memory has delivered its sectors, one after the other, and its latency has passed, the longer the busier DRAM
was. A store waits for nobody; each of its lines of 128 bytes takes the path to the L2 as long as a whole one. All SMs
share the slices of the L2, which add for atomics, and are taken to add as often. Ignored: other SMs but for that share,
limits on loads, instruction fetch, special units, clock changes. Beside chips: tests/beside_chips.py.
"""

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from accelerator_lib.gpu.arch import LINE_BYTES, SECTOR_BYTES

# A busy memory answers later, as a queue does: latency x (1 + QUEUES x load / (1 - load)); load: share of the time so
# far that it was busy. Chosen on the occupancy rows of one H100 (data/recorded/kernels/timed.json.gz).
QUEUES, MOST_LOAD = 0.38, 0.8
# Cycles in which a slice of the L2 adds for a lane at the most wanted word of a sector: 0.65 ns on that H100.
SLICE_TURN = 1.2  # reals that meet take 1.8 ns there; that is left out
CAUSES = ("memory", "shared memory", "barrier", "arithmetic", "issue slot")
MEMORY, SHARED, BARRIER, ARITHMETIC, ISSUE = range(len(CAUSES))
ALU, LOAD, STORE, ATOMIC, COPY, NEAR, PUT, WAIT, TENSOR, COMMIT, LAND = range(11)
KIND = {"alu": ALU, "load": LOAD, "store": STORE, "atomic": ATOMIC, "barrier": WAIT}
KIND |= {"copy": COPY, "commit": COMMIT, "wait": LAND, "tensor": TENSOR}
KIND |= {"shared load": NEAR, "shared atomic": NEAR, "shuffle": NEAR, "shared store": PUT}


@dataclass(frozen=True, eq=False)
class Timed:
    """Time of a launch on the model of one SM."""

    cycles: float
    stalls: dict  # cause -> cycles, summed over warps
    lines: dict  # line -> {cause: cycles} that its instructions waited
    busy: dict  # "issue", "L2", "DRAM", "shared memory", and "tensor cores" if it uses them: share of the cycles
    resident: int  # blocks at a time
    ended: float  # when the last warp has; then memory and atomics may still be at work

    utilization = property(lambda self: self.busy["issue"])
    stalled_by = property(lambda self: max(self.stalls, key=self.stalls.get) if any(self.stalls.values()) else None)


def time(run, resident=None):
    """Timed of a Run, with so many blocks at a time in place of those that fit."""
    clock = _Clock(run)
    resident = min(resident or run.occupancy.blocks, run.blocks)
    for block in range(resident):
        clock.start(block, 0.0)
    clock.go(resident)
    filled = SECTOR_BYTES * run.filled / run.sm.dram_bytes
    end = max(clock.end, clock.l2, clock.dram + filled, clock.shared, chip_queue(run), 1.0, *clock.tensor)
    waits, lines = np.array(clock.waits), {}
    for op, row in zip(run.program.ops, waits.T, strict=True):
        if row.any():
            lines[op.line] = lines.get(op.line, 0) + row
    lines = {line: dict(zip(CAUSES, lines[line].tolist(), strict=True)) for line in sorted(lines)}
    busy = {"issue": clock.used / run.sm.schedulers, "L2": clock.l2_busy, "DRAM": clock.dram_busy + filled}
    busy |= {"shared memory": clock.turns}
    if any(clock.tensor):
        busy["tensor cores"] = clock.multiplied / run.sm.schedulers
    stalls = dict(zip(CAUSES, waits.sum(axis=1).tolist(), strict=True))
    return Timed(end, stalls, lines, {name: each / end for name, each in busy.items()}, resident, clock.end)


def chip_queue(run):
    """Cycles for which the busiest slice of the L2 adds, if every SM of the chip adds as this one does."""
    return float(run.slice_turns * run.sm.sms * SLICE_TURN)


def registers(ops):
    """[(kind, the register it sets, those it waits for, others that it sets)] of instructions, registers by number."""
    numbers = {}

    def number(register):
        return numbers.setdefault(register, len(numbers))

    return [(KIND[op.kind], number(op.dst), tuple(map(number, op.srcs)), tuple(map(number, op.also))) for op in ops]


class _Clock:
    """The state of the SM while the warps issue."""

    def __init__(self, run):
        self.sm, self.run, record = run.sm, run, run.issued
        self.ops = registers(run.program.ops)
        self.op, self.ends = record.op.tolist(), record.ends.tolist()
        self.costs = list(zip(record.turns.tolist(), record.brought.tolist(), record.new.tolist(), strict=True))
        self.at = [0, *self.ends[:-1]]
        self.there = [{} for _ in self.ends]  # register -> (when it is there, what it comes from)
        self.free = [0.0] * self.sm.schedulers
        self.l2 = self.dram = self.shared = self.end = self.queue = 0.0
        self.used = self.l2_busy = self.dram_busy = self.turns = self.multiplied = 0.0
        self.tensor = [0.0] * self.sm.schedulers
        self.asked, self.groups = [0.0] * len(self.ends), [[] for _ in self.ends]  # when copies of each warp are there
        self.waits = [[0.0] * len(self.ops) for _ in CAUSES]
        self.heap, self.number = [], 0
        self.left = [record.warps] * record.blocks  # warps of a block that have not ended
        self.parked, self.ended = [[] for _ in range(record.blocks)], []

    def start(self, block, when):
        """Let the warps of a block begin."""
        for warp in range(block * self.run.issued.warps, (block + 1) * self.run.issued.warps):
            self.next(warp, when)

    def next(self, warp, when):
        """Put a warp in the queue for its next instruction, from when it has all that this waits for."""
        at = self.at[warp]
        if at == self.ends[warp]:
            block = warp // self.run.issued.warps
            self.left[block] -= 1
            self.end = max(self.end, when)
            if not self.left[block]:
                self.ended.append(when)
            return
        number = self.op[at]
        ready, cause, there = when, ARITHMETIC, self.there[warp]
        for src in self.ops[number][2]:
            if src in there and there[src][0] > ready:
                ready, cause = there[src]
        if self.ops[number][0] == LAND and len(self.groups[warp]) > self.costs[at][0]:
            landed = self.groups[warp][-1 - self.costs[at][0]]
            ready, cause = max(ready, landed), MEMORY
        if ready > when:
            self.waits[cause][number] += ready - when
        self.number += 1
        heappush(self.heap, (ready, self.number, warp))

    def go(self, started):
        """Issue until every warp has ended."""
        sm, parts, alu = self.sm, self.sm.schedulers, self.sm.alu_issue
        while self.heap or self.ended:
            while self.ended:
                when = self.ended.pop(0)
                if started < self.run.blocks:
                    self.start(started, when)
                    started += 1
            if not self.heap:
                continue
            ready, _, warp = heappop(self.heap)
            at, part = self.at[warp], warp % parts
            number = self.op[at]
            kind, dst, _, also = self.ops[number]
            now = ready if ready >= self.free[part] else self.free[part]
            self.waits[ISSUE][number] += now - ready
            takes = alu if kind == ALU else 1
            self.free[part] = now + takes
            self.used += takes
            self.at[warp] = at + 1
            if kind == ALU:
                self.there[warp][dst] = now + self.sm.alu_latency, ARITHMETIC
            elif kind == WAIT:
                self._barrier(warp, number, now + 1)
                continue
            elif kind == TENSOR:
                self.tensor[part] = max(self.tensor[part], now) + sm.mma_cycles
                self.multiplied += sm.mma_cycles
                self.there[warp][dst] = self.tensor[part] - sm.mma_cycles + sm.mma_latency, ARITHMETIC
            elif kind == COMMIT:
                self.groups[warp].append(max(self.asked[warp], *self.groups[warp][-1:], 0.0))
            elif kind != LAND:
                done = self._memory(kind, now, *self.costs[at])
                if kind == COPY:
                    self.asked[warp] = max(self.asked[warp], done)
                elif done:
                    self.there[warp][dst] = done, SHARED if kind == NEAR else MEMORY
            for other in also:
                self.there[warp][other] = self.there[warp][dst]
            self.next(warp, now + takes)

    def _memory(self, kind, now, turns, sectors, new):
        """When what an access asks for is there; None where it asks for nothing."""
        sm = self.sm
        if kind in (NEAR, PUT, LOAD, COPY):
            self.shared = max(self.shared, now) + turns
            self.turns += turns
            if kind in (NEAR, PUT) or sectors < 0:
                return None if kind == PUT else self.shared - 1 + (sm.shared_latency if kind == NEAR else sm.l1_latency)
            now = self.shared - 1
        if kind == ATOMIC:
            now = self.queue = max(self.queue, now) + turns
        begin, near = max(self.l2, now), (LINE_BYTES * turns if kind == STORE else SECTOR_BYTES * sectors) / sm.l2_bytes
        self.l2 = begin + near
        self.l2_busy += near
        done = self.l2 + sm.l2_latency
        if new:
            load = min(self.dram_busy / (now + sm.dram_latency), MOST_LOAD)
            self.dram = max(self.dram, begin) + SECTOR_BYTES * new / sm.dram_bytes
            self.dram_busy += SECTOR_BYTES * new / sm.dram_bytes
            done = max(done, self.dram + sm.dram_latency * (1 + QUEUES * load / (1 - load)))
        return None if kind == STORE else done

    def _barrier(self, warp, number, now):
        block = warp // self.run.issued.warps
        parked = self.parked[block]
        parked.append((warp, now))
        if len(parked) == self.run.issued.warps:
            self.parked[block] = []
            for other, since in parked:
                self.waits[BARRIER][number] += now - since
                self.next(other, now)


@dataclass(frozen=True)
class Bound:
    """The least cycles of a launch, part by part."""

    parts: dict  # "issue", "L2", "DRAM", "shared memory", "atomics", "latency", "tensor cores" -> cycles

    cycles = property(lambda self: max(self.parts.values()))
    limit = property(lambda self: max(self.parts, key=self.parts.get))


def bound(run):
    """Bound of a Run: closed forms of the counts, but for the latency, for which each warp runs as if it were alone."""
    sm, record, ops = run.sm, run.issued, registers(run.program.ops)
    kinds = np.array([kind for kind, *_ in ops], int)[record.op]
    takes = np.where(kinds == ALU, sm.alu_issue, 1)
    own = (record.warp % sm.schedulers).astype(np.intp)
    issue = np.bincount(own, weights=takes, minlength=sm.schedulers).max()
    alone = _alone(run, ops).reshape(record.blocks, record.warps).max(axis=1)
    resident = min(run.occupancy.blocks, run.blocks)
    crossed = np.where(kinds == STORE, LINE_BYTES * record.turns, SECTOR_BYTES * record.brought.clip(0))
    parts = {  # the atomics of all SMs add to one place; each block's longest warp runs on its own
        "issue": issue,
        "L2": crossed[(kinds >= LOAD) & (kinds <= COPY)].sum() / sm.l2_bytes,
        "DRAM": SECTOR_BYTES * (record.new.sum() + run.filled) / sm.dram_bytes,
        "shared memory": record.turns[np.isin(kinds, (LOAD, COPY, NEAR, PUT))].sum(),
        "atomics": max(record.turns[kinds == ATOMIC].sum(), chip_queue(run)),
        "latency": max(alone.max(), alone.sum() / resident),
    }
    if (kinds == TENSOR).any():
        parts["tensor cores"] = sm.mma_cycles * np.bincount(own[kinds == TENSOR]).max()
    return Bound({name: float(value) for name, value in parts.items()})


def _alone(run, ops):
    """[warps]: when each would end if no other warp of another block were there."""
    sm, record = run.sm, run.issued
    now, there = np.zeros(record.warps * record.blocks), {}
    asked, count = np.zeros(len(now)), np.zeros(len(now), int)
    groups = []  # of copies, each [warps]: when they are there
    for number, which, costs in record.steps:
        kind, dst, srcs, also = ops[number]
        begin = now[which]
        for src in srcs:
            if src in there:
                begin = np.maximum(begin, there[src][which])
        if kind == LAND and len(groups):
            last = count[which] - 1 - costs[0]
            begin = np.maximum(begin, np.where(last >= 0, np.array(groups)[last, which], 0))
        now[which] = begin + (sm.alu_issue if kind == ALU else 1)
        if kind == WAIT:
            blocks = now.reshape(record.blocks, record.warps)
            reached = np.unique(which // record.warps)
            blocks[reached] = blocks[reached].max(axis=1, keepdims=True)
        elif kind == COMMIT:
            if count[which].max() == len(groups):
                groups.append(np.zeros(len(now)))
            for group in np.unique(count[which]):
                here = which[count[which] == group]
                groups[group][here] = np.maximum(asked[here], groups[group - 1][here] if group else 0)
            count[which] += 1
        elif kind in (ALU, NEAR, LOAD, ATOMIC, COPY, TENSOR):
            waits = {ALU: sm.alu_latency, TENSOR: sm.mma_latency}
            done = begin + (waits[kind] if kind in waits else _latency(sm, kind, costs))
            if kind == COPY:
                asked[which] = np.maximum(asked[which], done)
                continue
            for each in (dst, *also):
                there.setdefault(each, np.zeros(len(now)))[which] = done
    return now


def _latency(sm, kind, costs):
    """Cycles until what an access asks for is there, if nobody else asks."""
    turns = np.asarray(costs[0])
    if kind == NEAR:
        return turns - 1 + sm.shared_latency
    _, _, new, _, sectors = costs
    waits = turns - (kind != ATOMIC)
    near = SECTOR_BYTES * sectors / sm.l2_bytes + sm.l2_latency
    far = np.where(new > 0, SECTOR_BYTES * new / sm.dram_bytes + sm.dram_latency, 0)
    return waits + np.where(np.asarray(sectors) < 0, sm.l1_latency, np.maximum(near, far))
