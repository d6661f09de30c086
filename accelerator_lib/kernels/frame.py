"""Frame: all warps of a launch while a kernel runs, in lockstep, each with the lanes that are at work.

Lockstep of all warps gives what any order would give, because whatever depends on the order is a race, and a Fault.
"""

from functools import cached_property

import numpy as np

from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.kernels.budget import look
from accelerator_lib.kernels.language import Fault, Touch, outside
from accelerator_lib.kernels.memory import SLICES

MOST_STEPS = 20_000  # statements of one warp
MOST_ISSUED = 500_000  # instructions of all warps: a second of timing
MOST_WALKED = 2_000_000_000  # lanes that NumPy walks over, at work or not: some seconds
A_WALK, MEMORY_PASSES = 8_000, 10  # lanes that take as long as beginning a walk; walks of an access or a shuffle
MOST_KEPT = 2_000  # accesses, for a replay


class Mask:
    """Lanes for which an instruction is, [warps, 32]; a warp without such a lane does not issue it."""

    def __init__(self, lanes, full=False, working=None):
        self.lanes, self.full = lanes, full
        self.working = int(np.count_nonzero(lanes)) if working is None else working  # lanes at work
        self.which = np.flatnonzero(lanes.any(axis=1))  # warps that issue
        self.count = len(self.which)

    places = cached_property(lambda self: np.flatnonzero(self.lanes))

    def narrow(self, condition):
        """The lanes for which a condition holds, too; None where there is none."""
        lanes = self.lanes & condition
        working = int(np.count_nonzero(lanes))
        if not working:
            return None
        return self if working == self.working else Mask(lanes, working=working)


class Frame:
    """What a launch holds while its kernel runs."""

    def __init__(self, program, blocks, threads, watched, room):
        (self.blocks, across), (self.block_size, wide) = blocks, threads  # how many, and how many along x
        self.ops, self.watched, self.values, self.memory = program.ops, watched, {}, {}
        self.trace, self.noted, self.kept = [], {}, []  # the first: (instruction, warps that issue it, lanes at work)
        self.scalars = {name: _kept(value) for name, value in program.scope.scalars.items()}
        self.steps, self.issued, self.walked, self.blamed = 0, 0, 0, False  # whether what is kept ends with a fault
        self.room = room  # sectors that the L1 has for each block
        self.warps = -(-self.block_size // WARP_LANES)  # of a block
        shape = (self.blocks * self.warps, WARP_LANES)
        # 64 bits everywhere, so that what grows beyond 32 is seen.
        number, lane = np.arange(shape[0], dtype=np.int64)[:, None], np.arange(WARP_LANES, dtype=np.int64)[None]
        block, warp = number // self.warps, number % self.warps
        thread = warp * WARP_LANES + lane
        self.lanes = shape[0] * WARP_LANES
        self.all = Mask(thread < self.block_size, self.block_size % WARP_LANES == 0)
        self.thread, self.block = block * self.block_size + thread, np.broadcast_to(block, shape)
        self.barriers = np.zeros(self.blocks, np.int64)  # that each block has passed
        self.groups = np.zeros(shape, np.int64)  # of asynchronous copies that each thread has committed
        self.slices = np.zeros(SLICES, np.int64)  # turns of each slice of the L2 for atomics
        self.given = {"lane": lane, "warp": warp}
        sizes = {"thread": (thread, wide), "block": (block, across)}
        sizes |= {"block_size": (self.block_size, wide), "grid_size": (self.blocks, across)}
        for name, (value, columns) in sizes.items():
            x = columns if name.endswith("size") else value % columns
            self.given |= {name: value, f"{name}_x": x, f"{name}_y": value // columns}

    def spend(self, line):
        """Count one statement. Raises Fault where a kernel runs too long."""
        look()
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _endless(line, f"{MOST_STEPS:,} statements")

    def did(self, op, m, costs=None):
        """Remember an instruction, and what it costs each warp that issues it. Raises Fault, as `spend` does."""
        if costs is not None:
            self.noted[len(self.trace)] = costs
        self.trace.append((op, m.which, m.working))  # not the mask: thousands of them would fill the memory
        self.issued += m.count
        if self.issued > MOST_ISSUED:
            raise _endless(self.ops[op].line, f"{MOST_ISSUED:,} instructions of all warps together")
        self.walk(self.ops[op].line, 1 if self.ops[op].kind == "alu" else MEMORY_PASSES)

    def walk(self, line, passes=1):
        """Count walks over all lanes: NumPy makes them for those that are not at work, too. Raises Fault."""
        look()
        self.walked += passes * (self.lanes + A_WALK)
        if self.walked > MOST_WALKED:
            said = f"too much work for this machine, which walks over all {self.lanes:,} lanes for each instruction"
            raise Fault("budget", line, f"{said}; take fewer threads or fewer rounds")

    def narrow(self, m, condition, line):
        """The mask of the lanes for which a condition holds, too; None where there is none."""
        self.walk(line)
        return m.narrow(condition)

    def keep(self, op, m, index, worth):
        """Remember what the lanes of the watched block touch."""
        if len(self.kept) < MOST_KEPT:
            self.kept.append((op, *self._watched(m, m.lanes, index, worth)))

    def _watched(self, m, *arrays):
        """Of [warps, 32] the rows of the watched block."""
        rows = slice(self.watched * self.warps, (self.watched + 1) * self.warps)
        return [np.broadcast_to(each, m.lanes.shape)[rows].copy() for each in arrays]

    def blame(self, fault, op, m, index, worth=0):
        """Keep the access at which a kernel is stopped, up to the warp that is stopped; then raise the Fault."""
        stopped = fault.touches[0]
        if stopped.block == self.watched:
            lanes, *touched = self._watched(m, m.lanes, index, worth)
            lanes[stopped.thread // WARP_LANES + 1 :] = False
            self.kept.append((op, lanes, *touched))
            self.blamed = True
        raise fault

    def need(self, m, good, kind, line, words):
        """Nothing, unless a condition fails in a lane that is at work. Raises Fault."""
        bad = m.lanes & ~np.asarray(good)
        if bad.any():
            raise self.fault(kind, line, words, bad)

    def fault(self, kind, line, words, bad):
        """The Fault for what goes wrong in these lanes."""
        touch = self.touch(np.argmax(bad), "", "", line)
        return Fault(kind, line, f"{words}, in {touch.who}", (touch,))

    def touch(self, place, way, what, line):
        """Touch of a thread, by its place among all lanes."""
        warp, lane = divmod(int(place), WARP_LANES)
        return Touch(warp % self.warps * WARP_LANES + lane, warp // self.warps, way, what, line)

    def threads_of(self, m):
        """(thread, block, stamp) of the lanes at work; a stamp is a block between two of its barriers."""
        block = self.block.reshape(-1)[m.places]
        return self.thread.reshape(-1)[m.places], block, self.barriers[block] * self.blocks + block

    def flat(self, m, place, line, index, way):
        """[warps, 32]: one or two indices as one, 0 in lanes that are not at work. Raises Fault outside an array."""
        flat, shape = 0, place.shape
        if len(shape) > len(index) or (place.loose and len(shape) == 2):
            index, shape = [index[0] * shape[1] + index[1] if len(index) == 2 else index[0]], (place.size,)
        for axis, (each, side) in enumerate(zip(index, shape, strict=True)):
            bad = m.lanes & (np.less(each, 0) | np.greater_equal(each, side))
            if bad.any():
                first = int(np.argmax(bad))
                asked = [int(np.broadcast_to(part, m.lanes.shape).flat[first]) for part in index]
                touch = self.touch(first, way, f"{place.name}[{', '.join(map(str, asked))}]", line)
                said = f"{touch.who} {way} {outside(place.name, asked, shape)}"
                fault = Fault("bounds", line, said, (touch,))
                sides = ("places",) if len(shape) == 1 else ("rows", "columns")
                fault.asked = f"{sides[axis]} of {place.name}", side, np.broadcast_to(each, m.lanes.shape)
                raise fault
            flat = flat * side + each
        flat = np.broadcast_to(flat, m.lanes.shape)
        return flat if m.full else np.where(m.lanes, flat, 0)

    def copy(self, m, inside, op, to, of, many):
        """Copy from one Memory to another one; zeros in lanes that are not `inside`, where nothing is asked for."""
        (to, to_at), (of, of_at) = to, of
        worth = [np.zeros(m.lanes.shape, to.values.dtype)] * many
        costs = np.zeros((4, m.count), np.int64)
        costs[3] = -1
        if inside is not None:
            index, worth = of.read(self, inside, op, of_at, many)
            own = np.searchsorted(m.which, inside.which)
            costs[:, own] = of.costs(self, inside, op, index, "read")[1:]
        turns, *_ = to.costs(self, m, op, to.bring(self, m, op, to_at, worth), "written")
        self.did(op, m, (turns, *costs))
        if inside is not None:
            self.keep(op, inside, index, worth[0])

    def landed(self, m, left, line):
        """All groups of copies but the last `left` of these threads have come."""
        for memory in self.memory.values():
            memory.landed(self, m, self.groups - left, line)

    def own(self, place):
        """The numbers of a register array: a list of [warps, 32]."""
        if place.name not in self.values:
            zero = np.zeros(self.all.lanes.shape, np.float32 if place.kind == "float" else np.int64)
            self.values[place.name] = [zero] * place.size
        return self.values[place.name]

    def barrier(self, op, m, line):
        """Every thread of a block that reaches a barrier must reach it. Raises Fault where some would wait for ever."""
        reached = m.lanes.reshape(self.blocks, -1).sum(axis=1)
        partly = (reached > 0) & (reached < self.block_size)
        if partly.any():
            block = int(np.argmax(partly))
            waiting = f"{reached[block]} of {self.block_size} threads of block {block} wait here for ever"
            here = m.lanes.reshape(self.blocks, -1)[block, : self.block_size]
            first, place = block * self.warps * WARP_LANES, ("the barrier", line)
            waits = self.touch(np.argmax(here) + first, "waits at", *place)
            never = self.touch(np.argmax(~here) + first, "never comes to", *place)
            fault = Fault("deadlock", line, f"{waiting}: the others never come to this barrier", (waits, never))
            self.blame(fault, op, m, 0)
        self.barriers[reached > 0] += 1
        self.did(op, m)
        self.keep(op, m, np.zeros(m.lanes.shape, np.int64), 0)


def _kept(value):
    return np.float32(value) if type(value) is float else value


def _endless(line, most):
    return Fault("budget", line, f"more than {most}; does a loop never end, or is the launch too large?")
