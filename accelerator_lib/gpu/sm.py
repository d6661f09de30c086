"""SM: the parts of a streaming multiprocessor and what each is for, in numbers of one chip.

    tensor cores / CUDA cores = FLOP per clock of the tensor cores / (2 x CUDA cores)        of one SM
    peak                      = SMs x FLOP per clock x clock

Facts: data/gpus.yaml, data/accelerators.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import hardware
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.gpu.arch import BANKS, FACTS, REGISTER_BYTES, SECTOR_BYTES, WARP_LANES, has, limits
from accelerator_lib.units import binary, number

RECORDS = {record["chip"]: record for record in FACTS["tensor"]}
CHIPS = {id: record["arch"] for id, record in RECORDS.items() if "arch" in record}  # chip -> compute capability
OfAnSm = OneOf(CHIPS)


@dataclass(frozen=True)
class TensorCores:
    """The tensor cores of one SM: fp16 inputs, fp32 sums, dense. Unknown is None."""

    chip: hardware.Chip
    generation: str
    cores: int
    flop_per_clock: int | None  # of all of them
    clock_hz: float | None  # published on its own, not inferred from the peak
    note: str

    @property
    def flop_per_core_clock(self):
        return None if self.flop_per_clock is None else self.flop_per_clock // self.cores

    @property
    def peak(self):
        """FLOP/s of the chip from its parts; None where a part is not published."""
        if self.flop_per_clock is None or self.clock_hz is None:
            return None
        return hardware.peak_from_units(self.chip.units, self.flop_per_clock, self.clock_hz)


@checked
def tensor_cores(chip: OneOf(RECORDS)):
    """TensorCores of a chip. Raises UnknownName."""
    record = RECORDS[chip]
    clock_hz = record["clock_ghz"] and record["clock_ghz"] * 1e9
    parts = (record[name] for name in ("generation", "cores", "flop_per_clock"))
    return TensorCores(hardware.chip(chip), *parts, clock_hz, record.get("note", ""))


def tensor_peaks():
    """TensorCores of every chip in the table."""
    return [tensor_cores(id) for id in RECORDS]


@checked
def tensor_ratio(chip: OfAnSm):
    """How many times the tensor cores' 16-bit rate exceeds that of the CUDA cores in fp32, in one SM."""
    return tensor_cores(chip).flop_per_clock / (2 * limits(CHIPS[chip])["cuda_cores"])


@checked
def anatomy(chip: OfAnSm = "a100-80gb-sxm"):
    """{unit: (label, sentence)} for the parts of an SM of a chip in CHIPS."""
    arch, tensor = CHIPS[chip], tensor_cores(chip)
    limit, copies, name = limits(arch), has(arch, "copy_engine"), tensor.chip.name
    schedulers, cores, shared = limit["sub_partitions"], limit["cuda_cores"], limit["shared_kib"]
    return {
        "warp schedulers": (
            f"{schedulers} warp schedulers",
            f"Each of {schedulers} schedulers issues one instruction a cycle, for a ready warp; "
            f"the SM holds up to {limit['max_warps']} warps.",
        ),
        "register file": (
            f"register file, {binary(limit['registers'] * REGISTER_BYTES)}",
            f"{number(limit['registers'])} registers of {8 * REGISTER_BYTES} bits, a part beside each of the "
            f"{schedulers} schedulers, divided among its threads: no warp is ever saved to memory to make room.",
        ),
        "CUDA cores": (
            f"{cores} CUDA cores",
            f"{cores} lanes for fp32: each does a fused multiply-add a clock, which is two FLOP, not one.",
        ),
        "tensor cores": (
            f"{tensor.cores} tensor cores",
            f"{tensor.cores} tensor cores, {tensor.cores // schedulers} beside each scheduler, multiply small "
            f"matrices: {tensor.flop_per_core_clock} FLOP a clock each, "
            f"{number(tensor_ratio(chip))} times the SM's CUDA cores together.",
        ),
        "load/store units": (
            "load/store\nunits",
            f"{WARP_LANES} lanes' addresses become sectors of {SECTOR_BYTES} bytes: neighbours share one, "
            "scattered ones bring one each.",
        ),
        "shared memory and L1": (
            f"shared memory and L1, {limit['l1_shared_kib']} KiB",
            f"Up to {shared} KiB are shared memory that a block manages itself, in {BANKS} banks "
            f"({limit['shared_kib_per_block']} KiB for one block); the rest is L1.",
        ),
        "copy engine (TMA)": (
            "copy engine\n(TMA)" if copies else "no copy engine\nfor tiles",
            f"On {name} an engine copies whole tiles while the warps work; one thread asks for it."
            if copies
            else f"The copy engine for tiles is missing on {name}.",
        ),
        "L2, shared by all SMs": (
            "L2, shared by all SMs",
            f"{tensor.chip.units} SMs of {name} share one L2 and the memory behind it.",
        ),
    }
