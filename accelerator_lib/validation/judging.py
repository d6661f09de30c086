"""Judging: every row predicted by constants that never saw its source, or its device.

off = |log(predicted / measured)|          0.1 is a miss of about 10 %
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import NotAvailable
from accelerator_lib.validation import model_of, told
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.fitting import errors, fit, fittable
from accelerator_lib.validation.record import read

ENDS = (10, 90)  # percentiles between which 80 % of the rows lie


@dataclass(frozen=True)
class Judged:
    """One row: what was said of it without its own source, and what was measured."""

    id: str
    row: dict
    prediction: object
    measured: float
    off: float  # log(predicted / measured)
    fitted: bool  # whether it counts: seen, and no claim

    @property
    def held(self):
        return self.prediction.low <= self.measured <= self.prediction.high

    @property
    def beaten(self):
        return self.prediction.beaten(self.measured)


@dataclass(frozen=True)
class Report:
    """A kind, judged: its rows, and those that could not be predicted, with why."""

    kind: str
    judged: tuple
    missing: dict  # id -> why
    free: int  # constants
    rows: int  # fitted

    @property
    def median(self):
        return self._percentile(50)

    @property
    def worst_tenth(self):
        return self._percentile(90)

    @property
    def coverage(self):
        counted = [each.held for each in self.judged if each.fitted]
        return sum(counted) / len(counted) if counted else float("nan")

    def _percentile(self, share):
        counted = [abs(each.off) for each in self.judged if each.fitted]
        return float(np.percentile(counted, share)) if counted else float("nan")


def spread(kind, rows, by="source"):
    """(low, high): factors on a prediction between which 80 % of measurements lie, each left out of its own fit."""
    off = [error for held_out in left_out(kind, rows, by) for error in held_out[2].values()]
    if not off:
        return 0.5, 2.0
    low, high = np.exp(-np.percentile(off, ENDS[::-1]))
    return float(f"{min(low, 1):.3g}"), float(f"{max(high, 1):.3g}")


def left_out(kind, rows, by="source"):
    """Yield (what is left out, constants fitted without it, {id: log error} of its fittable rows)."""
    for name in sorted({str(row[by]) for row in rows}):
        inside = [row for row in rows if str(row[by]) != name]
        outside = [row for row in rows if str(row[by]) == name]
        constants = Constants(fit(kind, inside))
        yield name, constants, errors(kind, [row for row in outside if fittable(row)], constants)


def judge(kind, rows, by="source"):
    """Report of a kind: each source (or device) predicted by what was fitted, interval included, without it."""
    judged, missing = [], {}
    for name in sorted({str(row[by]) for row in rows}):
        inside = [row for row in rows if str(row[by]) != name]
        constants, (low, high) = Constants(fit(kind, inside)), spread(kind, inside, by)
        for row in (row for row in rows if str(row[by]) == name):
            try:
                whole = read(row, (kind,))
                prediction = told(model_of(kind).estimate(whole, constants), whole, low, high)
            except NotAvailable as why:
                missing[row["id"]] = str(why)
                continue
            off = float(np.log(prediction.value / row["value"]))
            judged.append(Judged(row["id"], row, prediction, row["value"], off, bool(fittable(row))))
    fitted = fit(kind, rows)
    return Report(kind, tuple(judged), missing, len(fitted), sum(bool(fittable(row)) for row in rows))
