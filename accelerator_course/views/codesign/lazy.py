"""A program line by line: what is noted, what is computed, what lies in memory."""

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import counted, si

LEFT, TOP, STEP = 24, 66, 38
NODES = 330  # of the graph
BAR, LONG, MOST = 520, 190, 5  # of memory: arrays of the size of x
ROLES = {
    "computed": "good tint",
    "noted": "compute line dashed",
    "never computed": "bad line dashed",
    "not yet": "muted soft",
}


class Lazy(Stage):
    """Lazy or at once: a program line by line, and what lies in memory.

    >>> view, states = Lazy(codesign.lazy.PROGRAM), list(codesign.lazy.run("on demand", "shared"))
    >>> view.show(states[0])
    >>> view.show(states[4])
    >>> view.show(states[-1])
    >>> view.show(list(codesign.lazy.run("at once", "of its own"))[-1])
    """

    size, noun = (730, 400), "line"

    def __init__(self, program):
        self.program = program
        self.names = [name for _, name, _, _ in program if name]

    def marks(self, state):
        """`state`: codesign.lazy.Line."""
        n = range(len(self.program))
        y = [TOP + STEP * i for i in n]
        unit = state.live["x"]
        live = [name for name in ("x", *self.names) if state.live.get(name, 0) > unit / 2]
        wide = LONG / MOST
        return [
            texts(
                "heads",
                range(3),
                [LEFT, NODES, BAR],
                34,
                ["the program", "its results", "in memory"],
                "ink bold start",
                14,
            ),
            boxes(
                "line",
                ["line"],
                LEFT - 8,
                TOP - 15 + STEP * max(state.number - 1, 0),
                270,
                30,
                "compute tint" if state.number else "muted soft",
            ),
            texts(
                "program",
                n,
                LEFT,
                y,
                [text for text, *_ in self.program],
                ["ink mono start" if i < state.number else "muted mono start" for i in n],
                14,
            ),
            boxes(
                "nodes",
                self.names,
                NODES,
                [TOP - 14 + STEP * i for i in range(len(self.names))],
                150,
                28,
                [_role(name, state) for name in self.names],
                [f"{name}: {_fate(name, state)}" for name in self.names],
                13,
                who=self.names,
                says=[_fate(name, state) for name in self.names],
            ),
            boxes("all", ["all"], BAR, TOP - 14, LONG, 34, "muted line dashed"),
            boxes(
                "arrays",
                live,
                [BAR + wide * i for i in range(len(live))],
                TOP - 14,
                wide,
                34,
                "memory tint",
                live,
                13,
                who=[f"array {name}" for name in live],
                says="lies in memory",
            ),
            texts(
                "numbers",
                range(4),
                BAR,
                [TOP + 46, TOP + 72, TOP + 98, TOP + 124],
                [
                    f"now {si(state.held, 'B')}, at most {si(state.peak, 'B')}",
                    f"moved {si(state.moved, 'B')}",
                    f"kernels {state.kernels}",
                    f"the clock shows {_time(state.seconds)}",
                ],
                ["memory start", "memory start", "ink start", "compute bold start"],
                13,
            ),
            texts("news", ["news"], LEFT, 352, state.news, "ink bold start", 15),
            texts("way", ["way"], LEFT, 378, f"computed {state.mode}, memory {state.memory}", "muted start", 13),
        ]

    def say(self, state):
        """What has happened in the last line."""
        return (
            f"{state.number} of {len(self.program)} lines, computed {state.mode}: {state.news}. "
            f"{counted(state.kernels, 'kernel')}, at most {si(state.peak, 'B')} in memory, "
            f"{si(state.moved, 'B')} moved, {_time(state.seconds)}."
        )


def _fate(name, state):
    if name in state.done:
        return "computed"
    if name in state.noted:
        return "noted"
    return "never computed" if name in state.never else "not yet"


def _role(name, state):
    return ROLES[_fate(name, state)]


def _time(seconds):
    return si(seconds, "s") if seconds else "0 s"
