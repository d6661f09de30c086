"""TPUs beside each other: how much faster one generation is than the one before, on a mix of work."""

import re

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.units import number
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free

FREE, BY_FAMILY = free("tpu_v4")


def estimate(row, constants):
    """Estimate of a row of kind tpu_v4 [x]. Raises NotAvailable."""
    if row["metric"] == "power":
        raise NotAvailable("no model of the course foretells a chip's mean power: what it did is not stated")
    if row["metric"] not in ("ratio", "speedup") or row["unit"] != "x":
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no ratio of two chips")
    if re.search(r"watt|power|energy|carbon|price|dollar|cost", f"{row['workload']} {row['conditions']}".lower()):
        raise NotAvailable("no model of the course foretells a chip's mean power or price: what it did is not stated")
    if not re.search(r"\bper chip\b|\bone chip\b", row["workload"], re.IGNORECASE):
        raise NotAvailable(f"{row['id']} compares systems, whose network and software are not stated")
    other = re.search(r"(?:over|against|than|versus|vs\.?)\s+((?:TPU )?[\w-]+)", row["workload"], re.IGNORECASE)
    if not other:
        raise NotAvailable(f"{row['id']} does not state against what")
    chip, base = named(row["device"])[0], named(other[1])[0]
    if chip.vendor != base.vendor:
        raise NotAvailable(f"what the software of {chip.vendor} and {base.vendor} reaches is not stated")
    peaks = chip.peak("bf16") / base.peak("bf16")
    rates = chip.need("bytes_per_s") / base.need("bytes_per_s")
    value, bound = (peaks * rates) ** 0.5, max(peaks, rates)
    why = f"The peak is {number(peaks)} times, the memory {number(rates)} times as fast; a mix of work lies between."
    return Estimate(value, bound, "arithmetic" if peaks > rates else "memory bandwidth", why)
