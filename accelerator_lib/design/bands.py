"""Bands: a promise in seconds, or an amount of training, made into what a machine must have.

    a token within T     bandwidth >= bytes of a step / T,  arithmetic >= FLOP of a step / T,  capacity >= what is kept
    a training run       seconds = FLOP / (chips x peak x MFU)

Bounds: no chip reaches all of its bandwidth, so what is not enough here is not enough; what is enough may not be.
"""

from dataclasses import dataclass
from functools import cache

from accelerator_lib import hardware
from accelerator_lib.checks.signature import Bytes, Number, Single, Whole, checked
from accelerator_lib.hardware import AChip

Deadline = Single(Number(low=1e-6, high=1e6, unit="s"))
Work, Mfu, Chips = Number(low=1, high=1e30, unit="FLOP"), Number(low=1e-3, high=1), Whole(1, 10**7)
SIXTEEN = ("bf16", "fp16")


@dataclass(frozen=True)
class Machine:
    """A chip of the catalog by its three numbers in 16 bits."""

    id: str
    name: str
    flops_per_s: float
    bytes_per_s: float
    capacity_bytes: float
    kind: str


@dataclass(frozen=True)
class Band:
    """What a promise asks for, and which machines have it."""

    seconds: float
    flops_per_s: float
    bytes_per_s: float
    capacity_bytes: float
    machines: tuple
    enough: tuple  # ids

    @property
    def too_small(self):
        """Ids of those that are fast enough, but do not hold it."""
        fast = [m for m in self.machines if m.flops_per_s >= self.flops_per_s and m.bytes_per_s >= self.bytes_per_s]
        return tuple(m.id for m in fast if m.id not in self.enough)


@cache
def machines():
    """Every Machine of the catalog with a 16-bit peak, a bandwidth and a capacity."""
    found = []
    for chip in hardware.chips().values():
        peaks = [table[dtype] for table in (chip.matrix, chip.vector) for dtype in SIXTEEN if table.get(dtype)]
        if peaks and chip.bytes_per_s and chip.capacity_bytes:
            found.append(
                Machine(chip.id, chip.short_name, max(peaks), chip.bytes_per_s, chip.capacity_bytes, chip.kind)
            )
    return tuple(found)


@checked
def band(flops: Single(Work), bytes_moved: Single(Bytes), held: Single(Bytes), seconds: Deadline):
    """Band of one step of so much work that must be done within `seconds`."""
    rate, flow = flops / seconds, bytes_moved / seconds
    enough = [m.id for m in machines() if m.flops_per_s >= rate and m.bytes_per_s >= flow and m.capacity_bytes >= held]
    return Band(seconds, rate, flow, held, machines(), tuple(enough))


@checked
def training_seconds(flops: Work, chip: AChip = "a100-80gb-sxm", chips: Chips = 1, mfu: Mfu = 0.4):
    """Time [s] of a training run in bf16 at a share of the peak that is reached (MFU); scalars or arrays."""
    return flops / (chips * chip.peak("bf16") * mfu)
