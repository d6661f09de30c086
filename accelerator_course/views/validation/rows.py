"""Every published row a dot: below its bound, and predicted against measured, as shares of the bound."""

import numpy as np

from accelerator_course.views.kit import Chart, cut, legend, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent

FIELD = (62, 438), (416, 40)  # the square of predicted against measured: left to right, floor to top
UNDER = 412  # the last line beside it


class Bounds(Stage):
    """Rows fall from their bound to where they were measured, kind by kind.

    >>> view, run = Bounds(validation.rows.KINDS), list(validation.bounds.fall())
    >>> view.show(run[0]), view.show(run[3]), view.show(run[-1])
    """

    size, noun, follows = (746, 500), "kind", True
    pitch, top, wall = 27, 44, 612  # of the lanes; where the first begins; the bound
    ticks, least = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1), 0.007  # of the bound; the left edge
    factor, end = 690, 736  # right ends of two columns

    def __init__(self, kinds):  # {kind: its name}
        self.kinds = kinds

    def marks(self, found):  # validation.bounds.Against
        order, top, wall, end = [kind for kind, *_ in found.by_kind], self.top, self.wall, self.end
        floor, sides = top + self.pitch * len(order), rows(top, self.pitch, len(order) + 1)
        chart = Chart((166, wall), (floor, top), (self.least, 1), (0, 1), "x", inside=True)
        y = rows(top + self.pitch / 2, self.pitch, len(order))
        ids, who, says = zip(*((row.id, row.name, _beside_bound(row)) for row in found.rows), strict=True)
        roles = ["muted round" if row.kind in found.waiting else "memory round" for row in found.rows]
        at = [y[order.index(row.kind)] + 3 * (5 * n % 7 - 3) for n, row in enumerate(found.rows)]
        there = [n for n, kind in enumerate(order) if kind not in found.waiting]
        kinds, middles = [order[n] for n in there], chart.x([1 / found.by_kind[n][2] for n in there])
        name = "measured speed, of what the bound allows (logarithmic axis)"
        yield from chart.axes(self.ticks, (), name, "", [percent(tick) for tick in self.ticks])
        yield lines("lanes", range(len(sides)), 12, sides, end, sides, "muted faint", 1)
        yield lines("wall", [0], wall, top - 6, wall, floor + 4, "ink", 3)
        yield texts("kinds", order, 156, y, [self.kinds[kind] for kind in order], "ink end")
        yield spots("dots", ids, chart.x(found.shares), at, 7, roles, "", 12, who, says)
        yield lines("middles", kinds, middles, y[there] - 12, middles, y[there] + 12, "compute", 4)
        # Beside each lane its typical factor, and how many rows it has; what the marks mean
        last, edge = y[-1] + self.pitch + 48, sum(share < self.least for share in found.shares)
        said, farther = [number(found.by_kind[n][2], 3) for n in there], f"{edge} rows lie farther left" if edge else ""
        keys = [("memory round", "a row"), ("compute", "half of the rows on either side")]
        whole = "" if found.waiting else f"all rows: typically {number(found.typical, 3)}"
        heads = (wall, 14, "the bound", "ink bold end"), (self.factor, 14, "bound /", "compute bold end", 12)
        heads += (self.factor, 30, "measured", "compute bold end", 12), (end, 30, "rows", "muted end", 12)
        heads += (end, last, whole, "compute bold end"), (340, last, farther, "muted start", 12)
        yield words("heads", *heads)
        yield texts("factors", kinds, self.factor, y[there], said, "compute bold end")
        yield texts("counts", order, end, y, [str(many) for _, many, _ in found.by_kind], "muted end", 12)
        yield from legend("key", 12, last, keys, 0, 9, 12)

    def say(self, found):
        if not found.last:
            return f"{len(found.rows)} published rows, each drawn on its bound."
        if found.waiting:
            (many, factor), name = found.lasts, self.kinds[found.last]
            factor = f"{number(factor, 3)} times as fast"
            return f"{name[0].upper()}{name[1:]}, {many} rows: the bound is typically {factor}."
        beaten = "none is faster than its bound" if not found.beaten else f"{found.beaten} are faster than their bound"
        said = f"{len(found.rows)} rows: the bound is typically {number(found.typical, 3)} times as fast as what was "
        return said + f"measured; {beaten}."


def _beside_bound(row):
    least = "at least" if row.prediction.faster_is_less else "at most"
    said = f"measured {number(row.measured, 4)} {row.unit}; the bound allows {least} "
    return said + f"{number(row.prediction.bound, 4)}: {percent(row.reached)} of its speed; {row.prediction.limit}"


class Rows(Stage):
    """Every row: predicted against measured, as shares of its bound.

    >>> view = Rows(validation.rows.KINDS, validation.rows.FAMILIES)
    >>> view.show(validation.rows.look()), view.show(validation.rows.look("gemm", "hopper"))
    >>> view.show(validation.rows.look("decode", "tpu"))
    """

    size, noun, follows = (746, 470), "choice", True
    chart = Chart(*FIELD, (0.01, 1), (0.01, 1), "xy", inside=True)  # shares of the bound
    ticks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
    left, end, pitch, farthest, few = 470, 736, 44, 6, 70  # of the list; rows in it; rows whose intervals are drawn
    long = 34  # letters of a name in the list

    def __init__(self, kinds, families):
        """`kinds`, `families`: {name in the data: in words}."""
        self.kinds, self.families = kinds, families

    def marks(self, found):  # validation.rows.Look
        its, at = sorted(found.rows, key=lambda row: row.id in found.chosen), self.chart
        looks = np.array([(row.id in found.chosen) * (2 - row.held) for row in its])
        ids, who, says, x, y = zip(*((r.id, r.name, self._says(r), r.reached, r.foretold) for r in its), strict=True)
        percents, (start, _), (_, top) = [percent(tick) for tick in self.ticks], *FIELD
        exact = at.x([0.01, 0.01, 0.02]), at.y([0.01, 0.02, 0.01]), at.x([1, 0.5, 1]), at.y([1, 1, 0.5])
        few = found.asked if len(found.asked) <= self.few else ()  # of many, intervals would hide the dots
        across, (low, high) = at.x([row.reached for row in few]), at.y(np.reshape([row.ends for row in few], (-1, 2)).T)
        dots, grid = pick(("muted faint", "compute round", "bad"), looks), ["ink", "muted dashed", "muted dashed"]
        named = "measured, of what the bound allows (logarithmic axes)"
        yield from at.axes(self.ticks, self.ticks, named, "", percents, percents)
        yield words("predicted", (start - 46, top - 22, "predicted, of the same"))
        yield lines("exact", range(3), *exact, grid, [2, 1, 1])
        yield words("above", (at.x(0.0125), at.y(0.3), "predicted too fast", "muted start", 12))
        yield words("under", (at.x(0.2), at.y(0.02), "predicted too slow", "muted start", 12))
        yield lines("intervals", [row.id for row in few], across, low, across, high, "compute faint", 2)
        yield boxes("dots", ids, at.x(x) - 4.5, at.y(y) - 4.5, 9, 9, dots, "", 12, who, says)
        # those that are farthest off, by name
        asked, left = sorted(found.asked, key=lambda row: -abs(row.off))[: self.farthest], self.left
        y, keys, who = rows(top + 58, self.pitch, len(asked)), [row.id for row in asked], [row.name for row in asked]
        names, says = [self._cut(row) for row in asked], [self._says(row) for row in asked]
        where = [f"{row.device}: {row.beside}" if row.beside else row.device for row in asked]
        where = [cut(said, self.long, ",:") for said in where]
        head, sub, looks = "no such row", "", pick(("bad bold end", "ink bold end"), [row.held for row in asked])
        if asked:
            head = f"{len(found.asked)} rows, {found.held} in their intervals"
            sub = "farthest off: predicted / measured speed"
        key = [("compute round", "the interval holds it"), ("bad", "outside its interval")]
        yield words("head", (left, top, head, "ink bold start"), (left, top + 22, sub, "muted start", 12))
        yield texts("names", keys, left, y, names, "ink start", 12, who, says)
        yield texts("devices", keys, left, y + 16, where, "muted start", 12)
        yield texts("ratios", keys, self.end, y + 16, [number(row.speed, 3) for row in asked], looks)
        yield from legend("key", left, UNDER - 19.5, key, 20, 9, 12)

    def _says(self, row):
        said, kind = row.prediction, self.kinds[row.kind]
        marks = "" if row.held else " (outside)"
        claim = "" if row.fitted else "; a claim, or not read in its source: not counted"
        first = f"{kind[0].upper()}{kind[1:]}. Measured {number(row.measured, 4)} {row.unit}; predicted "
        ends = f"{number(said.value, 3)}, {number(said.low, 3)} to {number(said.high, 3)}{marks}"
        rest = f"bound {number(said.bound, 4)}; limit: {said.limit}{claim}. {row.stated}. Source: {row.title}"
        return f"{first}{ends}; {rest}"

    def say(self, found):
        parts = [self.kinds.get(found.kind, ""), self.families.get(found.family, "")]
        what = ", ".join([part for part in parts if part]) or "all kinds"
        if not found.asked:
            return f"{what}: there is no such published row."
        clipped = sum(min(row.reached, row.foretold) < 0.01 for row in found.asked)
        edge = f" {clipped} of them lie below 1 % of a bound, drawn at the edge." if clipped else ""
        said = f"{len(found.asked)} of {len(found.rows)} rows, {what}: half are within a factor of "
        said += f"{number(found.half, 3)}; {found.held} lie in their intervals; {found.fast} were predicted too "
        return said + f"fast.{edge}"

    def _cut(self, row):
        """The workload; where it is long, cut: of a head and its detail the detail stays."""
        said = row.workload
        while len(said) > self.long and ": " in said:
            said = said.split(": ", 1)[1]
        return cut(said, self.long)
