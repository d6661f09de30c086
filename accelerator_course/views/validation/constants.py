"""What a constant buys, and what a missing word costs: errors of all rows of a kind, with each and without."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, rows, spots, words
from accelerator_course.views.stage import Stage, lines, texts
from accelerator_lib.units import counted, number, percent, si


class Adding(Stage):
    """What one number buys: constants added one by one, judged on rows that they saw, and on rows they did not.

    >>> view = Adding(validation.rows.KINDS, validation.adding.WORDS)
    >>> view.show(list(validation.adding.steps("gemm"))[0]), view.show(list(validation.adding.steps("gemm"))[3])
    >>> view.show(list(validation.adding.steps("gemm"))[-1])
    >>> view.show(list(validation.adding.steps("decode"))[-1])
    """

    size, noun = (746, 470), "step"
    field = Chart((20, 726), (178, 32), (0.35, 12), (0, 1), "x")  # of the dots, by predicted / measured speed
    dot, ticks = 8, (0.5, 0.7, 1, 1.4, 2, 3, 5, 10)
    head, pitch, letters = 222, 21, 50  # y of the table; from line to line; letters of a name
    columns, long = (20, 378, 394, 556), 112  # x of the table's columns; the first error as a bar

    def __init__(self, kinds, words):
        """`kinds`: {kind: its name}; `words`: {constant: what it stands for}."""
        self.kinds, self.words = kinds, words

    def marks(self, step):
        """`step`: validation.adding.Step."""
        (left, right), floor = self.field.across, self.field.up[0]
        ids, speeds, (low, high) = list(step.off), np.array(list(step.speeds.values())), self.field.scales[0]
        x, y = self._piled(speeds)
        beyond, exact = np.sum((speeds < low) | (speeds > high)), self.field.x(1)
        said, who = [f"{number(one, 3)} times the speed" for one in speeds], [step.names[id] for id in ids]
        title = f"{self.kinds[step.kind]}, {len(ids)} rows: predicted / measured speed (logarithmic axis)"
        edge = f"{beyond} farther off, at the edge" if beyond else ""
        yield from self.field.axes(self.ticks)
        yield lines("exact", [0, 1], [exact, left], [26, floor], [exact, right], floor, "ink", [2, 1])
        yield words("title", (left, 16, title, "ink bold start"), (right, 16, edge, "muted end", 12))
        yield spots("dots", ids, x, y - self.dot / 2, self.dot, "compute round", "", 12, who, said)
        # Each constant so far, how many there are, and both errors
        name, free, seen, unseen = self.columns
        steps, y = step.before, rows(self.head + 22, self.pitch, len(step.before))
        known = [n for n, one in enumerate(steps) if one[3] is not None]
        scale = self.long / max(steps[0][2:])
        wide, wider = (scale * np.array([steps[n][k] for n in its]) for k, its in ((2, range(len(steps))), (3, known)))
        looks = ["ink bold" if n == step.place else "ink" for n in range(len(steps))]
        heads = ("added", "constants", "off, on rows it saw", "on publishers it never saw")
        titles = [(x, self.head, said, "muted start", 12) for x, said in zip(self.columns, heads, strict=True)]
        titles[1] = (free, self.head, heads[1], "muted end", 12)
        on_seen, on_unseen = (
            [number(one, 3) for one in its if one is not None] for its in zip(*step.factors, strict=True)
        )
        added = [(self._named(one[0]), f"{look} start") for one, look in zip(steps, looks, strict=True)]
        many = [(str(one[1]), f"{look} end") for one, look in zip(steps, looks, strict=True)]
        yield words("heads", *titles)
        yield below("added", name, y[0], added, self.pitch)
        yield below("free", free, y[0], many, self.pitch)
        yield from bars("seen", range(len(steps)), seen, y, wide, 12, "memory tint", on_seen, size=12)
        yield from bars("unseen", known, unseen, y[known], wider, 12, "compute", on_unseen, size=12)

    def _named(self, added):
        said = f"+ {self.words[added]}" if added in self.words else added
        return said if len(said) <= self.letters else said[: self.letters - 2].rsplit(" ", 1)[0] + " …"

    def _piled(self, speeds):
        """(x, y) of dots that pile up where they would lie on each other."""
        columns = np.round(self.field.x(np.clip(speeds, *self.field.scales[0])) / self.dot).astype(int)
        seen, place, (floor, top) = {}, [], self.field.up
        for column in columns.tolist():
            seen[column] = seen.get(column, -1) + 1
            place.append(seen[column])
        high = min(self.dot, (floor - top - 8) / (max(place) + 1))
        return columns * self.dot, floor - high * np.array(place)

    def say(self, step):
        value = "" if step.value is None else f" = {_valued(step.added, step.value)}"
        unseen = f"; on publishers it never saw {number(step.on_unseen, 3)}" if step.unseen is not None else ""
        many = f"{counted(step.free, 'constant')} for {len(step.off)} rows"
        return (
            f"{self.kinds[step.kind].capitalize()}, {self.words.get(step.added, step.added)}{value}: {many}, off by a "
            f"factor of {number(step.on_seen, 3)} on average on rows that it saw{unseen}."
        )


def _valued(name, value):
    """A constant with its unit, which its name ends with."""
    unit = {"seconds": "s", "rate": "B/s"}.get(name.rpartition("_")[2])
    if name.endswith("_us"):
        value, unit = value * 1e-6, "s"
    return si(value, unit) if unit else number(value, 3)


class Unstated(Stage):
    """What a word costs that a source leaves out: error with it, error without it, rows that cannot be foretold.

    >>> view = Unstated()
    >>> view.show(validation.unstated.costs("training")), view.show(validation.unstated.costs("attention"))
    >>> view.show(validation.unstated.costs("prefill"))
    """

    size, noun = (740, 450), "kind"
    across, most, lost, wide = (190, 500), 0.4, 540, 180  # of the errors, and their end; of the rows lost
    ticks, top, pitch = (0, 0.1, 0.2, 0.3, 0.4), 74, 44

    def marks(self, costs):
        """`costs`: validation.unstated.Missing, the dearest first."""
        n, y = range(len(costs)), rows(self.top + self.pitch / 2, self.pitch, len(costs))
        errors = Chart(self.across, (self.top + self.pitch * len(costs), self.top), (0, self.most), (0, 1))
        left = [place for place in n if costs[place].stated is not None]
        with_, without = ([getattr(costs[i], name) for i in left] for name in ("stated_error", "unstated_error"))
        stated, unstated = (errors.x(np.minimum(one, self.most)) for one in (with_, without))
        named, said = [costs[i].word for i in left], [f"{one.lost} of {counted(one.rows, 'row')}" for one in costs]
        long, middle = [self.wide * one.lost_share for one in costs], sum(self.across) / 2
        gone = [f"{one.lost} of {one.rows} cannot be predicted" for one in costs]
        off, offs = (
            [f"{what}: off by {percent(one)}" for one in its]
            for what, its in (("stated", with_), ("left out", without))
        )
        heads = zip(
            (12, middle, self.lost), ("left out", "typical error", "rows lost"), ("start", "", "start"), strict=True
        )
        yield from errors.axes(self.ticks, x_words=[percent(tick) for tick in self.ticks])
        yield words("heads", *((x, 22, head, f"ink bold {side}".strip()) for x, head, side in heads))
        yield from legend("key", self.across[0] + 40, 48, [("memory round", "stated"), ("bad", "left out")], 0, 12)
        yield below("names", 12, y[0], [one.word for one in costs], self.pitch)
        yield lines("stems", left, stated, y[left], unstated, y[left], "bad", 3)
        yield spots("stated", left, stated, y[left], 12, "memory round", who=named, says=off)
        yield spots("unstated", left, unstated, y[left], 12, "bad", who=named, says=offs)
        yield from bars("lost", n, self.lost, y, long, 22, "bad tint", who=[one.word for one in costs], says=gone)
        yield texts("lost words", n, self.lost + 6, y, said, "ink start", 12)

    def say(self, costs):
        lost, worst = [one for one in costs if one.lost], max(costs, key=lambda one: one.dearer)
        parts = [f"without “{one.word}” {one.lost} of {counted(one.rows, 'row')} cannot be predicted" for one in lost]
        if worst.dearer > 0:
            grows = f"grows from {percent(worst.stated_error)} to {percent(worst.unstated_error)}"
            parts.append(f"without “{worst.word}” the typical error {grows}")
        said = "; ".join(parts)
        return f"{said[:1].upper()}{said[1:]}."
