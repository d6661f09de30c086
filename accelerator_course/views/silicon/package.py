"""A package to scale: one die or pieces of it, stacks of HBM along the edges, what it costs and how fast it is."""

import numpy as np

from accelerator_course.views.kit import bars, below, legend, nice, rows, words
from accelerator_course.views.silicon.wafer import FIELD, numbered
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si

ROWS = {1: (1,), 2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (4, 3), 8: (4, 4)}  # dies of a package
COSTS = {"silicon": "compute", "assembly": "other", "lost": "bad"}
BILL = {"die": "compute", "HBM": "memory", "package": "muted"}
PARTS = {"units": "compute tint", "SRAM": "memory soft", "interfaces": "other", "links, host": "muted soft"}
SLACK = 0.8  # mm between two stacks


class Package(Stage):
    """Monolith or chiplets: the package to scale, a piece in the exposure field, dollars for each number of pieces.

    >>> view, run = Package(), list(frames.silicon.splits(800))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[7])
    >>> view.show(next(frames.silicon.splits(1200)))
    """

    size, noun = (746, 446), "cut"
    left, scale = 16, 4.0  # scale: pixels of a millimetre

    def marks(self, split):
        """`split`: frames.silicon.Split."""
        return [*self._package(split), *self._field(split), *self._dollars(split)]

    def _package(self, split):
        top, gap, margin, (wide, high) = 36, 2.0, 1.5, split.size_mm  # between dies and around them [mm]
        each = ROWS[split.pieces]
        across, down = max(each) * (wide + gap) - gap, len(each) * (high + gap) - gap
        row = np.repeat(np.arange(len(each)), each)
        column = np.concatenate([np.arange(n) - (n - max(each)) / 2 for n in each])
        x = self.left + self.scale * (margin + column * (wide + gap))
        y = top + self.scale * (margin + row * (high + gap))
        joined = np.flatnonzero(np.diff(row) == 0) + 1
        w, h, g = (self.scale * side for side in (wide, high, gap))
        area = f"{split.piece_mm2:,.0f}"
        said = f"{area} mm²" if split.pieces == 1 else area if w > 44 else ""
        role, says = "compute tint" if split.fits else "bad tint dashed", f"{area} mm², {_good(split)}"
        whole = self.scale * (across + 2 * margin), self.scale * (down + 2 * margin)
        return [
            boxes("base", [0], self.left, top, *whole, "muted tint"),
            boxes("links", joined, x[joined] - g, y[joined] + h / 2 - 4, g, 8, "other"),
            boxes("dies", range(split.pieces), x, y, w, h, role, said, who=numbered("die", split.pieces), says=says),
            words("head", (self.left, 16, "the package, to scale", "ink bold start", 14)),
        ]

    def _field(self, split):
        floor, (w, h), (wide, high) = 430, np.array(split.size_mm) * self.scale, np.array(FIELD) * self.scale
        role, area = "compute tint" if split.fits else "bad tint", f"{split.piece_mm2:,.0f} mm²"
        size = (area, "ink bold start") if split.fits else (area, "bad bold start")
        said = ["one die; dashed: the", "field, 26 × 33 mm", size, _good(split) if split.fits else "does not fit"]
        return [
            boxes("one", [0], self.left, floor - h, w, h, role, who="one die", says=_good(split)),
            boxes("field", [0], self.left, floor - high, wide, high, "ink line dashed"),
            below("said", self.left + wide + 50, floor - 74, said, 21),
        ]

    def _dollars(self, split):
        """Of every number of pieces so far, what it is paid for; ✕ where none can be made."""
        left, floor, tall, slot, top = 398, 392, 300, 42, nice(split.most or 1, (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10))
        made = {n: cost for n, cost in split.costs.items() if cost}
        middle = left + 21 + slot * np.arange(8)
        x, high = middle[np.array(list(made), int) - 1], tall / top
        who, below_it, layers = [counted(n, "piece") for n in made], np.zeros(len(made)), []
        for name, role in COSTS.items():
            usd = np.array([getattr(cost, name) for cost in made.values()])
            below_it, hover = below_it + usd, {"who": who, "says": [f"{name}: {value:,.0f} dollars" for value in usd]}
            layers.append(boxes(name, list(made), x - 15, floor - high * below_it, 30, high * usd, role, **hover))
        grid, end, n = floor - tall * np.array([0, 0.5, 1]), left + 8 * slot + 4, list(split.costs)
        sums = [f"{cost.total:,.0f}" if cost else "✕" for cost in split.costs.values()]
        above = [floor - high * cost.total - 10 if cost else floor - 12 for cost in split.costs.values()]
        role = ["bad bold" if k not in made else "good bold" if k == split.best else "ink" for k in n]
        best, here = [split.best] if split.best else [], pick(("muted", "ink bold"), np.arange(8) + 1 == split.pieces)
        return [
            lines("grid", range(3), left, grid, end, grid, ["ink", *["muted dashed faint"] * 2], [1.5, 0.8, 0.8]),
            texts("ticks", range(3), left - 6, grid, [f"{at:,.0f}" for at in (0, top / 2, top)], "muted end", 12),
            *layers,
            texts("pieces", range(8), middle, floor + 15, range(1, 9), here),
            texts("sums", n, middle[: len(n)], above, sums, role, 12),
            texts("least", best, middle[np.array(best, int) - 1], floor + 36, "least", "good bold"),
            words(
                "bills",
                (left - 4, 16, "dollars for one good package", "ink bold start", 14),
                (left - 4, floor + 15, "pieces", "muted end"),
            ),
            *legend("key", left - 4, 44, [(role, name) for name, role in COSTS.items()], side=12),
        ]

    def say(self, split):
        """What this cut costs, and which is cheapest so far."""
        piece = f"{split.piece_mm2:,.0f} mm²"
        if not split.fits and split.pieces == 1:
            return f"One die of {piece} does not fit the exposure field of 858 mm²: there is no monolith."
        if not split.fits:
            return f"{split.pieces} pieces of {piece}: even they do not fit the exposure field."
        cost = split.cost
        if split.pieces == 1:
            return f"One die of {piece}, {_good(split)}: {cost.total:,.0f} dollars, all of it silicon."
        best = f"Least so far: {counted(split.best, 'piece')}, {split.costs[split.best].total:,.0f} dollars."
        return (
            f"{counted(split.pieces, 'piece')} of {piece}, {_good(split)}: {cost.total:,.0f} dollars, of which "
            f"{cost.silicon:,.0f} silicon, {cost.assembly:,.0f} assembly, {cost.lost:,.0f} lost. {best}"
        )


def _good(split):
    return f"{percent(split.good)} are good"


class Shore(Stage):
    """The edge: two edges with a stack at every site, and the bandwidth that comes across them.

    >>> view = Shore({"H100": 3.35e12, "B200": 8e12})
    >>> view.show(silicon.hbm.shore())
    >>> view.show(silicon.hbm.shore("two", 8, 10.0, 2048))
    >>> view.show(silicon.hbm.shore("one", 14, 2.0))
    """

    size, noun = (746, 440), "package"
    scale, most = 6.0, 32e12  # pixels of a millimetre; B/s of the longest bar

    def __init__(self, published):
        """`published`: {chip: B/s}, to compare with."""
        self.published = published

    def marks(self, shore):
        """`shore`: silicon.hbm.Shore."""
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
        return [
            boxes("base", [0], left - around, top - 10, wide + 2 * around, high + 20, "muted tint"),
            boxes("dies", range(each), left, rows(top, one, each), wide, one, "compute tint", "die", 15),
            lines("wires", n, first, down + tall / 2, last, down + tall / 2, "memory", 6),
            boxes("stacks", n, at, down, deep, tall, "memory tint", "HBM", who=numbered("stack", 2 * side), says=says),
            words("head", (20, 16, "to scale", "ink bold start", 14), (x, top + high + 28, edge, "ink")),
            *self._rates(shore),
        ]

    def _rates(self, shore):
        left, whose = 392, "each edge" if shore.dies == 1 else "each die's edge"
        spare = f"{number(shore.spare_mm)} mm of {whose} left over" if shore.spare_mm > 0.05 else "both edges are full"
        rates = {"this package": shore.bytes_per_s, **self.published}
        said, y = [si(rate, "B/s") for rate in rates.values()], rows(243, 44, len(rates))
        long = 262 * np.minimum(np.array(list(rates.values())) / self.most, 1)
        role = ["memory", *["muted"] * len(self.published)]
        return [
            words(
                "said",
                (left, 56, f"{shore.stacks} stacks", "ink bold start", 19),
                (left, 84, f"{shore.pins:,} pins at {number(shore.gbit_per_pin)} Gbit/s", "ink start", 14),
                (left, 108, spare, "muted start"),
                (left, 144, said[0], "memory bold start", 22),
            ),
            texts("names", range(len(rates)), left, y - 18, list(rates), "ink start"),
            *bars("rates", range(len(rates)), left, y, long, 14, role, said, who=list(rates), says=said),
        ]

    def say(self, shore):
        """Stacks and bandwidth."""
        what = "One die" if shore.dies == 1 else "Two dies"
        return (
            f"{what} with {shore.edge_mm} mm of edge on each side: room for {shore.stacks} stacks at "
            f"{number(shore.pitch_mm)} mm each, {si(shore.bytes_per_s, 'B/s')}."
        )


class FloorPlan(Stage):
    """Floor plan: units, SRAM and interfaces on one die, stacks along its edges; dollars, seconds, and their product.

    >>> view, best = FloorPlan(), silicon.cheapest(256)
    >>> view.show((best, best))
    >>> view.show((silicon.serve(silicon.Plan(144, 50e6, 5), 256), best))
    >>> view.show((silicon.serve(silicon.Plan(204, 400e6, 12), 256), best))
    """

    size, noun = (746, 448), "plan"
    scale, middle, top = 5.6, 172, 46  # pixels of a millimetre; of the die
    left, long, dollars = 404, 320, 8000  # the bars: where they begin, how long [px] so many dollars are

    def __init__(self, named=True):
        """`named`: say which plan is the best one, or leave it to be found."""
        self.named = named

    def marks(self, result):
        """`result`: (silicon.plans.Served, the best one for as many rows)."""
        served, best = result
        plan = served.plan
        drawn = [*self._die(plan), *self._stacks(plan), *self._bill(plan)]
        return [*drawn, *self._times(served), *self._score(served, best)]

    def _die(self, plan):
        """The parts of the die: interfaces at both edges, units in rows, memory and the rest below."""
        top, (wide, high) = self.top, (self.scale * side for side in plan.size_mm)
        left, areas = self.middle - wide / 2, {name: area * self.scale**2 for name, area in plan.parts.items()}
        side, said = areas["interfaces"] / 2 / high, {name: f"{area:,.0f} mm²" for name, area in plan.parts.items()}
        inner, x = wide - 2 * side, left + side
        tall = {name: areas[name] / inner for name in ("units", "SRAM", "fixed")}
        cols = max(1, round(inner / (areas["units"] / plan.units) ** 0.5))
        i, floor, ok = np.arange(plan.units), top + tall["units"], plan.fits_field
        w, h = inner / cols, tall["units"] / -(-plan.units // cols)
        unit = {"who": "a unit", "says": "3.4 mm², 7.5 TFLOP/s (assumed)"}
        bands, roles = {"SRAM": tall["SRAM"], "links, host": tall["fixed"]}, ["memory soft", "muted soft"]
        place = x, [floor, floor + tall["SRAM"]], inner, [*bands.values()]
        labels = [name if room >= 15 and inner >= 9.5 * len(name) else "" for name, room in bands.items()]
        hover = {"who": ["SRAM", "links, control, host"], "says": [said["SRAM"], said["fixed"]]}
        faces = {"who": "interfaces of the stacks", "says": said["interfaces"]}
        area = f"{plan.area_mm2:,.0f} mm²{'' if ok else ' do not fit the field'}"
        field, out = np.array(FIELD) * self.scale, [] if ok else [0]
        look = ("compute tint", "ink line", "ink bold") if ok else ("bad tint", "bad line", "bad bold")
        return [
            boxes("units", i, x + w * (i % cols), top + h * (i // cols), w - 0.8, h - 0.8, look[0], **unit),
            boxes("bands", range(2), *place, roles, labels, 12, **hover),
            boxes("interfaces", range(2), [left, left + wide - side], top, side, high, "other", **faces),
            boxes("outline", [0], left, top, wide, high, look[1]),
            boxes("field", out, self.middle - field[0] / 2, top, *field, "bad line dashed"),
            words("scale", (20, 16, "to scale", "ink bold start", 14)),
            words("area", (self.middle, top + high + 18, area, look[2], 14)),
            *legend("key", 20, 383, [(role, name) for name, role in PARTS.items()], side=12, size=12, gap=18),
        ]

    def _stacks(self, plan):
        """Stacks at the sites, from the top of both edges; those without one lie below, in red."""
        half, deep, gap = self.scale * plan.size_mm[0] / 2, 9.0 * self.scale, 1.2 * self.scale
        i, sites = np.arange(plan.stacks), plan.sites
        there, pitch = i < sites, self.scale * plan.pitch_mm
        x = np.where(i % 2, self.middle + half + gap, self.middle - half - gap - deep)
        x, y = np.where(there, x, 20 + 52 * (i - sites)), self.top + pitch * (i // 2) + self.scale * SLACK / 2
        y = np.where(there, y, 330)
        wide, high = np.where(there, deep, 46), np.where(there, pitch - self.scale * SLACK, 40)
        role = pick(("memory tint", "bad tint dashed"), ~there)
        says = np.where(there, f"{number(plan.stack_gb)} GB", "no room at the edges")
        memory = f"{counted(plan.stacks, 'stack')}: {si(plan.capacity_bytes, 'B')}, {si(plan.bytes_per_s, 'B/s')}"
        free = plan.free_sites
        room = f"room for {counted(free, 'more stack')}" if free else "every site is taken"
        room = (room, "muted start") if free >= 0 else (f"no room at the edges for {-free}", "bad bold start")
        return [
            boxes("stacks", i, x, y, wide, high, role, "HBM", who=numbered("stack", plan.stacks), says=list(says)),
            below("sites", 20, 404, [memory, room], 23),
        ]

    def _bill(self, plan):
        """Dollars by part on one bar from zero."""
        left, usd = self.left, np.array(list(plan.usd.values()))
        long = usd * self.long / self.dollars
        start = left + np.cumsum(long) - long
        long = np.minimum(long, left + self.long + 14 - start)
        says = [f"{value:,.0f} dollars" for value in usd]
        key = [(BILL[name], f"{name} ${value:,.0f}") for name, value in plan.usd.items()]
        return [
            boxes("bill", range(3), start, 66, long, 24, [*BILL.values()], who=[*BILL], says=says),
            lines("bill zero", [0], left, 60, left, 94, "ink", 1.5),
            *legend("bill key", left, 104, key[:2], side=12),
            *legend("bill rest", left, 126, key[2:], side=12),
            words(
                "bill head",
                (left, 44, "dollars (assumed)", "ink bold start", 14),
                (left + self.long, 44, f"${plan.total_usd:,.0f}", "ink bold end", 16),
            ),
        ]

    def _times(self, served):
        """Arithmetic and memory, side by side; the longer one is the time."""
        names, y, left = ["arithmetic", "memory"], rows(208, 48, 2), self.left
        seconds = np.array([served.arithmetic_seconds, served.memory_seconds])
        said = [si(one, "s") for one in seconds]
        labels, long = [f"{name} {time}" for name, time in zip(names, said, strict=True)], self.long / seconds.max()
        return [
            words("pace", (left, 160, f"layer of 8,192², {counted(served.rows, 'row')}", "ink bold start", 14)),
            *bars("times", range(2), left, y, long * seconds, 20, ["compute", "memory"], who=names, says=said),
            texts("took", range(2), left + 5, y - 22, labels, "ink start"),
            lines("start", [0], left, 192, left, 272, "ink", 1.5),
        ]

    def _score(self, served, best):
        """Dollars times seconds, beside the least; which plan that is stands there if it is named."""
        left, y = self.left, rows(348, 52, 2)
        if served.plan.problem:
            return [words("score", (left, 318, "cannot be built", "bad bold start", 18))]
        times, plan = served.times(best), best.plan
        least = f"{plan.units} units, {si(plan.sram_bytes, 'B')}, {counted(plan.stacks, 'stack')}"
        score = np.array([served.usd_seconds, best.usd_seconds])
        hover = {"who": ["this plan", "the best plan"], "says": [f"{number(one)} dollar s" for one in score]}
        this = "the least" if served.plan == plan else f"{number(times)} × the least"
        return [
            words(
                "score",
                (left, 304, "dollars × seconds", "ink bold start", 14),
                (left + 5, 328, f"this plan: {this}"),
                (left + 5, 380, f"best: {least}" if self.named else "the best plan", "good start"),
            ),
            *bars("scores", range(2), left, y, self.long * score / score[0], 18, ["ink", "good"], **hover),
            lines("score zero", [0], left, 335, left, 413, "ink", 1.5),
        ]

    def say(self, result):
        """What the plan is, what it costs, what sets the pace."""
        served, best = result
        plan = served.plan
        what = f"{plan.units} units, {si(plan.sram_bytes, 'B')} of SRAM, {counted(plan.stacks, 'stack')}"
        if plan.problem:
            return f"{what}: {plan.problem}."
        least = "the least of all plans" if plan == best.plan else f"{number(served.times(best))} times the least"
        return (
            f"{what}: {plan.area_mm2:,.0f} mm², {plan.total_usd:,.0f} dollars. A layer with "
            f"{counted(served.rows, 'row')} takes {si(served.seconds, 's')}; the {served.bound} sets the pace. "
            f"Dollars times seconds: {number(served.usd_seconds)}, {least}."
        )
