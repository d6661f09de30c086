"""Two tiers: nodes in rows, their chips, each with its array in chunks; time inside the nodes and between them."""

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, pick, texts
from accelerator_lib.units import si

LEFT, TOP, WIDE, HIGH = 74, 34, 384, 372  # the board of chips
AXIS, END = 500, 690
LOOKS = ("muted soft", "memory", "compute", "other", "good")
SEEN = ("its own array", "part of a node’s sum", "a node’s sum", "parts of several nodes", "the sum of all")


class Tiers(Stage):
    """Two tiers: an all-reduce inside nodes, then between them, then inside again.

    >>> view, run = Tiers(), list(network.tiers.all_reduce(2, 4))
    >>> view.show(run[0])
    >>> view.show(run[2])
    >>> view.show(run[4])
    >>> view.show(run[-1])
    """

    size, noun = (746, 470), "step"

    def marks(self, state):
        """`state`: network.tiers.Tiered."""
        return [*self._nodes(state), *self._chips(state), *self._messages(state), *self._bars(state), self._legend()[0],
                self._legend()[1]]  # fmt: skip

    def _spots(self, state):
        """Left, top, width and height of every chip."""
        row, column = np.indices((state.nodes, state.chips)).reshape(2, -1)
        wide, high = WIDE / state.chips, min(HIGH / state.nodes, 120)
        return LEFT + column * wide + 5, TOP + row * high + 8, wide - 10, high - 16

    def _nodes(self, state):
        high = min(HIGH / state.nodes, 120)
        y = TOP + high * np.arange(state.nodes)
        frame = boxes(
            "nodes", range(state.nodes), LEFT - 2, y + 2, WIDE + 4, high - 4, "muted line",
            who=[f"node {k + 1}" for k in range(state.nodes)], says="",
        )  # fmt: skip
        words = [f"node {k + 1}" for k in range(state.nodes)]
        return [frame, texts("node-names", range(state.nodes), LEFT - 10, y + high / 2, words, "ink end", 13)]

    def _chips(self, state):
        x, y, wide, high = self._spots(state)
        n = state.nodes * state.chips
        chip, chunk = np.indices((n, state.chips)).reshape(2, -1)
        parts = state.summed.reshape(n, state.chips, state.nodes)
        most, least = parts.max(axis=2).ravel(), parts.min(axis=2).ravel()
        look = np.where(least == n, 4, np.where(most > state.chips, 3, np.where(most == state.chips, 2, most > 1)))
        if state.nodes == 1:
            look = np.where(least == n, 4, most > 1)
        cell = wide / state.chips
        fill = boxes(
            "chunks", np.arange(len(chip)), x[chip] + chunk * cell, y[chip], np.maximum(cell - 1, 1),
            high, pick(LOOKS, look),
        )  # fmt: skip
        says = [f"{int((row == n).all(axis=1).sum())} of {state.chips} chunks are the sum of all" for row in parts]
        who = [f"node {i // state.chips + 1}, chip {i % state.chips + 1}" for i in range(n)]
        back = boxes("chips", range(n), x - 2, y - 2, wide + 4, high + 4, "paper", who=who, says=says)
        return [back, boxes("chip-edges", range(n), x - 2, y - 2, wide + 4, high + 4, "ink line"), fill]

    def _messages(self, state):
        x, y, wide, high = self._spots(state)
        pairs = [(a, b) for a, b, *_ in state.moved]
        across = state.phase == 2
        close = [(a, b) for a, b in pairs if abs(b - a) == (state.chips if across else 1)]
        a, b = np.array(close, int).reshape(-1, 2).T
        if across:  # down, from one node to the next
            x1, y1, x2, y2 = x[a] + wide / 2, y[a] + high - 2, x[b] + wide / 2, y[b] + 4
        else:
            x1, y1, x2, y2 = x[a] + wide - 4, y[a] + high / 2, x[b] + 6, y[b] + high / 2
        role = "bad" if across else "ink"
        return [arrows("messages", [f"{state.phase}:{i}-{j}" for i, j in close], x1, y1, x2, y2, role, 2)]

    def _bars(self, state):
        inside, across = state.seconds[0] + state.seconds[2], state.seconds[1]
        names = ["two tiers", "one ring", f"{state.chips} rings"]
        totals = np.array([state.whole_seconds, state.one_ring_seconds, state.many_rings_seconds])
        scale = (END - AXIS) / totals.max()
        y = 72 + 58 * np.arange(3)
        done = boxes(
            "done", range(2), AXIS + scale * np.array([0, inside]), y[0], scale * np.array([inside, across]), 18,
            ["ink", "bad"], who=["inside nodes", "between nodes"], says=[si(inside, "s"), si(across, "s")],
        )  # fmt: skip
        whole = boxes(
            "whole", range(3), AXIS, y, np.maximum(totals * scale, 1), 18, ["ink line", "muted tint", "muted tint"]
        )
        said = texts("names", range(3), AXIS, y - 11, names, ["ink bold start", "ink start", "ink start"], 13)
        ends = [si(total, "s") for total in totals]
        at = texts("totals", range(3), END, y - 11, ends, ["ink bold end", "ink end", "ink end"], 13)
        keys = boxes("bar-keys", range(2), [AXIS, AXIS + 104], y[2] + 40, 12, 12, ["ink", "bad"])
        words = texts(
            "bar-words", range(2), [AXIS + 18, AXIS + 122], y[2] + 47, ["inside", "between nodes"], "ink start", 13
        )
        head = texts("head", [0], AXIS, 36, ["time of the all-reduce"], "ink bold start", 14)
        return [whole, done, said, at, keys, words, head]

    def _legend(self):
        y = 296 + 23 * np.arange(5)
        title = texts("legend-words", range(6), [AXIS, *[AXIS + 24] * 5], [272, *y], ["a chunk holds", *SEEN],
                      ["ink bold start", *["ink start"] * 5], 13)  # fmt: skip
        return boxes("legend", range(5), AXIS, y - 8, 16, 16, list(LOOKS)), title

    def say(self, state):
        """Where it is, and how long."""
        shape = f"{state.nodes} nodes of {state.chips} chips, {si(state.bytes_moved, 'B')}"
        if state.step == state.steps:
            inside, across = state.seconds[0] + state.seconds[2], state.seconds[1]
            return (
                f"{shape}: all chips hold the sum after {si(state.whole_seconds, 's')}, {si(inside, 's')} inside nodes "
                f"and {si(across, 's')} between them; one ring {si(state.one_ring_seconds, 's')}, {state.chips} rings "
                f"{si(state.many_rings_seconds, 's')}."
            )
        if not state.step:
            return f"{shape}: every chip has its own array."
        phases = ("", "reduce-scatter inside the nodes", "all-reduce between the nodes", "all-gather inside the nodes")
        return (
            f"{shape}, step {state.step} of {state.steps}, {phases[state.phase]}: {si(sum(state.seconds), 's')} so far."
        )
