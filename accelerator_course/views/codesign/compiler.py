"""What a compiler does: from a formula to instructions, a program pass by pass."""

import textwrap
from collections import Counter
from math import log10

import numpy as np

from accelerator_course.views.kit import bars, below, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, scaled, si

WHO = {"graph": "as you wrote it", "fused graph": "cut by the compiler"}
WHO |= {"mapping": "tiles picked by compiler or tuner", "instructions": "ordered by the compiler"}


class Funnel(Stage):
    """Funnel: graph, fused graph, mapping, instructions; and how many ways there are at each stage.

    >>> view, states = Funnel(), list(frames.codesign.stages())
    >>> view.show(states[1]), view.show(list(frames.codesign.stages(256, 6))[-1])
    """

    size, noun = (730, 430), "stage"
    left, drawn, ledger, top = 20, 150, 400, 66  # of the operations, of tiles and instructions, of the ways

    def marks(self, stage):  # a Stage of frames.codesign
        left, top, ledger, n, moved = self.left, self.top, self.ledger, len(stage.ops), si(stage.bytes_moved, "B")
        yield words("head", (left, 24, f"{stage.number + 1}. {stage.name}", "ink bold start", 17))
        # boxes in a column; from the second stage on without gaps, inside a frame for each kernel
        wide, high, fused, kernels = 110, 26, bool(stage.number), range(len(stage.kernels))
        step, middle = high + (2 if fused else 14), left + wide / 2
        y = rows(top, step, n)
        tops = [y[stage.ops.index(kernel[0])] - 5 for kernel in stage.kernels]
        tall = [len(kernel) * step + (8 if fused else -4) for kernel in stage.kernels]
        who, says = [f"kernel {i + 1}" for i in kernels], [" + ".join(kernel) for kernel in stage.kernels]
        look, gaps = "good line" if fused else "muted line dashed", range(0 if fused else n - 1)
        roles = ["compute tint", *["other tint"] * (n - 1)]
        yield boxes("kernels", kernels, left - 6, tops, wide + 12, tall, look, who=who, says=says)
        yield boxes("ops", range(n), left, y, wide, high, roles, stage.ops, 13, who=stage.ops)
        yield lines("values", gaps, middle, y[: len(gaps)] + high, middle, y[1:][: len(gaps)], "memory", 3)
        yield words("traffic", (left - 6, 396, f"through memory: {moved}", "memory bold start"))
        if stage.number >= 2:
            # The product of the program as nested squares: the whole, a tile on the chip, a tile in the registers
            edges, x, said = np.array([210, 84, 34]), self.drawn, [f"{edge:,}" for edge in stage.tiles]
            roles, looks = ("muted tint", "memory tint", "compute"), ("ink end", "ink end", "paper end")
            who = ("all of the result", "the tile on the chip", "the tile in the registers")
            says = [f"{edge} × {edge}" for edge in said]
            yield boxes("tiles", range(3), x, self.top, edges, edges, roles, who=who, says=says)
            yield words("scale", (x, self.top - 14, "one way to cut it, not to scale", "muted start", 12))
            yield texts("edges", range(3), x + edges - 4, self.top + edges - 10, said, looks, 12)
        if stage.number >= 3:
            # One order of loads and multiply-adds, four in a row
            place, issued = np.arange(len(stage.instructions)), stage.instructions
            x, y = self.drawn + 58 * (place % 4), self.top + 225 + 22 * (place // 4)
            loads = [one[0] in "ab" for one in issued]
            who = [f"{'load' if load else 'multiply-add'} {one}" for load, one in zip(loads, issued, strict=True)]
            roles, key = pick(("compute tint", "memory tint"), loads), "a, b: loads · c: multiply-adds"
            yield boxes("instructions", place, x, y, 54, 20, roles, issued, 12, who=who)
            yield words("instruction key", (self.drawn, self.top + 282, key, "muted start", 12))
        # ways of each stage, as bars of powers of ten
        ways, names = [counted(count, "way") for count in stage.ways], list(WHO)[: len(stage.ways)]
        long, roles = [24 * log10(count) for count in stage.ways], ["muted tint"] * (len(ways) - 1) + ["compute"]
        y = rows(top + 22, 76, len(ways))
        yield words("ways title", (ledger, 36, "how many ways (bars logarithmic)", "muted start", 12))
        yield below("stages", ledger, top, [f"{name}: {WHO[name]}" for name in names], 76)
        yield from bars("ways", range(len(ways)), ledger, y, long, 20, roles, who=names, says=ways, least=2)
        yield below("counts", ledger, top + 46, ways, 76, "ink bold start", 14)
        yield words("all", (ledger, 396, f"all together: {_large(stage.total)}", "compute bold start", 15))

    def say(self, stage):
        who, behind = WHO[stage.name], counted(len(stage.ops[1:]), "step")
        said = f"{stage.name.capitalize()}, {who}: {counted(stage.ways[-1], 'way')}; {_large(stage.total)} so far, for "
        return said + f"one product of {stage.n:,} × {stage.n:,} × {stage.n:,} and {behind} after it."


def _large(count):
    return f"{count:,}" if count < 1e9 else f"{scaled(count, 1e9)} billion"


LEFT, TOP, WIDE, HIGH, GAP = 10, 48, 143, 23, 5  # of a step; between two columns
ROWS, COLUMNS, ROOM = 15, 4, 22  # of steps; letters in a box
MOVES = {"broadcast", "reshape", "transpose", "copy", "slice", "concatenate", "pad", "gather", "convert", "iota"}
KINDS = {"dot": 1, "convolution": 1, "reduce": 2, "reduce-window": 2, "sort": 2} | dict.fromkeys(MOVES, 3)
KEY = [("memory tint", "element by element"), ("compute", "matrix product")]
KEY += [("other tint", "sum or maximum"), ("muted tint", "only moved or repeated")]
SHORT = {"exponential": "exp", "transpose": "transp.", "subtract": "sub"}  # where the whole word has no room


class Rewritten(Stage):
    """A program, pass by pass: which steps there are, which share a kernel, what the pass removed and added.

    >>> view = Rewritten()
    >>> steps = [codesign.hlo.Instruction(n, op, op, "256 × 512") for n, op in enumerate(("dot", "add", "exp"))]
    >>> one = codesign.hlo.Instruction(3, "multiply.4", "multiply", "256 × 512", "fusion.1")
    >>> view.show(codesign.hlo.Frame("as written", tuple(steps), 0, 3e6, (), (), 1, 9, ""))
    >>> view.show(codesign.hlo.Frame("fusion", (*steps[:2], one), 1, 2e6, (steps[2],), (3,), 5, 9, ""))
    >>> view.show(codesign.hlo.Frame("dce", (one,), 1, 1e6, tuple(steps), (), 7, 9, ""))
    """

    size, noun = (764, 446), "pass"

    def marks(self, frame):  # codesign.hlo.Frame
        places, kernels, left_out = _placed(frame.instructions)
        shown, names, added = [one for one in frame.instructions if one.key in places], list(kernels), set(frame.added)
        more = f"  (+ {left_out} more)" if left_out else ""
        head = f"{counted(frame.operations, 'kernel')}, {counted(len(frame.instructions), 'step')} in them{more}"
        x, y, steps = np.array(list(kernels.values()), float).reshape(-1, 3).T
        says = "one kernel: nothing between its steps is written to memory"
        yield boxes("kernels", names, x - 3, y - 3, WIDE + 6, steps * HIGH + 3, "ink line", who=names, says=says)
        x, y = np.array([places[one.key] for one in shown], float).reshape(-1, 2).T
        said = tuple(("+ " if one.key in added else "") + _in_a_box(one) for one in shown)
        behind = [f", in {one.kernel}" if one.kernel else "" for one in shown]
        says = [f"{one.opcode} → {one.shape or 'one number'}{more}" for one, more in zip(shown, behind, strict=True)]
        roles = pick([role for role, _ in KEY], [KINDS.get(one.opcode, 0) for one in shown])
        who, keys = [one.name for one in shown], [one.key for one in shown]
        yield boxes("steps", keys, x, y, WIDE, HIGH - 3, roles, said, 12, who=who, says=says)
        yield words("head", (LEFT, 22, head, "ink bold start", 15))
        # beside the steps: the pass, what it removed and added, what is read and written
        gone = Counter(one.opcode for one in frame.removed)
        come = [one for one in frame.instructions if one.key in added]
        changed = [(f"− {_many(*one)}", "bad start") for one in gone.most_common(6)]
        changed += [(f"+ {_many(*one)}", "good start") for one in Counter(one.opcode for one in come).most_common(5)]
        x, letters, moved, looks = 606, 23, si(frame.bytes, "B"), ("ink start", "memory bold start")  # of a line
        says = f"{moved} if every kernel reads its inputs and writes its output"
        yield below("pass", x, 22, textwrap.wrap(frame.pass_name, letters - 2)[:2], 18, "other bold start", 14)
        yield below("what", x, 62, textwrap.wrap(frame.what, letters)[:5], 17, size=12)
        yield below("changed", x, 159, changed, 17)
        yield lines("rule", [0], x, 366, 760, 366, "muted", 1)
        said = ["read and written:", moved]
        yield texts("bytes", range(2), x, (384, 406), said, looks, (12, 17), "memory traffic", says)
        yield from legend("key", LEFT, 431, KEY, size=12)

    def say(self, frame):
        what = f": {frame.what}" if frame.what else ""
        gone, new = len(frame.removed), len(frame.added)
        changed = f" {counted(gone, 'step') if gone else 'No step'} gone, {new or 'none'} new." if gone or new else ""
        said = f"Program {frame.snapshot} of {frame.snapshots} that XLA wrote down, {frame.pass_name}{what}.{changed} "
        said += f"{counted(frame.operations, 'kernel')}, {counted(frame.fusions, 'fusion')} among them; "
        return said + f"{si(frame.bytes, 'B')} read and written."


def _placed(instructions):
    """({key: (x, y)} of the steps, {kernel: (x, y, rows)}, how many found no room): columns, filled from the top."""
    groups = {}
    for one in instructions:
        groups.setdefault(one.kernel or one.key, []).append(one)
    places, kernels, left_out, column, row = {}, {}, 0, 0, 0.0
    for name, steps in groups.items():
        shown, fused = steps[:ROWS], bool(steps[0].kernel)
        tall = len(shown) + 0.5 * fused
        if row + tall > ROWS + 0.5:
            column, row = column + 1, 0.0
        left_out += len(steps) - (len(shown) if column < COLUMNS else 0)
        if column >= COLUMNS:
            continue
        x, y = LEFT + column * (WIDE + GAP), TOP + (row + 0.25 * fused) * HIGH
        if fused:
            kernels[name] = (x, y, len(shown))
        places.update({one.key: (x, y + place * HIGH) for place, one in enumerate(shown)})
        row += tall
    return places, kernels, left_out


def _in_a_box(one):
    """A step's opcode and shape, as much of them as has room."""
    shape = one.shape.replace(" ", "")
    room = max(3, ROOM - 3 - len(shape))
    word = one.opcode if len(one.opcode) <= room else SHORT.get(one.opcode, one.opcode)
    return f"{word[:room]} {shape}".strip()


def _many(name, n):
    return f"{name} ({n} times)" if n > 1 else name
