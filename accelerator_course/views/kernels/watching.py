"""A replay: one access of one warp, from its lanes to the sectors or to the banks that they touch."""

import numpy as np

from accelerator_course.views.code import kernel
from accelerator_course.views.kernels.traced import beyond, met, ringed
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

ROWS, ROW, LETTERS, TOP, TEXT = 10, 20, 42, 30, 384  # of the kernel: rows, pixels of one, letters, where, how broad
LEFT, LANE, LANES, TALL = 34, 22, 286, 22  # where the first lane stands, pixels of one, how far down, how high
AREA, DEEP = 352, 112  # what is touched: from here, so many pixels down
THIN = 0.8  # pixels of a line to what is touched
SIDE, GAUGE = 412, 250  # the counters: where they begin, how broad a gauge is
WORDS = {
    "load": "reads",
    "store": "stores to",
    "atomic": "adds to",
    "shared load": "reads",
    "shared store": "stores to",
    "shared atomic": "adds to",
}


class Replay(Stage):
    """Lanes and what they touch: sectors of 32 bytes of global memory, or banks of shared memory, turn by turn.

    >>> view = Replay()
    >>> def played(which): return list(ladder.watch(ladder.judge("transpose", which.text).made))
    >>> straight, *_, spared = (played(step) for step in ladder.rung("transpose").steps)
    >>> crossed = played(ladder.rung("transpose").steps[1])
    >>> view.show(straight[0])
    >>> view.show(straight[8])
    >>> view.show(crossed[-12])
    >>> view.show(spared[-12])
    >>> view.show(next(state for state in spared if state.step.kind == "barrier"))
    """

    size, noun = (740, 512), "access"

    def marks(self, state):
        text = kernel(state.code, state.step.line, ROWS, LETTERS, TEXT, TOP, ROW)
        if state.step.fault and state.step.fault.touches:
            ring = ringed(state, LEFT, LANE, LANES, TALL)
            return [*text, *_lanes(state), *_touched(state), ring, *met(state, SIDE, TOP - 16)]
        return [*text, *_counters(state), *_lanes(state), *_touched(state)]  # last what may come later

    def say(self, state):
        step = state.step
        head = f"Access {step.number:,} of {step.length:,}, line {step.line}: warp {step.warp}"
        if step.kind == "barrier":
            head = f"{head} comes to the barrier"
        elif step.fault:
            head = f"{head} {WORDS[step.kind]} {step.array}"
        if step.fault:
            return f"{head}. Here it goes wrong: {step.fault.words}."
        if step.kind == "barrier":
            return f"{head}."
        return f"{head} {WORDS[step.kind]} {step.array}: {cost(state)}."


def cost(state):
    """What an access costs: 32 lanes, 4 sectors for 128 bytes; 32 lanes, 32 turns."""
    step, lanes = state.step, counted(len(state.lanes), "lane")
    if step.sectors:
        return f"{lanes}, {counted(step.sectors, 'sector')} for {counted(state.asked_now, 'byte')}"
    return f"{lanes}, {counted(step.turns, 'turn')}"


def _lanes(state):
    """The lanes of the warp: those at work are filled."""
    step, lane = state.step, np.arange(len(state.step.mask))
    x = LEFT + LANE * lane
    says = [
        (f"{WORDS[step.kind]} {step.array}, place {place:,}: {value:g}" if step.array else "is at the barrier")
        if works
        else "rests"
        for works, place, value in zip(step.mask, step.index.tolist(), step.values.tolist(), strict=True)
    ]
    who, role = [f"lane {i}" for i in lane], step.mask.astype(int)
    if step.fault:
        role[state.blamed] = 2
    cells = boxes("lanes", lane, x, LANES, LANE - 2, TALL, pick(("muted tint dashed", "compute", "bad"), role),
                  lane.astype(str), 11, who, says)  # fmt: skip
    return [cells, texts("warp", [0], [2], [LANES - 16], [f"warp {step.warp} of block {state.block}: its lanes"],
                         "ink bold start")]  # fmt: skip


def _touched(state):
    """What the lanes at work touch. Sectors and banks are one layer: a layer that comes later lies above all others."""
    if state.step.fault and state.step.fault.asked:
        return beyond(state, LEFT, LANE, LANES + TALL, AREA, DEEP // 3)
    if state.step.sectors:
        return _sectors(state)
    if state.step.turns:
        return _banks(state)
    note = "a barrier: the warp waits until every warp of its block has come"
    return [texts("place", [0], [LEFT], [AREA + DEEP + 14], [note], "muted start", 12)]


def _sectors(state):
    """The sectors, four or eight in a row, the words asked for lit in them; a line from each lane to its word."""
    number = state.touched
    columns = 4 if len(number) <= 4 else 8
    row = min(34, DEEP / -(-len(number) // columns))
    word = LANE * len(state.step.mask) / columns / state.sector_words
    rank = np.arange(len(number))
    x, y = LEFT + word * state.sector_words * (rank % columns), AREA + row * (rank // columns)
    wide, high = word * state.sector_words - 4, row - 5
    asked = np.bincount(state.sector, minlength=len(number))
    says = [f"{counted(n, 'lane')} ask{'s' if n == 1 else ''} for words of it; all its bytes move" for n in asked]
    who = [f"sector {n:,}" for n in number]
    cells = boxes("homes", rank, x, y, wide, high, "memory tint", who=who, says=says)
    step = wide / state.sector_words
    left, top = x[state.sector] + step * state.within, y[state.sector]
    lit = _words(state, left + 1, top + 3, step - 2, high - 6)
    note = f"{state.step.array}, sectors of global memory; orange is what was asked for"
    title = texts("place", [0], [LEFT], [AREA + DEEP + 14], [note], "muted start", 12)
    return [title, cells, lit, _threads(state, left + step / 2, top)]


def _banks(state):
    """The banks, a pile of words on each, one for each turn; a line from each lane to its word."""
    bank = np.arange(state.banks)
    thick = min(20, DEEP / state.step.turns)
    x, floor = LEFT + LANE * bank, AREA + DEEP
    says = [f"gives {counted(n, 'lane')} a word" for n in np.bincount(state.bank, minlength=state.banks)]
    names = [f"bank {b}" for b in bank]  # keys, too: no sector becomes a bank
    cells = boxes("homes", names, x, floor + 2, LANE - 2, 20, "memory tint", bank.astype(str), 11, names, says)
    left, top = x[state.bank], floor - thick * state.turn
    lit = _words(state, left, top, LANE - 2, thick - min(2, thick / 4))
    turn = np.unique(state.turn)
    turn = turn[:: -(-len(turn) // 8)]
    turns = texts("turns", turn, LEFT - 6, floor - thick * turn + thick / 2, turn.astype(str), "ink end", 12)
    note = f"{state.step.array}, banks of shared memory: one word a turn; turns count upwards"
    title = texts("place", [0], [LEFT], [floor + 36], [note], "muted start", 12)
    return [title, cells, lit, _threads(state, left + LANE / 2 - 1, top), turns]


def _words(state, x, y, wide, high):
    """The word of each lane at work, where it lies."""
    return boxes("words", state.lanes, x, y, wide, high, "compute", who=[f"lane {lane}" for lane in state.lanes])


def _threads(state, x, y):
    """A line from each lane at work to its word: light, but for the lane that is pointed at or followed."""
    return lines("threads", state.lanes, LEFT + LANE * state.lanes + LANE / 2 - 1, LANES + TALL, x, y, "compute faint",
                 THIN, who=[f"lane {lane}" for lane in state.lanes])  # fmt: skip


def _counters(state):
    """What the block has been counted so far: bytes, turns, barriers; two of them as shares."""
    told = [
        (
            "global memory: asked for / moved",
            f"{state.asked_bytes:,} bytes asked for, {state.brought_bytes:,} moved",
            state.used,
        ),
        (
            "shared memory: accesses / turns",
            f"{counted(state.accesses, 'access', 'accesses')}, {counted(state.turns, 'turn')}",
            state.free,
        ),
    ]
    y = np.array([TOP + 24, TOP + 104])
    shares = np.array([share or 0 for *_, share in told])
    names = texts("counted", range(2), SIDE, y - 4, [name for name, *_ in told], "ink bold start")
    track = boxes("track", range(2), SIDE, y + 8, GAUGE, 16, "muted soft")
    fill = boxes("fill", range(2), SIDE, y + 8, GAUGE * shares, 16, pick(("memory", "good"), [0, 1]))
    share = texts("share", range(2), SIDE + GAUGE + 8, y + 16,
                  [percent(share) if share is not None else "" for *_, share in told], "ink bold start")  # fmt: skip
    words = texts("told", range(2), SIDE, y + 38, [words for _, words, _ in told], "ink start", 13)
    came = f"{counted(state.barriers, 'warp')} came to a barrier"
    others = texts("barriers", range(2), SIDE, [TOP - 16, TOP + 174], ["so far, in this block", came],
                   pick(("ink bold start", "ink start"), [0, 1]))  # fmt: skip
    return [names, track, fill, share, words, others]
