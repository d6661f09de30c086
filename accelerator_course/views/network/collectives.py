"""Collectives: ranks in a circle and their chunks, nodes and their chips, gradients of several GPUs, as they travel."""

from math import cos, pi, sin

import numpy as np

from accelerator_course.views.kit import bars, below, legend, pillars, rows, spots, stack, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import si

SWITCH = -1  # the rank of the switch in a message


class Circle:
    """Where ranks, their chunks and what they send stand."""

    middle = 238, 242
    cells = {2: (132, 2, 1, 58, 42), 4: (148, 2, 2, 42, 30), 8: (170, 4, 2, 30, 22)}  # radius, columns, rows, a chunk

    def __init__(self, ranks):
        self.many = ranks > 8
        self.angle = angle = -pi / 2 + 2 * pi * np.arange(ranks) / ranks
        self.radius, self.columns, down, wide, high = self.cells.get(ranks, (178, ranks, 1, 60 / ranks, 36))
        self.x, self.y = (self.middle[i] + self.radius * f(angle) for i, f in enumerate((np.cos, np.sin)))
        self.chunk, self.wide, self.high = (wide, high), self.columns * wide, down * high
        beside = (np.abs(np.cos(angle)) > 0.8) & self.many  # above and below, arrows pass
        self.label_x = self.x + np.where(beside, np.sign(np.cos(angle)) * (self.wide / 2 + 13), 0)
        self.label_y = self.y + np.where(beside, 0, np.where(np.sin(angle) > 0.3, 1, -1) * (self.high / 2 + 13))

    def cell(self, rank, chunk):
        """x, y, width, height of chunks."""
        x = self.x[rank] - self.wide / 2 + chunk % self.columns * self.chunk[0]
        y = self.y[rank] - self.high / 2 + chunk // self.columns * self.chunk[1]
        return x, y, *self.chunk

    def spot(self, rank):
        """The middle of a rank, or the switch."""
        return self.middle if rank == SWITCH else (self.x[rank], self.y[rank])

    def inner(self, rank, target=0):
        """Beside a rank, on the side of the middle; of the switch, on the side of who gets it."""
        angle, far = self.angle[target if rank == SWITCH else rank], 78 if self.many else 62
        if rank != SWITCH:
            half = abs(cos(angle)) * self.wide / 2 + abs(sin(angle)) * self.high / 2
            far = self.radius - half - (14 if self.many else 20)
        return self.middle[0] + far * cos(angle), self.middle[1] + far * sin(angle)


class Around(Stage):
    """An all-reduce: every rank's array, chunk by chunk, until all hold the sum.

    >>> view, run = Around(), list(network.collectives.all_reduce([[1, 2], [3, 4]], "ring"))
    >>> view.show(run[0]), view.show(run[1]), view.show(run[2])
    >>> view.show(list(network.collectives.all_reduce([[k] * 16 for k in range(16)], "switch"))[1])
    >>> view.show(list(network.collectives.all_reduce([[k] * 8 for k in range(8)], "direct"))[1])
    """

    size, noun = (746, 478), "step"
    left = 486  # of what stands beside the circle
    names = {"ring": "ring", "halving": "halving", "direct": "direct", "switch": "in the switch"}

    def marks(self, state):  # network.collectives.Step
        circle, ring, many = Circle(state.ranks), state.algorithm == "ring", state.ranks > 8
        yield self._links(state, circle)
        n, names = state.ranks, [f"rank {rank + 1}" for rank in range(state.ranks)]
        whole = circle.x - circle.wide / 2 - 3, circle.y - circle.high / 2 - 3, circle.wide + 6, circle.high + 6
        rank, chunk = np.indices((n, n)).reshape(2, -1)
        x, y, wide, high = circle.cell(rank, chunk)
        summed, key = state.summed[rank, chunk], np.arange(n * n)
        part, bright = np.maximum(high * summed / n, 4), ("muted", "memory", "good")  # where no numbers are on them
        role = pick(bright if circle.many else [f"{one} soft" for one in bright], 1 * (summed > 1) + (summed == n))
        pairs = zip((state.summed == n).sum(1), state.sent, strict=True)
        says = [f"{done} of {n} chunks hold their final sum; {sent:,} numbers sent" for done, sent in pairs]
        yield boxes("cards", range(n), *whole, "paper", who=names, says=says)
        yield boxes("edges", range(n), *whole, "ink line")
        yield boxes("fill", key, x + 1, y + high - part, wide - 2 + circle.many, part, role)
        if not circle.many:
            values = [f"{one:g}" for one in state.totals[rank, chunk].tolist()]
            bold = pick(("ink", "good bold"), summed == n)
            yield texts("values", key, x + wide / 2, y + high / 2, values, bold, 12 if n == 8 else 14)
        labels = range(1, n + 1) if circle.many else names
        yield texts("ranks", range(n), circle.label_x, circle.label_y, labels, "ink", 12)
        yield from self._middle(state, circle)
        yield self._orbit(state, circle) if ring else self._messages(state, circle)
        # What each rank sends and how many steps it takes, of every algorithm; of this one, so far
        names, left, axis = list(state.others), self.left, self.left + 110
        own, called = np.array([name == state.algorithm for name in names]), [self.names[name] for name in names]
        look, edge = pick(("muted start", "ink bold start"), own), pick(("muted line", "compute line"), own)
        heads = ("each rank sends, in numbers", 30, state.sent[0]), ("steps, each with its latency", 200, state.step)
        for i, (title, top, so_far) in enumerate(heads):
            totals = np.array([state.others[name][i] for name in names], float)
            scale, y, keys = 94 / totals.max(), rows(top + 31, 30, len(names)), [f"{i}{name}" for name in names]
            said = [f"{n:g}" for n in totals]
            yield words(f"title{i}", (left, top, title, "ink bold start", 14))
            yield texts(f"names{i}", keys, left, y, called, look)
            yield from bars(f"whole{i}", keys, axis, y, totals * scale, 18, edge, said, look, least=1)
            yield from bars(f"filled{i}", [0], axis, y[own], so_far * scale, 18, "compute", least=0.5)
        moves = "on its way" + ("" if ring and many else ": the sum so far" if ring else ": so many chunks")
        said = ["its own rank’s alone", f"some of {state.ranks} arrays added", "the sum of all", moves]
        title = (f"a cell: one of {state.ranks} chunks", "ink bold start")
        entries = zip(("muted tint", "memory tint", "good tint", "compute round"), said, strict=True)
        yield below("legend title", self.left, 358, [title, "" if many else "its number: the chunk, added up"], 17)
        yield from legend("legend", self.left, 396, entries, 22, 16)

    def _links(self, state, circle):
        """Lines along which this step's messages have come; of a ring, the way around."""
        n = state.ranks
        if state.algorithm == "ring" and n > 2:
            start = np.array([circle.x, circle.y])
            end = np.roll(start, -1, 1)
            return arrows("around", range(n), *(0.55 * start + 0.45 * end), *(0.4 * start + 0.6 * end), "muted", 2)
        pairs = sorted({tuple(sorted((m.source, m.target))) for m in state.moved or state.next})
        if len(pairs) > 40:  # all with all: they would be a grey disc
            pairs = [(a, b) for a, b in pairs if (b - a) % n in (1, n - 1, n // 2)]
        ends, keys = [(*circle.spot(a), *circle.spot(b)) for a, b in pairs], [f"{a}-{b}" for a, b in pairs]
        return lines("links", keys, *np.array(ends).T, "muted" if len(pairs) <= 16 else "muted faint")

    def _messages(self, state, circle):
        """Messages that leave next, and those that have arrived."""
        found = []
        for step, messages, waits in ((state.step + 1, state.next, True), (state.step, state.moved, False)):
            for i, message in enumerate(self._some(messages, state.ranks)):
                place = circle.inner(message.source, message.target) if waits else circle.spot(message.target)
                chunks = message.stop - message.start
                number = "all" if chunks == state.ranks else f"{chunks}"
                end = "the switch" if message.target == SWITCH else f"rank {message.target + 1}"
                says = f"{chunks} of {state.ranks} chunks {'wait to go' if waits else 'have come'} to {end}"
                who, shown = f"message {i + 1} of step {step}", (26, number) if waits else (1, "")
                found.append((f"{step}:{i}", *place, *shown, who, says))
        keys, x, y, side, said, who, says = map(list, zip(*found, strict=True)) if found else [[]] * 7
        return spots("tokens", keys, x, y, np.array(side), "compute round", said, 12, who, says)

    def _some(self, messages, ranks):
        """Messages that are drawn: one for each rank where many leave together."""
        if len(messages) <= 2 * ranks + 1:
            return [m for m in messages if not (m.source == SWITCH and m.target == SWITCH)]
        if any(m.source == SWITCH for m in messages):  # the switch passes a chunk of each rank on to all
            return [m for m in messages if m.source != SWITCH or m.start == m.target]
        return [m for m in messages if (m.target - m.source) % ranks in (1, ranks // 2)]

    def _orbit(self, state, circle):
        """The chunks of a ring, each beside the rank that sends it next, or has it at last."""
        n, at = state.ranks, {m.start: m.source if state.next else m.target for m in state.next or state.moved}
        chunks = sorted(at)
        x, y = np.array([circle.inner(at[c]) for c in chunks]).T
        said = "" if circle.many else [f"{state.totals[at[c], c]:g}" for c in chunks]
        says = [f"at rank {at[c] + 1}, {state.summed[at[c], c]} of {n} arrays are in its sum" for c in chunks]
        role = pick(("compute round", "good round"), [state.summed[at[c], c] == n for c in chunks])
        who = [f"chunk {c + 1}" for c in chunks]
        return spots("tokens", [f"{c}" for c in chunks], x, y, 15 if circle.many else 31, role, said, 12, who, says)

    def _middle(self, state, circle):
        x, y = circle.middle
        if state.algorithm == "switch":
            yield boxes("hub", [0], x - 38, y - 24, 76, 48, "other tint", "switch", 15, who="switch", says="adds")
            return
        what = f"step {state.step} of {state.steps}" if state.step else "start"
        doing = "add what comes" if any(m.adds for m in state.moved) else "copy what comes" if state.moved else ""
        doing = "all have the sum" if state.step == state.steps else doing
        yield boxes("paper", [0], x - 62, y - 26, 124, 50, "paper")
        yield words("middle", (x, y - 11, what, "ink bold", 16), (x, y + 11, doing, "ink"))

    def say(self, state):
        n, sent = state.ranks, max(state.sent)
        name = "In-switch" if state.algorithm == "switch" else state.algorithm.capitalize()
        start = f"{name}, {n} ranks, {f'step {state.step} of {state.steps}' if state.step else 'start'}"
        if state.step == state.steps:
            return f"{start}: all ranks hold the sum; each has sent {sent:,} numbers."
        whole = f"{state.done} of {n * n} chunks hold their final sum"
        return f"{start}: each rank has sent {sent:,} of {state.total:,.0f} numbers; {whole}."


class Tiers(Stage):
    """Two tiers: an all-reduce inside nodes, then between them, then inside again.

    >>> view, run = Tiers(), list(network.tiers.all_reduce(2, 4))
    >>> view.show(run[0]), view.show(run[2]), view.show(run[4]), view.show(run[-1])
    """

    size, noun = (746, 470), "step"
    left, top, wide, axis = 74, 34, 384, 500  # of the board of chips; the bars beside it
    looks = {"its own array": "muted soft", "part of a node’s sum": "memory", "a node’s sum": "compute"}
    looks |= {"parts of several nodes": "other", "the sum of all": "good"}

    def marks(self, state):  # network.tiers.Tiered
        high, wide, nodes = min(372 / state.nodes, 120), self.wide / state.chips, range(state.nodes)
        names, y = [f"node {k + 1}" for k in nodes], rows(self.top, high, state.nodes)
        yield boxes("nodes", nodes, self.left - 2, y + 2, self.wide + 4, high - 4, "muted line", who=names)
        yield texts("node names", nodes, self.left - 10, y + high / 2, names, "ink end")
        row, column = np.indices((state.nodes, state.chips)).reshape(2, -1)
        chips = self.left + column * wide + 5, self.top + row * high + 8, wide - 10, high - 16
        yield from self._chips(state, *chips)
        yield self._messages(state, *chips)
        totals = np.array([state.whole_seconds, state.one_ring_seconds, state.many_rings_seconds])
        parts, axis, end, y = np.array([state.inside_seconds, state.across_seconds]), self.axis, 690, rows(81, 58, 3)
        scale, names = (end - axis) / totals.max(), ["two tiers", "one ring", f"{state.chips} rings"]
        done = {"who": ["inside nodes", "between nodes"], "says": [si(part, "s") for part in parts]}
        bold, roles = ["ink bold", "ink", "ink"], ["ink line", "muted tint", "muted tint"]
        yield words("head", (axis, 36, "time of the all-reduce", "ink bold start", 14))
        yield from bars("whole", range(3), axis, y, totals * scale, 18, roles, least=1)
        yield stack("done", range(2), axis, y[0], scale * parts, 18, ["ink", "bad"], **done)
        yield texts("names", range(3), axis, y - 20, names, [f"{role} start" for role in bold])
        yield texts("totals", range(3), end, y - 20, [si(one, "s") for one in totals], [f"{role} end" for role in bold])
        yield from legend("key", axis, y[2] + 37, [("ink", "inside"), ("bad", "between nodes")], side=12)
        yield words("legend title", (self.axis, 272, "a chunk holds", "ink bold start"))
        yield from legend("legend", self.axis, 296, [(role, what) for what, role in self.looks.items()], 23, 16)

    def _chips(self, state, x, y, wide, high):
        n, chips = len(x), state.chips
        chip, chunk = np.indices((n, chips)).reshape(2, -1)
        parts = state.summed.reshape(n, chips, state.nodes)
        most, least = parts.max(axis=2).ravel(), parts.min(axis=2).ravel()
        look = np.where(most > chips, 3, np.where(most == chips, 2, most > 1)) if state.nodes > 1 else 1 * (most > 1)
        role, cell = pick(tuple(self.looks.values()), np.where(least == n, 4, look)), wide / chips
        says = [f"{int((row == n).all(axis=1).sum())} of {chips} chunks are the sum of all" for row in parts]
        who = [f"node {i // chips + 1}, chip {i % chips + 1}" for i in range(n)]
        edge = (x - 2, y - 2, wide + 4, high + 4)
        yield boxes("chips", range(n), *edge, "paper", who=who, says=says)
        yield boxes("chip edges", range(n), *edge, "ink line")
        yield boxes("chunks", np.arange(n * chips), x[chip] + chunk * cell, y[chip], max(cell - 1, 1), high, role)

    def _messages(self, state, x, y, wide, high):
        """Between neighbours: in a node to the right; down, from one node to the next."""
        across = state.phase == 2
        near = [(a, b) for a, b, *_ in state.moved if abs(b - a) == (state.chips if across else 1)]
        a, b = np.array(near, int).reshape(-1, 2).T
        way = x[a] + wide - 4, y[a] + high / 2, x[b] + 6, y[b] + high / 2
        if across:
            way = x[a] + wide / 2, y[a] + high - 2, x[b] + wide / 2, y[b] + 4
        return arrows("messages", [f"{state.phase}:{i}-{j}" for i, j in near], *way, "bad" if across else "ink", 2)

    def say(self, state):
        shape = f"{state.nodes} nodes of {state.chips} chips, {si(state.bytes_moved, 'B')}"
        if state.step == state.steps:
            inside, across = si(state.inside_seconds, "s"), si(state.across_seconds, "s")
            said = f"{shape}: all chips hold the sum after {si(state.whole_seconds, 's')}, {inside} inside nodes and "
            said += f"{across} between them; one ring takes {si(state.one_ring_seconds, 's')}, {state.chips} rings "
            return said + f"{si(state.many_rings_seconds, 's')}."
        if not state.step:
            return f"{shape}: every chip has its own array."
        phases = ("", "reduce-scatter inside the nodes", "all-reduce between the nodes", "all-gather inside the nodes")
        done = si(state.so_far_seconds, "s")
        return f"{shape}, step {state.step} of {state.steps}, {phases[state.phase]}: {done} so far."


class Gradients(Stage):
    """DataParallel and DDP: gradients on their way, and when.

    >>> view = Gradients()
    >>> one, ring = (list(network.gradients.reduce(way)) for way in ("DataParallel", "DDP"))
    >>> view.show(one[0]), view.show(one[3]), view.show(one[-1]), view.show(ring[5]), view.show(ring[-1])
    """

    size, noun = (746, 470), "event"
    left, wide, lanes = 64, 640, {"backward": 326, "link": 378}

    def marks(self, state):  # network.gradients.Reduced
        n, left, floor, tall, end = state.gpus, self.left, 196, 118, self.left + self.wide
        x, wide = left + self.wide * (np.arange(n) + 0.5) / n, min(26, self.wide / n / 2 - 3)
        grid, look = np.array([floor, floor - tall]), ["ink", "muted dashed"]
        kinds = {"memory": "taken in", "compute": "sent out"}
        yield lines("axis", range(2), left - 8, grid, end, grid, look, [1.5, 1])
        yield texts("ticks", range(2), left - 12, grid, ["0", si(state.most_bytes, "B", 2)], "muted end", 12)
        for (role, what), moved, side in zip(kinds.items(), (state.received, state.sent), (-1, 1), strict=True):
            at, tall_one = x + side * (1 + wide / 2), tall / state.most_bytes * moved
            hover = {"who": [f"GPU {i}, {what}" for i in range(n)], "says": [si(value, "B") for value in moved]}
            yield from pillars(what, range(n), at, floor, wide, tall_one, role, **hover)
        yield words("head", (left - 40, 34, "what each GPU has moved", "ink bold start", 14))
        yield from legend("key", left + 250, 34, kinds.items(), size=14)
        top = 218
        link = [span for span in state.active if span.lane == "link"]
        wide, names, busy = min(58, self.wide / n - 6), [f"GPU {i}" for i in range(n)], np.zeros(n, int)
        for span in link:
            busy[[span.sender, span.receiver] if span.sender is not None else slice(None)] = 1
        says = [f"in {si(a, 'B')}, out {si(b, 'B')}" for a, b in zip(state.received, state.sent, strict=True)]
        role, said = pick(("muted tint", "other tint"), busy), names if wide > 44 else range(n)
        yield boxes("gpus", range(n), x - wide / 2, top, wide, 30, role, said, who=names, says=says)
        for span in link[:1]:
            way, says = (["one"], x[span.sender], top + 42, x[span.receiver], top + 42, "other", 4), "has come"
            if span.sender is None:
                way, says = (range(n - 1), x[:-1] + 8, top + 42, x[1:] - 8, top + 42, "other", 3), "around the ring"
            yield arrows("flow", *way, span.what, says)
        # The backward pass, and what the links carry meanwhile
        right, base = end, 424
        spans, scale, top = state.spans, self.wide / state.most_seconds, self.lanes["backward"]
        start, end = (np.array([getattr(span, side) for span in spans]) for side in ("start", "end"))
        y, link = np.array([self.lanes[span.lane] for span in spans]), np.array([span.lane == "link" for span in spans])
        role = pick(("muted line", "compute tint", "other tint"), np.where(end <= state.now, 1 + link, 0))
        wide, what = np.maximum(scale * (end - start) - 1, 1), [span.what for span in spans]
        now = left + scale * state.now
        said, keys = [_fitting(*one) for one in zip(what, wide, strict=True)], [f"{s.lane}:{s.what}" for s in spans]
        says = [f"{si(s.end - s.start, 's')}, until {si(s.end, 's')}" for s in spans]
        yield lines("time", [0], left, base, right, base, "muted", 1.2)
        yield lines("now", [0], now, top - 8, now, base + 6, "ink", 2)
        yield boxes("spans", keys, left + scale * start, y, wide, 34, role, said, 12, what, says)
        lanes = {"backward pass": top - 14, "link": self.lanes["link"] - 7}
        titles = [(left - 40, at, name, "ink bold start", 12) for name, at in lanes.items()]
        ends = (left, "0", "muted start"), (right, si(state.most_seconds, "s"), "muted end")
        yield words("words", *((x, base + 16, said, look, 12) for x, said, look in ends), *titles)

    def say(self, state):
        head = f"{state.way}, {state.gpus} GPUs, {si(state.bytes_moved, 'B')} of gradients"
        if not state.now:
            return f"{head}: the backward pass begins."
        first = f"GPU 0 has taken in {si(state.received[0], 'B')} and sent out {si(state.sent[0], 'B')}"
        at = f"after {si(state.now, 's')} {first}"
        if state.now < state.seconds:
            return f"{head}: {at}."
        return f"{head}: {at}; {si(state.exposed_seconds, 's')} of the time come after the backward pass."


def _fitting(what, wide):
    """As much of a name as fits a box: all of it, its number, nothing."""
    number = what.split()[-1]
    if 7.2 * len(what) < wide:
        return what
    return number if number.isdigit() and 8 * len(number) + 4 < wide else ""
