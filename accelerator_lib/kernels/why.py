"""Why: where the time of a launch goes, by cause and by line; and the one change that would spare most of it.

Causes share the time that places for warps are there: a warp issues or waits in each, or none is left to fill it.
A change is tried by the machine itself: the same instructions are timed without one cost, and all else is left out.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from accelerator_lib.gpu.arch import LINE_BYTES, SECTOR_BYTES, WARP_LANES
from accelerator_lib.kernels.timing import CAUSES, chip_queue, time

WORTH, EMPTY = 1.03, 0.1  # times as fast; share of the places for warps: less is no advice
FULL, AHEAD = 48, 4  # warps of an SM's 64 that hide what waiting they can; loads asked for before the first is used
COLUMNS = ("op", "warp", "turns", "sectors", "new", "asked", "brought")
WASTED, REPEATED, OFTEN = 1.3, 3, 8  # sectors for those needed; times that numbers are read; instructions of a test
HOLDS, SAME, NEAR = 0.95, 0.5, ("shared load", "shared store")  # shares of lanes that pass a test, of rounds alike


@dataclass(frozen=True)
class Change:
    """What is seen, what to change, how many times as fast the launch then is; `rule` by name, a line or None."""

    rule: str
    seen: str
    do: str
    line: int | None
    gain: float


class Why:
    """Why a Run takes as long as it does: `causes` and `heat` are shares of its time, by cause and by line."""

    def __init__(self, run):
        self.run, self.record, self.ops, self.timed = run, run.issued, run.program.ops, run.timed
        self.times = np.bincount(self.record.op, minlength=len(self.ops))
        self.kinds, self.lines = (np.array([getattr(op, name) for op in self.ops]) for name in ("kind", "line"))
        self.warps = self.timed.resident * self.record.warps

    causes, heat = (property(lambda self, at=at: self.shares[at]) for at in (0, 1))
    advice = property(lambda self: self.changes[0] if self.changes else None)

    @cached_property
    def changes(self):
        """Every Change that is worth it, the best first."""
        found = [Change(name, *told, self.gain(**tried)) for name, rule in RULES.items() for *told, tried in rule(self)]
        return tuple(sorted((each for each in found if each.gain > WORTH), key=lambda each: -each.gain))

    @property
    def roof(self):
        """(instructions of warps for each byte of DRAM, those at which the roofs meet, share of the roof reached)."""
        parts, moved = self.run.bound.parts, max(1, self.run.counted.dram_bytes)
        many, flat = len(self.record.op), max(parts["issue"], 1)
        return many / moved, many / flat / self.run.sm.dram_bytes, max(flat, parts["DRAM"]) / self.timed.cycles

    def of(self, *kinds, place=None):
        """[instructions issued]: whether each is of one of these kinds, and asks this array."""
        asked = [op.kind in kinds and place in (None, op.place) for op in self.ops]
        return np.array(asked, bool)[self.record.op]

    def places(self, *kinds):
        return sorted({op.place for op, times in zip(self.ops, self.times, strict=True) if times and op.kind in kinds})

    def worst(self, cost):
        """The line whose instructions cost most."""
        return int(self.lines[np.bincount(self.record.op, cost, len(self.ops)).argmax()])

    def gain(self, keep=None, cycles=None, resident=None, ends=None, **changed):
        """How many times as fast: those instructions alone, other columns, other ends of warps, another SM."""
        columns = {name: changed.pop(name, getattr(self.record, name)) for name in COLUMNS}
        ends = self.record.ends if ends is None else ends
        if keep is not None:
            columns, ends = {name: its[keep] for name, its in columns.items()}, np.r_[0, np.cumsum(keep)][ends]
        issued = replace(self.record, **columns, warps=len(ends) // self.record.blocks, ends=ends)
        return self.timed.cycles / (cycles or time(replace(self.run, issued=issued, **changed), resident).cycles)

    @cached_property
    def shares(self):
        """({cause: share}, {line: share}) of the time that places for warps are there."""
        run, timed, slots, stalls = self.run, self.timed, self.warps, self.timed.stalls
        takes = self.times * np.where(self.kinds == "alu", run.sm.alu_issue, 1)
        after, busy = slots * (timed.cycles - timed.ended), max(timed.busy["L2"], timed.busy["DRAM"])
        near = self.of(*NEAR, "shared atomic")
        queued = after if chip_queue(run) >= timed.cycles > timed.ended else 0
        free = near.sum() / max(1, self.record.turns[near].sum())
        causes = {"instructions": takes.sum() + stalls["issue slot"] + stalls["arithmetic"]}
        causes |= {"memory bandwidth": stalls["memory"] * busy + after - queued, "atomics": queued}
        causes |= {"memory latency": stalls["memory"] * (1 - busy), "barriers": stalls["barrier"]}
        causes |= {"banks": stalls["shared memory"] * (1 - free), "shared memory": stalls["shared memory"] * free}
        causes["tail"] = max(0, slots * timed.cycles - sum(causes.values()))
        heat = {line: sum(its.values()) for line, its in timed.lines.items()}
        for line, its in zip(self.lines.tolist(), takes.tolist(), strict=True):
            heat[line] = heat.get(line, 0) + its
        if after and heat:
            last = self.of("atomic") if queued else self.of("load", "store", "atomic")
            heat[self.worst(last * (self.record.turns + self.record.sectors))] += after
        whole, lived = slots * timed.cycles, sum(heat.values())
        heat = {line: float(its / lived) for line, its in sorted(heat.items()) if its}
        return {name: float(part / whole) for name, part in causes.items()}, heat

    def apart(self, line, place):
        """What neighbouring lanes ask of an array at a line of the watched block, in words."""
        for op, lanes, index, _ in self.run.kept:
            if (self.ops[op].line, self.ops[op].place) == (line, place):
                first = lanes.any(axis=1).argmax()
                steps = np.unique(np.abs(np.diff(index[first][lanes[first]]))).tolist()
                return f"numbers {steps[0]} apart" if len(steps) == 1 and steps != [1] else "numbers far apart"

    def _banks(self):
        turns = self.record.turns
        for place in self.places(*NEAR):
            its = self.of(*NEAR, place=place)
            if turns[its].sum() > its.sum():
                line = self.worst(its * (turns - 1))
                told = f"lanes ask `{place}` for {self.apart(line, place)}, in {turns[its].mean():.2g} turns"
                do = "pad its rows by one word, or change which lane asks for what"
                yield told, do, line, {"turns": np.where(its, 1, turns)}

    def _far_apart(self, kind, asks):
        record, needed = self.record, -(-self.record.asked // SECTOR_BYTES)
        for place in self.places(kind):
            its = self.of(kind, place=place)
            if record.sectors[its].sum() > WASTED * needed[its].sum():
                part = np.where(its, needed / np.maximum(record.sectors, 1), 1)
                used = min(1, record.asked[its].sum() / max(1, SECTOR_BYTES * record.new[its].sum()))
                columns = {"sectors": record.sectors * part, "new": record.new * np.where(its, used, 1)}
                columns["brought"] = record.brought * np.where(record.brought > 0, part, 1)
                columns["turns"] = np.where(its, np.minimum(record.turns, -(-record.asked // LINE_BYTES)), record.turns)
                line, more = self.worst(its * (record.sectors - needed)), {} if kind == "load" else {"filled": 0}
                each, least = (f"{sectors[its].mean():.2g}" for sectors in (record.sectors, needed))
                told = f"`{place}` is {asks} at {self.apart(line, place)}: {each} sectors where {least} would do"
                yield told, "give neighbouring lanes neighbouring numbers", line, columns | more

    def _divergence(self):
        work = self.record.lanes / np.maximum(1, WARP_LANES * self.times)
        keep = np.ones(len(self.record.op), bool)
        for op in np.flatnonzero((work < 1) & (self.times > 0) & np.isin(self.kinds, ("alu", *NEAR, "shuffle"))):
            at = np.flatnonzero(self.record.op == op)
            keep[at] = np.diff(np.floor(np.arange(len(at) + 1) * work[op])) > 0
        if not keep.all():
            here = WARP_LANES * work[(self.lines == self.worst(~keep)) & (self.times > 0)].min()
            yield f"{here:.2g} of 32 lanes work", "let whole warps take one branch", self.worst(~keep), {"keep": keep}

    def _few(self):
        run, fits, starts = self.run, self.run.occupancy, np.r_[0, self.record.ends[:-1]]
        told, parts = f"warps of an SM at a time: {self.warps}", fits.room["warps"] // self.warps
        if self.warps < FULL and self.timed.resident < run.blocks:
            do = {"registers": "use fewer registers", "shared": "use less shared memory"}.get(fits.limiters[-1])
            yield (
                told,
                do or "use larger blocks",
                None,
                {"resident": min(fits.room["blocks"], fits.room["warps"] // self.record.warps)},
            )
        elif self.warps < FULL:
            ends = starts[:, None] + np.outer(self.record.ends - starts, np.arange(1, parts + 1)) // parts
            tried = {"keep": ~self.of("barrier"), "ends": ends.reshape(-1)}
            yield told, "launch more threads, each with less to do", None, tried

    def _latency(self):
        if self.warps >= FULL and self.of("load").any():
            sm = self.run.sm
            less = {name: getattr(sm, name) / AHEAD for name in ("l1_latency", "l2_latency", "dram_latency")}
            line = max(self.timed.lines, key=lambda line: self.timed.lines[line][CAUSES[0]], default=None)
            do = f"ask for {AHEAD} numbers before the first is used"
            yield "a warp waits for each load before it asks for the next", do, line, {"sm": replace(sm, **less)}

    def _queues(self):
        run, turns, its = self.run, self.record.turns, self.of("atomic")
        if its.any():
            adds = int(self.record.lanes[self.kinds == "atomic"].sum())
            least = run.blocks * sum(run.arrays[place].size for place in self.places("atomic"))
            do, part = "take fewer blocks, with more numbers each", self.timed.resident / run.blocks
            if adds > least:
                do, part = "add up in shared memory first, then add once a block", least / adds
            columns = {"slice_turns": int(run.slice_turns * part)}
            yield f"{adds:,} adds queue at global memory", do, self.worst(its), columns
        its = self.of("shared atomic")
        if its.any():
            told, line = f"lanes queue in shared memory: {turns[its].mean():.2g} turns an add", self.worst(turns * its)
            yield told, "add up in registers or by shuffles first", line, {"turns": np.where(its, 1, turns)}

    def _barriers(self):
        keep = ~np.isin(self.record.op, self._spare())
        if not keep.all() and all(op.words == 1 and op.kind != "copy" for op in self.ops):  # of those not all is kept
            yield "no two threads need this barrier", "leave it out", self.worst(~keep), {"keep": keep}

    def _spare(self):
        """Barriers of the text that keep no two threads of the watched block apart."""
        at, size = {}, 0
        for name, place in self.run.program.scope.places.items():
            at[name], size = size, size + place.size

        def nobody():  # of each place: the first and the last thread that touched it, whether one wrote
            return np.full(size, 2**31), np.full(size, -1), np.zeros(size, bool)

        before, now, last, needed = nobody(), nobody(), None, set()
        for op, lanes, index, _ in [*self.run.kept, (-1, None, None, None)]:
            if op >= 0 and self.kinds[op] != "barrier":
                where, thread = at[self.ops[op].place] + index[lanes], np.flatnonzero(lanes)
                np.minimum.at(now[0], where, thread)
                np.maximum.at(now[1], where, thread)
                now[2][where] |= self.kinds[op] not in ("load", "shared load")
                continue
            low, high, wrote = np.minimum(before[0], now[0]), np.maximum(before[1], now[1]), before[2] | now[2]
            if (wrote & (before[1] >= 0) & (now[1] >= 0) & (low != high)).any():
                needed.add(last)
                low, high, wrote = now
            before, now, last = (low, high, wrote), nobody(), op
        return sorted(set(np.flatnonzero((self.kinds == "barrier") & (self.times > 0)).tolist()) - needed)

    def _again(self):
        record, same, last = self.record, {}, {}
        for op, lanes, index, _ in self.run.kept:
            if op in last:
                same.setdefault(op, []).append(np.array_equal(last[op], index[lanes]))
            last[op] = index[lanes]
        for place in self.places("load", "store"):
            its = np.isin(record.op, [op for op, each in same.items() if np.mean(each) > SAME])
            its &= self.of("load", "store", place=place)
            its[np.unique(record.op * len(record.ends) + record.warp, return_index=True)[1]] = False
            if its.any():
                told = f"each thread asks `{place}` for the same place again and again"
                yield told, "keep it in a register", self.worst(its), {"keep": ~its}
            its = self.of("load", place=place)
            often = record.asked[its].sum() / SECTOR_BYTES / max(1, record.new[its].sum())
            if often > REPEATED:
                near = {"turns": np.where(its, 1, record.turns), "brought": np.where(its, -1, record.brought)}
                yield f"`{place}` is read {often:.0f} times", "keep it in shared memory", self.worst(its), near

    def _checks(self):
        for number, text in enumerate(self.run.lines, 1):
            ops, after = (np.flatnonzero((self.lines == line) & (self.times > 0)) for line in (number, number + 1))
            often = self.times[ops].sum() > OFTEN * len(self.record.ends) and text.strip().startswith("if ")
            if often and len(after) and self.record.lanes[after[0]] > HOLDS * self.record.lanes[ops[0]]:
                told, keep = "nearly every lane passes this test in every round", ~np.isin(self.record.op, ops)
                yield told, "make it once, before the loop", number, {"keep": keep}

    def _tail(self):
        idle, warps = self.causes["tail"], np.diff(np.r_[0, self.record.ends])
        told, do = "few blocks remain at the end", f"take a multiple of {self.timed.resident} blocks, or smaller ones"
        if warps.max() > 2 * np.median(warps):
            told, do = f"block {warps.argmax() // self.record.warps} has by far the most to do", "share out its work"
        if idle > EMPTY:
            yield told, do, None, {"cycles": self.timed.cycles * (1 - idle)}


RULES = {"banks": Why._banks, "divergence": Why._divergence, "warps": Why._few, "latency": Why._latency}
RULES |= {"atomics": Why._queues, "barriers": Why._barriers, "again": Why._again, "checks": Why._checks}
RULES |= {"tail": Why._tail, "loads": partial(Why._far_apart, kind="load", asks="read")}
RULES |= {"stores": partial(Why._far_apart, kind="store", asks="written")}
