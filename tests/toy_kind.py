"""A kind of rows for tests: each is a share of a rate, the share that of the device's family."""

from types import SimpleNamespace

from accelerator_lib.validation import fitting
from accelerator_lib.validation.record import Estimate


def toy(free=None, own=("share",), calls=None):
    """A kind whose rows are a share of a rate, the share that of the device's family."""

    def estimate(row, constants):
        if calls is not None:
            calls.append(row["id"])
        rate = row["conditions"]["rate"]
        return Estimate(constants("share", row["device"]) * rate, rate, "memory", "why.")

    return SimpleNamespace(FREE=free or {"share": (0.1, 0.5, 1.0)}, BY_FAMILY=own, estimate=estimate)


def row(id, device, rate, value, **more):
    return {
        "id": id, "kind": "gemm", "device": device, "conditions": {"rate": rate}, "metric": "throughput", "unit": "TFLOP/s",
        "value": value, "source": device, "basis": "seen", "workload": "toy",
    } | more  # fmt: skip


def ground(rows, module, monkeypatch):
    monkeypatch.setattr(fitting, "model_of", lambda kind: module)
    return fitting.Ground("gemm", rows)
