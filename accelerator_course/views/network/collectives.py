"""An all-reduce: ranks in a circle, each with its array, chunks that travel; what is sent, in how many steps."""

import numpy as np

from accelerator_course.views.network.plans import MIDDLE, SWITCH, Circle, discs
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts

LEFT, AXIS, END = 486, 596, 690
NAMES = {"ring": "ring", "halving": "halving", "direct": "direct", "switch": "in the switch"}
ROLES = ("muted soft", "memory soft", "good soft")
BRIGHT = ("muted", "memory", "good")  # where there are no numbers on them
EDGED = ("muted tint", "memory tint", "good tint")


class Around(Stage):
    """An all-reduce: every rank's array, chunk by chunk, until all hold the sum.

    >>> view = Around()
    >>> run = list(network.collectives.all_reduce([[1, 2], [3, 4]], "ring"))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[2])
    >>> view.show(list(network.collectives.all_reduce([[k] * 16 for k in range(16)], "switch"))[1])
    >>> view.show(list(network.collectives.all_reduce([[k] * 8 for k in range(8)], "direct"))[1])
    """

    size, noun = (746, 478), "step"

    def marks(self, state):
        """`state`: network.collectives.Step."""
        circle = Circle(state.ranks)
        return [
            *self._links(state, circle),
            *self._cards(state, circle),
            *self._middle(state),
            self._tokens(state, circle),
            *self._bars(state),
            *self._legend(state),
        ]

    def _cards(self, state, circle):
        n = state.ranks
        whole = boxes(
            "cards", range(n), circle.x - circle.wide / 2 - 3, circle.y - circle.high / 2 - 3, circle.wide + 6,
            circle.high + 6, "paper", who=[f"rank {r + 1}" for r in range(n)], says=self._rank_says(state),
        )  # fmt: skip
        edge = boxes(
            "edges", range(n), circle.x - circle.wide / 2 - 3, circle.y - circle.high / 2 - 3, circle.wide + 6,
            circle.high + 6, "ink line",
        )  # fmt: skip
        rank, chunk = np.indices((n, n)).reshape(2, -1)
        x, y, wide, high = circle.cell(rank, chunk)
        share = state.summed[rank, chunk] / n
        part = np.maximum(high * share, 4)
        look = np.where(share == 1, 2, np.where(state.summed[rank, chunk] > 1, 1, 0))
        fill = boxes(
            "fill", np.arange(n * n), x + 1, y + high - part, wide - 2 + (n > 8), part,
            pick(BRIGHT if n > 8 else ROLES, look),
        )  # fmt: skip
        layers = [whole, edge, fill]
        if n <= 8:
            words = [f"{value:g}" for value in state.totals[rank, chunk].tolist()]
            bold = pick(("ink", "good bold"), share == 1)
            layers.append(
                texts("values", np.arange(n * n), x + wide / 2, y + high / 2, words, bold, 12 if n == 8 else 14)
            )
        labels = [f"rank {r + 1}" if n <= 8 else f"{r + 1}" for r in range(n)]
        return [*layers, texts("ranks", range(n), circle.label_x, circle.label_y, labels, "ink", 12)]

    def _rank_says(self, state):
        parts = [f"{int((row == state.ranks).sum())} of {state.ranks} chunks are the whole sum" for row in state.summed]
        return [f"{part}; {sent:,} numbers sent" for part, sent in zip(parts, state.sent, strict=True)]

    def _links(self, state, circle):
        """Lines along which this step's messages have come."""
        pairs = sorted({tuple(sorted((m.source, m.target))) for m in state.moved or state.next})
        if len(pairs) > 40:  # all with all: they would be a grey disc
            pairs = [(a, b) for a, b in pairs if (b - a) % state.ranks in (1, state.ranks - 1, state.ranks // 2)]
        starts = np.array([circle.spot(a) for a, _ in pairs])
        ends = np.array([circle.spot(b) for _, b in pairs])
        keys = [f"{a}-{b}" for a, b in pairs]
        if state.algorithm == "ring" and state.ranks > 2:  # the way around
            pairs = [(a, (a + 1) % state.ranks) for a in range(state.ranks)]
            starts, ends = (np.array([circle.spot(pair[k]) for pair in pairs]) for k in (0, 1))
            return [
                arrows(
                    "around",
                    range(len(pairs)),
                    *(0.55 * starts + 0.45 * ends).T,
                    *(0.4 * starts + 0.6 * ends).T,
                    "muted",
                    2,
                )
            ]
        roles = ["muted" if len(pairs) <= 16 else "muted faint"] * len(pairs)
        return [lines("links", keys, starts[:, 0], starts[:, 1], ends[:, 0], ends[:, 1], roles, 2)]

    def _tokens(self, state, circle):
        """What is on its way: with the ring one token for each chunk; else those that leave next, and arrived ones."""
        if state.algorithm == "ring":
            return self._orbit(state, circle)
        marks = [(state.step + 1, i, m, True) for i, m in enumerate(self._some(state.next, state.ranks))]
        marks += [(state.step, i, m, False) for i, m in enumerate(self._some(state.moved, state.ranks))]
        places, sizes, keys, words, who, says = [], [], [], [], [], []
        for step, i, message, waits in marks:
            places.append(circle.inner(message.source, message.target) if waits else circle.spot(message.target))
            sizes.append(26 if waits else 1)
            keys.append(f"{step}:{i}")
            chunks = message.stop - message.start
            words.append("" if not waits else "all" if chunks == state.ranks else f"{chunks}")
            end = "the switch" if message.target == SWITCH else f"rank {message.target + 1}"
            who.append(f"message {i + 1} of step {step}")
            says.append(f"{chunks} of {state.ranks} chunks {'wait to go' if waits else 'have come'} to {end}")
        return discs(keys, places, np.array(sizes), words, who, says)

    def _some(self, messages, ranks):
        """Messages that are drawn: one for each rank where many leave together."""
        if len(messages) <= 2 * ranks + 1:
            return [m for m in messages if not (m.source == SWITCH and m.target == SWITCH)]
        if any(m.source == SWITCH for m in messages):  # the switch passes a chunk of each rank on to all
            return [m for m in messages if m.source != SWITCH or m.start == m.target]
        return [m for m in messages if (m.target - m.source) % ranks in (1, ranks // 2)]

    def _orbit(self, state, circle):
        rest = state.next or state.moved
        at = {m.start: m.source if state.next else m.target for m in rest}
        chunks = sorted(at)
        words = [f"{state.totals[at[c], c]:g}" if state.ranks <= 8 else "" for c in chunks]
        says = [f"at rank {at[c] + 1}, {state.summed[at[c], c]} of {state.ranks} arrays are in its sum" for c in chunks]
        side = np.full(len(chunks), 31 if state.ranks <= 8 else 15)
        done = [state.summed[at[c], c] == state.ranks for c in chunks]
        who = [f"chunk {c + 1}" for c in chunks]
        return discs([f"{c}" for c in chunks], [circle.inner(at[c]) for c in chunks], side, words, who, says, done)

    def _middle(self, state):
        x, y = MIDDLE
        if state.algorithm == "switch":
            hub = boxes("hub", [0], x - 38, y - 24, 76, 48, "other tint", "switch", 15, who="switch", says="adds")
            return [hub]
        what = "start" if not state.step else f"step {state.step} of {state.steps}"
        doing = "add what comes" if any(m.adds for m in state.moved) else "copy what comes" if state.moved else ""
        if state.step == state.steps:
            doing = "all have the sum"
        paper = boxes("paper", [0], x - 62, y - 26, 124, 50, "paper")
        return [paper, texts("middle", range(2), x, [y - 11, y + 11], [what, doing], ["ink bold", "ink"], [16, 13])]

    def _bars(self, state):
        layers = []
        groups = (
            ("each rank sends, in numbers", 30, 0, state.sent[0]),
            ("steps, each with its latency", 200, 1, state.step),
        )
        for place, (title, top, which, so_far) in enumerate(groups):
            names = list(state.others)
            totals = np.array([state.others[name][which] for name in names], float)
            scale = (END - AXIS) / max(totals)
            y = top + 22 + 30 * np.arange(len(names))
            own = np.array([name == state.algorithm for name in names])
            keys = [f"{place}{name}" for name in names]
            layers.append(texts(f"title{place}", [0], LEFT, top, [title], "ink bold start", 14))
            layers.append(
                texts(
                    f"names{place}",
                    keys,
                    LEFT,
                    y + 9,
                    [NAMES[n] for n in names],
                    pick(("muted start", "ink bold start"), own),
                    13,
                )
            )
            outline = pick(("muted line", "compute line"), own)
            layers.append(boxes(f"whole{place}", keys, AXIS, y, np.maximum(totals * scale, 1), 18, outline))
            layers.append(boxes(f"filled{place}", [0], AXIS, y[own], max(so_far * scale, 0.5), 18, "compute"))
            numbers = [f"{total:g}" for total in totals]
            layers.append(
                texts(
                    f"totals{place}",
                    keys,
                    AXIS + totals * scale + 6,
                    y + 9,
                    numbers,
                    pick(("muted start", "ink bold start"), own),
                    13,
                )
            )
        return layers

    def _legend(self, state):
        ring = state.algorithm == "ring"
        moves = "on its way" + ("" if ring and state.ranks > 8 else ": the sum so far" if ring else ": so many chunks")
        words = ["its own rank’s alone", f"some of {state.ranks} arrays added", "the sum of all", moves]
        y = 396 + 22 * np.arange(4)
        title = f"a cell: one of {state.ranks} chunks"
        more = "its number: the chunk, added up" if state.ranks <= 8 else ""
        return [
            texts("legend-title", range(2), LEFT, [358, 375], [title, more], ["ink bold start", "ink start"], 13),
            boxes("legend", range(4), LEFT, y - 8, 16, 16, [*EDGED, "compute round"]),
            texts("legend-words", range(4), LEFT + 24, y, words, "ink start", 13),
        ]

    def say(self, state):
        """How far it is."""
        n, sent = state.ranks, max(state.sent)
        whole = state.done
        name = {"switch": "in-switch"}.get(state.algorithm, state.algorithm)
        start = f"{name.capitalize()}, {n} ranks" + (
            f", step {state.step} of {state.steps}" if state.step else ", start"
        )
        if state.step == state.steps:
            return f"{start}: all ranks hold the sum; each has sent {sent:,} numbers."
        return (
            f"{start}: each rank has sent {sent:,} of {state.total:,.0f} numbers; {whole} of {n * n} chunks are the "
            "whole sum."
        )
