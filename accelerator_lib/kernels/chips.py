"""Chips: the rates and latencies of one SM, as they are published, in cycles of the chip's clock.

Of several published values the first is taken; for shared memory, the first that is a load of it. Facts:
data/memory_levels.yaml, data/gpus.yaml, data/accelerators.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import hardware
from accelerator_lib.checks.inputs import shown
from accelerator_lib.checks.signature import Given, Number, checked
from accelerator_lib.gpu.arch import LIMITS, WARP_LANES
from accelerator_lib.gpu.sm import CHIPS, RECORDS
from accelerator_lib.memory import levels

MMA_FLOP = 2 * 16 * 8 * 16
KNOWN = tuple(id for id in CHIPS if id in levels.CHIPS)


@dataclass(frozen=True)
class Sm:
    """One SM of a chip; latencies and times in cycles."""

    chip: str
    name: str
    arch: str
    clock_hz: float
    schedulers: int
    alu_issue: int  # cycles for which an arithmetic instruction takes a scheduler's lanes
    alu_latency: float
    shared_latency: float
    l1_latency: float
    l2_latency: float
    dram_latency: float
    l2_bytes: float  # a cycle
    dram_bytes: float  # a cycle
    sms: int  # of the chip
    mma_cycles: float  # for which a product of 16 x 8 x 16 takes the tensor core of a scheduler
    mma_latency: float | None  # None: the chip has no such instruction


def of(chip):
    """Sm of a chip with published latencies; one that was changed stays as it is. Raises ValueError."""
    if isinstance(chip, Sm):
        return chip
    if not isinstance(chip, str) or chip not in KNOWN:
        raise ValueError(f"the machine knows {', '.join(KNOWN)}, not {shown(chip)}")
    clock, sms, arch = levels.CHIPS[chip]["clock_hz"], hardware.chip(chip).units, CHIPS[chip]
    limit = LIMITS[arch]

    def cycles(kind, wanted=""):
        values = levels.published(chip, kind, "latency").values
        return round(next(value.value for value in values if value.what.startswith(wanted)) * clock)

    def rate(kind):
        return levels.published(chip, kind, "bandwidth").values[0].value / clock / sms

    issue = WARP_LANES * limit["sub_partitions"] // limit["cuda_cores"]
    latency = cycles("registers"), cycles("shared", "shared memory load"), cycles("shared", "L1 hit")
    latency += cycles("l2"), cycles("dram")
    name, parts = hardware.chip(chip).name, limit["sub_partitions"]
    tensor = RECORDS[chip]  # warps that wait for the whole product reach a share of the peak on some chips
    product = MMA_FLOP * parts / tensor["flop_per_clock"] / tensor.get("mma_share", 1), tensor.get("mma_latency")
    return Sm(chip, name, arch, clock, parts, issue, *latency, rate("l2"), rate("dram"), sms, *product)


ASm = Given("a chip with published latencies", of)


@checked
def least_cycles(bytes_moved: Number(low=0, unit="B"), chip: ASm = "a100-80gb-sxm"):
    """Cycles for which one SM's share of the DRAM is busy with so many bytes: the floor of a kernel that moves them."""
    return bytes_moved / chip.dram_bytes
