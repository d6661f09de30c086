"""Every published row a dot: beside its bound alone, and predicted against measured, both as shares of the bound."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent

FIELD = (62, 438), (416, 40)  # the square of both pictures: from left to right, from its floor to its top
UNDER = 412  # the last line beside it


class Bounds(Stage):
    """The bound against what was measured: no dot lies above the line.

    >>> view = Bounds(validation.rows.KINDS)
    >>> view.show(validation.bounds.against())
    >>> view.show(validation.bounds.against("gemm"))
    >>> view.show(validation.bounds.against("attention"))
    """

    size, noun, follows = (746, 470), "kind", True
    blind = False  # whether a guess comes first: the dots, no factor
    near = 0.8  # of the bound
    left, factor, end, pitch = 490, 690, 734, 22  # x of the names, of the factors, of the counts; from kind to kind

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def marks(self, found):
        """`found`: validation.bounds.Against."""
        chart, ticks = self._chart(found)
        (left, right), (floor, top) = FIELD
        unit = f" [{found.units[0]}]" if len(found.units) == 1 else ", each in its own unit"
        roles = ["good round" if row.reached > self.near else "memory round" for row in found.rows]
        ids, who, says = zip(*((row.id, row.name, _beside_bound(row)) for row in found.rows), strict=True)
        keys = [("good round", f"more than {percent(self.near)} of the bound"), ("memory round", "less")]
        return [
            *chart.axes(ticks, ticks, f"what the bound allows{unit}", "", [*map(_ten, ticks)], [*map(_ten, ticks)]),
            words("measured", (left - 46, top - 22, f"measured{unit}")),
            lines("line", [0], left, floor, right, top, "ink", 2),
            words("faster", (left + 12, top + 14, "faster than the bound", "muted start", 12)),
            chart.dots("dots", ids, found.x, found.y, roles, 8, who, says),
            *legend("key", self.left, UNDER - 12, keys, 20, 8, 12),
            *([] if self.blind else self._list(found)),
        ]

    def _chart(self, found):
        """(the Chart of a kind, whole powers of ten on both of its axes)"""
        low, high = found.powers
        ends = 10.0**low, 10.0**high
        return Chart(*FIELD, ends, ends, "xy"), 10.0 ** np.arange(low, high + 0.5, 2 if high - low > 6 else 1)

    def _list(self, found):
        """Each kind, how far its rows stay from the bound, and how many there are."""
        left, factor, end, top = self.left, self.factor, self.end, FIELD[1][1]
        y = rows(top + 24, self.pitch, len(found.by_kind))
        last, table = y[-1] + self.pitch + 8, []
        for (kind, count, typical), at in zip(found.by_kind, y, strict=True):
            look = "ink bold" if found.kind in ("all", kind) else "muted"
            table += [(left, at, self.kinds[kind], f"{look} start"), (factor, at, number(typical), f"{look} end")]
            table += [(end, at, str(count), "muted end", 12)]
        what = "all of them" if found.kind == "all" else self.kinds[found.kind]
        return [
            words("heads", (factor, top - 2, "bound / measured, typically", "ink bold end", 12)),
            words("counts", (end, top - 2, "rows", "muted end", 12)),
            words("kinds", *table),
            lines("sum", [0], left, last - self.pitch / 2, end, last - self.pitch / 2, "muted", 1),
            words(
                "all",
                (left, last + 4, what, "ink bold start"),
                (factor, last + 4, number(found.typical), "ink bold end"),
            ),
            words("all rows", (end, last + 4, str(len(found.rows)), "muted end")),
        ]

    def say(self, found):
        """The typical factor, and how many come near."""
        what = "all kinds" if found.kind == "all" else self.kinds[found.kind]
        beaten = "none is faster than its bound" if not found.beaten else f"{found.beaten} are faster than their bound"
        return (
            f"{len(found.rows)} rows, {what}: the bound alone is typically {number(found.typical, 3)} times what was "
            f"measured; {percent(found.within(1.25))} come within a quarter of it; {beaten}."
        )


def _ten(value):
    return f"{value:,.0f}" if 1 <= value < 1e5 else f"{value:g}" if 1e-4 < value < 1 else f"1e{np.log10(value):.0f}"


def _beside_bound(row):
    least = "at least" if row.prediction.faster_is_less else "at most"
    return (
        f"measured {number(row.measured, 4)} {row.unit}; the bound allows {least} {number(row.prediction.bound, 4)}: "
        f"{percent(row.reached)} of its speed; {row.prediction.limit}"
    )


class Rows(Stage):
    """Every row: predicted against measured, as shares of its bound.

    >>> view = Rows(validation.rows.KINDS, validation.rows.FAMILIES)
    >>> view.show(validation.rows.look())
    >>> view.show(validation.rows.look("gemm", "hopper"))
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
        named = "measured, of the speed that the bound allows"
        return [
            *self.chart.axes(self.ticks, self.ticks, named, "", percents, percents),
            words("predicted", (left - 46, top - 22, "predicted, of the same")),
            lines("exact", range(3), ends, begins, last, middle, ["ink", "muted dashed", "muted dashed"], [2, 1, 1]),
            words("above", (self._x(0.0125), self._y(0.3), "thought faster", "muted start", 12)),
            words("under", (self._x(0.2), self._y(0.02), "thought slower", "muted start", 12)),
            lines("intervals", [row.id for row in few], at, low, at, high, "compute faint", 2),
            boxes("dots", ids, self._x(x) - 4.5, self._y(y) - 4.5, 9, 9, dots, "", 12, who, says),
            *self._list(found, top),
        ]

    def _says(self, row):
        said, kind = row.prediction, self.kinds[row.kind]
        marks = "" if row.held else " (outside)"
        claim = "" if row.fitted else "; a claim, or not read in its source: not counted"
        first = f"{kind[0].upper()}{kind[1:]}. Measured {number(row.measured, 4)} {row.unit}; predicted "
        ends = f"{number(said.value, 3)}, {number(said.low, 3)} to {number(said.high, 3)}{marks}"
        rest = f"bound {number(said.bound, 4)}; limit: {said.limit}{claim}. {row.stated}. Source: {row.title}"
        return f"{first}{ends}; {rest}"

    def _list(self, found, top):
        """Those that are farthest off, by name."""
        asked = sorted(found.asked, key=lambda row: -abs(row.off))[: self.farthest]
        left, y, keys = self.left, rows(top + 58, self.pitch, len(asked)), [row.id for row in asked]
        names, who, says = ([make(row) for row in asked] for make in (self._cut, _name, self._says))
        head = f"{len(found.asked)} rows, {found.held} in their intervals" if found.asked else "no such row"
        sub = "farthest off: predicted / measured speed" if found.asked else ""
        looks = ["ink bold end" if row.held else "bad bold end" for row in asked]
        return [
            words("head", (left, top, head, "ink bold start"), (left, top + 22, sub, "muted start", 12)),
            texts("names", keys, left, y, names, "ink start", 12, who, says),
            texts("devices", keys, left, y + 16, [self._where(row) for row in asked], "muted start", 12),
            texts("ratios", keys, self.end, y + 16, [number(row.speed, 3) for row in asked], looks),
            *legend(
                "key",
                left,
                UNDER - 19.5,
                [("compute round", "the interval holds it"), ("bad", "outside its interval")],
                20,
                9,
                12,
            ),
        ]

    def say(self, found):
        """How many, how far off, how many intervals hold."""
        parts = [self.kinds.get(found.kind, ""), self.families.get(found.family, "")]
        what = ", ".join([part for part in parts if part]) or "all kinds"
        if not found.asked:
            return f"{what}: no published row is such."
        clipped = sum(min(row.reached, row.foretold) < self.least for row in found.asked)
        edge = f" {clipped} of them lie below 1 %, drawn at the edge." if clipped else ""
        return (
            f"{len(found.asked)} of {len(found.rows)} rows, {what}: half are within a factor of "
            f"{number(found.half, 3)}; {found.held} lie in their intervals.{edge}"
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
