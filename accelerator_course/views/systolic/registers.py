"""The registers of an array as marks: PEs, tokens that glide from cell to cell, what waits outside, what leaves."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_course.views.stage import boxes, pick, texts

WRITTEN, TOKENS = 8, 16  # the largest arrays with numbers in them, and with tokens
AHEAD = 4  # cells outside, for what enters in the next cycles
LANES = 100_000  # a token is known by its lane and the cycle in which it entered: the key holds both
NAMES = {"os": ("A", "B"), "ws": ("A", "B"), "is": ("Bᵀ", "Aᵀ")}  # what comes from the left, from above


@dataclass(frozen=True)
class Grid:
    """An array in a square at (left, top); `tag` tells two arrays on one stage apart."""

    left: float
    top: float
    edge: float
    tag: str = ""

    def marks(self, watched):
        """Layers of a systolic.Watched."""
        now = watched.now
        most = max(now.active.shape)
        outside = AHEAD if most <= TOKENS else 0
        cell = self.edge / (most + outside + (outside > 0))
        spot = Spot(self.left + outside * cell, self.top + outside * cell, cell, most <= WRITTEN, self.tag)
        found = [_elements(now, spot, most)]
        if most <= TOKENS:
            found += _tokens(watched, spot)
        if most <= WRITTEN:
            found += [_sums(now, spot), self._matrices(now, spot)]
        return found

    def _matrices(self, now, spot):
        """Which matrix comes from where."""
        left, above = NAMES[now.dataflow]
        rows, cols = now.active.shape
        x = [self.left, spot.x + cols * spot.cell / 2]
        y = [spot.y + rows * spot.cell + 14, self.top - 10]
        roles = ["memory bold start", "other bold"]
        return texts(f"matrix{self.tag}", range(2), x, y, [f"{left} →", f"{above} ↓"], roles, 15)


@dataclass(frozen=True)
class Spot:
    """Where PE (0, 0) lies, how large a cell is, and whether numbers are written."""

    x: float
    y: float
    cell: float
    written: bool
    tag: str


def _elements(now, spot, most):
    """The PEs: waiting, busy with a fold of even number, of odd number."""
    row, col = np.indices(now.active.shape).reshape(2, -1)
    gap, how = (2, "tint") if most <= TOKENS else (0, "")
    roles = ("muted soft", f"compute {how}".strip(), f"other {how}".strip())
    places = [*zip(row.tolist(), col.tolist(), strict=True)] if spot.written else ()
    says = [_doing(now, place) for place in places] or pick(("waits", "multiplies and adds"), now.active)
    return boxes(
        f"pe{spot.tag}", np.arange(now.active.size), spot.x + col * spot.cell, spot.y + row * spot.cell,
        spot.cell - gap, spot.cell - gap, pick(roles, np.where(now.active, 1 + now.working % 2, 0)),
        who=_named(now.active.shape), says=says,
    )  # fmt: skip


def _doing(now, place):
    total = f"{now.sums.value[place]:g}"
    if now.active[place]:
        return f"{now.across.value[place]:g} × {now.partner.value[place]:g}, the sum becomes {total}"
    return f"waits, the sum is {total}" if now.sums.there[place] else "waits"


def _tokens(watched, spot):
    """What marches right, what marches down, what stays put, what leaves below."""
    now, right, down = watched.now, [], []  # (lane, cycle of entry, row, column, value)
    moving = now.down if now.dataflow == "os" else now.chain
    for row, col in _there(now.across):
        right.append((row, now.cycle - col, row, col, now.across.value[row, col]))
    for row, col in _there(moving):
        down.append((col, now.cycle - row, row, col, moving.value[row, col]))
    for wait, cycle in enumerate(watched.ahead, 1):
        for (row,) in _there(cycle.enters_left):
            right.append((row, now.cycle + wait, row, -wait, cycle.enters_left.value[row]))
        for (col,) in _there(cycle.enters_top):
            down.append((col, now.cycle + wait, -wait, col, cycle.enters_top.value[col]))
    stays = [(*place, *place, now.held.value[place]) for place in _there(now.held) if now.dataflow != "os"]
    low, out = len(now.active), now.leaves_bottom
    leaves = [(col, now.cycle, low, col, out.value[col]) for (col,) in _there(out)]
    left, above = NAMES[now.dataflow]
    return [
        _round("right", right, 0.04, "memory round", f"{left} into row {{}}, cycle {{}}", spot),
        _round("down", down, 0.52, "other round", f"{above} into column {{}}, cycle {{}}", spot),
        _round("held", stays, 0.52, "other tint", "kept in PE {}, {}", spot),
        _round("out", leaves, 0.28, "good", "sum out of column {}, cycle {}", spot),
    ]


def _there(wires):
    """The places where there is a value."""
    return zip(*(axis.tolist() for axis in np.nonzero(wires.there)), strict=True)


def _round(name, tokens, shift, role, what, spot):
    """Tokens of one kind, a part of a cell wide, each with its number where there is room."""
    lanes, enters, rows, cols, values = zip(*tokens, strict=True) if tokens else [()] * 5
    inside = [
        "below" if name == "out" else f"in PE {row + 1}, {col + 1}" if min(row, col) >= 0 else "waits outside"
        for row, col in zip(rows, cols, strict=True)
    ]
    return boxes(
        f"{name}{spot.tag}", np.array(lanes, int) * LANES + np.array(enters, int),
        spot.x + (np.array(cols) + shift) * spot.cell, spot.y + (np.array(rows) + 0.04) * spot.cell,
        0.42 * spot.cell, 0.42 * spot.cell, role, [f"{value:g}" for value in values] if spot.written else "",
        min(15, 0.31 * spot.cell),
        [what.format(lane + 1, enter + 1) for lane, enter in zip(lanes, enters, strict=True)],
        [f"{value:g}, {where}" for value, where in zip(values, inside, strict=True)],
    )  # fmt: skip


def _sums(now, spot):
    """The sum in each PE: it stays, or it is on its way down."""
    places = [*_there(now.sums)]
    keys = [col * LANES + (row if now.dataflow == "os" else now.cycle - row) for row, col in places]
    return texts(
        f"sum{spot.tag}", np.array(keys, int), [spot.x + (col + 0.48) * spot.cell for _, col in places],
        [spot.y + (row + 0.72) * spot.cell for row, _ in places], [f"{now.sums.value[place]:g}" for place in places],
        pick(("ink", "ink bold"), [now.active[place] for place in places]), min(18, 0.32 * spot.cell),
    )  # fmt: skip


@cache
def _named(shape):
    """("PE 1, 1", ...), made once for each shape: the same object need not be encoded again."""
    return tuple(f"PE {row + 1}, {col + 1}" for row, col in np.ndindex(shape))
