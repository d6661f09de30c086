"""How far off: all rows by their factor; what a constant buys, and what a missing word costs."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, cut, legend, piled, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si


class Misses(Stage):
    """How far off: rows by the factor between prediction and measurement.

    >>> view = Misses(validation.rows.KINDS)
    >>> view.show(validation.misses.spread()), view.show(validation.misses.spread("gemm"))
    >>> view.show(validation.misses.spread("gemm", "source"))
    """

    size, noun, follows = (746, 462), "choice", True
    middle, bin, top, floor, edge = 382, 22, 84, 398, 15.5  # x of an exact prediction, a bin; bins to either side
    steps, most = (1, 2, 5, 10, 20, 50, 100), 16  # rows from level to level; px of a brick
    ticks = (0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 2)

    def __init__(self, kinds):  # {kind: its name}
        self.kinds = kinds

    def marks(self, found):  # validation.misses.Misses
        its, _, bins, places = zip(*found.rows, strict=True)
        middle, bin, top, floor, tallest = self.middle, self.bin, self.top, self.floor, max(places)
        left, right = middle - self.edge * bin, middle + self.edge * bin
        high = min(self.most, (floor - top) / (tallest + 1))
        levels = np.arange(0, tallest + 2, next(step for step in self.steps if tallest < 6 * step))
        factors = Chart((left, right), (floor, top), (found.width**-self.edge, found.width**self.edge), (0, 1), "x")
        ticks, (half, most), up = factors.x(self.ticks), factors.x(found.factors), floor - high * levels
        x, y = middle + bin * (np.array(bins) - 0.5) + 1, floor - high * (np.array(places) + 1)
        ids, who, says = [row.id for row in its], [row.name for row in its], [self._says(row) for row in its]
        looks = pick(("bad tint", "compute"), [row.held for row in its])
        at = np.array([2 * middle - most, 2 * middle - half, half, most])
        keys = [("compute", f"{found.held} in their intervals"), ("bad tint", f"{len(its) - found.held} outside")]
        starts = [top - 26, top - 26, top - 50, top - 26]
        yield lines("levels", levels, left, up, right, up, "muted faint", 1)
        yield texts("level words", levels, left - 4, up, [*map(str, levels)], "muted end", 12)
        yield lines("floor", [0], left, floor, right, floor, "ink", 1)
        yield lines("exact", [0], middle, top - 26, middle, floor + 6, "ink", 1)
        yield lines("share", range(4), at, starts, at, floor, "memory dashed", 2)
        yield words(
            "shares",
            (half + 6, top - 50, f"half within a factor of {number(found.factors[0], 3)}", "memory bold start"),
            (most + 6, top - 24, f"nine of ten within {number(found.factors[1], 3)}", "memory bold start"),
            (24, floor + 40, "← predicted too slow", "muted start", 12),
            (middle, floor + 40, "predicted / measured speed (logarithmic axis)", "ink"),
            (722, floor + 40, "predicted too fast →", "muted end", 12),
        )
        yield boxes("bricks", ids, x, y, bin - 2, high * 0.9, looks, "", 12, who, says)
        yield texts("ticks", range(len(ticks)), ticks, floor + 16, [f"{tick:g}" for tick in self.ticks], "muted", 12)
        yield from legend("key", 24, 26, keys, 22)

    def _says(self, row):
        said = f"{self.kinds[row.kind]}: predicted {number(row.prediction.value, 3)} {row.unit}, measured "
        return said + f"{number(row.measured, 4)}: {number(row.speed, 3)} times the speed"

    def say(self, found):
        what = "all kinds" if found.kind == "all" else self.kinds[found.kind]
        half, most = (number(each, 3) for each in found.factors)
        said = f"{len(found.rows)} rows, {what}, {found.apart}: {percent(found.held_share)} of the intervals hold, "
        said += f"{percent(found.wanted)} should; half of the rows are within a factor of {half}, nine of ten within "
        return said + f"{most}."


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

    def marks(self, page):  # validation.outliers.Page
        right, (floor, top) = self.chart.across[1], self.chart.up
        high = (floor - top) / len(page.lanes)
        middles, exact = rows(top + high / 2, high, len(page.lanes)), self.chart.x(1)
        shown = [
            (row, y + 14 * (n % 3 - 1))  # apart, where two lie at one place
            for (_, its), y in zip(page.lanes, middles, strict=True)
            for n, row in enumerate(sorted(its, key=lambda row: row.ratio))
            if row.flagship or not self.blind
        ]
        looks, who = [row.far for row, _ in shown], [f"{row.model} on {row.chip}" for row, _ in shown]
        each = "{:,} tokens to {:,}: predicted {} times as fast as measured"
        says = [each.format(row.prompt, row.answer, number(row.ratio, 3)) for row, _ in shown]
        x, y = self.chart.x([row.ratio for row, _ in shown]), [y for _, y in shown]
        names = [name for name, _ in page.lanes]
        sides = np.append(middles - high / 2, floor)
        sort = "not sorted" if page.by == "nothing" else f"sorted by {page.by}"
        keys = [("compute round", "within a factor of 1.5"), ("bad round", "predicted more than 1.5 times too fast")]
        yield from self.chart.axes(self.ticks, (), "predicted / measured speed (logarithmic axis)")
        yield lines("lanes", range(len(sides)), 20, sides, right, sides, "muted faint", 1)
        yield lines("exact", [0], exact, top, exact, floor, "ink", 1.5)
        yield words("head", (20, 22, f"{len(page.rows)} rows of one page, {sort}", "ink bold start", 15))
        yield texts("names", names, 20, middles, names, "ink start")
        looks, keys_ = pick(("compute round", "bad round"), looks), [row.place for row, _ in shown]
        yield spots("rows", keys_, x, y, 14, looks, who=who, says=says)
        yield from legend("key", 250, 388, keys, 0, 12, 12)

    def say(self, page):
        if page.by == "nothing":
            known = number(next(row.ratio for row in page.rows if row.flagship), 3)
            return f"{len(page.rows)} rows of one page. The known outlier is predicted {known} times too fast."
        if page.alone:
            return f"Sorted by {page.by}: the {page.far} far rows are all of those with {page.alone}, and no others."
        with_far = sum(any(row.far for row in its) for _, its in page.lanes)
        return f"Sorted by {page.by}: far rows lie in {with_far} of {len(page.lanes)} lanes, beside rows that fit."


class Adding(Stage):
    """What one number buys: constants added one by one, judged on rows that they saw, and on rows they did not.

    >>> view, steps = Adding(validation.rows.KINDS, validation.adding.WORDS), validation.adding.steps
    >>> run = list(steps("gemm"))
    >>> view.show(run[0]), view.show(run[3]), view.show(run[-1]), view.show(list(steps("decode"))[-1])
    """

    size, noun = (746, 470), "step"
    field = Chart((20, 726), (178, 32), (0.35, 12), (0, 1), "x")  # of the dots, by predicted / measured speed
    dot, ticks = 8, (0.5, 0.7, 1, 1.4, 2, 3, 5, 10)
    head, pitch, letters = 222, 21, 50  # y of the table; from line to line; letters of a name
    columns, long = (20, 378, 394, 556), 112  # x of the table's columns; the first error as a bar

    def __init__(self, kinds, words):
        """`kinds`: {kind: its name}; `words`: {constant: what it stands for}."""
        self.kinds, self.words = kinds, words

    def marks(self, step):  # validation.adding.Step
        (left, right), (floor, top), (low, high) = self.field.across, self.field.up, self.field.scales[0]
        ids, speeds, exact = list(step.off), np.array(list(step.speeds.values())), self.field.x(1)
        # dots pile up where they would lie on each other
        columns = np.round(self.field.x(np.clip(speeds, low, high)) / self.dot).astype(int)
        place, beyond = piled(columns), np.sum((speeds < low) | (speeds > high))
        x, y = columns * self.dot, floor - min(self.dot, (floor - top - 8) / (max(place) + 1)) * place
        said, who = [f"{number(one, 3)} times the speed" for one in speeds], [step.names[id] for id in ids]
        title = f"{self.kinds[step.kind]}, {len(ids)} rows: predicted / measured speed (logarithmic axis)"
        edge = f"{beyond} farther off, at the edge" if beyond else ""
        yield from self.field.axes(self.ticks)
        yield lines("exact", [0, 1], [exact, left], [26, floor], [exact, right], floor, "ink", [2, 1])
        yield words("title", (left, 16, title, "ink bold start"), (right, 16, edge, "muted end", 12))
        yield spots("dots", ids, x, y - self.dot / 2, self.dot, "compute round", "", 12, who, said)
        # Each constant so far, how many there are, and both errors
        name, free, seen, unseen = self.columns
        steps, y, head = step.before, rows(self.head + 22, self.pitch, len(step.before)), self.head
        known, scale = [n for n, one in enumerate(steps) if one[3] is not None], self.long / max(steps[0][2:])
        wide, wider = scale * np.array([one[2] for one in steps]), scale * np.array([steps[n][3] for n in known])
        looks, places = ["ink bold" if n == step.place else "ink" for n in range(len(steps))], range(len(steps))
        heads = "added", "constants", "off, on rows it saw", "on publishers it never saw"
        columns = zip(self.columns, heads, ("start", "end", "start", "start"), strict=True)
        titles = [(x, head, said, f"muted {side}", 12) for x, said, side in columns]
        factors = zip(*step.factors, strict=True)
        on_seen, on_unseen = ([number(one, 3) for one in its if one is not None] for its in factors)
        named = [f"+ {self.words[name]}" if name in self.words else name for name, *_ in steps]
        added = [(cut(word, self.letters), f"{look} start") for word, look in zip(named, looks, strict=True)]
        many = [(str(one[1]), f"{look} end") for one, look in zip(steps, looks, strict=True)]
        yield words("heads", *titles)
        yield below("added", name, y[0], added, self.pitch)
        yield below("free", free, y[0], many, self.pitch)
        yield from bars("seen", places, seen, y, wide, 12, "memory tint", on_seen, size=12)
        yield from bars("unseen", known, unseen, y[known], wider, 12, "compute", on_unseen, size=12)

    def say(self, step):
        value = "" if step.value is None else f" = {_valued(step.added, step.value)}"
        unseen = f", {number(step.on_unseen, 3)} on publishers that it never saw" if step.unseen is not None else ""
        many = f"{counted(step.free, 'constant')} for {len(step.off)} rows"
        said = f"{self.kinds[step.kind].capitalize()}, {self.words.get(step.added, step.added)}{value}: {many}, off by "
        return said + f"a factor of {number(step.on_seen, 3)} on average on rows that the fit saw{unseen}."


def _valued(name, value):
    """A constant with its unit, which its name ends with."""
    unit = {"seconds": "s", "rate": "B/s"}.get(name.rpartition("_")[2])
    if name.endswith("_us"):
        value, unit = value * 1e-6, "s"
    return si(value, unit) if unit else number(value, 3)
