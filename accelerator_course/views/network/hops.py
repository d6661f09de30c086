"""A torus or a mesh as a grid: a message that hops, then the load of every link."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number

MIDDLE = 245, 236
STEPS = {1: ((56, 0),), 2: ((0, 51), (54, 0)), 3: ((26, -21), (0, 92), (112, 0))}  # px from chip to chip, by axis
STUB = 0.34  # of a step: what is drawn of a link around
LEFT, AXIS, END = 506, 506, 706


class Hops(Stage):
    """Torus and mesh: a message between two corners, hop by hop; then one from every chip to every chip.

    >>> view, run = Hops(), list(network.hops.travel((4, 4)))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[2])
    >>> view.show(run[-1])
    >>> view.show(list(network.hops.travel((8,), wrap=False))[-1])
    """

    size, noun = (746, 470), "step"

    def marks(self, state):
        """`state`: network.hops.Traffic."""
        chips = _spots(state.torus.dims)
        return [*self._links(state, chips), *self._chips(state, chips), *self._bars(state)]

    def _links(self, state, chips):
        """One line for each link, two stubs for one that goes around; wide and orange where much has passed."""
        most = max(state.worst, 1)
        keys, ends, loads, words = [], [], [], []
        for chip, axis, there, around in _pairs(state.torus):
            load = max(state.loads[chip, axis, 0], state.loads[there, axis, 1])
            step = np.array(_steps(state.torus.dims)[axis])
            a, b = chips[chip], chips[there]
            parts = [(a, a + STUB * step), (b - STUB * step, b)] if around else [(a, b)]
            for part, (start, end) in enumerate(parts):
                keys.append(f"{chip}:{axis}:{part}")
                ends.append((*start, *end))
                loads.append(load)
                words.append(f"from chip {chip + 1} to {there + 1}" + (", around" if around else ""))
        x, y, x2, y2 = np.array(ends).T
        share = np.array(loads) / most
        role = [
            "muted" if not load else "bad" if load == most and load > state.mean * 1.05 else "compute" for load in loads
        ]
        says = [f"at most {load} messages one way" for load in loads]
        passed = set(zip(state.path, state.path[1:], strict=False))
        hot = [(a, b) for a, b in passed] if not state.sources else []
        layers = [lines("links", keys, x, y, x2, y2, role, 1.5 + 4.5 * share, words, says)]
        return [*layers, self._way(state, chips, hot)]

    def _way(self, state, chips, hops):
        """What the message has passed; around a ring as two stubs."""
        keys, ends = [], []
        for a, b in hops:
            axis, around, up = _hop(state.torus.dims, a, b)
            step = np.array(_steps(state.torus.dims)[axis]) * (1 if up else -1)
            parts = (
                [(chips[a], chips[a] + STUB * step), (chips[b] - STUB * step, chips[b])]
                if around
                else [(chips[a], chips[b])]
            )
            for part, (start, end) in enumerate(parts):
                keys.append(f"{a}-{b}:{part}")
                ends.append((*start, *end))
        x, y, x2, y2 = np.array(ends, float).reshape(-1, 4).T
        return lines("way", keys, x, y, x2, y2, "memory", 6)

    def _chips(self, state, chips):
        n = len(chips)
        side = 18 if len(state.torus.dims) < 3 else 16
        roles = ["muted tint"] * n
        for chip in range(min(state.sources, n)):
            roles[chip] = "good tint"
        says = ["has sent to all" if chip < state.sources else "a chip" for chip in range(n)]
        who = [f"chip {chip + 1}" for chip in range(n)]
        dots = boxes(
            "chips", range(n), chips[:, 0] - side / 2, chips[:, 1] - side / 2, side, side, roles, who=who, says=says
        )
        if state.sources:
            return [dots]
        here, there = chips[state.path[-1]], chips[state.target]
        goal = boxes("goal", [0], there[0] - 14, there[1] - 14, 28, 28, "good line", who="where it goes", says="")
        token = boxes("token", [0], here[0] - 10, here[1] - 10, 20, 20, "memory round", str(state.hops), 12, "message",
                      f"{counted(state.hops, 'hop')} so far")  # fmt: skip
        return [dots, goal, token]

    def _bars(self, state):
        torus = state.torus
        facts = [
            f"{torus.nodes} chips, {torus.links} links", f"farthest apart: {torus.diameter} hops",
            f"in the mean: {number(torus.mean_hops)} hops", f"cut in half: {counted(torus.bisection_links, 'link')}",
        ]  # fmt: skip
        words = texts("facts", range(4), LEFT, 62 + 22 * np.arange(4), facts, "ink start", 13)
        name = "torus: axes close" if torus.wrap else "mesh: axes end"
        head = texts("head", [0], LEFT, 34, [name], "ink bold start", 15)
        told = ["everyone to everyone:", "messages on a link, one way"]
        title = texts("load-title", range(2), LEFT, [190, 208], told, ["ink bold start", "ink start"], 13)
        top = max(state.worst, 1)
        values = np.array([state.worst, state.mean])
        bars = boxes("loads", range(2), AXIS, [244, 292], (END - AXIS) * values / top, 18, ["bad", "compute"],
                     who=["busiest link", "mean of all links"], says=[number(v) for v in values])  # fmt: skip
        names = ["the busiest", "the mean"]
        said = texts("load-names", range(2), AXIS, [233, 281], names, "ink start", 13)
        ends = texts("load-values", range(2), END, [233, 281], [number(v) for v in values], "ink bold end", 13)
        keys = ["stubs: links around" if any(map(torus.closed, torus.dims)) else "", "thick: much has passed",
                "red: the busiest, if not all are"]  # fmt: skip
        notes = texts("notes", range(3), LEFT, 346 + 20 * np.arange(3), keys, "muted start", 13)
        return [words, head, title, bars, said, ends, notes]

    def say(self, state):
        """Where the message is, or what the links carry."""
        torus = state.torus
        name = f"{' × '.join(map(str, torus.dims))} {'torus' if torus.wrap else 'mesh'}"
        if len(torus.dims) == 1:
            name = f"A {'ring' if torus.wrap else 'row'} of {torus.nodes}"
        if not state.sources:
            end = "it has arrived" if state.arrived else "it is on its way"
            return f"{name}: a message from the first chip to the last, {counted(state.hops, 'hop')} so far; {end}."
        return (
            f"{name}: {state.sources} of {torus.nodes} chips have sent to all; the busiest link has carried "
            f"{state.worst} messages one way, the mean one {number(state.mean)}."
        )


def _steps(dims):
    return STEPS[len(dims)]


def _spots(dims):
    """The middles of all chips, [chips, 2], around the middle of the board."""
    at = np.indices(dims).reshape(len(dims), -1).T
    return np.array(MIDDLE) + (at - (np.array(dims) - 1) / 2) @ np.array(_steps(dims), float)


def _pairs(torus):
    """(chip, axis, next chip, whether around) of every link."""
    numbers = np.arange(torus.nodes).reshape(torus.dims)
    for axis, k in enumerate(torus.dims):
        after = np.roll(numbers, -1, axis)
        for place in np.ndindex(torus.dims):
            around = place[axis] == k - 1
            if not around or torus.closed(k):
                yield int(numbers[place]), axis, int(after[place]), around


def _hop(dims, a, b):
    """(axis, whether around, whether up) of a hop."""
    a, b = np.unravel_index(a, dims), np.unravel_index(b, dims)
    axis = next(i for i in range(len(dims)) if a[i] != b[i])
    step = int(b[axis]) - int(a[axis])
    return axis, abs(step) > 1, (step == 1) if abs(step) == 1 else step < 0
