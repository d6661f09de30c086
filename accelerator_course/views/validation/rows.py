"""Every published row a dot: below its bound, and predicted against measured, as shares of the bound."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent

FIELD = (62, 438), (416, 40)  # the square of predicted against measured: left to right, floor to top
UNDER = 412  # the last line beside it


class Bounds(Stage):
    """Rows fall from their bound to where they were measured, kind by kind.

    >>> view = Bounds(validation.rows.KINDS)
    >>> run = list(validation.bounds.fall())
    >>> view.show(run[0]), view.show(run[3]), view.show(run[-1])
    """

    size, noun, follows = (746, 500), "kind", True
    pitch, top, wall = 27, 44, 612  # of the lanes; where the first begins; the bound
    ticks, least = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1), 0.007  # of the bound; the left edge
    factor, end = 690, 736  # right ends of two columns

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def marks(self, found):
        """`found`: validation.bounds.Against."""
        order, top = [kind for kind, *_ in found.by_kind], self.top
        floor = top + self.pitch * len(order)
        chart = Chart((166, self.wall), (floor, top), (self.least, 1), (0, 1), "x", inside=True)
        y = rows(top + self.pitch / 2, self.pitch, len(order))
        ids, who, says = zip(*((row.id, row.name, _beside_bound(row)) for row in found.rows), strict=True)
        roles = ["muted round" if row.kind in found.waiting else "memory round" for row in found.rows]
        at = [y[order.index(row.kind)] + 3 * (5 * n % 7 - 3) for n, row in enumerate(found.rows)]
        told = [n for n, kind in enumerate(order) if kind not in found.waiting]
        middles = chart.x([1 / found.by_kind[n][2] for n in told])
        sides = rows(top, self.pitch, len(order) + 1)
        name = "measured speed, of what the bound allows (logarithmic axis)"
        yield from chart.axes(self.ticks, (), name, "", [percent(tick) for tick in self.ticks])
        yield lines("lanes", range(len(sides)), 12, sides, self.end, sides, "muted faint", 1)
        yield lines("wall", [0], self.wall, top - 6, self.wall, floor + 4, "ink", 3)
        yield texts("kinds", order, 156, y, [self.kinds[kind] for kind in order], "ink end")
        yield spots("dots", ids, chart.x(found.shares), at, 7, roles, "", 12, who, says)
        yield lines("middles", [order[n] for n in told], middles, y[told] - 12, middles, y[told] + 12, "compute", 4)
        # Beside each lane its typical factor, and how many rows it has; what the marks mean
        last, edge = y[-1] + self.pitch + 48, sum(share < self.least for share in found.shares)
        said = [number(found.by_kind[n][2], 3) for n in told]
        keys = [("memory round", "a row"), ("compute", "half of the rows on either side")]
        whole = "" if found.waiting else f"all rows: typically {number(found.typical, 3)}"
        yield words(
            "heads",
            (self.wall, 14, "the bound", "ink bold end"),
            (self.factor, 14, "bound /", "compute bold end", 12),
            (self.factor, 30, "measured", "compute bold end", 12),
            (self.end, 30, "rows", "muted end", 12),
            (self.end, last, whole, "compute bold end"),
            (340, last, f"{edge} rows lie farther left" if edge else "", "muted start", 12),
        )
        yield texts("factors", [order[n] for n in told], self.factor, y[told], said, "compute bold end")
        yield texts("counts", order, self.end, y, [str(many) for _, many, _ in found.by_kind], "muted end", 12)
        yield from legend("key", 12, last, keys, 0, 9, 12)

    def say(self, found):
        if not found.last:
            return f"{len(found.rows)} published rows, each drawn where its bound is."
        if found.waiting:
            many, factor = found.lasts
            name = self.kinds[found.last]
            return (
                f"{name[0].upper()}{name[1:]}, {many} rows: the bound is typically {number(factor, 3)} times as fast."
            )
        beaten = "none is faster than its bound" if not found.beaten else f"{found.beaten} are faster than their bound"
        return (
            f"{len(found.rows)} rows: the bound is typically {number(found.typical, 3)} times as fast as what was "
            f"measured; {beaten}."
        )


def _beside_bound(row):
    least = "at least" if row.prediction.faster_is_less else "at most"
    return (
        f"measured {number(row.measured, 4)} {row.unit}; the bound allows {least} {number(row.prediction.bound, 4)}: "
        f"{percent(row.reached)} of its speed; {row.prediction.limit}"
    )


class Rows(Stage):
    """Every row: predicted against measured, as shares of its bound.

    >>> view = Rows(validation.rows.KINDS, validation.rows.FAMILIES)
    >>> view.show(validation.rows.look()), view.show(validation.rows.look("gemm", "hopper"))
    >>> view.show(validation.rows.look("decode", "tpu"))
    """

    size, noun, follows = (746, 470), "choice", True
    least = 0.01  # of the bound, at the ends of both axes
    ticks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
    chart = Chart(*FIELD, (least, 1), (least, 1), "xy")
    left, end, pitch, farthest, few = 470, 736, 44, 6, 70  # of the list; rows in it; rows whose intervals are drawn
    long = 34  # letters of a name in the list

    def __init__(self, kinds, families):
        """`kinds`, `families`: {name in the data: in words}."""
        self.kinds, self.families = kinds, families

    def _x(self, shares):
        return self.chart.x(np.clip(shares, self.least, 1))

    def _y(self, shares):
        return self.chart.y(np.clip(shares, self.least, 1))

    def marks(self, found):
        """`found`: validation.rows.Look."""
        its = sorted(found.rows, key=lambda row: row.id in found.chosen)
        looks = np.array([(row.id in found.chosen) * (2 - row.held) for row in its])
        ids, who, says, x, y = zip(*((r.id, r.name, self._says(r), r.reached, r.foretold) for r in its), strict=True)
        percents, (left, top) = [percent(tick) for tick in self.ticks], (FIELD[0][0], FIELD[1][1])
        ends, middle = self._x([self.least, self.least, 2 * self.least]), self._y([1, 1, 0.5])
        begins, last = self._y([self.least, 2 * self.least, self.least]), self._x([1, 0.5, 1])
        few = found.asked if len(found.asked) <= self.few else ()  # of many, intervals would hide the dots
        at, (low, high) = (
            self._x([row.reached for row in few]),
            self._y(np.reshape([row.ends for row in few], (-1, 2)).T),
        )
        dots = pick(("muted faint", "compute round", "bad"), looks)
        named = "measured, of what the bound allows (logarithmic axes)"
        yield from self.chart.axes(self.ticks, self.ticks, named, "", percents, percents)
        yield words("predicted", (left - 46, top - 22, "predicted, of the same"))
        yield lines("exact", range(3), ends, begins, last, middle, ["ink", "muted dashed", "muted dashed"], [2, 1, 1])
        yield words("above", (self._x(0.0125), self._y(0.3), "thought faster", "muted start", 12))
        yield words("under", (self._x(0.2), self._y(0.02), "thought slower", "muted start", 12))
        yield lines("intervals", [row.id for row in few], at, low, at, high, "compute faint", 2)
        yield boxes("dots", ids, self._x(x) - 4.5, self._y(y) - 4.5, 9, 9, dots, "", 12, who, says)
        # Those that are farthest off, by name
        asked = sorted(found.asked, key=lambda row: -abs(row.off))[: self.farthest]
        left, y, keys = self.left, rows(top + 58, self.pitch, len(asked)), [row.id for row in asked]
        names, who, says = ([make(row) for row in asked] for make in (self._cut, _name, self._says))
        head = f"{len(found.asked)} rows, {found.held} in their intervals" if found.asked else "no such row"
        sub = "farthest off: predicted / measured speed" if found.asked else ""
        looks = ["ink bold end" if row.held else "bad bold end" for row in asked]
        yield words("head", (left, top, head, "ink bold start"), (left, top + 22, sub, "muted start", 12))
        yield texts("names", keys, left, y, names, "ink start", 12, who, says)
        yield texts("devices", keys, left, y + 16, [self._where(row) for row in asked], "muted start", 12)
        yield texts("ratios", keys, self.end, y + 16, [number(row.speed, 3) for row in asked], looks)
        yield from legend(
            "key",
            left,
            UNDER - 19.5,
            [("compute round", "the interval holds it"), ("bad", "outside its interval")],
            20,
            9,
            12,
        )

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
            return f"{what}: no published row is such."
        clipped = sum(min(row.reached, row.foretold) < self.least for row in found.asked)
        edge = f" {clipped} of them lie below 1 %, drawn at the edge." if clipped else ""
        return (
            f"{len(found.asked)} of {len(found.rows)} rows, {what}: half are within a factor of "
            f"{number(found.half, 3)}; {found.held} lie in their intervals; {found.fast} were predicted too fast.{edge}"
        )

    def _short(self, said):
        """What is long, cut: of a head and its detail the detail stays."""
        if len(said) <= self.long:
            return said
        return self._short(said.split(": ", 1)[1]) if ": " in said else said[: self.long - 2].rsplit(" ", 1)[0] + " …"

    def _cut(self, row):
        return self._short(row.workload)

    def _where(self, row):
        said = f"{row.device}: {row.beside}" if row.beside else row.device
        return said if len(said) <= self.long else said[: self.long - 2].rsplit(" ", 1)[0].rstrip(",:") + " …"


def _name(row):
    return row.name
