"""Fitting: the few constants of a kind, so that its predictions are least wrong on the rows at hand.

wrong = mean |log(predicted / measured)| + a little for each constant of a family that leaves the common one

Coordinate by coordinate on a finer and finer grid: few constants, rough ground, no gradient needed.
"""

from math import exp, log

import numpy as np

from accelerator_lib.inputs import NotAvailable
from accelerator_lib.validation import model_of
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import read

SHRINK = 0.05  # what it costs a family to be a factor e away from the rest, in rows
FEWEST = 3  # rows of a family that earn it a constant of its own
ROUNDS, POINTS = 4, 9
FITTED = ("seen",)  # bases of rows that are fitted; the others are only predicted


def fittable(row):
    """Whether a row may shape a constant: read in its source, measured, and no vendor's claim."""
    return row["basis"] in FITTED and "claim" not in row.get("conditions", {}) and row.get("value")


def errors(kind, rows, constants):
    """{id: log(predicted / measured)} of the rows that can be predicted."""
    found = {}
    for row in rows:
        try:
            whole = read(row, (kind,))
            estimate = model_of(kind).estimate(whole, constants)
        except NotAvailable:
            continue
        found[row["id"]] = log(estimate.value / row["value"])
    return found


def fit(kind, rows):
    """{name: value} of a kind, from the rows that are fittable."""
    module, rows = model_of(kind), [row for row in rows if fittable(row)]
    free, values = dict(module.FREE), {name: start for name, (_, start, _) in module.FREE.items()}
    base = dict(free)
    _descend(kind, rows, values, free, {})
    for name in module.BY_FAMILY:
        for family in _families(kind, rows, values):
            values[f"{name}.{family}"] = values[name]
            free[f"{name}.{family}"] = base[name]
    if len(free) > len(base):
        _descend(kind, rows, values, {n: f for n, f in free.items() if n not in base}, base)
    return {name: float(f"{value:.4g}") for name, value in values.items()}


def _families(kind, rows, values):
    """Families with enough rows that can be predicted."""
    counts = {}
    known = errors(kind, rows, Constants(values))
    for row in rows:
        if row["id"] in known:
            try:
                family = named(row["device"])[1]
            except NotAvailable:
                continue
            counts[family] = counts.get(family, 0) + 1
    return sorted(family for family, count in counts.items() if count >= FEWEST)


def _descend(kind, rows, values, free, base):
    """Better `values` of the `free` constants, in place."""

    def wrong():
        off = errors(kind, rows, Constants(values))
        total = sum(abs(error) for error in off.values())
        total += SHRINK * sum(abs(log(values[name] / values[name.partition(".")[0]])) for name in free if "." in name)
        return total

    width = 1.0
    for _ in range(ROUNDS):
        for name, (least, _, most) in free.items():
            reach = log(most / least) * width / 2
            middle = log(values[name])
            grid = np.clip(np.linspace(middle - reach, middle + reach, POINTS), log(least), log(most))
            tried = []
            for point in grid:
                values[name] = exp(point)
                tried.append((wrong(), values[name]))
            values[name] = min(tried)[1]
        width /= 3
