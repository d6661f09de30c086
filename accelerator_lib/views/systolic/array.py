"""An array in one cycle as marks: PEs, tokens that glide from cell to cell, what waits at the edges, what leaves."""

import numpy as np

from accelerator_lib.views.stage import boxes, pick, texts

WRITTEN, TOKENS, NAMED = 8, 16, 16  # the largest arrays with numbers in them, with tokens, with lines between the PEs
LANES = 100_000  # keys of one lane: a token is known by its lane and the cycle in which it entered
NAMES = {"os": ("A", "B"), "ws": ("A", "B"), "is": ("Bᵀ", "Aᵀ")}  # what comes from the left, from above


class Grid:
    """Draws an array into a square at (left, top); margins hold what enters in the next cycles and what has left."""

    def __init__(self, left, top, edge, tag=""):
        self.left, self.top, self.edge, self.tag = left, top, edge, tag

    def marks(self, watched):
        """Layers of a systolic.Watched."""
        now, wait = watched.now, len(watched.ahead)
        rows, cols = now.active.shape
        self.ahead = 4 if max(rows, cols) <= TOKENS else 0
        self.cell = self.edge / (max(rows, cols) + self.ahead + (1 if self.ahead else 0))
        self.x0, self.y0 = self.left + self.ahead * self.cell, self.top + self.ahead * self.cell
        found = [self._cells(now)]
        if max(rows, cols) <= TOKENS:
            found += self._tokens(watched, wait)
        if max(rows, cols) <= WRITTEN:
            found += [self._sums(now), self._names(now)]
        return found

    def _cells(self, now):
        """The PEs: idle, waiting with an operand, busy with a fold of even or of odd number."""
        rows, cols = now.active.shape
        row, col = np.indices((rows, cols)).reshape(2, -1)
        gap = 2 if max(rows, cols) <= NAMED else 0
        look = np.where(now.active, 1 + now.working % 2, 0)
        fine = "tint" if max(rows, cols) <= NAMED else "soft"
        roles = (f"muted {fine}", f"compute {'tint' if gap else ''}".strip(), f"other {'tint' if gap else ''}".strip())
        if max(rows, cols) <= WRITTEN:
            says = [self._doing(now, r, c) for r, c in zip(row, col, strict=True)]
        else:
            says = pick(("waits", "multiplies and adds"), now.active)
        return boxes(
            f"pe{self.tag}", np.arange(rows * cols), self.x0 + col * self.cell, self.y0 + row * self.cell,
            self.cell - gap, self.cell - gap, pick(roles, look), who=_names(rows, cols), says=says,
        )  # fmt: skip

    @staticmethod
    def _doing(now, r, c):
        if not now.active[r, c]:
            return f"waits, its sum is {now.sums.value[r, c]:g}" if now.sums.there[r, c] else "waits"
        product = f"{now.across.value[r, c]:g} × {now.partner.value[r, c]:g}"
        return f"multiplies {product}, the sum becomes {now.sums.value[r, c]:g}"

    def _tokens(self, watched, wait):
        """What marches right, what marches down, what stays put until it is used."""
        now, small = watched.now, max(watched.now.active.shape) <= WRITTEN
        row, col = np.indices(now.active.shape)
        right, down = [], []  # (lane, cycle of entry, row, column, value)
        for r, c in zip(*np.nonzero(now.across.there), strict=True):
            right.append((r, now.cycle - c, r, c, now.across.value[r, c]))
        moving = now.down if now.dataflow == "os" else now.chain
        for r, c in zip(*np.nonzero(moving.there), strict=True):
            down.append((c, now.cycle - r, r, c, moving.value[r, c]))
        for later, cycle in enumerate(watched.ahead, 1):
            for r in np.flatnonzero(cycle.enters_left.there):
                right.append((r, now.cycle + later, r, -later, cycle.enters_left.value[r]))
            for c in np.flatnonzero(cycle.enters_top.there):
                down.append((c, now.cycle + later, -later, c, cycle.enters_top.value[c]))
        names = NAMES[now.dataflow]
        found = [
            self._round("right", right, 0.05, "memory", f"{names[0]} of row", small),
            self._round("down", down, 0.53, "other", f"{names[1]} of column", small),
        ]
        if now.dataflow != "os":
            stays = [(r, c, r, c, now.held.value[r, c]) for r, c in zip(*np.nonzero(now.held.there), strict=True)]
            found.append(self._round("held", stays, 0.53, "other tint", "kept weight of row", small, square=True))
        leaving = np.flatnonzero(now.leaves_bottom.there)
        out = [(c, now.cycle, len(row), c, now.leaves_bottom.value[c]) for c in leaving]
        return [*found, self._round("out", out, 0.29, "good", "sum of column", small, square=True)]

    def _round(self, name, tokens, shift, role, what, small, square=False):
        lanes, enters, rows, cols, values = np.array(tokens, dtype=object).reshape(-1, 5).T
        size = 0.42 * self.cell
        who = [f"{what} {lane + 1}, number {enter + 1}" for lane, enter in zip(lanes, enters, strict=True)]
        return boxes(
            f"{name}{self.tag}", (lanes * LANES + enters).astype(int),
            self.x0 + (cols.astype(float) + shift) * self.cell - 1,
            self.y0 + (rows.astype(float) + 0.05) * self.cell - 1,
            size, size, role if square else f"{role} round", [f"{v:g}" for v in values] if small else "",
            min(13, 0.3 * self.cell), who, "",
        )  # fmt: skip

    def _sums(self, now):
        """The sum in each PE, or on its way down."""
        where = [*zip(*np.nonzero(now.sums.there), strict=True)]
        lane = [(c, now.cycle - r) if now.dataflow != "os" else (c, r) for r, c in where]
        return texts(
            f"sum{self.tag}", np.array([a * LANES + b for a, b in lane], dtype=int),
            [self.x0 + (c + 0.48) * self.cell for _, c in where], [self.y0 + (r + 0.73) * self.cell for r, _ in where],
            [f"{now.sums.value[place]:g}" for place in where], pick(("ink", "ink bold"), [now.active[p] for p in where]),
            min(17, 0.32 * self.cell),
        )  # fmt: skip

    def _names(self, now):
        """Which matrix comes from where."""
        left, above = NAMES[now.dataflow]
        rows, cols = now.active.shape
        middle = self.cell / 2
        x = [self.left, self.x0 + cols * middle]
        y = [self.y0 + rows * self.cell + 14, self.top - 10]
        return texts(
            f"matrix{self.tag}",
            range(2),
            x,
            y,
            [f"{left} →", f"{above} ↓"],
            pick(("memory bold start", "other bold"), [0, 1]),
            15,
        )


def _names(rows, cols, _kept={}):
    """["PE 1, 1", ...], made once for each shape."""
    if (rows, cols) not in _kept:
        _kept[rows, cols] = tuple(f"PE {r + 1}, {c + 1}" for r in range(rows) for c in range(cols))
    return _kept[rows, cols]
