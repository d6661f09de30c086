"""Judging: each row of a file beside what the course predicts for it, and how far off that is, kind by kind.

A row that itself set a peak (where the chip is estimated from the file) is not counted: it would be right by itself.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from accelerator_course.measure.mine import identity
from accelerator_lib import validation
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.validation import constants, door


class Judged(NamedTuple):
    """A row and its Prediction, or None and why not."""

    row: dict
    prediction: object
    why: str

    # predicted over measured; None without a prediction
    ratio = property(lambda self: None if self.prediction is None else self.prediction.value / self.row["value"])

    @property
    def inside(self):
        """Whether the measurement lies in the interval that holds 80 % of published ones."""
        return self.prediction is not None and self.prediction.low <= self.row["value"] <= self.prediction.high


class Errors(NamedTuple):
    """One kind: rows, how many of them were predicted, the median error (0.1: by a tenth) and the share inside."""

    rows: int
    predicted: int
    median: float | None
    inside: float | None


def judged(mine):
    """Judged of every row; those that set the peaks of an estimated chip are left out."""
    setters = [each for each in (mine.best_product, mine.best_stream) if each and mine.estimated]
    own = {identity(each.group, each.name) for each in setters}
    return tuple(_judge(row, mine) for row in mine.rows() if row["id"] not in own)


def errors(mine):
    """Errors of each kind that the file has rows of."""
    found = {}
    for each in judged(mine):
        found.setdefault(each.row["kind"], []).append(each)
    return {kind: _errors(group) for kind, group in found.items()}


def _judge(row, mine):
    try:
        return Judged(row, validation.predict(row) if mine.known else _as_if(row, mine.chip), "")
    except (NotAvailable, UnknownName) as error:
        return Judged(row, None, str(error))


def _as_if(row, chip):
    """Prediction of a row by the same models, on a chip that no table has."""
    fitted, low, high = constants.of(row["kind"])
    return door.foretell(door.whole(row) | {"device": chip}, fitted, low, high)


def _errors(group):
    logs = [abs(log(each.ratio)) for each in group if each.ratio]
    inside = [each.inside for each in group if each.prediction is not None]
    return Errors(
        rows=len(group),
        predicted=len(inside),
        median=exp(float(np.median(logs))) - 1 if logs else None,
        inside=sum(inside) / len(inside) if inside else None,
    )
