"""Arrays at work, cycle by cycle: one with its product and its trapezoid, two beside each other.

PEs in a grid; tokens that glide from cell to cell; what waits outside, what leaves below; the run so far in bars.
"""

from functools import cache

import numpy as np

from accelerator_course.views.kit import bars, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent

WRITTEN, TOKENS = 8, 16  # the largest arrays and products with numbers in them, and arrays with tokens
AHEAD = 4  # cells outside, for what enters in the next cycles
FEW = 200  # cycles of a run whose bars are named
LANES = 100_000  # a token is known by its lane and the cycle in which it entered: the key holds both
NAMES = {"os": "output-stationary", "ws": "weight-stationary", "is": "input-stationary"}
ENTER = {"os": ("A", "B"), "ws": ("A", "B"), "is": ("Bᵀ", "Aᵀ")}  # what comes from the left, from above


class Wavefront(Stage):
    """A systolic array, cycle by cycle: what each PE multiplies, what the edges read, what is done, how busy it is.

    >>> from accelerator_course.frames.systolic import cycle_by_cycle
    >>> view, ones = Wavefront(), np.ones((4, 4), int)
    >>> run, large = list(cycle_by_cycle(ones, 2 * ones, 4, 3, "ws")), list(cycle_by_cycle(ones, ones, 32, 32))
    >>> view.show(run[0]), view.show(run[7]), view.show(run[-1]), view.show(large[5])
    """

    size, noun = (740, 440), "cycle"

    def marks(self, frame):  # frames.systolic.Frame
        yield from _Grid(frame, 6, 22, 418).marks()
        # The matrix C: grey nothing yet, light a part of a sum, dark the whole, with its number where there is room
        left, top, wide, high = 480, 30, 240, 150
        done, (m, n) = frame.complete, frame.complete.shape
        cell = min(wide / n, high / m)
        row, col = np.indices((m, n)).reshape(2, -1)
        text = ""
        if max(m, n) <= WRITTEN:
            text = [f"{v:g}" if d else "" for v, d in zip(frame.now.outputs.ravel(), done.ravel(), strict=True)]
            wide_most = 0.62 * 15 * max(map(len, text))  # in a hall; on a page they are smaller
            text = text if wide_most <= cell else ""  # the array shows them anyway
        roles, side = pick(("muted soft", "good soft", "good"), done), cell * 0.96
        place = left + col * cell, top + row * cell, side, side
        yield boxes("c", np.arange(m * n), *place, roles, text, min(14, 0.4 * cell))
        yield words("c-title", (left, top - 14, "C = A B so far", "good bold start"))
        # Two bars to one scale: operands read at the edges so far, products made of them
        counts = {"read at the edges": frame.read, "multiplications": frame.worked}
        y, long = np.array([216, 252]), [240 * count / frame.most for count in counts.values()]
        said, looks = [f"{what}: {count:,}" for what, count in counts.items()], ("memory", "compute")
        yield from bars("reuse", [0, 1], left, y, long, 8, looks)
        yield texts("reuse said", [0, 1], left, y - 14, said, [f"{role} bold start" for role in looks], 12)
        yield from _trapezoid(frame, 480, 302, 240, 100)

    def say(self, frame):
        now = frame.now
        fold = f", fold {now.fold + 1} of {now.folds}" if now.folds > 1 else ""
        full = " The array is full." if frame.phase == "full" else ""
        if frame.last:
            room = f"{now.active.size:,} PEs × {frame.length} cycles"
            full += f" {frame.worked:,} products in {room}: {percent(frame.utilization)} busy."
        return f"Cycle {now.cycle + 1} of {frame.length}{fold}: {_busy(now)}.{full}{_built(frame)}"


class Dataflows(Stage):
    """Two dataflows, cycle by cycle: the same product on arrays that keep different things still.

    >>> from accelerator_course.frames.systolic import cycle_by_cycle, side_by_side
    >>> view, ones = Dataflows(), np.ones((3, 3), int)
    >>> pairs = list(side_by_side(*(cycle_by_cycle(ones, ones, 3, 3, flow) for flow in ("os", "ws"))))
    >>> view.show(pairs[0]), view.show(pairs[5]), view.show(pairs[-1])
    """

    size, noun = (760, 470), "cycle"
    SIDES = (("-left", 0), ("-right", 395))  # a tag for the marks, and where they begin

    def marks(self, pair):  # two frames.systolic.Frame, the left and the right one
        names, most = [NAMES[frame.now.dataflow] for frame in pair], max(frame.length for frame in pair)
        for frame, name, (tag, left) in zip(pair, names, self.SIDES, strict=True):
            yield from _Grid(frame, left, 40, 350, tag, f"{name}: ").marks()
            yield from _trapezoid(frame, left + 58, 415, 287, 26, tag, most)
        yield texts("names", range(2), [left + 175 for _, left in self.SIDES], 10, names, "ink bold", 15)

    def say(self, pair):
        both = "; ".join(f"{NAMES[frame.now.dataflow]}: {_state(frame)}" for frame in pair)
        cycle = max(len(frame.busy) for frame in pair)
        return f"Cycle {cycle}. {both[0].upper()}{both[1:]}."


def _busy(now):
    if not now.active.any():
        loads = now.dataflow != "os" and now.enters_top.there.any()
        return "nothing to multiply yet: the array is being loaded" if loads else "no PE multiplies"
    many, does = now.active.sum(), "multiplies" if now.active.sum() == 1 else "multiply"
    return f"{many:,} of {now.active.size:,} PEs {does} ({percent(now.active.mean())})"


def _state(frame):
    if frame.over:
        return f"done since cycle {frame.length}"
    return _busy(frame.now) + (" (its last cycle)" if frame.last else "")


def _built(frame):
    """What the array is made of, where its registers are those of gates."""
    if not (pe := frame.sheet):
        return ""
    many, mm2 = frame.now.active.size, frame.now.active.size * pe.um2 / 1e6
    said = f" As hardware: {many * pe.gates:,} gates and {many * pe.flip_flops:,} one-bit registers in {many:,} PEs, "
    return said + f"{number(mm2)} mm² in an old process, 130 nm (estimate). A cycle takes at least {number(pe.ns)} ns."


class _Grid:
    """The array of a frame in a square at (left, top); `tag`, and `name` before what a PE does, tell two apart."""

    def __init__(self, frame, left, top, edge, tag="", name=""):
        self.frame, self.left, self.top, self.tag, self.name = frame, left, top, tag, name
        self.most = max(frame.now.active.shape)
        self.outside = AHEAD if self.most <= TOKENS else 0  # cells for what is about to enter
        self.written = self.most <= WRITTEN
        self.cell = edge / (self.most + self.outside + (self.outside > 0))

    def x(self, col):
        """Pixels of a column, which may have a fraction."""
        return self.left + (self.outside + np.asarray(col)) * self.cell

    def y(self, row):
        """Pixels of a row."""
        return self.top + (self.outside + np.asarray(row)) * self.cell

    def marks(self):
        # The PEs: waiting, busy with a fold of even number, of odd number; all grey once the run is over
        now, over = self.frame.now, self.frame.over
        row, col = np.indices(now.active.shape).reshape(2, -1)
        gap, how = (2, " tint") if self.most <= TOKENS else (0, "")
        look = 0 * now.working if over else np.where(now.active, 1 + now.working % 2, 0)
        roles = pick(("muted soft", f"compute{how}", f"other{how}"), look)
        says = pick(("waits", "multiplies and adds"), now.active)
        if self.written:
            says = [self.name + ("done" if over else _doing(now, place)) for place in np.ndindex(now.active.shape)]
        side, who = self.cell - gap, _named(now.active.shape)
        key = np.arange(now.active.size)
        yield boxes(f"pe{self.tag}", key, self.x(col), self.y(row), side, side, roles, who=who, says=says)
        if self.most <= TOKENS:
            yield from self._tokens()
            (left, above), (rows, cols) = ENTER[now.dataflow], now.active.shape
            beside = (self.left, self.y(rows) + min(14, 0.6 * self.cell), f"{left} →", "memory bold start", 15)
            yield words(f"matrix{self.tag}", beside, (self.x(cols / 2), self.top - 10, f"{above} ↓", "other bold", 15))
        if self.written:
            # The sum in each PE: it stays, or it is on its way down
            places = [*_there(now.sums)] if now.dataflow == "os" or not over else []
            row, col = np.array(places, int).reshape(-1, 2).T
            key = col * LANES + (row if now.dataflow == "os" else now.cycle - row)
            text = [f"{now.sums.value[place]:g}" for place in places]
            roles = pick(("ink", "ink bold", "muted"), np.where(over, 2, now.active[row, col]))
            size = min(18, 0.32 * self.cell)
            yield texts(f"sum{self.tag}", key, self.x(col + 0.48), self.y(row + 0.72), text, roles, size)

    def _tokens(self):
        """What marches right, what marches down, what stays put, what leaves below: the last two once all is over."""
        now, right, down = self.frame.now, [], []  # (lane, cycle of entry, row, column, value)
        moving = now.down if now.dataflow == "os" else now.chain
        for row, col in _there(now.across):
            right.append((row, now.cycle - col, row, col, now.across.value[row, col]))
        for row, col in _there(moving):
            down.append((col, now.cycle - row, row, col, moving.value[row, col]))
        for wait, cycle in enumerate(self.frame.ahead, 1):
            for (row,) in _there(cycle.enters_left):
                right.append((row, now.cycle + wait, row, -wait, cycle.enters_left.value[row]))
            for (col,) in _there(cycle.enters_top):
                down.append((col, now.cycle + wait, -wait, col, cycle.enters_top.value[col]))
        stays = [(*place, *place, now.held.value[place]) for place in _there(now.held) if now.dataflow != "os"]
        low, out = len(now.active), now.leaves_bottom
        leaves = [(col, now.cycle, low, col, out.value[col]) for (col,) in _there(out)]
        (left, above), held = ENTER[now.dataflow], "other tint"
        if self.frame.over:
            right, down, leaves, held = [], [], [], "muted tint"
        yield self._round("right", right, 0.04, "memory round", f"{left} into row {{}}, cycle {{}}")
        yield self._round("down", down, 0.52, "other round", f"{above} into column {{}}, cycle {{}}")
        yield self._round("held", stays, 0.52, held, "kept in PE {}, {}")
        yield self._round("out", leaves, 0.28, "good", "sum out of column {}, cycle {}")

    def _round(self, kind, tokens, shift, role, what):
        """Tokens of one kind, a part of a cell wide, each with its number where there is room."""
        columns = map(np.array, zip(*tokens, strict=True)) if tokens else np.zeros((5, 0), int)
        lanes, enters, rows, cols, values = columns
        waits = "below" if kind == "out" else "waits outside"
        there = (rows >= 0) & (cols >= 0) & (kind != "out")
        places = zip(rows, cols, there, strict=True)
        inside = [f"in PE {row + 1}, {col + 1}" if here else waits for row, col, here in places]
        numbers, side = [f"{value:g}" for value in values], 0.42 * self.cell
        who = [what.format(lane + 1, enter + 1) for lane, enter in zip(lanes, enters, strict=True)]
        says = [f"{self.name}{value}, {where}" for value, where in zip(numbers, inside, strict=True)]
        place = lanes * LANES + enters, self.x(cols + shift), self.y(rows + 0.04), side, side
        text = numbers if self.written else ""
        return boxes(f"{kind}{self.tag}", *place, role, text, min(15, 0.31 * self.cell), who, says)


def _doing(now, place):
    total = f"{now.sums.value[place]:g}"
    if now.active[place]:
        return f"{now.across.value[place]:g} × {now.partner.value[place]:g}, the sum becomes {total}"
    return f"waits, the sum is {total}" if now.sums.there[place] else "waits"


def _there(wires):
    return zip(*(axis.tolist() for axis in np.nonzero(wires.there)), strict=True)


@cache
def _named(shape):
    """("PE 1, 1", ...), made once for each shape: the same object need not be encoded again."""
    return tuple(f"PE {row + 1}, {col + 1}" for row, col in np.ndindex(shape))


def _trapezoid(frame, left, top, wide, high, tag="", most=0):
    """Bars of busy PEs, one a cycle: grey while the array fills or empties, orange while all of it works.

    most: cycles that the axis holds, where it is shared.
    """
    most, so_far = max(most, frame.length), len(frame.busy)
    cycles, step, floor, end = np.arange(frame.length), wide / most, top + high, left + wide
    tall = np.pad(frame.busy * high, (0, frame.length - so_far))
    who, says = "", ""
    if frame.length <= FEW:
        who = [f"cycle {i + 1}" for i in cycles]
        says = [f"{percent(share)} of the PEs multiply" for share in frame.busy] + [""] * (frame.length - so_far)
    roles = pick(("muted", "compute"), tall >= high)
    side = step - min(1, step / 5)
    here = left + step * (so_far - 0.5)
    yield lines(f"axes{tag}", [0, 1], left, [floor, top], end, [floor, top], ("muted", "muted dashed"), [1.2, 1])
    yield lines(f"now{tag}", [0], here, floor + 3, here, floor + 12, "ink", 3)
    yield boxes(f"busy{tag}", cycles, left + step * cycles, floor - tall, side, tall, roles, who=who, says=says)
    shares = (left - 6, top, "100 %", "muted end", 12), (left - 6, floor, "0", "muted end", 12)
    times = (left, floor + 22, "1", "muted start", 12), (end, floor + 22, f"{most:,} cycles", "muted end", 12)
    yield words(f"ticks{tag}", *shares, *times, (left, top - 16, "busy PEs", "ink bold start"))
