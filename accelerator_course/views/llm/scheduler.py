"""A scheduler at work: what each request does in every step, who owns which block, and a pause that a prompt makes."""

import numpy as np

from accelerator_course.views.kit import Chart, below, rows, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import counted, number, si

HEAD = "ink bold start"
LOOKS = {"reads": "compute", "rereads": "compute", "writes": "memory", "lost": "bad tint"}
LOOKS |= {"stalls": "muted tint dashed"}
KEYS = {"reads its prompt": ("compute", ""), "makes token 3": ("memory", "3"), "loses its blocks": ("bad tint", "×")}
COLUMNS, HEADS = (588, 646, 706), (("first", "token"), ("mean", "gap"), ("longest", "gap"))
NAMED = (("", "TTFT"), ("", "TPOT"), ("longest", "gap"))


def name(i):
    """The letter of a request."""
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26]


class Scheduler(Stage):
    """Requests in a server: steps to the right, a number for each token; below, blocks of the cache, slots, queue.

    `named`: the columns are headed TTFT and TPOT; `paged`: the board of blocks is shown.
    `window`: steps that are shown at once; `note`: words at the foot.

    >>> view = Scheduler()
    >>> run, tight = (list(frames.llm.watch(slots=3, blocks=blocks)) for blocks in (9, 8))
    >>> view.show(run[0]), view.show(run[-1]), view.show(tight[7]), view.show(next(frames.llm.watch(blocks=4, block=1)))
    """

    noun = "step"
    left, wide, page = 92, 450, 10  # of the time-lines: pixels; steps by which they move on
    top, row = 58, 27
    slots, chip, queued = 486, 32, 8  # slots and queue: left edge, pixels from one to the next; of the queue in a row
    boards = (8, 54), (16, 27)  # blocks in a row, and pixels from one to the next: for up to 16, for more

    def __init__(self, named=True, paged=True, rows=8, window=30, note=""):
        self.heads, self.paged, self.rows, self.note = NAMED if named else HEADS, paged, rows, note
        self.window, self.cell = window, self.wide / window
        self.below = self.top + self.row * rows + 46
        self.queue = self.below + 68  # its head; a row of chips below it
        self.size = (740, max(self.below + 136 * paged, self.queue + 24 + self.chip) + (22 if note else 0))

    def marks(self, watched):  # frames.llm.Watched
        now, left, top, note = watched.now, self.left, self.top, (14, self.size[1] - 12, self.note, "muted start", 12)
        begin, count = max(0, -(-(_end(now) - self.window) // self.page) * self.page), len(watched.requests)
        # What the signs mean; without blocks none can be lost
        said = list(KEYS)[: 2 + self.paged]
        roles, signs = zip(*(KEYS[one] for one in said), strict=True)
        x, wait = left + np.array([0, 158, 308])[: len(said)], left + (470 if self.paged else 316)
        yield boxes("legend", range(len(said)), x, 6, 14, 16, roles, signs, 12)
        yield texts("legend words", range(len(said)), x + 20, 14, said, "ink start")
        yield lines("waiting", [0], wait, 14, wait + 26, 14, "muted dashed", 2.5)
        yield words("key waits", (wait + 32, 14, "waits"))
        y, here, bottom = rows(top + self.row / 2, self.row, count), self._at(_end(now), begin), top + self.row * count
        ticks = np.arange(begin + 5, begin + self.window + 1, 5)
        names, says = [name(i) for i in range(count)], [_says(watched, i) for i in range(count)]
        lengths, who = [f"{one.prompt} + {one.output}" for one in watched.requests], [f"request {i}" for i in names]
        lane, end, middle = self.cell * self.window, left - 8, self._at(ticks - 0.5, begin)
        yield boxes("rows", range(count), left, y - self.row / 2 + 2, lane, self.row - 4, "muted soft faint")
        yield texts("names", range(count), 14, y, names, "ink bold", 15, who, says)
        yield below("lengths", end, y[0], lengths, self.row, "muted end", 12)
        yield lines("now", [0], here, top - 4, here, bottom + 4, "ink", 2)
        yield texts("ticks", ticks, middle, bottom + 12, ticks.astype(str), "muted", 12)
        yield words("axis", (end, bottom + 12, "step", "muted end", 12))
        yield below("prompts", end, top - 24, ["prompt", "+ answer"], 16, "muted end", 12)
        for x, pair in zip(COLUMNS, self.heads, strict=True):
            yield below(f"head {x}", x, top - 24, pair, 16, "ink", 12)
        # A box for each step of a request, with the number of the token that it made; a dash where it waits
        made, cells, waits = [0] * len(watched.requests), [], []
        for time, did in watched.past:
            at = round(time)
            for i, word in enumerate(did):
                token, kind = word.endswith("+"), word.rstrip("+")
                made[i] += token
                if kind == "waits" and at >= begin:
                    waits.append((f"{i}.{at}", at, y[i]))
                elif word and at >= begin:
                    sign = str(made[i]) if token else "×" if kind == "lost" else ""
                    cells.append((f"{i}.{at}", at, y[i] - 9, LOOKS[kind], sign))
        keys, at, high, roles, signs = zip(*cells, strict=True) if cells else [()] * 5
        waiting, when, lane = zip(*waits, strict=True) if waits else [()] * 3
        x, wait = self._at(at, begin) + 0.5, self._at(when, begin)
        yield lines("waits", waiting, wait, lane, wait + self.cell, lane, "muted dashed", 2.5)
        yield boxes("cells", keys, x, high, self.cell - 1, 18, roles, signs, 12)
        yield from self._users(watched, begin, y)
        yield from self._board(now) if self.paged else ()
        yield from self._chips(watched)
        yield words("note", note)

    def _at(self, step, begin):
        return self.left + self.cell * (np.asarray(step, float) - begin)

    def _users(self, watched, begin, y):
        """What the users have got so far: the table; where each request arrived, and those refused."""
        now, refused, table = watched.now, dict(watched.refused), []
        for at, one in zip(y, now.served, strict=True):
            looks = "ink", "ink", "bad bold" if (one.longest_gap or 0) > 1.5 * (one.tpot or 0) else "ink"
            row = zip(COLUMNS, (one.ttft, one.tpot, one.longest_gap), looks, strict=True)
            table += [(x, at, number(value), look, 14) for x, value, look in row if value is not None]
        came = [i for i, one in enumerate(watched.requests) if begin <= one.arrival < now.time and i not in refused]
        at = self._at([watched.requests[i].arrival for i in came], begin)
        needs = [(i, f"refused: needs {counted(need, 'block')}") for i, need in watched.refused]
        yield words("table", *table)
        yield lines("arrivals", came, at, y[came] - 12, at, y[came] + 12, "ink", 2.5)
        yield words("refused", *((self.left + 6, y[i], said, "bad bold start") for i, said in needs))

    def _board(self, now):
        """The blocks of the cache: whose they are, and how full."""
        places, (across, pitch) = np.arange(now.blocks), self.boards[now.blocks > 16]
        edge, large = pitch - 4, across == 8
        x, y = 14 + pitch * (places % across), self.below + 22 + pitch * (places // across)
        pages, says = np.array([page for page, *_ in now.filled], int), ["free"] * now.blocks
        for page, i, tokens in now.filled:
            says[page] = f"holds {tokens} of {counted(now.block, 'token')}, of request {name(i)}"
        high = (edge - 2) * np.array([tokens / now.block for *_, tokens in now.filled])
        title = f"cache: {now.blocks} blocks of {counted(now.block, 'token')}, {now.free} free"
        names, shares = [name(i) for _, i, _ in now.filled], [f"{tokens}/{now.block}" for *_, tokens in now.filled]
        fx, fy, who = x[pages] + edge / 2, y[pages], tuple(f"block {n + 1}" for n in places)
        some = slice(None if large else 0)
        yield words("board title", (14, self.below + 6, title, HEAD, 14))
        yield boxes("fill", pages, x[pages] + 1, fy + edge - 1 - high, edge - 2, high, "memory soft")
        yield boxes("blocks", places, x, y, edge, edge, "muted line", "", 13, who, says)
        yield texts("owners", pages, fx, fy + edge * (0.36 if large else 0.5), names, "ink bold", 15)
        yield texts("shares", pages[some], fx[some], fy[some] + edge * 0.74, shares[some], "ink", 12)

    def _chips(self, watched):
        """Who runs, in slots; who waits, in order."""
        now, did, left, chip = watched.now, watched.past[-1][1], self.slots, self.chip
        running, waiting, slots = [i for i, _ in now.held], list(now.waiting), np.arange(now.slots)
        shown, top, edge = [*running, *waiting], self.below + 22, chip - 4
        place = np.array([*range(len(running)), *(n % self.queued for n in range(len(waiting)))], int)
        y = np.array([top] * len(running) + [self.queue + 16] * len(waiting), float)
        looks = {i: LOOKS.get(did[i].rstrip("+"), "muted tint") for i in running}
        roles, names = [looks.get(i, "muted tint") for i in shown], [name(i) for i in shown]
        who, queue = [f"request {one}" for one in names], "queue" if waiting else "queue: empty"
        yield words("slots title", (left, top - 16, "slots", HEAD, 14), (left, self.queue, queue, HEAD, 14))
        yield boxes("slots", slots, left + chip * slots, top, edge, edge, "ink line")
        yield boxes("chips", shown, left + chip * place + 3, y + 3, edge - 6, edge - 6, roles, names, 14, who)

    def say(self, watched):
        now, did, running, wait = watched.now, watched.past[-1][1], len(watched.now.held), len(watched.now.waiting)
        lost = [f"{name(i)} loses its blocks" for i in now.preempted]
        made = [name(i) for i, word in enumerate(did) if word.endswith("+")]
        made = [f"{', '.join(made)} {'makes a token' if len(made) == 1 else 'make a token each'}"] if made else []
        there = f"{running} {'runs' if running == 1 else 'run'}, {wait} {'waits' if wait == 1 else 'wait'}"
        said = "; ".join([there if running or wait else "nobody is there", *lost, *made])
        blocks = f" {now.taken} of {now.blocks} blocks {'is' if now.taken == 1 else 'are'} taken." if self.paged else ""
        refused = ", ".join(name(i) for i, _ in watched.refused)
        refused = f" Refused, too large for the cache: {refused}." if refused else ""
        return f"Step {_end(now)}: {said}.{blocks}{refused}"


def _end(state):
    return round(state.time)


def _says(watched, i):
    now, word = watched.now, watched.past[-1][1][i]
    refused = dict(watched.refused)
    if i in refused:
        return f"refused: it needs {refused[i]} blocks, there are {now.blocks}"
    one, took, made = watched.requests[i], now.work.get(i, 0), now.made[i]
    token = f", makes token {made}" if word.endswith("+") else ""
    if not word:
        return "not here yet" if one.arrival >= now.time else "done"
    what = {
        "waits": "waits in the queue",
        "lost": "loses its blocks and heads the queue",
        "stalls": "runs, but the budget of this step is used up",
        "writes": f"makes token {made} of {one.output}",
        "reads": f"reads {counted(took, 'token')} of its prompt{token}",
        "rereads": f"computes {counted(took, 'token')} again{token}",
    }
    return what[word.rstrip("+")]


class Pause(Stage):
    """When one user sees tokens, a stroke for each, while the prompt of another is read.

    >>> view, clock, interrupt = Pause(), llm.serving.clock("llama-3-8b", "h100-sxm5"), llm.unhindered.interrupt
    >>> view.show(interrupt(31, 8192, None, clock)), view.show(interrupt(31, 8192, 512, clock))
    >>> view.show(interrupt(63, 8192, 148, clock))
    """

    size, noun = (740, 300), "setting"
    time = Chart((120, 720), (262, 66), (-0.05, 0.85), (0, 1))
    ticks = np.arange(9) / 10
    old, new, stroke = 92, 206, 34  # heights of the two lanes; of the mark of a token

    def marks(self, paused):  # unhindered.Interrupted
        (start, end), floor, (first, last), at = self.time.across, self.time.up[0], self.time.scales[0], self.time.x
        arrived = at(0)
        yield from self.time.axes(self.ticks, x_words=[f"{1000 * tick:.0f}" for tick in self.ticks])
        yield words("unit", (start - 14, floor + 16, "ms", "muted end", 12), (arrived + 6, 30, "a prompt arrives"))
        yield lines("arrival", [0], arrived, 40, arrived, floor, "ink dashed", 1.5)
        # A stroke for each token of a user who streams, and a bracket over the longest gap
        shown, (gap, begin), half = [one for one in paused.times if first <= one <= last], paused.pause, self.stroke / 2
        x, left, right, y = at(shown), at(begin), at(min(begin + gap, last)), self.old + half + 14
        who, says = [f"token {n + 1} shown here" for n in range(len(x))], [f"at {number(1000 * t)} ms" for t in shown]
        said, middle = f"longest pause {si(gap, 's')}", max((left + right) / 2, arrived + 92)
        bracket = [left, left, right], [y, y - 5, y - 5], [right, left, right], [y, y + 5, y + 5]
        yield below("old", start - 14, self.old - 9, ["one of those", "who stream"], 18, "ink end")
        yield lines("lane", [0], start, self.old, end, self.old, "muted faint", 1)
        yield lines("tokens", range(len(x)), x, self.old - half, x, self.old + half, "memory", 2, who, says)
        yield lines("gap", range(3), *bracket, "bad", 2.5)
        yield words("gap words", (middle, y + 17, said, "bad bold", 14))
        # The newcomer: the steps in which its prompt is read, a box each, and its first token
        y, pieces = self.new, [(begin, min(end, last)) for begin, end in paused.pieces if begin < last]
        x, ends = (at([piece[side] for piece in pieces]) for side in (0, 1))
        came, wide = at(paused.ttft), np.maximum(ends - x - 0.8, 0.6)
        role = "ink bold end" if came > at(0.45) else "ink bold start"
        who = [f"step {n + 1} of the prompt" for n in range(len(x))]
        says = [f"takes {si(end - begin, 's')}" for begin, end in pieces]
        said = (min(came, end), y - 26, f"first token: {si(paused.ttft, 's')}", role, 14)
        yield below("new", start - 14, y - 9, ["the", "newcomer"], 18, "ink end")
        yield boxes("pieces", range(len(x)), x, y - 13, wide, 26, "compute", who=who, says=says)
        yield arrows("first", range(paused.ttft <= last), came, y + 40, came, y + 16, "ink", 2.5)
        yield words("first word", said)

    def say(self, paused):
        gap, _ = paused.pause
        cut = f"in chunks: a step takes {paused.chunk:,} tokens at most" if paused.chunk else "whole"
        others = f"{counted(paused.users, 'user')} {'streams' if paused.users == 1 else 'stream'}"
        said = f"{others.capitalize()}; a prompt of {paused.prompt:,} tokens is read {cut}. Their longest pause: "
        return said + f"{si(gap, 's')}. The newcomer's first token comes after {si(paused.ttft, 's')}."
