"""Validation: every model of the course held against what was published, through one door.

predict(row)       what the models say of a measurement, an interval, the bound, what limits: Prediction
report.report()    how far off they are, each row predicted by constants that never saw its publisher
rows, bounds, misses, adding, outliers, unstated    what chapter 14 draws of it; counting: what its questions ask
KINDS              kinds of rows, and the module that foretells each

Constants: data/calibration.yaml, fitted by  make calibrate. What names of devices stand for: data/validation.yaml.
"""

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import adding, bounds, counting, misses, outliers, report, rows, unstated
from accelerator_lib.validation.door import KINDS, predict
from accelerator_lib.validation.record import Prediction

__all__ = [
    "KINDS",
    "NotAvailable",
    "Prediction",
    "adding",
    "bounds",
    "counting",
    "misses",
    "outliers",
    "predict",
    "report",
    "rows",
    "unstated",
]
