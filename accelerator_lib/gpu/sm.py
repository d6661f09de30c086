"""SM: the tensor cores of a streaming multiprocessor, and the peak that follows from them.

    tensor cores / CUDA cores = FLOP per clock of the tensor cores / (2 x CUDA cores)        of one SM
    peak                      = SMs x FLOP per clock x clock

Facts: data/gpus.yaml, data/accelerators.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import hardware
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.gpu.arch import FACTS, limits

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


@dataclass(frozen=True)
class TensorCores:
    """The tensor cores of one SM: fp16 inputs, fp32 sums, dense. Unknown is None."""

    chip: hardware.Chip
    flop_per_clock: int | None  # of all of them
    clock_hz: float | None  # published on its own, not inferred from the peak
    note: str

    @property
    def peak(self):
        """FLOP/s of the chip from its parts; None where a part is not published."""
        if self.flop_per_clock is None or self.clock_hz is None:
            return None
        return hardware.peak_from_units(self.chip.units, self.flop_per_clock, self.clock_hz)


@checked
def tensor_cores(id: OneOf(RECORDS)):
    """TensorCores of a chip. Raises UnknownName."""
    record = RECORDS[id]
    clock_hz = record["clock_ghz"] and record["clock_ghz"] * 1e9
    return TensorCores(chip(id), record["flop_per_clock"], clock_hz, record.get("note", ""))


@checked
def tensor_ratio(id: OfAnSm):
    """How many times the tensor cores' 16-bit rate exceeds that of the CUDA cores in fp32, in one SM."""
    return tensor_cores(id).flop_per_clock / (2 * limits(CHIPS[id])["cuda_cores"])
