"""What a warp touches: sectors of the memory fly in, words drop into the banks of shared memory."""

import numpy as np

from accelerator_course.views.kit import bars, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, percent


class Sectors(Stage):
    """Sectors fly from the memory into the load unit; what lanes asked for is orange in them, and flies to the lanes.

    >>> from accelerator_course.frames.gpu import by_sector
    >>> view = Sectors()
    >>> def states(stride): return list(by_sector(gpu.access.strided(stride)))
    >>> view.show(states(1)[0])
    >>> view.show(states(1)[2])
    >>> view.show(states(0)[1])
    >>> view.show(states(33)[20])
    """

    size, noun = (740, 472), "step"
    LEFT, WIDE = 20, 704
    RIBBON, FLAT = 30, 22  # the memory: where it lies, how high it is
    GAUGE, SCALE = 84, 1024  # the gauge of bytes; what it holds where not more are brought
    STORE, DEEP = 156, 200  # where the sectors lie that have been brought
    LANES, LANE = 398, 22

    def marks(self, fetched):
        """`fetched`: frames.gpu.Fetched."""
        place = _Places(self, fetched)
        brought = self._brought(fetched, place)
        return [*self._memory(fetched, place), *self._gauge(fetched), *brought, *self._lanes(fetched, place)]

    def _memory(self, fetched, place):
        """The memory between the first byte and the last, with holes where sectors have gone."""
        size, flat = fetched.access.sector_bytes, self.FLAT
        holes = (f"M{x:.5g} 0H{x + place.unit:.5g}V{flat}H{x:.5g}Z" for x in place.ribbon(fetched.order) - self.LEFT)
        title = f"memory, bytes {size * place.first:,} to {size * place.last + size - 1:,}"
        return [
            boxes("ribbon", [0], self.LEFT, self.RIBBON, self.WIDE, flat, "muted soft"),
            paths("holes", [0], ["".join(holes)], self.LEFT, self.RIBBON, "muted tint"),
            words(
                "titles",
                (self.LEFT, 16, title, "ink bold start"),
                (self.LEFT, self.STORE - 12, "brought; orange is what was asked for", "ink bold start"),
            ),
        ]

    def _gauge(self, fetched):
        """Bytes brought and bytes asked for, both from zero."""
        numbers, y = np.array([fetched.bytes_brought, fetched.bytes_asked]), self.GAUGE + np.array([-6, 16])
        left, pixel = 118, 400 / max(self.SCALE, fetched.access.bytes_brought)
        said, roles = [f"{number:,} B" for number in numbers], ("memory", "compute")
        share = f"{percent(fetched.efficiency)} used" if fetched.count else ""
        return [
            *bars("gauge", range(2), left, y, pixel * numbers, 16, roles, said, "ink bold start"),
            texts("names", range(2), left - 8, y, ["brought", "asked for"], "ink end"),
            words("share", (self.LEFT + self.WIDE, self.GAUGE + 4, share, "ink bold end", 18)),
        ]

    def _brought(self, fetched, place):
        """Boxes that fly from the ribbon to their places, and the bytes asked for in them."""
        size, came = fetched.access.sector_bytes, np.arange(len(fetched.order)) < fetched.count
        x, y = np.where(came, place.x, place.ribbon(fetched.order)), np.where(came, place.y, self.RIBBON)
        wide, high = np.where(came, place.wide, place.unit), np.where(came, place.high, self.FLAT)
        numbers, counts = fetched.order.tolist(), fetched.asked.sum(axis=1)
        who = [f"sector {n:,}" for n in numbers]
        says = [
            f"{'brought' if there else 'still in memory'}: {count} of its bytes, from {n * size:,} on, are asked for"
            for n, count, there in zip(numbers, counts, came, strict=True)
        ]
        lit = [_lit(row, w / size, h) for row, w, h in zip(fetched.asked, wide, high, strict=True)]
        now = slice(fetched.count - 1, fetched.count) if fetched.count else slice(0)
        frame = place.x[now] - 2, place.y[now] - 2, place.wide + 4, place.high + 4
        return [
            boxes("sectors", place.rank, x, y, wide, high, "memory tint", who=who, says=says),
            paths("asked", place.rank, lit, x, y, "compute", who=who, says=says),
            boxes("frame", range(len(place.x[now])), *frame, "ink line"),
        ]

    def _lanes(self, fetched, place):
        """Lanes, what each asked for on its way to it, and lines from the sector that serves them."""
        lane, served, serving = np.arange(len(fetched.served)), fetched.served, np.flatnonzero(fetched.serving)
        size, addresses = fetched.access.sector_bytes, fetched.access.addresses
        x, y = self.LEFT + self.LANE * lane, self.LANES
        who = [f"lane {i}" for i in lane]
        says = [
            f"has its {len(own)} bytes"
            if done
            else f"waits for {'byte' if len(own) == 1 else 'bytes'} from {own[0]:,} on"
            for own, done in zip(addresses, served, strict=True)
        ]
        found = [boxes("lanes", lane, x, y, self.LANE - 2, 30, "muted tint", who=who, says=says)]
        if fetched.count:
            now = fetched.count - 1
            byte = (addresses[serving, 0] - fetched.sector * size).clip(0, size - 1) + min(addresses.shape[1], 4) / 2
            start = place.x[now] + byte / size * place.wide, place.y[now] + place.high * 5 / 6
            found.append(lines("serves", serving, *start, x[serving] + self.LANE / 2 - 1, y, "compute", 1.5))
        broad, even = max(1.5, place.unit * addresses.shape[1] / size), lane[::2]
        left = np.where(served, x + 3, place.ribbon(addresses[:, 0] / size))
        top = np.where(served, y + 4, self.RIBBON + self.FLAT / 6)
        wide, high = np.where(served, self.LANE - 8, broad), np.where(served, 22, self.FLAT * 2 / 3)
        return [
            *found,
            boxes("words", lane, left, top, wide, high, "compute", who=who, says=says),
            texts("lane", even, x[even] + self.LANE / 2 - 1, y + 42, even.astype(str), "muted", 12),
            words("warp", (self.LEFT, y + 62, "lanes of the warp, with what they asked for", "ink bold start")),
        ]

    def say(self, fetched):
        total, size = len(fetched.order), fetched.access.sector_bytes
        if not fetched.count:
            asked = counted(fetched.asked.sum(), "byte")
            return f"{len(fetched.served)} lanes ask for {asked}, in {counted(total, 'sector')} of {size} bytes each."
        return (
            f"Sector {fetched.count} of {total} serves {_named(np.flatnonzero(fetched.serving))}. "
            f"{fetched.bytes_brought:,} bytes brought so far, {percent(fetched.efficiency)} of them asked for."
        )


class _Places:
    """Where a sector stands: in the ribbon, to scale, and in the store, in rows."""

    def __init__(self, view, fetched):
        sectors = fetched.access.sectors
        self.left, self.first, self.last = view.LEFT, int(sectors[0]), int(sectors[-1])
        self.unit = min(22, view.WIDE / (self.last - self.first + 1))
        self.rank = np.searchsorted(sectors, fetched.order)
        columns = 4 if len(sectors) <= 32 else 8
        self.wide, self.high = view.WIDE / columns - 8, min(56, view.DEEP / -(-len(sectors) // columns) - 5)
        self.x = view.LEFT + view.WIDE / columns * (self.rank % columns)
        self.y = view.STORE + (self.high + 5) * (self.rank // columns)

    def ribbon(self, sector):
        """From the left; a sector is a number, which may have a fraction."""
        return self.left + self.unit * (np.asarray(sector) - self.first)


def _lit(asked, byte, high):
    """The words of a sector of which something is asked for, as a path."""
    runs = [np.flatnonzero(word) + 4 * i for i, word in enumerate(asked.reshape(-1, 4)) if word.any()]
    top, gap = high / 6, byte / 3
    spots = [(run[0] * byte + gap, (run[-1] + 1) * byte - gap) for run in runs]
    return "".join(f"M{a:.4g} {top:.4g}H{b:.4g}V{high - top:.4g}H{a:.4g}Z" for a, b in spots)


def _named(lanes):
    """Lanes 0 to 7; lane 5; 12 lanes."""
    if len(lanes) == 1:
        return f"lane {lanes[0]}"
    if lanes[-1] - lanes[0] == len(lanes) - 1:
        return f"lanes {lanes[0]} to {lanes[-1]}"
    return f"{len(lanes)} lanes"


class Banks(Stage):
    """Words drop from the lanes into their banks, one a turn in each; equal words drop together.

    >>> from accelerator_course.frames.gpu import by_turn
    >>> view = Banks()
    >>> def states(stride): return list(by_turn(gpu.access.strided(stride)))
    >>> view.show(states(2)[1])
    >>> view.show(states(32)[0])
    >>> view.show(states(32)[20])
    >>> view.show(states(0)[1])
    """

    size, noun = (740, 462), "step"
    LEFT, PITCH = 70, 20.75  # lanes above and banks below: where the first one stands, and pixels to the next
    LANES, BANKS, TALL = 24, 404, 24
    DEEP, THICK = 310, 26  # of the turns between them; how thick one may be
    ROOM, WORDS = 19, 16  # pixels that names of turns need; that a word needs to be labelled
    MANY = 9  # lanes that share a word: the largest number that has room on it

    def marks(self, turn):
        """`turn`: frames.gpu.Turn."""
        thick = min(self.THICK, self.DEEP / turn.turns)
        return [*self._turns(turn, thick), self._threads(turn), *self._ends(turn), self._words(turn, thick)]

    def _x(self, number):
        return self.LEFT + self.PITCH * number

    def _turns(self, turn, thick):
        """A row for each turn, the first one at the bottom."""
        number = np.arange(1, turn.turns + 1)
        y, named = self.BANKS - 6 - thick * number, number[:: int(-(-self.ROOM // thick))]
        roles = pick(("muted soft faint", "compute soft", "muted soft"), np.sign(turn.number - number) + 1)
        wide, high = self.PITCH * len(turn.busy), thick - min(2, thick / 5)
        return [
            boxes("turns", number, self.LEFT, y, wide, high, roles),
            texts("turn", named, self.LEFT - 8, y[named - 1] + thick / 2, named.astype(str), "ink end", 13),
            words("turn-title", (self.LEFT - 8, y[-1] - 14, "turn", "ink bold end")),
        ]

    def _threads(self, turn):
        """Lines from lanes to the banks of the words that they wait for, or get now."""
        own = (turn.turn == turn.number) | ~turn.delivered
        lane, first = np.unique(turn.lane[own], return_index=True)
        now, middle = turn.turn[own][first] == turn.number, self.PITCH / 2 - 1
        ends = self._x(lane) + middle, self.LANES + self.TALL, self._x(turn.bank[own][first]) + middle, self.BANKS
        return lines("threads", lane, *ends, pick(("muted faint", "compute"), now), 1.5)

    def _ends(self, turn):
        """Lanes above, banks below."""
        lane, bank = np.arange(len(turn.waiting)), np.arange(len(turn.busy))
        to = [int(((turn.turn == turn.number) & (turn.bank == b)).sum()) for b in bank]
        says = [f"delivers a word to {counted(n, 'lane')}" if n else "delivers nothing" for n in to]
        roles, wide = pick(("muted tint", "memory"), turn.busy), self.PITCH - 2
        lanes = [f"lane {i}" for i in lane], self._lanes(turn)
        banks, even = [f"bank {i}" for i in bank], bank[::2]
        at, numbers = self._x(even) + self.PITCH / 2 - 1, even.astype(str)
        return [
            boxes("lanes", lane, self._x(lane), self.LANES, wide, self.TALL, "muted tint", who=lanes[0], says=lanes[1]),
            boxes("banks", bank, self._x(bank), self.BANKS, wide, self.TALL, roles, who=banks, says=says),
            texts("numbers of lanes", even, at, self.LANES - 12, numbers, "muted", 12),
            texts("numbers of banks", even, at, self.BANKS + self.TALL + 13, numbers, "muted", 12),
            words(
                "titles",
                (self.LEFT - 8, self.LANES + self.TALL / 2, "lanes", "ink bold end"),
                (self.LEFT - 8, self.BANKS + self.TALL / 2, "banks", "ink bold end"),
            ),
        ]

    def _words(self, turn, thick):
        """A token for each ask: with its lane while it waits, on its bank's stack once it is delivered."""
        there, now = turn.delivered, turn.turn == turn.number
        part = np.arange(len(turn.lane)) - np.searchsorted(turn.lane, turn.lane)
        small = (self.PITCH - 6) / np.bincount(turn.lane)[turn.lane]
        x = np.where(there, self._x(turn.bank), self._x(turn.lane) + 2 + small * part)
        y = np.where(there, self.BANKS - 6 - thick * turn.turn, self.LANES + 3)
        wide = np.where(there, self.PITCH - 2, small)
        high = np.where(there, thick - min(2, thick / 5), self.TALL - 6)
        roles = pick(("memory", "memory tint", "compute"), there + 1 * now)
        who = [f"lane {i}" for i in turn.lane]
        return boxes("words", range(len(x)), x, y, wide, high, roles, self._labels(turn, part, thick), 12, who)

    def _labels(self, turn, part, thick):
        """On each stacked word the lane that asked for it, or how many did."""
        together, labels = {}, [""] * len(turn.lane)
        for ask, place in enumerate(zip(turn.bank.tolist(), turn.turn.tolist(), strict=True)):
            together.setdefault(place, []).append(ask)
        for asks in together.values():
            if thick >= self.WORDS and turn.delivered[asks[0]] and len(asks) <= self.MANY and part[asks[0]] == 0:
                labels[asks[-1]] = str(turn.lane[asks[0]]) if len(asks) == 1 else f"×{len(asks)}"
        return labels

    @staticmethod
    def _lanes(turn):
        """What each lane does, in words."""
        says = []
        for lane, (served, waits) in enumerate(zip(turn.served, turn.waiting, strict=True)):
            own = turn.lane == lane
            if served:
                gets = "gets its word from" if own.sum() == 1 else "gets a word from"
                says.append(f"{gets} {_listed(turn.bank[own & (turn.turn == turn.number)])}")
            else:
                says.append(
                    f"waits for {_listed(turn.bank[own & ~turn.delivered])}" if waits else "has what it asked for"
                )
        return says

    def say(self, turn):
        if not turn.number:
            asked = "1 word" if turn.words == 1 else f"{turn.words} different words"
            most = "no bank holds more than one" if turn.turns == 1 else f"the fullest bank holds {turn.turns} of them"
            return f"{len(turn.waiting)} lanes ask for {asked}: {most}."
        waiting = int(turn.waiting.sum())
        rest = f"{counted(waiting, 'lane')} still wait{'s' if waiting == 1 else ''}" if waiting else "nobody waits"
        banks = int(turn.busy.sum())
        deliver = f"{counted(banks, 'bank')} deliver{'s' if banks == 1 else ''} a word"
        return f"Turn {turn.number} of {turn.turns}: {deliver}, to {counted(turn.served.sum(), 'lane')}; {rest}."


def _listed(banks):
    named = [str(bank) for bank in dict.fromkeys(banks.tolist())]
    return f"bank {named[0]}" if len(named) == 1 else f"banks {', '.join(named[:-1])} and {named[-1]}"
