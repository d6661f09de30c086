"""A published row, and what is none: (what stands in its place, the error, a word of its line)."""

import builtins
from pathlib import Path

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import UnknownName

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
ROW = TABLE["row"]


def deep(levels):
    found = 1
    for _ in range(levels):
        found = [found]
    return found


ERRORS = vars(builtins) | {"UnknownName": UnknownName}
HOSTILE = [(ROW | {field: value}, ERRORS[error], word) for field, value, error, word in TABLE["odd"]]
HOSTILE += [(odd, TypeError, "dict") for odd in (None, [ROW], "gemm")]
HOSTILE += [
    ({name: value for name, value in ROW.items() if name != "unit"}, ValueError, "states no unit"),
    (ROW | {"value": 10**400}, ValueError, "value"),
    (ROW | {"device": "H" * 10**6}, ValueError, "device"),
    (ROW | {"n_devices": np.array([1, 2])}, TypeError, "n_devices must be one whole number"),
    (ROW | {"conditions": {f"c{i}": 1 for i in range(1000)}}, ValueError, "1,000 conditions"),
]
CONDITIONS = [
    ([1] * 10**6, ValueError, "M holds 1,000,000 values; at most 200"),
    (np.zeros(10**6), ValueError, "M holds 1,000,000 values; at most 200"),
    (np.zeros((2, 2)), TypeError, "M must be a number, a word or a flat list"),
    ([10**5000], ValueError, "M = "),
    (deep(5000), TypeError, "flat list"),
    ("x" * 10**6, ValueError, "characters"),
]
HOSTILE += [(ROW | {"conditions": {"M": odd}}, *said) for odd, *said in CONDITIONS]
