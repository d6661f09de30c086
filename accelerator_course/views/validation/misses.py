"""How far off: rows by the factor between prediction and measurement, and one row that is far off, looked at."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import number, percent


class Misses(Stage):
    """How far off: rows by the factor between prediction and measurement.

    >>> view = Misses(validation.rows.KINDS)
    >>> view.show(validation.misses.spread()), view.show(validation.misses.spread("gemm"))
    >>> view.show(validation.misses.spread("gemm", "source"))
    """

    size, noun, follows = (746, 462), "choice", True
    middle, bin, top, floor, edge = 382, 22, 84, 398, 15.5  # x of an exact prediction, a bin; bins to either side
    steps = (1, 2, 5, 10, 20, 50, 100)  # rows from level to level
    ticks = (0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 2)
    most = 16  # px of a brick

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def marks(self, found):
        """`found`: validation.misses.Misses."""
        its, _, bins, places = zip(*found.rows, strict=True)
        bins, places, (middle, bin, top, floor) = (
            np.array(bins),
            np.array(places),
            (self.middle, self.bin, self.top, self.floor),
        )
        left, right = middle - self.edge * bin, middle + self.edge * bin
        high = min(self.most, (floor - top) / (places.max() + 1))
        levels = np.arange(0, places.max() + 2, next(step for step in self.steps if places.max() < 6 * step))
        factors = Chart((left, right), (floor, top), (found.width**-self.edge, found.width**self.edge), (0, 1), "x")
        ticks, (half, most) = factors.x(self.ticks), factors.x(found.factors)
        marks, up, ids = (
            np.array([2 * middle - most, 2 * middle - half, half, most]),
            floor - high * levels,
            [row.id for row in its],
        )
        x, y, looks = (
            middle + bin * (bins - 0.5) + 1,
            floor - high * (places + 1),
            ["compute" if row.held else "bad tint" for row in its],
        )
        who, says = [row.name for row in its], [self._says(row) for row in its]
        keys = [("compute", f"{found.held} in their intervals"), ("bad tint", f"{len(its) - found.held} outside")]
        yield lines("levels", levels, left, up, right, up, "muted faint", 1)
        yield texts("level words", levels, left - 4, up, [*map(str, levels)], "muted end", 12)
        yield lines("floor", [0], left, floor, right, floor, "ink", 1)
        yield lines("exact", [0], middle, top - 26, middle, floor + 6, "ink", 1)
        yield lines(
            "share", range(4), marks, [top - 26, top - 26, top - 50, top - 26], marks, floor, "memory dashed", 2
        )
        yield words(
            "shares",
            (half + 6, top - 50, f"half within a factor of {number(found.factors[0], 3)}", "memory bold start"),
            (most + 6, top - 24, f"nine of ten within {number(found.factors[1], 3)}", "memory bold start"),
            (24, floor + 40, "← thought slower", "muted start", 12),
            (middle, floor + 40, "predicted / measured speed (logarithmic axis)", "ink"),
            (722, floor + 40, "thought faster →", "muted end", 12),
        )
        yield boxes("bricks", ids, x, y, bin - 2, high * 0.9, looks, "", 12, who, says)
        yield texts("ticks", range(len(ticks)), ticks, floor + 16, [f"{tick:g}" for tick in self.ticks], "muted", 12)
        yield from legend("key", 24, 26, keys, 22)

    def _says(self, row):
        return (
            f"{self.kinds[row.kind]}: predicted {number(row.prediction.value, 3)} {row.unit}, measured "
            f"{number(row.measured, 4)}: {number(row.speed, 3)} times the speed"
        )

    def say(self, found):
        what = "all kinds" if found.kind == "all" else self.kinds[found.kind]
        half, most = (number(each, 3) for each in found.factors)
        return (
            f"{len(found.rows)} rows, {what}, {found.apart}: {percent(found.held_share)} of the intervals hold, "
            f"{percent(found.wanted)} were meant; half of the rows are within a factor of {half}, nine of ten within "
            f"{most}."
        )


class Outliers(Stage):
    """A row that is far off: predicted over measured, as printed and counted in another way.

    >>> view = Outliers(validation.rows.KINDS)
    >>> first, second, *_ = validation.outliers.farthest()
    >>> view.show(validation.outliers.look(first)), view.show(validation.outliers.look(first, "twice as much"))
    >>> view.show(validation.outliers.look(second, "half of it", True))
    """

    size, noun = (740, 430), "row"
    scale = Chart((60, 680), (410, 40), (0.25, 4), (0, 1), "x")  # of the ratios: a quarter to four times
    ticks = {0.25: "a quarter", 0.5: "half", 1: "as measured", 2: "twice", 4: "4 times"}
    others, row, counted, looked = 170, 236, 306, 376  # lanes, each with its words above
    dot, stacked = 9, 8  # pixels of a dot of the other rows; dots on top of each other at most

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def _at(self, ratios):
        """Pixels of ratios; those beyond the axis lie at its end."""
        return self.scale.x(np.clip(ratios, *self.scale.scales[0]))

    def marks(self, row):
        """`row`: validation.outliers.Outlier."""
        (left, right), names = self.scale.across, [name for name, _ in row.others]
        x, y = self._heaped([ratio for _, ratio in row.others])
        low, high, at, moved = self._at([*row.ends, row.ratio, row.moved])
        ticks, asked, look = self._at([*self.ticks]), row.asked and row.found is not None, "good" if row.fits else "bad"
        lanes = np.repeat([self.others - 4, self.row, self.counted, self.looked][: 4 if asked else 3], len(ticks))
        every = np.resize(ticks, len(lanes))
        looks = ["ink" if x == ticks[2] else "muted dashed" for x in every]
        side = (right + 40, "end") if at + moved < left + right else (left - 40, "start")  # out of the arrow's way
        inside = f"{row.counted}: {_times(row.moved)}, {'inside' if row.fits else 'outside'}"
        band = {"who": "interval", "says": "80 % of such rows should lie in it"}
        says = [f"predicted {_times(ratio)}" for _, ratio in row.others]
        other = f"the other rows: {self.kinds.get(row.kind, row.kind)}"
        yield lines("ticks", range(len(lanes)), every, lanes - 14, every, lanes + 14, looks, 1.5)
        yield texts("tick words", range(len(ticks)), ticks, 410, list(self.ticks.values()), "muted", 12)
        yield words(
            "words",
            (left - 40, 16, f"{row.name[0].upper()}{row.name[1:]}", "ink bold start", 15),
            (left - 40, 40, "predicted / measured speed (logarithmic axis)", "muted start", 12),
            (left - 40, self.others - 92, other, "muted start"),
            (left - 40, self.row - 26, f"this row: {_times(row.ratio)}", "compute bold start"),
            (side[0], self.counted - 26, inside, f"{look} bold {side[1]}"),
        )
        yield spots("others", range(len(x)), x, y, 7, "muted round", who=names, says=says)
        yield boxes("band", [0], low, self.counted - 11, max(high - low, 2), 22, f"{look} tint", **band)
        yield spots("row", [0], at, self.row, 14, "compute round", who="as printed", says=_times(row.ratio))
        yield spots("moved", [0], moved, self.counted, 14, f"{look} round", who=row.counted, says=_times(row.moved))
        yield arrows(
            "shift", range(int(abs(at - moved) > 20)), at, self.row + 8, moved, self.counted - 12, "muted", 1.5
        )
        yield from self._found(row) if asked else ()

    def _found(self, row):
        """What a computation says to the cause."""
        said = row.looked if len(row.looked) <= 72 else f"{row.looked[:70]} …"
        return [
            spots(
                "found", [0], self._at(row.found), self.looked, 14, "memory", who="looked at", says=_times(row.found)
            ),
            words("found words", (20, self.looked - 26, f"{said}: {_times(row.found)}", "memory bold start")),
        ]

    def say(self, row):
        fits = "inside its interval" if row.fits else "outside its interval"
        numbers = f"predicted {number(row.predicted)}, measured {number(row.measured)} {row.unit}"
        said = f"{row.name[0].upper()}{row.name[1:]}: {numbers}: thought "
        if row.counted == "as printed":
            said += f"{_times(row.ratio)}, {fits}."
        else:
            said += f"{_times(row.ratio)}. Counted as {row.counted}: {_times(row.moved)}, {fits}."
        if not row.asked:
            return said
        looked = f" Computed: {row.looked}, {_times(row.found)}." if row.found is not None else ""
        return f"{said} Cause, {row.grade}: {row.cause}{looked} Source: {row.source}."

    def _heaped(self, ratios):
        """Middles of dots that lie on each other where they are many."""
        left, seen, places = self.scale.across[0], {}, []
        columns = np.round((self._at(ratios) - left) / self.dot).astype(int)
        for column in columns.tolist():
            seen[column] = seen.get(column, -1) + 1
            places.append(seen[column] % self.stacked)
        return left + self.dot * columns - 1, self.others - self.dot * np.array(places) - 5.5


def _times(ratio):
    return f"{ratio:.2f} times as fast"


class Page(Stage):
    """All rows of one page, in lanes of those that have something in common.

    >>> view = Page()
    >>> view.show(validation.outliers.page()), view.show(validation.outliers.page("the answer"))
    >>> view.show(validation.outliers.page("model and answer"))
    """

    size, noun = (740, 400), "choice"
    blind = False  # whether a guess comes first: the one row that is known, alone
    chart = Chart((250, 700), (330, 50), (0.7, 2.1), (0, 1), "x")
    ticks = (0.7, 0.8, 1, 1.2, 1.5, 2)

    def marks(self, page):
        """`page`: validation.outliers.Page."""
        right, (floor, top) = self.chart.across[1], self.chart.up
        high = (floor - top) / len(page.lanes)
        middles, exact = rows(top + high / 2, high, len(page.lanes)), self.chart.x(1)
        shown = [
            (row, y + 14 * (n % 3 - 1))  # apart, where two lie at one place
            for (_, its), y in zip(page.lanes, middles, strict=True)
            for n, row in enumerate(sorted(its, key=lambda row: row.ratio))
            if row.flagship or not self.blind
        ]
        looks = ["bad round" if row.far else "compute round" for row, _ in shown]
        who = [f"{row.model} on {row.chip}" for row, _ in shown]
        says = [
            f"{row.prompt:,} tokens to {row.answer:,}: predicted {number(row.ratio, 3)} times as fast as measured"
            for row, _ in shown
        ]
        x = self.chart.x([row.ratio for row, _ in shown])
        y = [y for _, y in shown]
        names = [name for name, _ in page.lanes]
        sides = np.append(middles - high / 2, floor)
        sort = "not sorted" if page.by == "nothing" else f"sorted by {page.by}"
        keys = [("compute round", "within a factor of 1.5"), ("bad round", "predicted more than 1.5 times too fast")]
        yield from self.chart.axes(self.ticks, (), "predicted / measured speed (logarithmic axis)")
        yield lines("lanes", range(len(sides)), 20, sides, right, sides, "muted faint", 1)
        yield lines("exact", [0], exact, top, exact, floor, "ink", 1.5)
        yield words("head", (20, 22, f"{len(page.rows)} rows of one page, {sort}", "ink bold start", 15))
        yield texts("names", names, 20, middles, names, "ink start")
        yield spots("rows", [row.place for row, _ in shown], x, y, 14, looks, who=who, says=says)
        yield from legend("key", 250, 388, keys, 0, 12, 12)

    def say(self, page):
        if page.by == "nothing":
            known = next(row.ratio for row in page.rows if row.flagship)
            return (
                f"{len(page.rows)} rows of one page. The known outlier is predicted {number(known, 3)} times too fast."
            )
        if page.alone:
            return f"Sorted by {page.by}: the {page.far} far rows are all of those with {page.alone}, and no others."
        with_far = sum(any(row.far for row in its) for _, its in page.lanes)
        return f"Sorted by {page.by}: far rows lie in {with_far} of {len(page.lanes)} lanes, beside rows that fit."
