"""Published machines side by side: by memory, by kind, by year and figure."""

from math import ceil, sqrt

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si


def without(name, *parts):
    for part in parts:
        name = name.replace(part, "")
    return name


class Capacity(Stage):
    """The capacity ladder: every rung a kind of chip, its distance from the model the number of chips.

    >>> view = Capacity()
    >>> view.show(design.capacity.needed("llama-2-70b")), view.show(design.capacity.needed("llama-2-7b", 4))
    >>> view.show(design.capacity.needed("llama-3-405b", 16, 131072, 256))
    """

    size, noun = (740, 476), "model"

    def marks(self, found):  # design.capacity.Needed
        chips, y, top = found.chips, rows(110, 36, len(found.chips)), 88
        chart = Chart((178, 598), (y[-1] + 22, top), (1e8, 3e13), (0, 1), "x", inside=True)
        floor, ids, names = chart.up[0], [one.record.id for one in chips], [one.record.name for one in chips]
        own, on_die = np.array([one.record.memory_bytes for one in chips]), [one.on_die for one in chips]
        enough, at = own >= found.needed_bytes, chart.x(own)
        ends, says = np.where(enough, at, chart.x(found.needed_bytes)), [self._says(one, found) for one in chips]
        role, shape = pick(("memory", "other"), on_die), pick(("memory round", "other"), on_die)
        look = ["good bold end" if one.for_all == 1 else "ink bold end" for one in chips]
        ticks, axis = 10.0 ** np.arange(8, 14), "memory of one chip; every step to the right is tenfold"
        uprights = [("the weights", "the weights", found.weight_bytes, "ink", 396)]
        if found.cache_bytes:
            uprights.append(("weights and caches", "with the caches", found.needed_bytes, "ink dashed", 524))
        who, keys, needed, looks, key = zip(*uprights, strict=True)
        x, kinds = chart.x(needed), [("memory round", "memory beside the die"), ("other", "SRAM on the die")]
        yield from chart.axes(x=ticks, x_name=axis, x_words=[si(tick, "B") for tick in ticks])
        yield words("head", (16, 22, self._head(found), "ink bold start", 15), (726, 78, "chips", "ink bold end"))
        yield from legend("key", 16, 51, kinds, size=12)
        yield texts("names", ids, 166, y, names, "ink end")
        yield lines("way", ids, at, y, ends, y, role, np.where(enough, 0.5, 5.0), names, says)
        yield spots("chips", ids, at, y, 16, shape, who=names, says=says)
        yield lines("needed", who, x, top, x, floor, looks, 2.5, who, [si(one, "B") for one in needed])
        yield lines("needed key", who, key, 43, key, 59, looks, 2.5)
        yield words("needed words", *((at + 14, 51, name, "ink start", 12) for at, name in zip(key, keys, strict=True)))
        yield texts("counts", ids, 726, y, [f"{one.for_all:,}" for one in chips], look, 15)

    def _head(self, found):
        head = f"{found.name}, {found.bits} bits: {si(found.weight_bytes, 'B')} of weights"
        return head + (f" + {si(found.cache_bytes, 'B')} of caches" if found.cache_bytes else "")

    def _says(self, one, found):
        text = f"{si(one.record.memory_bytes, 'B')}: {counted(one.for_weights, 'chip')} for the weights"
        return text + (f", {one.for_all:,} with the caches" if found.cache_bytes else "")

    def say(self, found):
        names = [without(one.record.name, "Cerebras ", "Jetson ", "Apple ") for one in found.chips]
        text = ", ".join(f"{one.for_all:,} × {name}" for one, name in zip(found.chips, names, strict=True))
        return f"{self._head(found)}. Chips that hold them: {text}."


class Poured(Stage):
    """A model poured into two kinds of chips, their dies to scale: full ones, and the one that is being filled.

    >>> from accelerator_course.frames.design import pour
    >>> view, run = Poured(), list(pour())
    >>> view.show(run[0]), view.show(run[3]), view.show(run[-1]), view.show(list(pour("llama-3-405b"))[-1])
    """

    size, noun = (740, 430), "amount"
    across, high, left, top = 452, 300, 272, 112  # room for the small chips

    def marks(self, poured):  # frames.design.Poured
        left, many = (16, self.left), (poured.large_chips, poured.small_chips)
        columns = max(1, ceil(sqrt(poured.will_need * self.across / self.high)))
        pitch = min(self.across / columns, self.high / ceil(poured.will_need / columns), 60.0)
        scale = 0.88 * pitch / sqrt(poured.small.die_mm2)  # px of a millimetre
        long, part = 708 / poured.needed_bytes, max(poured.in_large, poured.in_small)
        whole = si(poured.needed_bytes, "B")
        head = f"{poured.name}, {poured.bits} bits: {whole} of weights"
        kinds, sides = (poured.large, poured.small), ("beside the die", "on the die")
        each = [f"each {si(one.memory_bytes, 'B')} {side}" for one, side in zip(kinds, sides, strict=True)]
        counts = [counted(n, "chip") if n else "none yet" for n in many]
        spent = [f"{n * one.die_mm2:,.0f} mm² of silicon" for n, one in zip(many, kinds, strict=True)]
        large, small = (scale * sqrt(one.die_mm2) for one in kinds)
        gap, ends, names = large / 0.88, (256, self.left + self.across), [one.name for one in kinds]
        yield words("head", (16, 18, head, "ink bold start", 15))
        yield boxes("model", [0], 16, 34, 708, 16, "memory tint", who="the model", says=whole)
        yield boxes("poured", [0], 16, 34, long * part, 16, "memory")
        yield texts("names", range(2), left, 72, names, "ink bold start", 14)
        yield texts("each", range(2), left, 92, each, "ink start", 13)
        yield texts("counts", range(2), ends, 72, counts, "good bold end", 14)
        few = max(1, int(240 // gap))
        yield from self._chips("large", poured.in_large, poured.large, 16, gap, few, large, "memory")
        yield from self._chips("small", poured.in_small, poured.small, self.left, pitch, columns, small, "other")
        yield texts("spent", range(2), left, 418, spent, "muted start", 13)
        yield lines("scale", [0], 16, 392, 16 + 100 * scale, 392, "ink", 2)
        yield words("to scale", (16, 378, "dies to scale; the line is 100 mm", "muted start", 12))

    def _chips(self, name, held, record, left, pitch, columns, side, role):
        """Chips that are full, and one that is not, or is empty."""
        full, rest = divmod(held, record.memory_bytes)
        level = np.array([1.0] * int(full) + [rest / record.memory_bytes] * (rest > 0 or not full))
        i = np.arange(len(level))
        x, y = left + pitch * (i % columns), self.top + pitch * (i // columns)
        says, who = [f"{percent(one)} full" for one in level], f"a chip of {si(record.memory_bytes, 'B')}"
        yield boxes(f"{name} held", i, x, y + side * (1 - level), side, side * level, role, who=who, says=says)
        yield boxes(f"{name} open", i[level < 1], x[level < 1], y[level < 1], side, side, f"{role} line")

    def say(self, poured):
        if not poured.in_large:
            return f"{poured.name}, {poured.bits} bits: {si(poured.needed_bytes, 'B')}. One empty chip of each kind."
        first = f"{si(poured.in_large, 'B')} in {poured.large_chips} × {poured.large.name}"
        if not poured.in_small:
            return f"{first}."
        return f"{first}; {si(poured.in_small, 'B')} in {poured.small_chips:,} × {poured.small.name}."


KIND_ROLES = {"gpu": "compute round", "tpu": "memory", "sram": "other"}
KINDS = "GPU-like", "TPU-like", "SRAM machine"
LEFT_OF, ABOVE = (-11, 0, "ink end"), (0, -15, "ink")  # where a name stands that would meet another one
NAMES_AT = {"a100-80gb-sxm": LEFT_OF, "mi300x": LEFT_OF, "h100-sxm5": ABOVE, "groq-lpu": LEFT_OF, "tpu-v6e": LEFT_OF}


class Kinds(Stage):
    """Three kinds of machines: which are fed by a job of so many rows.

    >>> view = Kinds()
    >>> view.show(design.kinds.kinds(1)), view.show(design.kinds.kinds(256)), view.show(design.kinds.kinds(4096))
    """

    size, noun = (746, 452), "job"

    def marks(self, found):  # design.kinds.Kinds
        ones, ids = found.machines, [one.record.id for one in found.machines]
        names, fed = [self._name(one) for one in ones], [one.fed for one in ones]
        chart = Chart((60, 432), (376, 56), (1, 2**18), (0.1, 5000), "xy", inside=True)
        (left, right), (floor, top) = chart.across, chart.up
        x, y = chart.x([one.unit_macs for one in ones]), chart.y([one.hunger for one in ones])
        roles = [KIND_ROLES[one.record.kind] + ("" if one.fed else " line") for one in ones]
        aside, up, side = zip(*(NAMES_AT.get(id, (11, 0, "ink start")) for id in ids), strict=True)
        at, job = float(chart.y(found.rows)), counted(found.rows, "row")
        needs = [(number(one.unit_macs, 6), number(one.hunger), si(one.seconds_to_read, "s")) for one in ones]
        each = "{} multiply-accumulates a unit; fed at {} FLOP/byte or more; reads its memory in {}"
        says = [each.format(*one) for one in needs]
        row, axis, head = rows(68, 34, len(ones)), "multiply-accumulates of one unit in a cycle", top - 18
        yield from chart.axes(4.0 ** np.arange(0, 10, 2), 10.0 ** np.arange(-1, 4), axis, "", "{:,.0f}", "{:,g}")
        yield boxes("fed", [0], left, at, right - left, floor - at, "good soft")
        yield lines("job", [0], left, at, right, at, "good", 2, "the job", job)
        yield spots("dots", ids, x, y, 14, roles, who=names, says=says)
        yield texts("names", ids, x + aside, y + up, names, side, 12)
        yield words(
            "heads",
            (16, head, "FLOP for each byte, to keep it busy", "muted start", 12),
            (right, head, f"the job: {job}", "good bold end"),
            (478, head, "machine", "ink bold start", 12),
            (648, head, "of peak", "ink bold end", 12),
            (736, head, "chips", "ink bold end", 12),
            (478, row[-1] + 30, "chips that hold Llama 2 70B in 16 bits", "muted start", 12),
            (478, row[-1] + 48, "filled: fed; hollow: waits for memory", "muted start", 12),
        )
        yield spots("marks", ids, 484, row, 12, roles)
        yield texts("list", ids, 498, row, names, "ink start")
        shares, look = [percent(one.share) for one in ones], pick(("ink end", "good bold end"), fed)
        yield texts("shares", ids, 648, row, shares, look)
        yield texts("chips", ids, 736, row, [f"{one.chips:,}" for one in ones], "ink end")
        yield from legend("key", left, 438, zip(KIND_ROLES.values(), KINDS, strict=True), size=12)

    def say(self, found):
        text = ", ".join(f"{self._name(one)} {percent(one.share)}" for one in found.machines)
        return f"A product of {counted(found.rows, 'row')}. Each machine's share of its peak, at most: {text}."

    def _name(self, one):
        return without(one.record.name, "Instinct ", "Cerebras ", " 80GB", " SXM4", " SXM5")


FIRST, LAST, SHELF, DOT, LIST = 2015, 2025, 386, 9, 566  # years; y of those without a figure; a dot; x of the list
SPAN = {"chip": (1e11, 1e18), "W": (1e10, 1e14), "mm²": (1e10, 1e13), "$/h": (1e13, 1e16)}
UNITS = {"chip": "OP/s", "W": "OP/s a watt", "mm²": "OP/s a mm²", "$/h": "OP/s a dollar an hour"}
ROLES = {"gpu": "compute round", "tpu": "memory", "sram": "other", "edge": "good round", "soc": "good"}
ROLES |= {"cpu": "muted round", "fpga": "muted", "exotic": "bad round"}


class Zoo(Stage):
    """The zoo: accelerators by year and by what they do per chip, watt, square millimetre or dollar.

    >>> view = Zoo(design.zoo.KINDS)
    >>> view.show(design.zoo.look()), view.show(design.zoo.look("all", "16 bits", "chip", False))
    >>> view.show(design.zoo.look("edge", "INT8", "W")), view.show(design.zoo.look("all", "FP4", "mm²"))
    """

    size, noun = (746, 494), "zoo"

    def __init__(self, kinds):  # {key: its name}
        self.kinds = kinds

    def marks(self, sight):  # design.zoo.Sight
        low, high = SPAN[sight.per]
        chart = Chart((66, 536), (346, 46), (FIRST - 0.57, LAST + 0.57), (low, high), "y", inside=True)
        decades, years = 10.0 ** np.arange(np.log10(low), np.log10(high) + 0.5), range(FIRST, LAST + 1, 2)
        places, i = self._places(sight, chart), np.arange(len(self.kinds))
        x, y = 16 + 186 * (i % 4), 458 + 20 * (i // 4)
        yield from chart.axes(y=decades, y_words=[si(decade, "").replace(" ", "") for decade in decades])
        yield words("years", *((float(chart.x(year)), chart.up[0] + 16, str(year), "muted", 12) for year in years))
        yield words("head", (16, 16, self._head(sight), "ink bold start", 14), (58, SHELF, "blank", "muted end", 12))
        # A line between two records of one part that differ
        found = {}
        for row, value in sight.rows:
            found.setdefault(row.part, []).append((row.id, value))
        pairs = [(a[0], b[0]) for a, b in (pair for pair in found.values() if len(pair) == 2) if a[1] != b[1]]
        ends = np.array([(*places[a], *places[b]) for a, b in pairs]).reshape(-1, 4)
        yield lines("twins", [a for a, _ in pairs], *ends.T, "muted dashed", 1)
        ordered = sorted(sight.rows, key=lambda row: sight.kind in ("all", row[0].kind))
        ids, who = [row.id for row, _ in ordered], [f"{row.name} ({row.year})" for row, _ in ordered]
        roles = [self._role(row.kind, sight.kind in ("all", row.kind), value) for row, value in ordered]
        says = [self._says(row, value, sight) for row, value in ordered]
        yield spots("dots", ids, *np.array([places[id] for id in ids]).T, DOT, roles, who=who, says=says)
        yield from self._list(sight, chart.up[1])
        yield spots("key", list(self.kinds), x + DOT / 2, y - 0.5, DOT, [ROLES[kind] for kind in self.kinds])
        yield texts("key words", list(self.kinds), x + 15, y, list(self.kinds.values()), "ink start", 12)

    def _places(self, sight, chart):
        """{id: (x, y)}: dots of one year that would lie on each other stand side by side."""
        places, taken, blank = {}, {}, {}
        for row, value in sight.rows:
            x = float(chart.x(row.year))
            if value:
                level, n = round(float(chart.y(value)), 1), 0
                used = {spot[1] for spot in taken.get(row.year, []) if abs(spot[0] - level) < DOT}
                while n in used:
                    n += 1
                taken.setdefault(row.year, []).append((level, n))
                places[row.id] = (x + DOT * ((n + 1) // 2) * (1 if n % 2 else -1), level)
            else:
                n = blank[row.year] = blank.get(row.year, -1) + 1
                places[row.id] = (x + (DOT + 1) * (n % 4 - 1.5), SHELF + (DOT + 1) * (n // 4))
        return places

    def _role(self, kind, chosen, value):
        base, *shape = ROLES[kind].split()
        how = [] if chosen and value else ["line"] if chosen else ["faint"]
        return " ".join([base if chosen else "muted", *shape, *how])

    def _says(self, row, value, sight):
        text = f"{self.kinds[row.kind]}: {si(value, UNITS[sight.per]) if value else 'a number is not published'}"
        text += f"; basis: {row.basis}"
        if not sight.equal and row.printed:
            text += f"; counts {row.printed[1]}"
        if sight.per == "$/h" and row.offer:
            text += f"; {row.offer[0]:.2f} dollars an hour, {row.offer[1]}, {row.offer[2]}"
        return text

    def _list(self, sight, top):
        """The best, and the last two, of those with a figure."""
        known, picked = sight.known, sight.known
        if len(known) > 9:
            picked = (*known[:6], None, *known[-2:])
        y, unit = rows(top + 30, 30, len(picked)), UNITS[sight.per].split(" a ")[0]
        names = ["…" if one is None else self._cut(one[0].name) for one in picked]
        values = ["" if one is None else si(one[1], unit) for one in picked]
        keys = ["between" if one is None else one[0].id for one in picked]
        count = f"{len(known)} with a figure" if known else "none has a figure"
        last = top + 30 + 30 * max(len(picked), 1)
        blank = f"{counted(len(sight.blank), 'record')} without"
        yield words("count", (LIST, top, count, "ink bold start"), (LIST, last, blank, "muted start", 12))
        yield texts("names", keys, LIST, y - 6, names, "ink start", 12)
        yield texts("values", keys, LIST, y + 8, values, "muted start", 12)

    def _cut(self, name, most=25):
        name = without(name.partition(" (")[0], "NVIDIA ", "Qualcomm ", "AMD/Xilinx ")
        return name if len(name) <= most else name[: most - 1] + "…"

    def _head(self, sight):
        return f"{UNITS[sight.per]}: {f'{sight.dtype}, dense' if sight.equal else 'the largest figure in print'}"

    def say(self, sight):
        known, kind = sight.known, "" if sight.kind == "all" else f", {self.kinds[sight.kind]}"
        if not known:
            return f"{self._head(sight)}{kind}: no record has all the numbers."
        ends = [f"{row.name} {si(value, UNITS[sight.per])}" for row, value in (known[0], known[-1])]
        said = f" (it counts {known[0][0].printed[1]})" if not sight.equal else ""
        first = f"{self._head(sight)}{kind}: {len(known)} of {len(known) + len(sight.blank)} records have a figure, "
        return first + f"from {ends[0]}{said} to {ends[1]}."
