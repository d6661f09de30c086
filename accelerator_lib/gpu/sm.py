"""SM: the parts of a streaming multiprocessor and what each is for, in numbers of one chip.

    tensor cores / CUDA cores = FLOP per clock of the tensor cores / (2 x CUDA cores)        of one SM

Facts: data/gpus.yaml, data/accelerators.yaml.
"""

from accelerator_lib import data, hardware
from accelerator_lib.gpu.residency import limits
from accelerator_lib.inputs import one_of
from accelerator_lib.units import binary, number

CHIPS = {"v100-sxm2-32gb": "sm70", "a100-80gb-sxm": "sm80", "rtx-4090": "sm89", "h100-sxm5": "sm90"}


COPIES_TILES = ("sm90",)  # capabilities with a copy engine for tiles (TMA)


def tensor_ratio(chip):
    """How many times the tensor cores' 16-bit rate exceeds that of the CUDA cores in fp32, in one SM."""
    record = {entry["chip"]: entry for entry in data.load("gpus")["tensor"]}[one_of("chip", chip, CHIPS)]
    return record["flop_per_clock"] / (2 * limits(CHIPS[chip])["cuda_cores"])


def anatomy(chip="a100-80gb-sxm"):
    """{unit: (label, sentence)} for the parts of an SM of a chip in CHIPS."""
    chip = hardware.chip(one_of("chip", chip, CHIPS))
    limit, arch = limits(CHIPS[chip.id]), CHIPS[chip.id]
    tensor = {entry["chip"]: entry for entry in data.load("gpus")["tensor"]}[chip.id]
    cores, registers = limit["cuda_cores"], limit["registers"] * 4
    each = tensor["flop_per_clock"] // tensor["cores"]
    engine = "copies whole tiles while the warps work; one thread asks for it" if arch in COPIES_TILES else "is missing"
    l2 = f"{chip.units} SMs of {chip.name} share one L2 and the memory behind it"
    return {
        "warp schedulers": (
            f"{limit['sub_partitions']} warp schedulers",
            f"Each of {limit['sub_partitions']} schedulers issues one instruction a cycle, for a ready warp; "
            f"the SM holds up to {limit['max_warps']} warps.",
        ),
        "register file": (
            f"register file, {binary(registers)}",
            f"{number(limit['registers'])} registers of 32 bits, divided among all resident threads: no warp is ever "
            "saved to memory to make room for another.",
        ),
        "CUDA cores": (
            f"{cores} CUDA cores",
            f"{cores} lanes for fp32: each does a fused multiply-add a clock, which is two FLOP, not one.",
        ),
        "tensor cores": (
            f"{tensor['cores']} tensor cores",
            f"{tensor['cores']} tensor cores multiply small matrices: {each} FLOP a clock each, "
            f"{number(tensor_ratio(chip.id))} times the SM's CUDA cores together.",
        ),
        "load/store units": (
            "load/store\nunits",
            "32 lanes' addresses become sectors of 32 bytes: neighbours share one, strangers each bring their own.",
        ),
        "shared memory and L1": (
            f"shared memory and L1, {limit['l1_shared_kib']} KiB",
            f"Up to {limit['shared_kib']} KiB are shared memory that a block manages itself, in 32 banks "
            f"({limit['shared_kib_per_block']} KiB for one block); the rest is L1.",
        ),
        "copy engine (TMA)": (
            "copy engine\n(TMA)" if arch in COPIES_TILES else "no copy engine\nfor tiles",
            f"The copy engine for tiles {engine} on {chip.name}.",
        ),
        "L2, shared by all SMs": ("L2, shared by all SMs", f"{l2}."),
    }


def tensor_peaks():
    """[(record, chip, rebuilt peak or None)]: SMs x FLOP per clock x clock, where the clock is published on its own."""
    found = []
    for record in data.load("gpus")["tensor"]:
        chip, built = hardware.chip(record["chip"]), None
        if record["flop_per_clock"] and record["clock_ghz"]:
            built = hardware.peak_from_units(chip.units, record["flop_per_clock"], record["clock_ghz"] * 1e9)
        found.append((record, chip, built))
    return found
