"""SM: the tensor cores of a streaming multiprocessor, and the peak that follows from them.

    peak = SMs x FLOP per clock x clock

Facts: data/gpus.yaml, data/accelerators.yaml.
"""

from accelerator_lib import hardware
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.gpu.arch import FACTS

BESIDE = FACTS["beside"]  # a chip that is not in the catalog
RECORDS = {record["chip"]: record for record in (*FACTS["tensor"], BESIDE)}
CHIPS = {id: record["arch"] for id, record in RECORDS.items() if "arch" in record}  # chip -> compute capability
OfAnSm = OneOf(CHIPS)


@checked
def chip(id: OneOf(RECORDS)):
    """The Chip of an id of RECORDS: the catalog's, or the one beside it. Raises UnknownName."""
    if id != BESIDE["chip"]:
        return hardware.chip(id)
    rates = BESIDE["bandwidth_gb_s"] * 1e9, BESIDE["clock_ghz"] * 1e9
    matrix = {"fp16": BESIDE["fp16_tflops"] * 1e12}
    return hardware.Chip(id, BESIDE["name"], matrix, bytes_per_s=rates[0], units=BESIDE["sms"], clock_hz=rates[1])


@checked
def rebuilt(id: OneOf(RECORDS)):
    """Peak of a chip from its parts [FLOP/s], fp16 with fp32 sums, dense; None where a part is not published."""
    parts = chip(id).units, RECORDS[id]["flop_per_clock"], RECORDS[id]["clock_ghz"]
    return None if None in parts else 1e9 * hardware.peak_from_units(*parts)
