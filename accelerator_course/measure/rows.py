"""Rows: measurements in the words of the published ones (data/measured.yaml), so that one door predicts both.

products, decode   gemm, throughput [TFLOP/s]            attention     attention, runtime [ms]
streams            memory_bandwidth [GB/s]               collectives   collective, bus bandwidth [GB/s]

Streams that a cache may have served are left out, as are launches: no published row is like them.
"""

import re

BASIS = "measured here"


def rows(mine):
    """A dict for each measurement that has a kind among the published ones."""
    for_memory = mine.from_memory
    kept = [
        each for each in mine.measurements if each.group in MAKERS and (each.group != "streams" or each in for_memory)
    ]
    return tuple(_row(mine, each) for each in kept)


def identity(group, name):
    """The id of a measurement's row."""
    return f"measured_{group}_{re.sub('[^a-z0-9]+', '_', name.lower()).strip('_')}"


def _row(mine, each):
    kind, workload, metric, value, unit = MAKERS[each.group](each)
    method = f"median of {each.repeats * each.calls} runs after a warm-up"
    return {
        "id": identity(each.group, each.name),
        "kind": kind,
        "chip": mine.known.id if mine.known else None,
        "device": mine.known.name if mine.known else mine.name,
        "n_devices": each.conditions.get("devices", 1),
        "workload": workload,
        "conditions": {**each.conditions, "spread": each.spread, "method": method},
        "metric": metric,
        "value": value,
        "unit": unit,
        "source": f"python -m accelerator_course.measure, {mine.date[:10]}",
        "basis": BASIS,
    }


def _product(each):
    words = "dense matmul" if each.group == "products" else "dense matmul, one weight matrix and few rows"
    workload = f"{words} {str(each.conditions.get('dtype', '')).upper()}".strip()
    return "gemm", workload, "throughput", each.flops_per_s / 1e12, "TFLOP/s"


def _stream(each):
    workload = f"streaming kernel: {each.conditions.get('kernel', each.name)}"
    return "memory_bandwidth", workload, "bandwidth", each.bytes_per_s / 1e9, "GB/s"


def _attention(each):
    return "attention", "standard attention", "runtime", 1e3 * each.seconds, "ms"


def _collective(each):
    return "collective", "all-reduce", "bus_bandwidth", each.bytes_per_s / 1e9, "GB/s"


MAKERS = {
    "products": _product,
    "decode": _product,
    "streams": _stream,
    "attention": _attention,
    "collectives": _collective,
}
