"""Validation: every model of the course held against what was published, through one door.

predict(row) says a Prediction of a measurement; report.report() how far off the models are; rows, bounds, misses,
adding, outliers, profile: what chapter 14 draws of it; counting: what its questions ask. Constants, fitted by  make
calibrate: data/calibration.yaml. What words of sources stand for: data/validation.yaml.
"""

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import adding, bounds, counting, misses, outliers, profile, report, rows
from accelerator_lib.validation.door import KINDS, predict
from accelerator_lib.validation.record import Prediction

__all__ = ["KINDS", "NotAvailable", "Prediction", "adding", "bounds", "counting", "misses", "outliers"]
__all__ += ["predict", "profile", "report", "rows"]
