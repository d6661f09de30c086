"""Splits: a training step split three ways, one token over chips in a ring or with experts."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, nice, pillars, rows, shares, spots, stack, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, in_seconds, number, percent, si


class SplitMap(Stage):
    """The best split: seconds of a step for every tp and pp; what does not fit or divide is said.

    >>> H100, view, ways = hardware.chip("h100-sxm5"), SplitMap((1, 2, 4, 8, 16), (1, 2, 4)), (1, 2, 4, 8, 16)
    >>> given = {"model": "llama-3-70b", "chip": H100, "chips": 512, "sequences": 1024, "tokens": 4096}
    >>> view.show(network.table(**given, capacity_bytes=72e9, tps=ways, pps=(1, 2, 4), interleaves=(1, 2)))
    >>> view.show(network.table(**given, capacity_bytes=30e9, tps=ways, pps=(1, 2, 4), interleaves=(1,)))
    """

    noun = "setting"
    left, top, wide, high = 66, 34, 92, 66  # of the cells

    def __init__(self, tps, pps):
        self.tps, self.pps = tps, pps
        self.floor = self.top + self.high * len(pps)
        self.size = (self.left + self.wide * len(tps) + 10, self.floor + 56)

    def marks(self, table):  # {(tp, pp): (network.parallel.Split or None, whether it fits)}
        best, cells, n, left = _best(table), list(table), range(len(table)), self.left
        x = left + self.wide * (0.5 + np.array([self.tps.index(tp) for tp, _ in cells]))
        y = self.floor - self.high * (1 + np.array([self.pps.index(pp) for _, pp in cells]))
        first, second, third, role, says = zip(*(self._cell(*table[cell], best) for cell in cells), strict=True)
        ink = ["ink bold" if fits else "muted" for _, fits in table.values()]
        who = [f"tp {tp}, pp {pp}" for tp, pp in cells]
        whole = x - self.wide / 2 + 2, y + 2, self.wide - 4, self.high - 4
        tps = rows(left + self.wide / 2, self.wide, len(self.tps))
        pps = rows(self.floor - self.high / 2, -self.high, len(self.pps))
        yield boxes("cells", n, *whole, role, who=who, says=says)
        yield texts("first", n, x, y + 18, first, ink, 15)
        yield texts("second", n, x, y + 36, second, "ink", 12)
        yield texts("third", n, x, y + 52, third, "ink", 12)
        yield texts("tp", range(len(tps)), tps, self.floor + 14, [f"tp {n}" for n in self.tps], "ink bold", 14)
        yield texts("pp", range(len(pps)), left - 8, pps, [f"pp {n}" for n in self.pps], "ink bold end", 14)
        yield words(
            "words",
            (left, 16, "seconds of a step, bytes of a chip, chunks of a stage where it has several"),
            (left, self.floor + 40, "★ fastest", "good bold start"),
            (left + 130, self.floor + 40, "dashed: does not fit", "bad start"),
            (left + 300, self.floor + 40, "–: does not divide", "muted start"),
        )

    def _cell(self, split, fits, best):
        """(three lines, role, words) of a cell."""
        if split is None:
            return "–", "", "", "muted soft", "does not divide"
        chunks = f"{split.interleave} chunks" if split.interleave > 1 else ""
        time, room = f"{_seconds(split)} s", si(split.bytes_per_chip, "B")
        says = f"{time}, {room}, MFU {percent(split.mfu)}, {split.dp} copies"
        if split is best:
            return f"★ {time}", room, chunks, "good tint", says
        role, says = ("compute tint", says) if fits else ("bad tint dashed", f"does not fit: {says}")
        return time, room, chunks, role, says

    def say(self, table):
        best = _best(table)
        if best is None:
            return "No split divides evenly and fits: take more chips, more memory or fewer sequences."
        chunks = f", {best.interleave} chunks a stage" if best.interleave > 1 else ""
        count = sum(fits for _, fits in table.values())
        said = f"Fastest of {count} that fit: tp {best.tp}, pp {best.pp}{chunks}, {best.dp} copies: {_seconds(best)} s "
        return said + f"a step, {si(best.bytes_per_chip, 'B')} a chip, MFU {percent(best.mfu)}."


def _best(table):
    return min((split for split, fits in table.values() if fits), key=lambda split: split.seconds, default=None)


def _seconds(split):
    return f"{split.seconds:.3g}" if split.seconds < 999.5 else f"{split.seconds:,.0f}"


class Tokens(Stage):
    """One token, many chips: what reading takes and what talking takes, for 1 to 64 chips.

    >>> view, given, tokens = Tokens(), ("llama-3-70b", hardware.chip("h100-sxm5")), network.decode.tokens
    >>> view.show((tokens(*given), 8)), view.show((tokens(*given, algorithm="direct"), 32))
    >>> view.show((tokens(*given, batch=256), 4)), view.show((tokens(*given, step_seconds=20e-6), 64))
    """

    size, noun = (740, 430), "setting"
    left, right, floor, tall = 66, 728, 360, 290
    parts = {"weights and cache": ("read", "memory"), "bytes on links": ("wire", "other")}
    parts |= {"steps of the all-reduces": ("latency", "compute")}

    def marks(self, shown):  # (tuple of network.decode.Token, the number of chips that is set off)
        found, chips = shown
        n, slot = range(len(found)), (self.right - self.left) / len(found)
        x, here, best = rows(self.left + slot / 2, slot, len(found)), _with(found, chips), _least(found)
        top = nice(max(one.seconds for one in found if one.fits))
        up = [self.floor - self.tall * one.seconds / top - 12 if one.fits else self.floor - 34 for one in found]
        said = [si(one.seconds, "s") if one.fits else "does not fit" for one in found]
        roles = ["good bold" if one is best else "ink bold" if one.fits else "bad" for one in found]
        talk = f"adding up takes {percent(here.talk_share)} of the time" if here.fits else "too little memory"
        y = self.floor - self.tall * np.array([0, 0.5, 1])
        yield lines("grid", range(3), self.left, y, self.right, y, ["ink", *["muted dashed faint"] * 2], [1.5, 1, 1])
        yield texts("ticks", range(3), self.left - 8, y, ["0", si(top / 2, "s"), si(top, "s")], "muted end", 12)
        yield from legend("key", self.left + 46, 19, [(role, what) for what, (_, role) in self.parts.items()], gap=40)
        yield words("head", (8, 19, "one token", "ink bold start"))
        yield from self._parts(found, x, 0.56 * slot, self.tall / top)
        yield boxes("frame", [0], x[found.index(here)] - slot / 2 + 3, 40, slot - 6, self.floor + 4, "ink line")
        yield texts("totals", n, x, up, said, roles, 14)
        yield texts("chips", n, x, self.floor + 17, [one.n for one in found], "ink bold", 15)
        yield words(
            "words",
            (self.left - 8, self.floor + 17, "chips", "ink end"),
            (x[found.index(best)], self.floor + 36, "★ least", "good bold"),
            (self.right, self.floor + 60, f"{counted(here.n, 'chip')}: {talk}", "ink end"),
        )

    def _parts(self, found, x, wide, scale):
        """Reading, and on it talking; nothing where weights and caches do not fit."""
        under, fits, who = np.zeros(len(found)), [one.fits for one in found], [counted(one.n, "chip") for one in found]
        for what, (field, role) in self.parts.items():
            seconds = np.array([getattr(one, f"{field}_seconds") for one in found])
            low, up = (np.minimum(scale * end, self.tall) for end in (under, under + seconds))
            tall, says = np.where(fits, up - low, 0), [f"{what}: {si(one, 's')}" for one in seconds]
            yield from pillars(field, range(len(x)), x, self.floor - low, wide, tall, role, who=who, says=says)
            under = under + seconds

    def say(self, shown):
        found, chips = shown
        here, best = _with(found, chips), _least(found)
        least = f"least with {counted(best.n, 'chip')}, {si(best.seconds, 's')}"
        if not here.fits:
            return f"{counted(chips, 'chip')}: weights and caches do not fit; {least}."
        said = f"{counted(chips, 'chip')}: {si(here.seconds, 's')} a token, {si(here.read_seconds, 's')} reading, "
        return said + f"{si(here.talk_seconds, 's')} adding up; {least}."


def _with(found, chips):
    return next(one for one in found if one.n == chips)


def _least(found):
    return min((one for one in found if one.fits), key=lambda one: one.seconds)


class OneToken(Stage):
    """One token: chips in a ring pass parts of a sum on; beside it what the sum costs, and what the token takes.

    >>> view, H100 = OneToken(), hardware.chip("h100-sxm5")
    >>> of = lambda n: network.decode.token("llama-3-70b", H100, n)
    >>> eight, many = (list(frames.network.around(of(n), of(8), 160, 16384, 450e9, 2e-6)) for n in (8, 32))
    >>> view.show(eight[0]), view.show(eight[5]), view.show(eight[-1]), view.show(many[40])
    """

    size, noun = (746, 430), "step"
    middle, radius = (176, 226), 138
    time = Chart((386, 732), (376, 250), (0, 0.045), (0, 1))
    parts = {"reading": ("read", "memory"), "starting": ("latency", "compute"), "bytes": ("wire", "other")}

    def marks(self, turn):  # frames.network.Turn
        n, (x, y), far = turn.token.n, self.middle, self.radius
        angle, side = -np.pi / 2 + 2 * np.pi * np.arange(n) / n, min(34, 0.62 * 2 * np.pi * far / n)
        at, near = (np.array([x + r * np.cos(angle), y + r * np.sin(angle)]) for r in (far, far - side))
        who, parts = [f"chip {i + 1}" for i in range(n)], [f"part {i + 1} of the sum" for i in range(n)]
        look, doing = "compute round", "adding up" if turn.step else "before the first step"
        if turn.summed:
            look, doing = "good round", "all have the sum" if turn.step == turn.steps else "handing the sums on"
        head = f"one sum on {n} chips, {round(turn.slowdown, -4):,.0f} times as slow"
        key = [("memory tint", "a chip"), ("compute round", "part"), ("good round", "its sum")]
        yield lines("links", range(n), *at, *np.roll(at, -1, 1), "muted", 1.5)
        yield spots("chips", range(n), *at, side, "memory tint", "" if n > 16 else list(range(1, n + 1)), who=who)
        yield spots("chunks", range(n), *near[:, turn.chunks_at], 0.55 * side, look, who=parts)
        yield below("middle", x, y - 12, [(f"step {turn.step} of {turn.steps}", "ink bold", 16), doing], 24, "ink")
        yield words("head", (12, 20, head, "ink bold start", 15))
        yield from legend("key", 12, 410, key)
        # starting and bytes of this sum, so far, on one scale
        (left, right), y, roles = self.time.across, rows(82, 42, 2), ["compute", "other"]
        so_far = np.array([turn.latency_seconds, turn.wire_seconds])
        long = (right - left - 66) / max(sum(turn.parts.times), 130e-6) * so_far
        names = ["starting: the wait for the first byte", "bytes: the numbers themselves"]
        looks, said = [f"{role} start" for role in roles], [in_seconds(one) for one in so_far]
        yield words("sum head", (left, 44, "this sum so far", "ink bold start", 14))
        yield texts("sum names", range(2), left, y - 12, names, looks)
        yield from bars("sum", range(2), left, y + 6, long, 16, roles, said, "ink bold start", names, least=0.5)
        # the whole token: reading, then the steps and the bytes of all its sums; above it that on eight chips
        axis, both, (fields, roles) = self.time, [turn.usual, turn.token], zip(*self.parts.values(), strict=True)
        shown, ticks = slice(int(turn.usual.n == turn.token.n), None), np.arange(5) * 0.01
        y, both, names = np.array([276, 336])[shown], both[shown], list(self.parts)
        heads = [f"{one.n} chips: {si(one.seconds, 's')}" for one in both]
        head = f"one token: reading its weights, {turn.sums} sums"
        yield words("token head", (left, 186, head, "ink bold start", 14))
        yield from legend("token key", left, 212, zip(roles, names, strict=True))
        yield from axis.axes(ticks, x_words=["0", *map(in_seconds, ticks[1:])], x_name="time of a token")
        for row, one in enumerate(both):
            times = [getattr(one, f"{field}_seconds") for field in fields]
            long, says = axis.x(times) - left, [*map(in_seconds, times)]
            yield stack(f"token{row}", range(3), left, y[row], long, 22, roles, who=names, says=says)
        yield texts("token names", range(len(both)), left, y - 22, heads, ["muted start", "ink bold start"][shown], 14)

    def place(self, axis, value, row=None):
        """A time [s] on the axis of the token."""
        x = self.time.x(value)
        return shares(self.size, x, 250, 376) if x < self.size[0] else None

    def say(self, turn):
        n, so_far = turn.token.n, si(turn.latency_seconds + turn.wire_seconds, "s")
        if turn.step < turn.steps:
            return f"{n} chips, step {turn.step} of {turn.steps}: this sum has taken {so_far}."
        talk = f"{turn.sums} such sums take {si(turn.token.talk_seconds, 's')}"
        return f"{n} chips: a sum takes {so_far}. {talk}, and the token {si(turn.token.seconds, 's')}."


class Routes(Stage):
    """Experts on many chips: the chips that one token visits, the tokens that each chip gets, and what is sent.

    >>> view, racks = Routes(), {"node": 72, "inner": 9e11}
    >>> view.show(network.routed(8, 4)), view.show(network.routed(32, wanted="uneven"))
    >>> view.show(network.routed(128, 4, 4)), view.show(network.routed(320, 4, wanted="copied", **racks))
    """

    size, noun = (746, 440), "setting"
    left, top, wide, right = 76, 52, 330, 470  # of the nodes, and where the bars begin

    def marks(self, routed):  # network.experts.Routed
        n, node, left, end, floor = np.arange(routed.chips), routed.node, self.left, self.left + self.wide, 400
        nodes, pitch, slot = -(-routed.chips // node), self.wide / node, self.wide / routed.chips
        high, kind, where = min(38, 232 / nodes), routed.kind, np.arange(0, nodes, -(-nodes // 16))
        names, gap = [f"{f'{kind} ' * (nodes <= 8)}{k + 1}" for k in where], 4 if max(node, nodes) <= 16 else 1
        x, y, met = left + pitch * (n % node), self.top + high * (n // node), np.isin(n, routed.way)
        hover = {"who": [f"chip {i + 1}" for i in n], "says": [f"gets {load} tokens" for load in routed.loads]}
        look = pick(("muted tint", "compute"), met)
        yield words("head", (left, 24, "way of one token: the chips with its eight experts", "ink bold start", 14))
        yield texts("nodes", range(len(where)), left - 10, self.top + high * (where + 0.5), names, "ink end", 12)
        yield boxes("chips", n, x + gap / 2, y + gap / 2, pitch - gap, high - gap, look, **hover)
        # a pillar for each chip: the tokens that it gets in a layer
        scale, role = 70 / routed.busiest, pick(("memory", "bad"), routed.loads == routed.busiest)
        mean, wide = floor - scale * routed.mean, max(slot - 2, 0.7 * slot)
        busiest = f"busiest: {routed.busiest} tokens, {routed.uneven:.2f} times the mean"
        yield words("loads head", (left, 312, "tokens that each chip gets", "ink bold start", 14))
        yield from pillars("loads", n, left + slot * (n + 0.5), floor, wide, scale * routed.loads, role)
        yield lines("mean", [0], left, mean, end, mean, "ink dashed", 1.5)
        text = (end + 6, mean, f"mean {routed.mean:.0f}", "ink start", 12), (left, floor + 18, busiest, "bad start")
        yield words("loads words", *text)
        y, left, sent = rows(92, 62, 4), self.right, np.array([routed.token_bytes, routed.crossed_bytes])
        long = 190 * np.array([routed.visited / 8, *sent / 12e6, routed.seconds / 160e-6])
        said = [number(routed.visited), *(si(one, "B") for one in sent), si(routed.seconds, "s")]
        heads = ["chips that a token visits", f"it sends, in {routed.layers} layers", f"of these between {kind}s"]
        heads += [f"exchange of a layer, {routed.tokens} tokens a chip"]
        roles, ink = ["compute", "other", "bad", "good"], "ink bold start"
        yield words("on average", (left, 48, "on average", ink, 14))
        yield texts("names", range(4), left, y - 20, heads, "ink start")
        yield from bars("bars", range(4), left, y, long, 18, roles, said, ink, heads, said)

    def say(self, routed):
        kind, sent, took = routed.kind, si(routed.crossed_bytes, "B"), si(routed.seconds, "s")
        said = f"{routed.chips} chips in {counted(-(-routed.chips // routed.node), kind)}: a token visits "
        said += f"{number(routed.visited)} chips and sends {sent} between {kind}s. The busiest chip gets "
        return said + f"{routed.uneven:.2f} times the mean. A layer’s exchange takes {took}."
