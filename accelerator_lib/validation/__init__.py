"""Validation: every model of the course held against what was published, through one door.

predict(row)     what the models say of a measurement, an interval, the bound, what limits: Prediction
judge            fitted on some sources, judged on others       fit     the constants of data/calibration.yaml

Kinds: streams (bandwidth, latency, links), gemm, attention, collectives, training, decode, prefill, serving, tpu,
shares (of operators and of memory).
"""

from functools import cache
from importlib import import_module

from accelerator_lib.inputs import NotAvailable
from accelerator_lib.validation import constants
from accelerator_lib.validation.record import TIMES, Prediction, read

# kind -> the module that holds its models, as `estimate(row, constants)`, and FREE, what is fitted
KINDS = {
    "memory_bandwidth": "streams",
    "memory_latency": "latencies",
    "link_bandwidth": "copies",
    "gemm": "gemm",
    "attention": "attention",
    "collective": "collectives",
    "training": "training",
    "decode": "decode",
    "prefill": "prefill",
    "serving": "serving",
    "tpu_v1": "tpu_v1",
    "tpu_v4": "tpu_v4",
    "operator_classes": "operators",
    "software_ladder": "software",
    "memory_split": "split",
}


@cache
def model_of(kind):
    """The module that foretells rows of a kind."""
    return import_module(f"accelerator_lib.validation.{KINDS[kind]}")


def predict(row):
    """Prediction of a row as it stands in data/measured.yaml, known or never seen; its value is not looked at.

    Raises NotAvailable, by name, where the row does not state enough or the device is not known; ValueError, TypeError
    or UnknownName where it is no row."""
    row = read(row, KINDS)
    fitted, low, high = constants.of(row["kind"])
    return told(model_of(row["kind"]).estimate(row, fitted), row, low, high)


def told(estimate, row, low=1.0, high=1.0):
    """The Prediction of an Estimate whose kind is off by factors from `low` to `high`; nothing passes the bound."""
    less = row["unit"] in TIMES
    within = (lambda value: max(value, estimate.bound)) if less else (lambda value: min(value, estimate.bound))
    ends = [within(estimate.value * each) for each in (1.0, low, high)]
    return Prediction(*ends, estimate.bound, estimate.limit, estimate.why, row["unit"], less)


__all__ = ["KINDS", "NotAvailable", "Prediction", "model_of", "predict", "told"]
