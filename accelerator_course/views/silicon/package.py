"""Dies and packages to scale: what memory a die holds, its next process, pieces, stacks of HBM, and a whole plan."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, nice, rows, stack, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.silicon.wafer import FIELD, numbered
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si

SLACK = 0.8  # mm between two stacks


class Ceiling(Stage):
    """SRAM ceiling: a die as large as can be printed, a share of it memory; for each model, dies that hold it.

    >>> view = Ceiling()
    >>> view.show(silicon.sram.ceiling(1.0, "N5", 0.7)), view.show(silicon.sram.ceiling(0.0, "N2", 0.9, "half a field"))
    >>> view.show(silicon.sram.ceiling(0.5, "N2", 0.9, "memory on top"))
    """

    size, noun = (746, 404), "die"
    most, in_row, step = 40, 20, 17  # dies drawn at most, in a row, and how far apart [px]

    def marks(self, found):  # silicon.sram.Ceiling
        left, more, (wide, high), (_, long) = 22, found.on_top, 6.2 * np.array(found.size_mm), 6.2 * np.array(FIELD)
        floor, (noun, head) = 74 + long, ("pair", "memory on top") if more else ("die", "one die")
        full, top, share = high * found.share, floor - high, f"SRAM {percent(found.share)}"
        said = ["other things" if found.share < 0.85 else "", share if found.share > 0.1 else ""]
        parts = [top, floor - full], wide, [high - full, full], ["muted tint", "memory tint"], said, 14
        yield boxes("above", range(more), left + 9, top - 9, wide, high, "memory", who="on top", says="only memory")
        yield boxes("parts", range(2), left, *parts)
        yield boxes("field", [0], left, 74, wide, long, "muted line dashed", who="one exposure field")
        yield boxes("edge", [0], left, top, wide, high, "ink line")
        yield words(
            "words",
            (left, 20, head, "ink bold start", 14),
            (left, 44, "{}{:g} × {:g} mm".format("two of " * more, *found.size_mm), "muted start", 12),
            (left + wide / 2, floor + 24, si(found.capacity_bytes, "B"), "memory bold", 19),
            (left + wide / 2, floor + 50, f"{found.node}, {percent(found.efficiency)} cells", "muted"),
        )
        for row, what in enumerate(found.need_bytes):
            # A model, and the dies that hold it, the last of them filled in part
            y = 56 + 86 * row
            start, dies = 224, found.dies[what]
            takes = "none" if dies is None else counted(dies, noun)
            look = "good bold end" if dies == 1 else "ink bold end"
            size = (start, y - 20, f"{what}: {si(found.need_bytes[what], 'B')}", "ink start", 14)
            shown, more = np.arange(min(dies or 0, self.most)), "… and so on" if (dies or 0) > self.most else ""
            x, top = start + self.step * (shown % self.in_row), y - 4 + 22 * (shown // self.in_row)
            full = 18 * np.where(shown + 1 == dies, found.last_fill[what], 1.0)
            says = f"takes {takes}, {number(found.times[what])} times what one holds"
            yield words(f"model {row}", size, (726, y - 20, takes, look, 15))
            yield words(f"more {row}", (start + self.step * self.in_row + 8, y + 27, more, "muted start", 12))
            yield boxes(f"held {row}", shown, x, top + 18 - full, 14, full, "memory", who=what, says=says)
            yield boxes(f"dies {row}", shown, x, top, 14, 18, "ink line")

    def say(self, found):
        if not found.capacity_bytes:
            return "A die without memory holds nothing."
        one = [what for what, dies in found.dies.items() if dies == 1]
        (last, need), more = list(found.dies.items())[-1], found.on_top
        fits = f"{' and '.join(one)} fit{'s' * (len(one) == 1)} on one" if one else "none of these models fits on one"
        said = f"SRAM on {percent(found.share)} of a die ({found.area_mm2:g} mm², {found.node}) "
        said += "and on a second one on top holds " if more else "holds "
        return said + f"{si(found.capacity_bytes, 'B')}: {fits}; {last} takes {need:,} {'pairs' if more else 'dies'}."


class Ported(Stage):
    """Port: what shrinks, what stays, what a good one costs.

    >>> view, run = Ported(), list(silicon.ports.port(0.6, 0.1))
    >>> view.show(run[0]), view.show(run[1]), view.show(list(silicon.ports.port(0.7, 0.3))[2])
    """

    size, noun = (746, 412), "node"
    nodes, columns, floor, scale = ("N7", "N5", "N3E"), np.array([128.0, 373, 618]), 252, 5.4  # scale: px of a mm
    roles = {"logic": "compute tint", "SRAM": "memory tint", "analog": "other tint"}

    def marks(self, ported):  # silicon.ports.Ported. Dollars of a good die are bars from the left of its column
        every, floor = (*ported.before, ported), self.floor
        there, node, usd = range(len(every)), [one.node for one in every], np.array([one.usd for one in every])
        keys = [*(one.name for one in node[:-1]), "now"]
        x, (wide, high) = self.columns[: len(every)], np.array(every[0].size_mm) * self.scale
        reached = pick(("ink bold", "muted"), np.arange(3) >= len(x))
        denser = [f"logic {number(one.logic)} × as dense" if one.logic > 1 else "as designed" for one in node]
        wafers = [f"wafer ${one.wafer_usd:,.0f} ({one.quoted})" for one in node]
        key, y = "orange: logic; blue: SRAM; violet: analog and I/O; dashed: the size on N7", 356
        hover = {"who": [f"a good die on {one.name}" for one in node], "says": [f"{one:,.0f} dollars" for one in usd]}
        yield boxes("first", there, x - wide / 2, floor - high, wide, high, "muted line dashed", who="its size on N7")
        yield from (layer for place in zip(every, x, keys, strict=True) for layer in self._die(*place))
        yield texts("names", range(3), self.columns, 16, self.nodes, reached, 16)
        yield texts("logic", there, x, 36, denser, "muted", 12)
        yield texts("cells", there, x, 54, [f"cell {one.bitcell_um2:g} µm²" for one in node], "muted", 12)
        yield texts("areas", there, x, floor + 20, [f"{one.area_mm2:,.0f} mm²" for one in every], "ink", 14)
        yield texts("wafers", there, x, floor + 42, wafers, "muted", 12)
        yield from bars("dollars", there, x - 100, y + 0 * x, 100 * usd / usd[0], 16, "good", **hover)
        yield lines("zero", there, x - 100, y - 12, x - 100, y + 12, "ink", 1.5)
        yield texts("usd", there, x, y - 28, [f"${value:,.0f} a good die" for value in usd], "ink bold", 16)
        yield words("legend", (373, 396, key, "muted", 12))

    def _die(self, ported, middle, key):
        """Logic above SRAM between two columns of analog, which stand where the pins are."""
        wide, high = np.array(ported.size_mm) * self.scale
        logic, _, analog = (ported.parts[name] * self.scale**2 for name in self.roles)
        left, top, side = middle - wide / 2, self.floor - high, analog / high / 2
        inner = max(wide - 2 * side, 1e-6)
        split, names = logic / inner if logic else 0, ["logic", "SRAM", "analog", "analog"]
        x, y = [left + side, left + side, left, left + wide - side], [top, top + split, top, top]
        w, h = np.array([inner, inner, side, side]), np.array([split, high - split, high, high])
        areas = [f"{ported.parts[name]:,.0f}" for name in names]
        room = zip(names, areas, (w > 92) & (h > 17), strict=True)
        said, roles = [f"{name} {area}" * bool(fits) for name, area, fits in room], [self.roles[name] for name in names]
        hover = {"who": [f"{name}, {ported.node.name}" for name in names], "says": [f"{area} mm²" for area in areas]}
        parts = boxes(f"die {key}", range(4), x, y, w, h, roles, said, **hover)
        return [parts, boxes(f"edge {key}", [0], left, top, wide, high, "ink line")]

    def say(self, ported):
        parts = ", ".join(f"{name} {area:,.0f}" for name, area in ported.parts.items())
        said = f"{ported.node.name}: {ported.area_mm2:,.0f} mm² ({parts}), {ported.usd:,.0f} dollars for a good die"
        if not ported.before:
            return f"{said}."
        size = f"{percent(ported.smaller)} smaller than on" if ported.smaller > 1e-9 else "as large as on"
        dearer = f"{percent(abs(ported.dearer))} {'more' if ported.dearer > 0 else 'less'}"
        change = "as much" if abs(ported.dearer) < 0.005 else dearer
        return f"{said}: {size} {ported.before[-1].node.name}, and {change} in dollars."


class Package(Stage):
    """Monolith or chiplets: the package to scale, a piece in the exposure field, dollars for each number of pieces.

    >>> view, run = Package(), list(frames.silicon.splits(800))
    >>> view.show(run[0]), view.show(run[7]), view.show(next(frames.silicon.splits(1200)))
    """

    size, noun = (746, 446), "cut"
    left, scale = 16, 4.0  # scale: pixels of a millimetre
    rows = {1: (1,), 2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (4, 3), 8: (4, 4)}  # dies of a package
    costs = {"silicon": "compute", "assembly": "other", "lost": "bad"}

    def marks(self, split):  # frames.silicon.Split
        # The dies side by side, with links between them; below, one in the exposure field
        top, low, gap, margin = 36, 430, 2.0 * self.scale, 1.5 * self.scale  # between dies and around them
        each, (wide, high), field = self.rows[split.pieces], *self.scale * np.array([split.size_mm, FIELD])
        across, down = max(each) * (wide + gap) - gap, len(each) * (high + gap) - gap
        row = np.repeat(np.arange(len(each)), each)
        column = np.concatenate([np.arange(n) - (n - max(each)) / 2 for n in each])
        x, y = self.left + margin + column * (wide + gap), top + margin + row * (high + gap)
        joined, area = np.flatnonzero(np.diff(row) == 0) + 1, f"{split.piece_mm2:,.0f}"
        said = f"{area} mm²" if split.pieces == 1 else area if wide > 44 else ""
        role, look, fits = ("compute tint", "ink", _good(split)) if split.fits else ("bad tint", "bad", "does not fit")
        hover = {"who": numbered("die", split.pieces), "says": f"{area} mm², {_good(split)}"}
        text = ["one die; dashed: the", "field, 26 × 33 mm", (f"{area} mm²", f"{look} bold start"), fits]
        tint = role if split.fits else f"{role} dashed"
        yield boxes("base", [0], self.left, top, across + 2 * margin, down + 2 * margin, "muted tint")
        yield boxes("links", joined, x[joined] - gap, y[joined] + high / 2 - 4, gap, 8, "other")
        yield boxes("dies", range(split.pieces), x, y, wide, high, tint, said, **hover)
        yield words("head", (self.left, 16, "the package, to scale", "ink bold start", 14))
        yield boxes("one", [0], self.left, low - high, wide, high, role, who="one die", says=_good(split))
        yield boxes("field", [0], self.left, low - field[1], *field, "ink line dashed")
        yield below("said", self.left + field[0] + 50, low - 74, text, 21)
        # Of every number of pieces so far, what it is paid for; ✕ where none can be made
        left, floor, tall, slot, top = 398, 392, 300, 42, nice(split.most or 1, (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10))
        made = {n: cost for n, cost in split.costs.items() if cost}
        middle, high, n = rows(left + 21, slot, 8), tall / top, list(split.costs)
        x, who, stack, layers = middle[np.array(list(made), int) - 1], [counted(k, "piece") for k in made], 0, []
        for name, role in self.costs.items():
            usd = np.array([getattr(cost, name) for cost in made.values()])
            stack, hover = stack + usd, {"who": who, "says": [f"{name}: {value:,.0f} dollars" for value in usd]}
            layers.append(boxes(name, list(made), x - 15, floor - high * stack, 30, high * usd, role, **hover))
        sums = [f"{cost.total:,.0f}" if cost else "✕" for cost in split.costs.values()]
        above = [floor - high * cost.total - 10 if cost else floor - 12 for cost in split.costs.values()]
        role = ["bad bold" if k not in made else "good bold" if k == split.best else "ink" for k in n]
        best, here = [split.best] if split.best else [], pick(("muted", "ink bold"), np.arange(8) + 1 == split.pieces)
        grid, end = floor - tall * np.array([0, 0.5, 1]), left + 8 * slot + 4
        yield lines("grid", range(3), left, grid, end, grid, ["ink", *["muted dashed faint"] * 2], [1.5, 0.8, 0.8])
        yield texts("ticks", range(3), left - 6, grid, [f"{at:,.0f}" for at in (0, top / 2, top)], "muted end", 12)
        yield from layers
        yield texts("pieces", range(8), middle, floor + 15, range(1, 9), here)
        yield texts("sums", n, middle[: len(n)], above, sums, role, 12)
        yield texts("least", best, middle[np.array(best, int) - 1], floor + 36, "least", "good bold")
        yield words("bills", (left - 4, 16, "dollars for one good package", "ink bold start", 14))
        yield words("pieces title", (left - 4, floor + 15, "pieces", "muted end"))
        yield from legend("key", left - 4, 44, [(role, name) for name, role in self.costs.items()], side=12)

    def say(self, split):
        piece = f"{split.piece_mm2:,.0f} mm²"
        if not split.fits and split.pieces == 1:
            return f"One die of {piece} does not fit the exposure field of 858 mm²: there is no monolith."
        if not split.fits:
            return f"{split.pieces} pieces of {piece}: even they do not fit the exposure field."
        cost = split.cost
        if split.pieces == 1:
            return f"One die of {piece}, {_good(split)}: {cost.total:,.0f} dollars, all of it silicon."
        best = f"Cheapest so far: {counted(split.best, 'piece')}, {split.costs[split.best].total:,.0f} dollars."
        said = f"{counted(split.pieces, 'piece')} of {piece}, {_good(split)}: {cost.total:,.0f} dollars, for "
        return said + f"silicon {cost.silicon:,.0f}, assembly {cost.assembly:,.0f} and loss {cost.lost:,.0f}. {best}"


def _good(split):
    return f"{percent(split.good)} are good"


class Shore(Stage):
    """The edge: two edges with a stack at every site, and the bandwidth that comes across them.

    >>> view = Shore({"H100": 3.35e12, "B200": 8e12})
    >>> view.show(silicon.hbm.shore()), view.show(silicon.hbm.shore("two", 8, 10.0, 2048))
    """

    size, noun = (746, 440), "package"
    scale, most = 6.0, 32e12  # pixels of a millimetre; B/s of the longest bar

    def __init__(self, published):
        """`published`: {chip: B/s}, to compare with."""
        self.published = published

    def marks(self, shore):  # silicon.hbm.Shore
        (x, y), deep, gap = (196, 226), 9.5 * self.scale, 1.2 * self.scale  # of a stack, and to the die
        wide, high = self.scale * shore.width_mm, self.scale * shore.edge_mm
        left, right, top, side = x - wide / 2, x + wide / 2, y - high / 2, shore.stacks // 2
        die, place = np.divmod(np.arange(side), max(shore.each, 1))
        from_top = die * shore.die_mm + shore.spare_mm / 2 + place * shore.pitch_mm + SLACK / 2
        tall, n, each, one = self.scale * (shore.pitch_mm - SLACK), range(2 * side), shore.dies, high / shore.dies
        at, down = np.repeat([left - deep - gap, right + gap], side), np.tile(top + self.scale * from_top, 2)
        first, last = np.repeat([[left - gap, right], [left, right + gap]], side, 1)
        says, around = f"one of {shore.stacks}, {number(shore.pitch_mm)} mm apart", deep + 2 * gap
        edge = f"{' + '.join([f'{shore.die_mm}'] * each)} mm of edge on each side"
        yield boxes("base", [0], left - around, top - 10, wide + 2 * around, high + 20, "muted tint")
        yield boxes("dies", range(each), left, rows(top, one, each), wide, one, "compute tint", "die", 15)
        yield lines("wires", n, first, down + tall / 2, last, down + tall / 2, "memory", 6)
        yield boxes("stacks", n, at, down, deep, tall, "memory tint", "HBM", who=numbered("stack", 2 * side), says=says)
        yield words("head", (20, 16, "to scale", "ink bold start", 14), (x, top + high + 28, edge, "ink"))
        left, whose = 392, "each edge" if shore.dies == 1 else "each die's edge"
        spare = f"{number(shore.spare_mm)} mm of {whose} left over" if shore.spare_mm > 0.05 else "both edges are full"
        rates = {"this package": shore.bytes_per_s, **self.published}
        said, y, n = [si(rate, "B/s") for rate in rates.values()], rows(243, 44, len(rates)), range(len(rates))
        long = 262 * np.minimum(np.array(list(rates.values())) / self.most, 1)
        role = ["memory", *["muted"] * len(self.published)]
        yield words(
            "said",
            (left, 56, f"{shore.stacks} stacks", "ink bold start", 19),
            (left, 84, f"{shore.pins:,} pins at {number(shore.gbit_per_pin)} Gbit/s", "ink start", 14),
            (left, 108, spare, "muted start"),
            (left, 144, said[0], "memory bold start", 22),
        )
        yield texts("names", n, left, y - 18, list(rates), "ink start")
        yield from bars("rates", n, left, y, long, 14, role, said, who=list(rates), says=said)

    def say(self, shore):
        what = "One die" if shore.dies == 1 else "Two dies"
        said = f"{what} with {shore.edge_mm} mm of edge on each side: room for {shore.stacks} stacks of "
        return said + f"{number(shore.pitch_mm)} mm each, which bring {si(shore.bytes_per_s, 'B/s')}."


class FloorPlan(Stage):
    """Floor plan: units, SRAM and interfaces on one die, stacks along its edges; dollars, seconds, and their product.

    >>> view, best = FloorPlan(), silicon.cheapest(256)
    >>> view.show((best, best)), view.show((silicon.serve(silicon.Plan(144, 50e6, 5), 256), best))
    >>> view.show((silicon.serve(silicon.Plan(204, 400e6, 12), 256), best))
    """

    size, noun = (746, 448), "plan"
    scale, middle, top = 5.6, 172, 46  # pixels of a millimetre; of the die
    left, long, dollars = 404, 320, 8000  # the bars: where they begin, how long [px] so many dollars are
    parts = {"units": "compute tint", "SRAM": "memory soft", "interfaces": "other", "links, host": "muted soft"}
    bill = {"die": "compute", "HBM": "memory", "package": "muted"}

    def __init__(self, named=True):
        """`named`: say which plan is the best one, or leave it to be found."""
        self.named = named

    def marks(self, result):  # (silicon.plans.Served, the best one for as many rows)
        served, best = result
        plan = served.plan
        # The parts of the die: interfaces at both edges, units in rows, memory and the rest below
        top, (wide, high), field = self.top, self.scale * np.array(plan.size_mm), self.scale * np.array(FIELD)
        left, areas = self.middle - wide / 2, {name: area * self.scale**2 for name, area in plan.parts.items()}
        side, said = areas["interfaces"] / 2 / high, {name: f"{area:,.0f} mm²" for name, area in plan.parts.items()}
        inner, x, i, ok = wide - 2 * side, left + side, np.arange(plan.units), plan.fits_field
        units, sram, fixed = (areas[name] / inner for name in ("units", "SRAM", "fixed"))
        cols = max(1, round(inner / (areas["units"] / plan.units) ** 0.5))
        w, h = inner / cols, units / -(-plan.units // cols)
        bands = zip(("SRAM", "links, host"), (sram, fixed), strict=True)
        labels = [name if room >= 15 and inner >= 9.5 * len(name) else "" for name, room in bands]
        place = x, [top + units, top + units + sram], inner, [sram, fixed], ["memory soft", "muted soft"], labels, 12
        unit = {"who": "a unit", "says": "3.4 mm², 7.5 TFLOP/s (assumed)"}
        hover = {"who": ["SRAM", "links, control, host"], "says": [said["SRAM"], said["fixed"]]}
        faces = {"who": "interfaces of the stacks", "says": said["interfaces"]}
        area = f"{plan.area_mm2:,.0f} mm²{'' if ok else ' do not fit the field'}"
        look = ("compute tint", "ink line", "ink bold") if ok else ("bad tint", "bad line", "bad bold")
        yield boxes("units", i, x + w * (i % cols), top + h * (i // cols), w - 0.8, h - 0.8, look[0], **unit)
        yield boxes("bands", range(2), *place, **hover)
        yield boxes("interfaces", range(2), [left, left + wide - side], top, side, high, "other", **faces)
        yield boxes("outline", [0], left, top, wide, high, look[1])
        yield boxes("field", [0] * (not ok), self.middle - field[0] / 2, top, *field, "bad line dashed")
        yield words("scale", (20, 16, "to scale", "ink bold start", 14))
        yield words("area", (self.middle, top + high + 18, area, look[2], 14))
        yield from legend("key", 20, 383, [(role, name) for name, role in self.parts.items()], side=12, size=12, gap=18)
        # Stacks at the sites, from the top of both edges; those without one lie below, in red
        half, deep, gap = self.scale * plan.size_mm[0] / 2, 9.0 * self.scale, 1.2 * self.scale
        i, pitch, slack, free = np.arange(plan.stacks), self.scale * plan.pitch_mm, self.scale * SLACK, plan.free_sites
        there = i < plan.sites
        x = np.where(i % 2, self.middle + half + gap, self.middle - half - gap - deep)
        x, y = np.where(there, x, 20 + 52 * (i - plan.sites)), self.top + pitch * (i // 2) + slack / 2
        wide, high = np.where(there, deep, 46), np.where(there, pitch - slack, 40)
        says = list(np.where(there, f"{number(plan.stack_gb)} GB", "no room at the edges"))
        hover = {"who": numbered("stack", plan.stacks), "says": says}
        memory = f"{counted(plan.stacks, 'stack')}: {si(plan.capacity_bytes, 'B')}, {si(plan.bytes_per_s, 'B/s')}"
        room = (f"room for {counted(free, 'more stack')}" if free else "every site is taken", "muted start")
        room = room if free >= 0 else (f"no room at the edges for {-free}", "bad bold start")
        place, role = (x, np.where(there, y, 330), wide, high), pick(("memory tint", "bad tint dashed"), ~there)
        yield boxes("stacks", i, *place, role, "HBM", **hover)
        yield below("sites", 20, 404, [memory, room], 23)
        # Dollars by part on one bar from zero
        left, usd = self.left, np.array(list(plan.usd.values()))
        long = usd * self.long / self.dollars
        start = left + np.cumsum(long) - long
        long, says = np.minimum(long, left + self.long + 14 - start), [f"{value:,.0f} dollars" for value in usd]
        key = [(self.bill[name], f"{name} ${value:,.0f}") for name, value in plan.usd.items()]
        yield boxes("bill", range(3), start, 66, long, 24, [*self.bill.values()], who=[*self.bill], says=says)
        yield lines("bill zero", [0], left, 60, left, 94, "ink", 1.5)
        yield from legend("bill key", left, 104, key[:2], side=12)
        yield from legend("bill rest", left, 126, key[2:], side=12)
        yield words("bill head", (left, 44, "dollars (assumed)", "ink bold start", 14))
        yield words("bill sum", (left + self.long, 44, f"${plan.total_usd:,.0f}", "ink bold end", 16))
        # Arithmetic and memory, side by side; the longer one is the time
        names, y, left = ["arithmetic", "memory"], rows(208, 48, 2), self.left
        seconds = np.array([served.arithmetic_seconds, served.memory_seconds])
        said, long = [si(one, "s") for one in seconds], self.long * seconds / seconds.max()
        labels = [f"{name} {time}" for name, time in zip(names, said, strict=True)]
        yield words("pace", (left, 160, f"layer of 8,192², {counted(served.rows, 'row')}", "ink bold start", 14))
        yield from bars("times", range(2), left, y, long, 20, ["compute", "memory"], who=names, says=said)
        yield texts("took", range(2), left + 5, y - 22, labels, "ink start")
        yield lines("start", [0], left, 192, left, 272, "ink", 1.5)
        # Dollars times seconds, beside the least; which plan that is stands there if it is named
        if served.plan.problem:
            yield words("score", (left, 318, "cannot be built", "bad bold start", 18))
            return
        score = np.array([served.usd_seconds, best.usd_seconds])
        hover = {"who": ["this plan", "the best plan"], "says": [f"{number(one)} dollar s" for one in score]}
        this = "the least" if served.plan == best.plan else f"{number(served.times(best))} × the least"
        least = f"best: {_named(best.plan)}" if self.named else "the best plan"
        plans = (left + 5, 328, f"this plan: {this}"), (left + 5, 380, least, "good start")
        yield words("score", (left, 304, "dollars × seconds", "ink bold start", 14), *plans)
        long = self.long * score / score[0]
        yield from bars("scores", range(2), left, rows(348, 52, 2), long, 18, ["ink", "good"], **hover)
        yield lines("score zero", [0], left, 335, left, 413, "ink", 1.5)

    def say(self, result):
        served, best = result
        plan, what = served.plan, _named(served.plan, " of SRAM")
        if plan.problem:
            return f"{what}: {plan.problem}."
        least = "the least of all plans" if plan == best.plan else f"{number(served.times(best))} times the least"
        said = f"{what}: {plan.area_mm2:,.0f} mm², {plan.total_usd:,.0f} dollars. A layer with "
        said += f"{counted(served.rows, 'row')} takes {si(served.seconds, 's')}; {LIMITS[served.bound].pace}. "
        return said + f"Dollars times seconds: {number(served.usd_seconds)}, {least}."


def _named(plan, sram=""):
    return f"{plan.units} units, {si(plan.sram_bytes, 'B')}{sram}, {counted(plan.stacks, 'stack')}"


class Bill(Stage):
    """What one good package is paid for; below, sorted, how far its dollars move while one guess goes to its ends.

    >>> view, law = Bill(silicon.bill.GUESSES), lambda lost=0, wafer=16000, **guess: {"dies": wafer / 47, "lost": lost}
    >>> view.show(silicon.bill.swings(law)), view.show(silicon.bill.swings(law, lost=200))
    """

    size, noun = (746, 442), "bill"
    paid = {"dies": "compute", "memory": "memory", "base": "muted", "lost": "bad", "design": "other"}

    def __init__(self, guesses):
        """`guesses`: silicon.bill.GUESSES, which say what their ends are."""
        self.guesses = guesses

    def marks(self, found):  # silicon.bill.Swings
        usd, total, guesses = list(found.bill.values()), found.total, [self.guesses[id] for id in found.ends]
        says, roles = [f"{one:,.0f} dollars" for one in usd], [self.paid[name] for name in found.bill]
        names = [f"{name} ${one:,.0f}" for name, one in zip(found.bill, usd, strict=True)]
        yield words(
            "head", (20, 18, "one good package", "ink bold start", 14), (726, 18, f"${total:,.0f}", "ink bold end", 18)
        )
        yield stack("bill", list(found.bill), 20, 50, 706 * np.array(usd) / total, 24, roles, who=names, says=says)
        yield from legend("key", 20, 82, list(zip(roles, names, strict=True)), gap=20)
        # From the usual bill to a cheap and to a dear end of each guess; beyond the axis a bar ends in an arrow head
        y, ends, n = rows(158, 32, len(guesses)), np.array(list(found.ends.values())) / total - 1, range(len(guesses))
        chart = Chart((286, 586), (400, 138), (-0.4, 0.4), (0, 1), inside=True)
        zero, high, says = chart.x(0), np.flatnonzero(ends[:, 1] > 0.4), [one["says"] for one in guesses]
        look, axis = ["ink bold end", *["ink end"] * len(n[1:])], (-0.4, -0.2, 0, 0.2, 0.4)
        yield from chart.axes(axis, x_words=["−40 %", "−20 %", "as usual", "+20 %", "+40 %"])
        for side, (end, role, toward) in enumerate((("cheap", "good", -1), ("dear", "bad", 1))):
            at, value = chart.x(ends[:, side]), [_end(one[end], one["unit"]) for one in guesses]
            dollars = [f"{found.ends[id][side]:,.0f} dollars" for id in found.ends]
            yield boxes(end, n, np.minimum(at, zero), y - 9, abs(at - zero), 18, role, who=says, says=dollars)
            yield texts(f"{end} ends", n, at + 6 * toward, y, value, f"muted {'end' if side == 0 else 'start'}", 12)
        yield texts("beyond", high, 578, y[high], "▸", "paper bold")
        yield lines("zero", [0], zero, 138, zero, 400, "ink", 1.5)
        yield texts("names", n, 216, y, says, look)
        yield texts("apart", n, 726, y, [f"{one:,.0f}" for one in found.apart.values()], look)
        yield words(
            "asks", (20, 118, "if one guess is at an end", "ink bold start", 14), (726, 118, "dollars apart", "ink end")
        )

    def say(self, found):
        paid = ", ".join(f"{name} {usd:,.0f}" for name, usd in found.bill.items())
        first, second = (
            f"{self.guesses[id]['says']}, {usd:,.0f} dollars apart" for id, usd in [*found.apart.items()][:2]
        )
        return f"A good package costs {found.total:,.0f} dollars: {paid}. What decides: {first}; then {second}."


def _end(value, unit):
    return percent(value) if unit == "%" else f"{value:,g}"
