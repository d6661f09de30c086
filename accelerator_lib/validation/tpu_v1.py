"""The first TPU: what it delivered, what its counters said, how many inferences beside a CPU and a GPU of its day.

CNN1 is two networks: convolutions that fill half of the array, and layers whose weights are used once an input.
What was delivered and what the counters said are not of one run (useful products in 78.2 % of the cycles make 72 TOP/s
of 92 for CNN0, where 86 are printed): no model can meet both, this one lies between them.
"""

import re

from accelerator_lib import data, roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.systolic import arrays_of, tpu
from accelerator_lib.units import number, percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, amount, free

FREE, BY_FAMILY = free("tpu_v1")
MISSING = {
    "speedup": "which batch the CPU managed within the response limit, nor its code",
    "power": "what was switched, and no model of the course foretells a chip's idle or busy power",
    "model_error": "the model whose error it is",
}
COUNTERS = {"array_active_cycles": "active", "weight_stall_cycles": "stalled", "weight_shift_cycles": "shifted"}


def estimate(row, constants):
    """Estimate of a row of kind tpu_v1: TOP/s, share of the cycles [%], or inferences/s. Raises NotAvailable."""
    metric = row["metric"]
    if metric in MISSING:
        raise NotAvailable(f"{row['id']} does not state {MISSING[metric]}")
    chip = named(row["device"])[0]
    if metric == "inferences_per_s":
        return _inferences(row, chip, constants)
    if chip.id != "tpu-v1":
        raise NotAvailable(f"{metric} is foretold of the first TPU, not of {chip.name}")
    found = _run(row, chip, constants("kept"))
    if metric == "delivered" and row["unit"] == "TOP/s":
        uses = amount(row, "macs_per_weight_byte")
        bound = float(roofline.attainable(2 * uses, chip.peak("int8"), chip.bytes_per_s))
        return Estimate(found.ops_per_s / 1e12, bound / 1e12, _limit(found), _why(found))
    if metric in COUNTERS and row["unit"] == "%":
        share, bound = getattr(found, COUNTERS[metric]), 1.0
        if metric == "array_active_cycles":  # by the numbers of the row alone, all weights alike
            passes = _facts(row).get("passes", 1)
            bound = tpu.tile(passes * amount(row, "macs_per_weight_byte"), *_array(chip)).active
        return Estimate(100 * share, 100 * bound, _limit(found), _why(found))
    raise NotAvailable(f"{metric} in {row['unit']} is nothing that the model of the first TPU foretells")


def _facts(row):
    """What the paper says of an application; nothing of one that it does not know. Raises NotAvailable."""
    name = re.match(r"(MLP|LSTM|CNN)\s?\d+", row["workload"].strip(), re.IGNORECASE)
    if not name:
        raise NotAvailable(f"{row['id']} names no application: the mix of {row['workload'][:60]!r} is not stated")
    known = {entry["name"]: entry for entry in data.load("systolic")["tpu_networks"]}
    plain = name[0].upper().replace(" ", "")
    return known.get(plain, {"passes": 2} if plain.startswith("LSTM") else {})


def _run(row, chip, kept, batch=None):
    facts, stated = _facts(row), row["conditions"]
    weights = _count(stated.get("weights")) or facts.get("weights")
    if not weights:
        raise NotAvailable(f"{row['id']} does not state weights")
    uses = batch or amount(row, "macs_per_weight_byte")
    full, filled = facts.get("fully_connected", 0), facts.get("filled", 1.0)
    parts = [tpu.Part(weights * (1 - full), uses, filled, facts.get("passes", 1))]
    if full:
        parts.append(tpu.Part(weights * full, stated.get("batch") or facts["batch"]))
    return tpu.counters(parts, *_array(chip), kept)


def _array(chip):
    return arrays_of(chip).edge, chip.bytes_per_s, chip.clock_hz


def _inferences(row, chip, constants):
    batch, facts = amount(row, "batch"), _facts(row)
    weights = facts.get("weights")
    if not weights or not row["workload"].upper().startswith("MLP"):
        raise NotAvailable(f"{row['id']} does not state the work of one inference")
    if chip.id == "tpu-v1":
        found, best = (_run(row, chip, kept, batch) for kept in (constants("kept"), 1.0))
        seconds = found.seconds * (1 + facts["host"])
        why = f"{si(found.seconds, 's')} for {number(batch)} inputs, and the host takes {percent(facts['host'])} more."
        return Estimate(batch / seconds, batch / best.seconds, "weights from memory", why)
    flops, bytes_moved = 2 * weights * batch, 4 * weights
    peak, rate = chip.peak("fp32"), chip.need("bytes_per_s")
    bound = float(roofline.attainable(flops / bytes_moved, peak, rate)) / (2 * weights)
    limit = "arithmetic" if flops / bytes_moved > roofline.ridge_point(peak, rate) else "weights from memory"
    share = constants("general")
    why = f"With {number(batch)} inputs at a time, {percent(share)} of the FP32 roofline is sustained."
    return Estimate(share * bound, bound, limit, why)


def _count(weights):
    if not isinstance(weights, str):
        return weights
    found = re.fullmatch(r"([\d.]+)\s*([kMB]?)", weights.strip())
    if not found:
        raise NotAvailable(f"weights must be a number such as '20M', not {weights[:40]!r}")
    return float(found[1]) * {"": 1, "k": 1e3, "M": 1e6, "B": 1e9}[found[2]]


def _limit(found):
    return "weights from memory" if found.stalled > found.active else "arithmetic"


def _why(found):
    streams, shifts, waits = map(percent, (found.active, found.shifted, found.stalled))
    return f"The array streams in {streams} of the cycles, shifts weights in {shifts}, and waits for them in {waits}."
