"""Splits: arrays cut over devices, a training step split three ways over many chips, one token over more and more."""

import numpy as np

from accelerator_course.views.kit import below, legend, nice, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent, si


class Sharded(Stage):
    """Sharded arrays: which part lies on which of eight devices, and what they must send.

    >>> view, all_reduce = Sharded(), network.hlo.Collective("all-reduce", 1, 262144)
    >>> shapes = {"x": (64, 1024), "w1": (1024, 4096), "w2": (4096, 1024), "result": (64, 1024)}
    >>> rows, cols = ("chips", None), (None, "chips")
    >>> view.show({"shapes": shapes, "split": {"w1": cols, "w2": rows}, "found": (all_reduce,), "said": 262144})
    >>> view.show({"shapes": shapes, "split": {"x": rows, "result": rows}, "found": (), "said": 0})
    """

    size, noun = (746, 410), "setting"
    left, middle, scale, slot, gap = 40, 168, 0.045, 110, 34  # scale: pixels of a row or a column; slot: of an array
    hues = ("memory", "memory tint", "compute", "compute tint", "other", "other tint", "good", "good tint")
    devices = np.arange(len(hues))

    def marks(self, program):
        """`program`: shapes of arrays, the split of each, the Collectives found, and bytes that the model says."""
        layers, x = [], self.left
        for name, shape in program["shapes"].items():
            slot = max(shape[1] * self.scale, self.slot)
            layers += self._array(name, shape, program["split"].get(name, ()), x + slot / 2)
            x += slot + self.gap
        yield from layers
        found, left = program["found"], self.left
        said = [f"{c.kind}: {counted(c.arrays, 'array')}, {c.bytes:,} bytes" for c in found] or ["none"]
        total = f"bytes together {sum(c.bytes for c in found):,}; counted by hand {program['said']:,}"
        yield words("found head", (left, 286, "collectives in the compiled program", "ink bold start", 14))
        yield below("found", left + 16, 312, said, 24, "bad bold start" if found else "good bold start", 15)
        yield words("total", (left, 384, total, "ink start", 14))
        x = 480 + 26 * self.devices
        yield words("devices", (480, 286, "the eight devices", "ink bold start", 14))
        yield boxes("keys", self.devices, x, 304, 22, 22, pick(self.hues, self.devices))
        yield texts("numbers", self.devices, x + 11, 340, self.devices + 1, "ink", 12)

    def _array(self, name, shape, split, x):
        part, count = self.devices, len(self.devices)
        axis = next((i for i, cut in enumerate(split) if cut), None)
        high, wide = (max(side * self.scale, 14) for side in shape)
        left, top = x - wide / 2, self.middle - high / 2
        drawn = boxes(name, [0], left, top, wide, high, "muted tint", who=name, says="whole on every device")
        how = "whole on each"
        if axis is not None:
            hover = {"who": [f"device {i + 1}" for i in part], "says": f"an eighth of {name}"}
            place = left + part * wide / count, top, wide / count, high
            place = place if axis else (left, top + part * high / count, wide, high / count)
            drawn = boxes(name, part, *place, pick(self.hues, part), **hover)
            how = ("columns cut" if axis else "rows cut", "compute bold")
        said = [(name, "ink bold", 15), f"{shape[0]:,} × {shape[1]:,}", how]
        return [drawn, below(f"{name} words", x, 20, said, 18, "ink", 12)]

    def say(self, program):
        found = program["found"]
        cut = ", ".join(f"{name} by {'rows' if split[0] else 'columns'}" for name, split in program["split"].items())
        if not found:
            return f"Cut: {cut}. The compiled program sends nothing."
        kinds = ", ".join(f"{c.kind} of {c.bytes:,} bytes" for c in found)
        return f"Cut: {cut}. The compiled program has {counted(len(found), 'collective')}: {kinds}."


class SplitMap(Stage):
    """The best split: seconds of a step for every tp and pp; what does not fit or divide is said.

    >>> H100 = hardware.chip("h100-sxm5")
    >>> view, ways = SplitMap((1, 2, 4, 8, 16), (1, 2, 4)), (1, 2, 4, 8, 16)
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

    def marks(self, table):
        """`table`: {(tp, pp): (network.parallel.Split or None, whether it fits)}."""
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
        return (
            f"Fastest of {count} that fit: tp {best.tp}, pp {best.pp}{chunks}, {best.dp} copies: "
            f"{_seconds(best)} s a step, {si(best.bytes_per_chip, 'B')} a chip, MFU {percent(best.mfu)}."
        )


def _best(table):
    return min((split for split, fits in table.values() if fits), key=lambda split: split.seconds, default=None)


def _seconds(split):
    """Three digits, or whole seconds."""
    return f"{split.seconds:.3g}" if split.seconds < 999.5 else f"{split.seconds:,.0f}"


class Tokens(Stage):
    """One token, many chips: what reading takes and what talking takes, for 1 to 64 chips.

    >>> view, H100 = Tokens(), hardware.chip("h100-sxm5")
    >>> view.show((network.decode.tokens("llama-3-70b", H100), 8))
    >>> view.show((network.decode.tokens("llama-3-70b", H100, algorithm="direct"), 32))
    >>> view.show((network.decode.tokens("llama-3-70b", H100, batch=256), 4))
    >>> view.show((network.decode.tokens("llama-3-70b", H100, step_seconds=20e-6), 64))
    """

    size, noun = (740, 430), "setting"
    left, right, floor, tall = 66, 728, 360, 290
    parts = {
        "weights and cache": ("read", "memory"),
        "bytes on links": ("wire", "other"),
        "steps of the all-reduces": ("latency", "compute"),
    }

    def marks(self, shown):
        """`shown`: (tuple of network.decode.Token, the number of chips that is set off)."""
        found, chips = shown
        n, slot = range(len(found)), (self.right - self.left) / len(found)
        x, here, best = rows(self.left + slot / 2, slot, len(found)), _with(found, chips), _least(found)
        top = nice(max(one.seconds for one in found if one.fits))
        up = [self.floor - self.tall * one.seconds / top - 12 if one.fits else self.floor - 34 for one in found]
        said = [si(one.seconds, "s") if one.fits else "does not fit" for one in found]
        roles = ["good bold" if one is best else "ink bold" if one.fits else "bad" for one in found]
        talk = f"talking takes {percent(here.talk_share)} of the time" if here.fits else "too little memory"
        y = self.floor - self.tall * np.array([0, 0.5, 1])
        key = [(role, what) for what, (_, role) in self.parts.items()]
        yield lines("grid", range(3), self.left, y, self.right, y, ["ink", *["muted dashed faint"] * 2], [1.5, 1, 1])
        yield texts("ticks", range(3), self.left - 8, y, ["0", si(top / 2, "s"), si(top, "s")], "muted end", 12)
        yield from legend("key", self.left + 22, 19, key)
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
        layers, under, fits, n = [], np.zeros(len(found)), np.array([one.fits for one in found]), range(len(found))
        who = [counted(one.n, "chip") for one in found]
        for what, (field, role) in self.parts.items():
            seconds = np.array([getattr(one, f"{field}_seconds") for one in found])
            low, up = (np.minimum(scale * end, self.tall) for end in (under, under + seconds))
            high = np.where(fits, up - low, 0)
            hover = {"who": who, "says": [f"{what}: {si(one, 's')}" for one in seconds]}
            layers.append(boxes(field, n, x - wide / 2, self.floor - low - high, wide, high, role, **hover))
            under = under + seconds
        return layers

    def say(self, shown):
        found, chips = shown
        here, best = _with(found, chips), _least(found)
        least = f"least with {counted(best.n, 'chip')}, {si(best.seconds, 's')}"
        if not here.fits:
            return f"{counted(chips, 'chip')}: weights and caches do not fit; {least}."
        return (
            f"{counted(chips, 'chip')}: {si(here.seconds, 's')} a token, {si(here.read_seconds, 's')} reading, "
            f"{si(here.talk_seconds, 's')} talking; {least}."
        )


def _with(found, chips):
    return next(one for one in found if one.n == chips)


def _least(found):
    return min((one for one in found if one.fits), key=lambda one: one.seconds)
