"""A program while a compiler rewrites it: a box for every step, a frame around those that share a kernel."""

import textwrap
from collections import Counter

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, si

LEFT, TOP, WIDE, HIGH, GAP = 10, 48, 143, 23, 5  # of a step; between two columns
ROWS, COLUMNS = 15, 4
SIDE, END = 606, 760  # of the words on the right
LETTERS = 23  # of a line there
MOVES = {"broadcast", "reshape", "transpose", "copy", "slice", "concatenate", "pad", "gather", "convert", "iota"}
ROLES = ("memory tint", "compute", "other tint", "muted tint")
KINDS = ("element by element", "matrix product", "sum or maximum", "only moved or repeated")
ROOM = 22  # letters in a box
SHORT = {"exponential": "exp", "transpose": "transp.", "subtract": "sub"}  # where the whole word has no room


class Rewritten(Stage):
    """A program, pass by pass: which steps there are, which share a kernel, what the pass removed and added.

    >>> view = Rewritten()
    >>> steps = [codesign.hlo.Instruction(n, op, op, "256 × 512") for n, op in enumerate(("dot", "add", "exp"))]
    >>> one = codesign.hlo.Instruction(3, "multiply.4", "multiply", "256 × 512", "fusion.1")
    >>> frame = codesign.hlo.Frame("as written", tuple(steps), 0, 3e6, (), (), 1, 9, "")
    >>> view.show(frame)
    >>> view.show(codesign.hlo.Frame("fusion", (*steps[:2], one), 1, 2e6, (steps[2],), (3,), 5, 9, ""))
    >>> view.show(codesign.hlo.Frame("dce", (one,), 1, 1e6, tuple(steps), (), 7, 9, ""))
    """

    size, noun = (764, 446), "pass"

    def marks(self, frame):
        """`frame`: codesign.hlo.Frame."""
        places, kernels, left_out = _placed(frame.instructions)
        shown = [one for one in frame.instructions if one.key in places]
        return [
            self._kernels(kernels),
            self._steps(shown, places, set(frame.added)),
            *self._head(frame, left_out),
            *self._side(frame),
            *self._legend(),
        ]

    def _kernels(self, kernels):
        names = list(kernels)
        x, y, rows = (
            (np.array(column, float) for column in zip(*kernels.values(), strict=True)) if kernels else [[]] * 3
        )
        return boxes(
            "kernels",
            names,
            np.array(x) - 3,
            np.array(y) - 3,
            WIDE + 6,
            np.array(rows) * HIGH + 3,
            "ink line",
            who=names,
            says="one kernel: nothing between its steps is written to memory",
        )

    def _steps(self, shown, places, added):
        spots = np.array([places[one.key] for one in shown], float).reshape(-1, 2)
        words = [("+ " if one.key in added else "") + _words(one) for one in shown]
        says = [
            f"{one.opcode} → {one.shape or 'one number'}" + (f", in {one.kernel}" if one.kernel else "")
            for one in shown
        ]
        return boxes(
            "steps",
            [one.key for one in shown],
            spots[:, 0],
            spots[:, 1],
            WIDE,
            HIGH - 3,
            pick(ROLES, [_kind(one.opcode) for one in shown]),
            tuple(words),
            12,
            who=[one.name for one in shown],
            says=says,
        )

    def _head(self, frame, left_out):
        more = f"  (+ {left_out} more)" if left_out else ""
        words = [f"{counted(frame.operations, 'kernel')}, {counted(len(frame.instructions), 'step')} in them{more}"]
        return [texts("head", [0], LEFT, 22, words, "ink bold start", 15)]

    def _side(self, frame):
        told = textwrap.wrap(frame.what, LETTERS)[:5]
        gone, new = Counter(one.opcode for one in frame.removed), set(frame.added)
        come = Counter(one.opcode for one in frame.instructions if one.key in new)
        rows = [(f"− {_many(name, n)}", "bad") for name, n in gone.most_common(6)]
        rows += [(f"+ {_many(name, n)}", "good") for name, n in come.most_common(5)]
        head = textwrap.wrap(frame.pass_name, LETTERS - 2)[:2]
        return [
            texts("pass", range(len(head)), SIDE, 22 + 18 * np.arange(len(head)), head, "other bold start", 14),
            texts("what", range(len(told)), SIDE, 62 + 17 * np.arange(len(told)), told, "ink start", 12),
            texts(
                "changed",
                range(len(rows)),
                SIDE,
                62 + 17 * 5 + 12 + 17 * np.arange(len(rows)),
                [w for w, _ in rows],
                tuple(f"{role} start" for _, role in rows),
                13,
            ),
            lines("rule", [0], SIDE, 366, END, 366, "muted", 1),
            texts(
                "bytes",
                range(2),
                SIDE,
                [384, 406],
                ["read and written:", si(frame.bytes, "B")],
                ("ink start", "memory bold start"),
                [12, 17],
                who="memory traffic",
                says=f"{si(frame.bytes, 'B')} if every kernel reads its inputs and writes its output",
            ),
        ]

    def _legend(self):
        x = np.array([LEFT, LEFT + 158, LEFT + 286, LEFT + 426])
        return [
            boxes("key", range(4), x, 424, 14, 14, ROLES),
            texts("key-words", range(4), x + 19, 431, list(KINDS), "ink start", 12),
        ]

    def say(self, frame):
        """Which pass, and what is left."""
        what = f": {frame.what}" if frame.what else ""
        gone, new = len(frame.removed), len(frame.added)
        changed = f" {counted(gone, 'step') if gone else 'No step'} gone, {new or 'none'} new." if gone or new else ""
        return (
            f"Program {frame.snapshot} of {frame.snapshots} that XLA wrote down, {frame.pass_name}{what}.{changed} "
            f"{counted(frame.operations, 'kernel')}, {counted(frame.fusions, 'fusion')} among them; "
            f"{si(frame.bytes, 'B')} read and written."
        )


def _placed(instructions):
    """({key: (x, y)} of the steps, {kernel: (x, y, rows)}, how many found no room): columns, filled from the top."""
    groups = {}
    for one in instructions:
        groups.setdefault(one.kernel or one.key, []).append(one)
    places, kernels, left_out, column, row = {}, {}, 0, 0, 0.0
    for name, steps in groups.items():
        steps, more = steps[:ROWS], steps[ROWS:]
        fused = bool(steps[0].kernel)
        tall = len(steps) + 0.5 * fused
        if row + tall > ROWS + 0.5:
            column, row = column + 1, 0.0
        if column >= COLUMNS:
            left_out += len(steps) + len(more)
            continue
        left_out += len(more)
        x, y = LEFT + column * (WIDE + GAP), TOP + (row + 0.25 * fused) * HIGH
        if fused:
            kernels[name] = (x, y, len(steps))
        places.update({one.key: (x, y + place * HIGH) for place, one in enumerate(steps)})
        row += tall
    return places, kernels, left_out


def _kind(opcode):
    kinds = {"dot": 1, "convolution": 1, "reduce": 2, "reduce-window": 2, "sort": 2}
    return 3 if opcode in MOVES else kinds.get(opcode, 0)


def _words(one):
    shape = one.shape.replace(" ", "")
    room = max(3, ROOM - 3 - len(shape))
    word = one.opcode if len(one.opcode) <= room else SHORT.get(one.opcode, one.opcode)
    return f"{word[:room]} {shape}".strip()


def _many(name, n):
    return f"{name} ({n} times)" if n > 1 else name
