"""From a formula to instructions: the same program at four stages, and the ways there are at each."""

from math import log10

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, si

LEFT, MID, TOP = 20, 400, 66  # the drawing, the ledger
WIDE, HIGH = 110, 26  # of an operation
NAMES = ("graph", "fused graph", "mapping", "instructions")
ASKED = (
    "the operations, as they are written",
    "what stays on the chip in between?",
    "which tiles, in which order?",
    "in which order for one small tile?",
)
SCALE = 24  # px for a power of ten


class Funnel(Stage):
    """Funnel: graph, fused graph, mapping, instructions; and how many ways there are at each stage.

    >>> view, states = Funnel(), list(codesign.funnel.narrow())
    >>> [view.show(state) for state in states][:1]
    >>> view.show(states[1])
    >>> view.show(list(codesign.funnel.narrow(256, 6))[-1])
    """

    size, noun = (730, 430), "stage"

    def marks(self, state):
        """`state`: codesign.funnel.Funnel."""
        return [
            texts("head", ["head"], LEFT, 24, f"{state.stage + 1}. {NAMES[state.stage]}", "ink bold start", 17),
            *self._operations(state),
            *self._tiles(state),
            *self._instructions(state),
            *self._ledger(state),
        ]

    def _operations(self, state):
        """Boxes in a column; from the second stage on without gaps, inside a frame for each kernel."""
        step = HIGH + (2 if state.stage else 14)
        y = TOP + step * np.arange(len(state.ops))
        n = range(len(state.ops))
        frames = [
            (TOP + step * state.ops.index(kernel[0]) - 5, len(kernel) * step + (8 if state.stage else -4))
            for kernel in state.kernels
        ]
        roles = ["compute tint", *["other tint"] * (len(n) - 1)]
        gaps = [] if state.stage else list(n)[:-1]
        return [
            boxes(
                "kernels",
                range(len(frames)),
                LEFT - 6,
                [y for y, _ in frames],
                WIDE + 12,
                [h for _, h in frames],
                "good line" if state.stage else "muted line dashed",
                who=[f"kernel {i + 1}" for i in range(len(frames))],
                says=[" + ".join(kernel) for kernel in state.kernels],
            ),
            boxes("ops", n, LEFT, y, WIDE, HIGH, roles, state.ops, 13, who=state.ops),
            lines(
                "values",
                gaps,
                LEFT + WIDE / 2,
                [y[i] + HIGH for i in gaps],
                LEFT + WIDE / 2,
                [y[i + 1] for i in gaps],
                "memory",
                3,
            ),
            texts(
                "traffic",
                ["words"],
                LEFT - 6,
                396,
                f"through memory: {si(state.after if state.stage else state.before, 'B')}",
                "memory bold start",
                13,
            ),
        ]

    def _tiles(self, state):
        """The product of the program as nested squares: the whole, a tile on the chip, a tile in the registers."""
        edges = (210, 84, 34)
        seen = range(len(edges)) if state.stage >= 2 else []
        words = [f"{edge:,}" for edge in state.tiles]
        roles = ("muted tint", "memory tint", "compute")
        who = ("all of the result", "the tile on the chip", "the tile in the registers")
        return [
            boxes(
                "tiles",
                seen,
                150,
                TOP,
                [edges[i] for i in seen],
                [edges[i] for i in seen],
                [roles[i] for i in seen],
                who=[who[i] for i in seen],
                says=[f"{words[i]} × {words[i]}" for i in seen],
            ),
            texts(
                "scale",
                ["scale"] if len(seen) else [],
                150,
                TOP - 14,
                ["one way to cut it, not to scale"] if len(seen) else [],
                "muted start",
                12,
            ),
            texts(
                "edges",
                seen,
                [150 + edges[i] - 4 for i in seen],
                [TOP + edges[i] - 10 for i in seen],
                [words[i] for i in seen],
                ["ink end", "ink end", "paper end"][: len(seen)],
                12,
            ),
        ]

    def _instructions(self, state):
        """One order of loads and multiply-adds."""
        seen = range(len(state.instructions)) if state.stage >= 3 else []
        y = [TOP + 225 + 22 * (i // 4) for i in seen]
        loads = [state.instructions[i][0] in "ab" for i in seen]
        return [
            boxes(
                "instructions",
                seen,
                [150 + 58 * (i % 4) for i in seen],
                y,
                54,
                20,
                ["memory tint" if load else "compute tint" for load in loads],
                [state.instructions[i] for i in seen],
                12,
                who=[
                    ("load " if load else "multiply-add ") + state.instructions[i]
                    for i, load in zip(seen, loads, strict=True)
                ],
            ),
            texts(
                "instruction key",
                ["key"] if len(seen) else [],
                150,
                TOP + 282,
                ["a, b: loads · c: multiply-adds"] if len(seen) else [],
                "muted start",
                12,
            ),
        ]

    def _ledger(self, state):
        """Ways of each stage, as bars of powers of ten."""
        n = range(len(state.ways))
        y = [TOP + 76 * i for i in n]
        words = [_ways(ways) for ways in state.ways]
        return [
            texts("stages", n, MID, y, [f"{NAMES[i]}: {ASKED[i]}" for i in n], "ink start", 13),
            boxes(
                "ways",
                n,
                MID,
                [at + 12 for at in y],
                [max(2, SCALE * log10(ways)) for ways in state.ways],
                20,
                ["compute" if i == state.stage else "muted tint" for i in n],
                who=[NAMES[i] for i in n],
                says=words,
            ),
            texts("counts", n, MID, [at + 46 for at in y], words, "ink bold start", 14),
            texts("all", ["all"], MID, 396, f"all together: {_number(state.total)}", "compute bold start", 15),
        ]

    def say(self, state):
        """The stage, its ways, and all so far."""
        asked = ASKED[state.stage].rstrip("?")
        behind = counted(len(state.ops) - 1, "step")
        return (
            f"{NAMES[state.stage].capitalize()}, {asked}: {_ways(state.ways[-1])}; {_number(state.total)} so far, "
            f"for one product of {state.n:,} × {state.n:,} × {state.n:,} and {behind} behind it."
        )


def _ways(count):
    return f"{count:,} {'way' if count == 1 else 'ways'}"


def _number(count):
    """A whole number in words: in full, or as a power of ten."""
    return f"{count:,}" if count < 1e9 else f"{count / 1e9:,.0f} billion"
