"""Split: what fills the memory of a serving GPU: parameters, caches of keys and values, and the rest.

The rest (activations, the runtime, holes) is what a server leaves free by default: a tenth of what is left.
"""

import re

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.hardware import FORMAT_BYTES, format_bytes
from accelerator_lib.units import si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free, stated

FREE, BY_FAMILY = free("memory_split")
LEFT = 0.1  # of what the parameters leave; vLLM keeps a tenth of the memory back unless told otherwise


def estimate(row, constants):
    """Estimate of a row of kind memory_split, in % of the memory or in GB. Raises NotAvailable."""
    chip = named(row["device"])[0]
    capacity = chip.need("capacity_bytes") * (row["n_devices"] or 1)
    parameters = _parameters(row) * format_bytes(_format(row))
    if parameters > capacity:
        raise NotAvailable(f"{si(parameters, 'B')} of parameters do not fit into {si(capacity, 'B')}")
    part = str(stated(row, "part")).lower()
    if re.search(r"param|weight", part):
        held, bound, limit = parameters, capacity, "parameters"
    elif re.search(r"kv|cache", part):
        bound = capacity - parameters
        held, limit = bound * (1 - LEFT), "capacity"
    else:
        raise NotAvailable(f"what {part[:40]!r} takes is not foretold; parameters and the KV cache are")
    why = f"{si(parameters, 'B')} of parameters leave {si(capacity - parameters, 'B')} of {si(capacity, 'B')}."
    one = {"%": capacity / 100, "GB": 1e9}.get(row["unit"])
    if one is None:
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no part of a memory")
    return Estimate(held / one, bound / one, limit, why)


def _parameters(row):
    text = f"{row['conditions'].get('parameters', '')} {row['conditions'].get('model', '')} {row['workload']}"
    found = re.search(r"(\d+(?:\.\d+)?)\s?([BM])\b", text, re.IGNORECASE)
    if not found:
        raise NotAvailable(f"{row['id']} does not state how many parameters")
    return float(found[1]) * {"B": 1e9, "M": 1e6}[found[2].upper()]


def _format(row):
    said = str(stated(row, "dtype", "precision", "weights")).lower()
    for name in FORMAT_BYTES:
        if re.search(rf"\b{name}\b", said):
            return name
    raise NotAvailable(f"{row['id']}: the format {said[:40]!r} is unknown")
