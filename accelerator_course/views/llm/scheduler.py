"""A scheduler at work: what each request does in every step, who owns which block, who runs and who waits."""

import numpy as np

from accelerator_course.views.llm.engine import LOOKS, board, chips, name
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number

LEFT, CELL, WINDOW, PAGE = 92, 15, 30, 10  # of the time-lines: pixels; steps shown, steps by which they move on
TOP, ROW = 58, 27
COLUMNS, HEADS = (588, 646, 706), (("first", "token"), ("mean", "gap"), ("longest", "gap"))
NAMED = (("", "TTFT"), ("", "TPOT"), ("longest", "gap"))
LEGEND = (("compute", "", "reads its prompt"), ("memory", "3", "makes token 3"), ("bad tint", "×", "loses its blocks"))


class Scheduler(Stage):
    """Requests in a server: steps to the right, a number for each token; below, blocks of the cache, slots, queue.

    `named`: the columns are headed TTFT and TPOT; `paged`: the board of blocks is shown; `rows`: room for so many.

    >>> view = Scheduler()
    >>> run, tight = (list(llm.timelines.watch(slots=3, blocks=blocks)) for blocks in (9, 8))
    >>> view.show(run[0])
    >>> view.show(run[-1])
    >>> view.show(tight[7])
    >>> view.show(next(llm.timelines.watch(blocks=4, block=1)))
    """

    noun = "step"

    def __init__(self, named=True, paged=True, rows=8):
        self.heads, self.paged, self.rows = NAMED if named else HEADS, paged, rows
        self.below = TOP + ROW * rows + 46
        self.size = (740, self.below + (136 if paged else 86))

    def marks(self, watched):
        """`watched`: timelines.Watched."""
        begin = max(0, -(-(_end(watched.now) - WINDOW) // PAGE) * PAGE)
        return [
            *_legend(2 + self.paged),
            *self._frame(watched, begin),
            *_cells(watched, begin),
            *_users(watched, begin),
            *(board(watched, self.below) if self.paged else ()),
            *chips(watched, self.below),
        ]

    def _frame(self, watched, begin):
        """Names of the rows, the axis, heads of the table."""
        count, now = len(watched.requests), watched.now
        y = TOP + ROW * np.arange(count) + ROW / 2
        bottom = TOP + ROW * count
        ticks = np.arange(begin + 5, begin + WINDOW + 1, 5)
        here = LEFT + CELL * (_end(now) - begin)
        words = [f"{one.prompt} + {one.output}" for one in watched.requests]
        who, says = [f"request {name(i)}" for i in range(count)], [_says(watched, i) for i in range(count)]
        return [
            boxes("rows", range(count), LEFT, y - ROW / 2 + 2, CELL * WINDOW, ROW - 4, "muted soft faint"),
            texts("names", range(count), 14, y, [name(i) for i in range(count)], "ink bold", 15, who, says),
            texts("lengths", range(count), LEFT - 8, y, words, "muted end", 12),
            lines("now", [0], here, TOP - 4, here, bottom + 4, "ink", 2),
            texts(
                "ticks", ticks, LEFT + CELL * (ticks - begin) - CELL / 2, bottom + 12, ticks.astype(str), "muted", 12
            ),
            texts("axis", [0], LEFT - 8, bottom + 12, ["step"], "muted end", 12),
            texts("heads", range(6), np.repeat(COLUMNS, 2), [TOP - 24, TOP - 8] * 3, sum(self.heads, ()), "ink", 12),
            texts("lengths-head", range(2), LEFT - 8, [TOP - 24, TOP - 8], ["prompt", "+ answer"], "muted end", 12),
        ]

    def say(self, watched):
        now = watched.now
        did = watched.past[-1][1]
        running = len(now.held)
        lost = [f"{name(i)} loses its blocks" for i in now.preempted]
        made = [name(i) for i, word in enumerate(did) if word.endswith("+")]
        made = [f"{', '.join(made)} {'makes a token' if len(made) == 1 else 'make a token each'}"] if made else []
        wait = len(now.waiting)
        there = f"{running} {'runs' if running == 1 else 'run'}, {wait} {'waits' if wait == 1 else 'wait'}"
        told = "; ".join([there if running or wait else "nobody is there", *lost, *made])
        taken = now.blocks - now.free
        blocks = f" {taken} of {now.blocks} blocks {'is' if taken == 1 else 'are'} taken." if self.paged else ""
        refused = ", ".join(name(i) for i, _ in watched.refused)
        refused = f" Refused, too large for the cache: {refused}." if refused else ""
        return f"Step {_end(now)}: {told}.{blocks}{refused}"


def _end(state):
    return round(state.time)


def _says(watched, i):
    """What a request does in this step, in words."""
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
        "rereads": f"computes {counted(took, 'token')} anew{token}",
    }
    return what[word.rstrip("+")]


def _legend(count):
    """What the signs mean; without blocks none can be lost."""
    x, wait = LEFT + np.array([0, 158, 308])[:count], LEFT + (470 if count == 3 else 316)
    roles, signs, words = zip(*LEGEND[:count], strict=True)
    return [
        boxes("legend", range(count), x, 6, CELL - 1, 16, roles, signs, 12),
        texts("legend-words", range(count), x + 20, 14, words, "ink start", 13),
        lines("legend-wait", [0], wait, 14, wait + 26, 14, "muted dashed", 2.5),
        texts("legend-waits", [0], wait + 32, 14, ["waits"], "ink start", 13),
    ]


def _cells(watched, begin):
    """A box for each step of a request, with the number of the token that it made; a dash where it waits."""
    keys, x, y, roles, signs, waits = [], [], [], [], [], []
    made = [0] * len(watched.requests)
    for time, did in watched.past:
        at = round(time)
        for i, word in enumerate(did):
            made[i] += word.endswith("+")
            kind = word.rstrip("+")
            left, middle = LEFT + CELL * (at - begin), TOP + ROW * i + ROW / 2
            if not word or at < begin:
                continue
            if kind == "waits":
                waits.append((f"{i}.{at}", left, middle))
                continue
            keys.append(f"{i}.{at}")
            x.append(left + 0.5)
            y.append(middle - 9)
            roles.append(LOOKS[kind])
            signs.append(str(made[i]) if word.endswith("+") else "×" if kind == "lost" else "")
    wait_keys, wait_x, wait_y = zip(*waits, strict=True) if waits else ((), (), ())
    return [
        lines("waits", wait_keys, wait_x, wait_y, np.array(wait_x) + CELL, wait_y, "muted dashed", 2.5),
        boxes("cells", keys, x, y, CELL - 1, 18, roles, signs, 12),
    ]


def _users(watched, begin):
    """What the users have seen so far: the table; where each request arrived, and those refused."""
    served, count = watched.now.served, len(watched.requests)
    y = TOP + ROW * np.arange(count) + ROW / 2
    values = [(one.ttft, one.tpot, one.longest_gap) for one in served]
    known = [(i, c, v) for i, row in enumerate(values) for c, v in enumerate(row) if v is not None]
    gone = {i for i, _ in watched.refused}
    arrived = [
        (i, one.arrival)
        for i, one in enumerate(watched.requests)
        if begin <= one.arrival < watched.now.time and i not in gone
    ]
    at = np.array([LEFT + CELL * (time - begin) for _, time in arrived])
    lane = np.array([y[i] for i, _ in arrived])
    refused = [i for i, _ in watched.refused]
    return [
        texts("table", [f"{i}.{c}" for i, c, _ in known], [COLUMNS[c] for _, c, _ in known],
              [y[i] for i, _, _ in known], [number(v) for *_, v in known],
              [_weight(c, v, values[i]) for i, c, v in known], 14),
        lines("arrivals", [i for i, _ in arrived], at, lane - 12, at, lane + 12, "ink", 2.5),
        texts("refused", refused, LEFT + 6, y[refused] if refused else (),
              [f"refused: needs {counted(need, 'block')}" for _, need in watched.refused], "bad bold start", 13),
    ]  # fmt: skip


def _weight(column, value, row):
    """Bold where a wait is twice as long as usual."""
    return "bad bold" if column == 2 and value > 1.5 * row[1] else "ink"
