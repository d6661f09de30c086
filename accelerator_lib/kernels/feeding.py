"""Feeding: a product on a systolic array of EDGE x EDGE PEs, as a text feeds it, block by block; counted in cycles.

    load(b, p, j)      a block of b comes down, a row a cycle, while the array works on; of a: the same on transposes
    run(first, last)   rows of a pass it, one a cycle; their sums leave 2 EDGE - 2 cycles after the last of them
Blocks that are loaded in time cost max(rows, EDGE) cycles each. There is room for the sums of one run: sums that are
not done and make room for others go out, a row a cycle, and come back the same way; meanwhile nothing passes. Complete
ones leave beside the work. Ignored: the memory behind it all.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.planned import follow
from accelerator_lib.kernels.specs import UNTOUCHED, Left, Operand, told


@dataclass(frozen=True)
class Block:
    """A part of an operand that stays, and the line of its load."""

    stays: str  # "a" or "b"
    along: tuple  # (first, last) of k, on the array's rows
    across: tuple  # (first, last) of what its columns hold: columns of b, or rows of a
    line: int
    ready: float = 0  # the cycle in which it has come


@dataclass(frozen=True)
class Pass:
    """One run: rows (or columns) that pass by a block."""

    line: int
    block: Block
    rows: tuple  # (first, last)
    begin: float  # the cycle in which the first of them enters
    waited: float  # cycles before that, for the block
    out_cycles: int  # for sums that are not done and leave
    back_cycles: int  # for sums that come back
    swapped: int  # line of the swap
    meanwhile: tuple = ()  # the blocks that were loaded while these rows passed

    length = property(lambda self: self.rows[1] - self.rows[0])
    spilled = property(lambda self: self.out_cycles + self.back_cycles)

    @property
    def sums(self):
        """((first, last) of the rows, (first, last) of the columns) of c."""
        return (self.rows, self.block.across) if self.block.stays == "b" else (self.block.across, self.rows)

    macs = property(lambda self: self.length * np.ptp(self.block.along).item() * np.ptp(self.block.across).item())


@dataclass(frozen=True, eq=False)
class Fed(Left):
    """A text that has fed the array: what it left, and its passes."""

    passes: tuple
    edge: int
    room_rows: int
    cycles: float

    pass_cycles = property(lambda self: sum(each.length for each in self.passes))
    # cycles in which rows wait for a block
    waited_cycles = property(lambda self: sum(each.waited for each in self.passes))
    # cycles in which sums that are not done go out or come back
    spilled_cycles = property(lambda self: sum(each.spilled for each in self.passes))
    macs = property(lambda self: sum(each.macs for each in self.passes))


def run(source, arguments, edge, room_rows):
    """Fed of a text on arrays a, b and their sizes. Raises Fault, with its line, for what is wrong with it."""
    feed = _Feed(arguments["a"], arguments["b"], edge, room_rows)
    names = {name: arguments[name] for name in "mnk"}
    names |= {"a": Operand("a", feed.a), "b": Operand("b", feed.b), "EDGE": edge, "ROOM": room_rows}
    try:
        follow(source, names, {"load": feed.load, "swap": feed.swap, "run": feed.run})
    except Fault as fault:
        fault.made = _ended(source, arguments, feed, fault)
        raise
    return _ended(source, arguments, feed)


def _ended(source, arguments, feed, fault=None):
    c = np.where(feed.done.any(axis=2), feed.sums, np.float32(UNTOUCHED))
    left = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    return Fed(source, left | {"c": c}, tuple(feed.passes), feed.edge, feed.room_rows, feed.end, fault=fault)


class _Feed:
    """The state of the array while a text feeds it."""

    def __init__(self, a, b, edge, room_rows):
        self.a, self.b, self.edge, self.room_rows = a, b, edge, room_rows
        self.sums = np.zeros((len(a), b.shape[1]), np.float32)
        self.done = np.zeros((*self.sums.shape, len(b)), bool)  # which product has been added to which sum
        self.held = self.waiting = self.place = None
        self.now = self.chain = self.end = self.waited = 0
        self.swapped, self.passes, self.came = 0, [], []

    def load(self, line, operand, row, col):
        if not isinstance(operand, Operand):
            raise Fault("value", line, "load takes a or b, and the row and the column where the block begins")
        if self.waiting:
            raise Fault("value", line, f"the block of line {self.waiting.line} still waits: swap() takes it first")
        high, wide = operand.values.shape
        for name, at, side in (("row", row, high), ("column", col, wide)):
            if type(at) is not int or not 0 <= at < side:
                raise Fault("bounds", line, f"{operand.name} has the {name}s 0 to {side - 1}, not {told(at)}")
        down, right = (row, min(row + self.edge, high)), (col, min(col + self.edge, wide))
        self.chain = max(self.chain, self.now) + self.edge
        along, across = (down, right) if operand.name == "b" else (right, down)
        self.waiting = Block(operand.name, along, across, line, self.chain)
        self.came.append(self.waiting)

    def swap(self, line):
        if not self.waiting:
            raise Fault("unset", line, "no block waits: load(...) comes first")
        self.waited += max(0, self.waiting.ready - self.now)
        self.now = max(self.now, self.waiting.ready)
        self.held, self.waiting, self.swapped = self.waiting, None, line

    def run(self, line, first, last):
        if not self.held:
            raise Fault("unset", line, "there is no block in the array: load(...) and swap() come first")
        what, most = ("rows", len(self.a)) if self.held.stays == "b" else ("columns", self.b.shape[1])
        if not all(type(end) is int for end in (first, last)) or not 0 <= first < last <= most:
            said = f"{what} 0 to {most} can pass, each by one command: not {told(first)} to {told(last)}"
            raise Fault("bounds", line, said)
        if last - first > self.room_rows:
            raise Fault("budget", line, f"{last - first} {what}: their sums have room for {self.room_rows}")
        made = Pass(line, self.held, (first, last), 0, self.waited, 0, 0, self.swapped)
        rows, cols = (slice(*span) for span in made.sums)
        along = slice(*self.held.along)
        if self.done[rows, cols, along].any():
            at = tuple(np.argwhere(self.done[rows, cols, along])[0] + (rows.start, cols.start, along.start))
            raise Fault("value", line, "a[{0}, {2}] * b[{2}, {1}] is in c[{0}, {1}] already".format(*at))
        out, back = self._room(made.sums)
        begin = self.now + out + back
        came, self.came, self.waited = tuple(each for each in self.came if each is not self.held), [], 0
        made = Pass(line, self.held, (first, last), begin, made.waited, out, back, self.swapped, came)
        self.passes.append(made)
        self.sums[rows, cols] += self.a[rows, along] @ self.b[along, cols]
        self.done[rows, cols, along] = True
        self.now = begin + made.length
        self.end = self.now + 2 * self.edge - 2

    def _room(self, sums):
        """(cycles for sums that leave before they are done, cycles for those that come back)."""
        if self.place == sums:
            return 0, 0
        old, self.place = self.place, sums
        out = 0
        if old is not None and not self.done[slice(*old[0]), slice(*old[1])].all():
            out = self.passes[-1].length
        begun = self.done[slice(*sums[0]), slice(*sums[1])].any()
        stream = sums[0] if self.held.stays == "b" else sums[1]
        return out, (stream[1] - stream[0]) * int(begun)
