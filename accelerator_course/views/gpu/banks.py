"""Shared memory turn by turn: what lanes ask for drops into its bank; a bank takes one word a turn."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted

LEFT, PITCH = 70, 20.75  # lanes above and banks below: where the first one stands, and pixels from one to the next
LANES, BANKS, TALL = 24, 404, 24
DEEP, THICK = 310, 26  # of the turns between them; how thick one may be
ROOM, WORDS = 19, 16  # pixels that names of turns need; that a word needs to be labelled
MANY = 9  # lanes that share a word: the largest number that has room on it


class Banks(Stage):
    """Words drop from the lanes into their banks, one a turn in each; equal words drop together.

    >>> from accelerator_course.frames.gpu import by_turn
    >>> view = Banks()
    >>> def states(name): return list(by_turn(gpu.access.touched(*gpu.access.PATTERNS[name])))
    >>> view.show(states("a[2 * lane]")[1])
    >>> view.show(states("column of a matrix, m[lane][5]")[0])
    >>> view.show(states("column of a matrix, m[lane][5]")[20])
    >>> view.show(states("a[0]")[1])
    """

    size, noun = (740, 462), "step"

    def marks(self, turn):
        thick = min(THICK, DEEP / turn.turns)
        return [*_turns(turn, thick), *_threads(turn), *_ends(turn), *_words(turn, thick)]

    def say(self, turn):
        if not turn.number:
            words = "1 word" if turn.words == 1 else f"{turn.words} different words"
            most = "no bank holds more than one" if turn.turns == 1 else f"the fullest bank holds {turn.turns} of them"
            return f"{len(turn.waiting)} lanes ask for {words}: {most}."
        waiting = int(turn.waiting.sum())
        rest = f"{counted(waiting, 'lane')} still wait{'s' if waiting == 1 else ''}" if waiting else "nobody waits"
        banks = int(turn.busy.sum())
        deliver = f"{counted(banks, 'bank')} deliver{'s' if banks == 1 else ''} a word"
        return f"Turn {turn.number} of {turn.turns}: {deliver}, to {counted(turn.served.sum(), 'lane')}; {rest}."


def _ends(turn):
    """Lanes above, banks below."""
    lane, bank = np.arange(len(turn.waiting)), np.arange(len(turn.busy))
    above = boxes("lanes", lane, LEFT + PITCH * lane, LANES, PITCH - 2, TALL, "muted tint", who=_names("lane", lane),
                  says=_lanes(turn))  # fmt: skip
    to = [int(((turn.turn == turn.number) & (turn.bank == b)).sum()) for b in bank]
    says = [f"delivers a word to {counted(n, 'lane')}" if n else "delivers nothing" for n in to]
    roles = pick(("muted tint", "memory"), turn.busy)
    below = boxes(
        "banks", bank, LEFT + PITCH * bank, BANKS, PITCH - 2, TALL, roles, who=_names("bank", bank), says=says
    )
    even = bank[::2]
    x, named = LEFT + PITCH * even + PITCH / 2 - 1, even.astype(str)
    numbers = [
        texts(f"numbers of {what}", even, x, y, named, "muted", 12)
        for what, y in (("lanes", LANES - 12), ("banks", BANKS + TALL + 13))
    ]
    middle = [LANES + TALL / 2, BANKS + TALL / 2]
    return [above, below, *numbers, texts("titles", range(2), LEFT - 8, middle, ["lanes", "banks"], "ink bold end")]


def _names(noun, numbers):
    return [f"{noun} {number}" for number in numbers]


def _lanes(turn):
    """What each lane does, in words."""
    says = []
    for lane, (served, waits) in enumerate(zip(turn.served, turn.waiting, strict=True)):
        own = turn.lane == lane
        if served:
            gets = "gets its word from" if own.sum() == 1 else "gets a word from"
            says.append(f"{gets} {_listed(turn.bank[own & (turn.turn == turn.number)])}")
        else:
            says.append(f"waits for {_listed(turn.bank[own & ~turn.delivered])}" if waits else "has what it asked for")
    return says


def _listed(banks):
    named = [str(bank) for bank in dict.fromkeys(banks.tolist())]
    return f"bank {named[0]}" if len(named) == 1 else f"banks {', '.join(named[:-1])} and {named[-1]}"


def _threads(turn):
    """Lines from lanes to the banks of the words that they wait for, or get now."""
    own = (turn.turn == turn.number) | ~turn.delivered
    lane, first = np.unique(turn.lane[own], return_index=True)
    bank, now = turn.bank[own][first], turn.turn[own][first] == turn.number
    middle = PITCH / 2 - 1
    ends = LEFT + PITCH * lane + middle, LANES + TALL, LEFT + PITCH * bank + middle, BANKS
    return [lines("threads", lane, *ends, pick(("muted faint", "compute"), now), 1.5)]


def _turns(turn, thick):
    """A row for each turn, the first one at the bottom."""
    number = np.arange(1, turn.turns + 1)
    y = BANKS - 6 - thick * number
    wide = PITCH * len(turn.busy)
    roles = pick(("muted soft faint", "compute soft", "muted soft"), np.sign(turn.number - number) + 1)
    rows = boxes("turns", number, LEFT, y, wide, thick - min(2, thick / 5), roles)
    named = number[:: int(-(-ROOM // thick))]
    names = texts("turn", named, LEFT - 8, y[named - 1] + thick / 2, named.astype(str), "ink end", 13)
    top = texts("turn-title", [0], [LEFT - 8], [y[-1] - 14], ["turn"], "ink bold end", 13)
    return [rows, names, top]


def _words(turn, thick):
    """A token for each ask: with its lane while it waits, on its bank's stack once it is delivered."""
    there, now = turn.delivered, turn.turn == turn.number
    first = np.searchsorted(turn.lane, turn.lane)
    parts = np.bincount(turn.lane)[turn.lane]
    part, small = np.arange(len(turn.lane)) - first, (PITCH - 6) / parts
    x = np.where(there, LEFT + PITCH * turn.bank, LEFT + PITCH * turn.lane + 2 + small * part)
    y = np.where(there, BANKS - 6 - thick * turn.turn, LANES + 3)
    wide, high = np.where(there, PITCH - 2, small), np.where(there, thick - min(2, thick / 5), TALL - 6)
    place = {}
    for ask, (bank, at) in enumerate(zip(turn.bank.tolist(), turn.turn.tolist(), strict=True)):
        place.setdefault((bank, at), []).append(ask)
    words = [""] * len(x)
    for asks in place.values():
        if thick >= WORDS and there[asks[0]] and len(asks) <= MANY and part[asks[0]] == 0:
            words[asks[-1]] = str(turn.lane[asks[0]]) if len(asks) == 1 else f"×{len(asks)}"
    roles = pick(("memory", "memory tint", "compute"), there + 1 * now)
    return [boxes("words", range(len(x)), x, y, wide, high, roles, words, 12, _names("lane", turn.lane))]
