"""A kind of rows for tests: each is a share of a rate, the share that of the device's family."""

from types import SimpleNamespace

from accelerator_lib.validation import fitting
from accelerator_lib.validation.record import Estimate

ROW = {"kind": "gemm", "metric": "throughput", "unit": "TFLOP/s", "basis": "seen", "workload": "toy"}


def toy(free=None, own=("share",), calls=None):
    def estimate(row, constants):
        if calls is not None:
            calls.append(row["id"])
        rate = row["conditions"]["rate"]
        return Estimate(constants("share", row["device"]) * rate, rate, "memory", "why.")

    return SimpleNamespace(FREE=free or {"share": (0.1, 0.5, 1.0)}, BY_FAMILY=own, estimate=estimate)


def row(id, device, rate, value, **more):
    return ROW | {"id": id, "device": device, "conditions": {"rate": rate}, "value": value, "source": device} | more


def ground(rows, module, monkeypatch):
    monkeypatch.setattr(fitting, "model_of", lambda kind: module)
    return fitting.Ground("gemm", rows)
