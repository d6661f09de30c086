"""A published row, and what is none: (what stands in its place, the error, a word of its line)."""

import numpy as np

from accelerator_lib.checks.inputs import UnknownName

ROW = {
    "id": "one", "kind": "gemm", "device": "H100", "n_devices": 1, "workload": "dense matmul", "metric": "throughput",
    "conditions": {"M": 1024, "N": 1024, "K": 1024, "dtype": "bf16"}, "value": 500.0, "unit": "TFLOP/s",
}  # fmt: skip


def deep(levels):
    found = 1
    for _ in range(levels):
        found = [found]
    return found


HOSTILE = [
    (None, TypeError, "dict"),
    ([ROW], TypeError, "dict"),
    ("gemm", TypeError, "dict"),
    ({**ROW, "unit": None}, ValueError, "unit"),
    ({k: v for k, v in ROW.items() if k != "unit"}, ValueError, "states no unit"),
    ({**ROW, "unit": " "}, ValueError, "unit"),
    ({**ROW, "metric": 3}, ValueError, "metric"),
    ({**ROW, "kind": "gem"}, UnknownName, "did you mean 'gemm'"),
    ({**ROW, "kind": ["gemm"]}, ValueError, "kind"),
    ({**ROW, "value": -1}, ValueError, "value"),
    ({**ROW, "value": float("nan")}, ValueError, "NaN"),
    ({**ROW, "value": float("inf")}, ValueError, "value"),
    ({**ROW, "value": 10**400}, ValueError, "value"),
    ({**ROW, "value": "fast"}, TypeError, "value"),
    ({**ROW, "value": True}, TypeError, "value"),
    ({**ROW, "n_devices": 0}, ValueError, "n_devices"),
    ({**ROW, "n_devices": 1.5}, ValueError, "n_devices"),
    ({**ROW, "n_devices": "eight"}, TypeError, "n_devices"),
    ({**ROW, "n_devices": np.array([1, 2])}, TypeError, "n_devices must be one whole number"),
    ({**ROW, "conditions": {"M": [1] * 10**6}}, ValueError, "M holds 1,000,000 values; at most 200"),
    ({**ROW, "conditions": {"M": np.zeros(10**6)}}, ValueError, "M holds 1,000,000 values; at most 200"),
    ({**ROW, "conditions": {"M": np.zeros((2, 2))}}, TypeError, "M must be a number, a word or a flat list"),
    ({**ROW, "conditions": {"M": [10**5000]}}, ValueError, "M = "),
    ({**ROW, "conditions": [1, 2]}, TypeError, "conditions"),
    ({**ROW, "conditions": {"M": -5}}, ValueError, "M"),
    ({**ROW, "conditions": {"M": float("nan")}}, ValueError, "M"),
    ({**ROW, "conditions": {"M": [4, float("inf")]}}, ValueError, "M"),
    ({**ROW, "conditions": {"M": {"a": 1}}}, TypeError, "M"),
    ({**ROW, "conditions": {"M": deep(5000)}}, TypeError, "flat list"),
    ({**ROW, "conditions": {3: 1}}, TypeError, "by a word"),
    ({**ROW, "conditions": {"M": "x" * 10**6}}, ValueError, "characters"),
    ({**ROW, "conditions": {f"c{i}": 1 for i in range(1000)}}, ValueError, "1,000 conditions"),
    ({**ROW, "device": 5}, TypeError, "device"),
    ({**ROW, "device": "H" * 10**6}, ValueError, "device"),
    ({**ROW, "workload": {"M": 1}}, TypeError, "workload"),
]
