"""Fitting: the few constants of a kind, so that its predictions are least wrong on the rows at hand.

wrong = sum of |log(predicted / measured)| + a little for each constant of a family that leaves the common one

Coordinate by coordinate on a finer and finer grid: few constants, rough ground, no gradient needed. A row remembers
which constants it asked for; only those that a step changes are computed anew, so the rest of the ground costs nothing.
"""

from collections import Counter
from math import exp, inf, log

import numpy as np

from accelerator_lib.inputs import NotAvailable
from accelerator_lib.validation.constants import Constants, Listening
from accelerator_lib.validation.door import KINDS, guarded, kind_of, model_of
from accelerator_lib.validation.record import read

SHRINK = 0.05  # what it costs a family to be a factor e away from the rest, in rows
FEWEST = 3  # rows of a family that earn it a constant of its own
ROUNDS, POINTS = 4, 9
FAR = 3.0  # a miss beyond a factor of 20 costs no more: one row does not carry a fit
FITTED = ("seen",)  # bases of rows that are fitted; the others are only predicted


def fittable(row):
    """Whether a row may shape a constant: read in its source, measured, and no vendor's claim."""
    claim = (row.get("conditions") or {}).get("claim")
    return row.get("basis") in FITTED and not claim and row.get("value") is not None


def miss(predicted, measured):
    """log(predicted / measured); two zeros are no miss, one is an infinite one."""
    if predicted == measured:
        return 0.0
    return log(predicted / measured) if predicted > 0 and measured > 0 else inf


class Ground:
    """The rows of a kind that can be predicted and are fittable, and how far off each is."""

    def __init__(self, kind, rows):
        self.kind, self.module, self.known = kind, model_of(kind), {}
        start = Constants({name: start for name, (_, start, _) in self.module.FREE.items()})
        self.rows, self.last = {}, {}
        for row in (row for row in rows if fittable(row)):
            asked = read({**row, "kind": kind_of(row["kind"])}, KINDS)
            try:
                guarded(self.module, asked, start)
            except NotAvailable:
                continue
            self.rows[row["id"]] = asked, row["value"] * asked["scale"]

    def off(self, id, values):
        """How far off one row is; not computed again where no constant that it asked for has changed."""
        ask = Constants(values)
        if id in self.last and all(ask(*key) == answer for key, answer in self.last[id][0].items()):
            return self.last[id][1]
        ask = Listening(values)
        row, measured = self.rows[id]
        found = miss(self.module.estimate(row, ask).value, measured)
        self.last[id] = ask.asked, found
        return found

    def errors(self, values, ids):
        """{id: log(predicted / measured)}"""
        return {id: self.off(id, values) for id in ids if id in self.rows}

    def fit(self, ids=None):
        """{name: value} from some of the rows (all); the same rows are fitted once."""
        ids = frozenset(self.rows if ids is None else ids) & frozenset(self.rows)
        if ids not in self.known:
            self.known[ids] = self._fit(sorted(ids))
        return dict(self.known[ids])

    def _fit(self, ids):
        free = self.module.FREE
        values = {name: float(start) for name, (_, start, _) in free.items()}
        if ids:
            self._descend(ids, values, free)
            own = {f"{name}.{family}": free[name] for name, family in self._earned(ids)}
            values |= {name: values[name.partition(".")[0]] for name in own}
            self._descend(ids, values, own)
        return {name: float(f"{value:.4g}") for name, value in values.items()}

    def _earned(self, ids):
        """(constant, family) that enough rows asked for, where a family may have its own."""
        asked = Counter(key for id in ids for key in self.last.get(id, ({},))[0])
        keys = sorted(key for key in asked if key[0] in self.module.BY_FAMILY and key[1] is not None)
        return [key for key in keys if asked[key] >= FEWEST]

    def _descend(self, ids, values, free):
        """Better `values` of the `free` constants, in place."""

        def wrong():
            total = sum(min(abs(self.off(id, values)), FAR) for id in ids)
            apart = (abs(log(values[name] / values[name.partition(".")[0]])) for name in free if "." in name)
            return total + SHRINK * sum(apart)

        width = 1.0
        for _ in range(ROUNDS):
            for name, (least, _, most) in free.items():
                reach, middle = log(most / least) * width / 2, log(values[name])
                grid = np.linspace(middle - reach, middle + reach, POINTS).clip(log(least), log(most)).tolist()
                tried = []
                for value in [values[name], *map(exp, grid)]:
                    values[name] = value
                    tried.append((wrong(), value))
                values[name] = min(tried, key=lambda found: found[0])[1]
            width /= 3


def fit(kind, rows):
    """{name: value} of a kind, from the rows that are fittable."""
    return Ground(kind, rows).fit()
