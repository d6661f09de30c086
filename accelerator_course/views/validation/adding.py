"""Constant after constant: a dot for each row, and the two errors, on rows that were seen and on such as not."""

from math import exp, log

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, si

LEFT, RIGHT, FLOOR, TOP = 20, 726, 178, 40  # of the field with the dots
LOW, HIGH, DOT = log(0.35), log(12), 8  # of predicted / measured speed, at its ends
TICKS = (0.5, 0.7, 1, 1.4, 2, 3, 5, 10)
HEAD, PITCH = 222, 21  # y of the table; from line to line
NAME, FREE, SEEN, UNSEEN, LONG = 20, 378, 394, 556, 160  # x of its columns; a bar of the first error
NAMES = 50  # letters


class Adding(Stage):
    """What one number buys: constants added one by one, judged on rows that they saw, and on rows they did not.

    >>> view = Adding(validation.rows.KINDS, validation.adding.WORDS)
    >>> view.show(list(validation.adding.steps("gemm"))[0])
    >>> view.show(list(validation.adding.steps("gemm"))[3])
    >>> view.show(list(validation.adding.steps("gemm"))[-1])
    >>> view.show(list(validation.adding.steps("decode"))[-1])
    """

    size, noun = (746, 470), "step"

    def __init__(self, kinds, words):
        """`kinds`: {kind: its name}; `words`: {constant: what it stands for}."""
        self.kinds, self.words = kinds, words

    def marks(self, step):
        """`step`: validation.adding.Step."""
        ids = list(step.off)
        x, y = _piled(np.array(list(step.off.values())))
        ticks, beyond = _across(np.log(TICKS)), sum(not LOW <= each <= HIGH for each in step.off.values())
        off = [number(exp(each), 3) for each in step.off.values()]
        return [
            lines("grid", range(len(TICKS)), ticks, TOP - 8, ticks, FLOOR, "muted faint", 1),
            lines("exact", [0, 1], [_across(0), LEFT], [TOP - 14, FLOOR], [_across(0), RIGHT], FLOOR, "ink", [2, 1]),
            texts("ticks", range(len(TICKS)), ticks, FLOOR + 14, [f"{tick:g}" for tick in TICKS], "muted", 12),
            texts("words", [0], LEFT, 16, f"{self.kinds[step.kind]}, {len(ids)} rows: predicted / measured speed",
                  "ink bold start", 13),
            boxes("dots", ids, x - DOT / 2, y - DOT, DOT, DOT, "compute round", "", 12, [step.names[id] for id in ids],
                  [f"{each} times the speed" for each in off]),
            texts("beyond", [0] * (beyond > 0), RIGHT, 16, f"{beyond} farther off, at the edge", "muted end", 12),
            *self._table(step),
        ]  # fmt: skip

    def _table(self, step):
        added, free, seen, unseen = zip(*step.before, strict=True)
        n = range(len(added))
        y = HEAD + 22 + PITCH * np.arange(len(added))
        whole = max(seen[0], unseen[0])
        now = ["ink bold" if i == step.place else "ink" for i in n]
        known = [i for i in n if unseen[i] is not None]
        wide = np.array([each / whole * LONG * 0.7 for each in seen])
        wider = np.array([unseen[i] / whole * LONG * 0.7 for i in known])
        return [
            texts("heads", range(4), [NAME, FREE, SEEN, UNSEEN], HEAD,
                  ["added", "constants", "off, on rows it saw", "on publishers it never saw"],
                  ["muted start", "muted end", "muted start", "muted start"], 12),
            texts("added", n, NAME, y, [self._named(each) for each in added],
                  [f"{role} start" for role in now], 13),
            texts("free", n, FREE, y, [str(each) for each in free], [f"{role} end" for role in now], 13),
            boxes("seen", n, SEEN, y - 6, wide, 12, "memory tint"),
            texts("seen words", n, SEEN + wide + 5, y, [number(exp(each), 3) for each in seen], "ink start", 12),
            boxes("unseen", known, UNSEEN, y[known] - 6, wider, 12, "compute"),
            texts("unseen words", known, UNSEEN + wider + 5, y[known], [number(exp(unseen[i]), 3) for i in known],
                  "ink start", 12),
        ]  # fmt: skip

    def _named(self, added):
        words = f"+ {self.words[added]}" if added in self.words else added
        return words if len(words) <= NAMES else words[: NAMES - 2].rsplit(" ", 1)[0] + " …"

    def say(self, step):
        """What was added, and both errors as factors."""
        value = "" if step.value is None else f" = {_valued(step.added, step.value)}"
        unseen = f"; on publishers it never saw {number(exp(step.unseen), 3)}" if step.unseen is not None else ""
        constants = "1 constant" if step.free == 1 else f"{step.free} constants"
        rows = f"{constants} for {len(step.off)} rows"
        return (
            f"{self.kinds[step.kind].capitalize()}, {self.words.get(step.added, step.added)}{value}: {rows}, off by a "
            f"factor of {number(exp(step.seen), 3)} on average on rows that it saw{unseen}."
        )


def _valued(name, value):
    """A constant with its unit, which its name ends with."""
    unit = {"seconds": "s", "rate": "B/s"}.get(name.rpartition("_")[2])
    if name.endswith("_us"):
        value, unit = value * 1e-6, "s"
    return si(value, unit) if unit else number(value, 3)


def _across(off):
    return LEFT + (RIGHT - LEFT) * (np.clip(off, LOW, HIGH) - LOW) / (HIGH - LOW)


def _piled(off):
    """(x, y) of dots that pile up where they would lie on each other."""
    columns = np.round(_across(off) / DOT).astype(int)
    seen, place = {}, []
    for column in columns.tolist():
        seen[column] = seen.get(column, -1) + 1
        place.append(seen[column])
    high = min(DOT, (FLOOR - TOP) / (max(place) + 1))
    return columns * DOT, FLOOR - high * np.array(place)
