"""Residency: what fits on one SM at a time.

    blocks on an SM = min( blocks allowed,  warps allowed / warps of a block,
                           registers / registers of a block,  shared memory / shared memory of a block )
    occupancy       = resident warps / warps allowed

Facts: data/gpus.yaml. Source: CUDA C++ Programming Guide, and the occupancy header of its toolkit.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.gpu.arch import LIMITS, MOST_REGISTERS, MOST_THREADS, WARP_LANES, Arch, limits

MOST_SHARED = 1024 * max(record["shared_kib_per_block"] for record in LIMITS.values())  # bytes, on any of them
Threads, Registers = Count(high=MOST_THREADS, unit="threads in a block"), Count(high=MOST_REGISTERS)
Shared = Count(low=0, unit="bytes a block")


@dataclass(frozen=True)
class Occupancy:
    """What one SM holds at a time, and what stops it from holding more; resources by name."""

    name: str  # of the compute capability
    blocks: int
    warps: int
    fraction: float
    limiters: list
    allowed: dict  # blocks that each resource would allow
    needs: dict  # what one block takes of each
    room: dict  # what the SM has of each
    reserved: int  # bytes of shared memory of each block that are the system's


@checked
def occupancy(arch: Arch = "sm80", threads: Threads = 256, registers: Registers = 48, shared_bytes: Shared = 0):
    """Occupancy of blocks with so many threads, registers a thread and bytes of shared memory. 0 blocks: no launch."""
    limit, warps = limits(arch), -(-threads // WARP_LANES)
    of_a_warp = _up(registers * WARP_LANES, limit["reg_alloc_unit"])
    parts = limit["sub_partitions"]
    for_registers = limit["registers"] // of_a_warp // parts * parts  # warps, the same number in each partition
    shared = _up(shared_bytes + limit["reserved_bytes"], limit["shared_alloc_bytes"])
    most_warps, most_blocks, whole = limit["max_warps"], limit["max_blocks"], limit["shared_kib"] * 1024
    by_shared = whole // max(shared, 1)  # none used: more than any SM holds
    by_shared *= shared_bytes <= limit["shared_kib_per_block"] * 1024
    room = {"warps": most_warps, "blocks": most_blocks, "registers": limit["registers"], "shared": whole}
    by_warps, by_registers = most_warps // warps, for_registers // warps
    allowed = {"warps": by_warps, "blocks": most_blocks, "registers": by_registers, "shared": by_shared}
    needs = {"warps": warps, "blocks": 1, "registers": of_a_warp * warps, "shared": shared}
    blocks = min(allowed.values())
    limiters = [name for name, most in allowed.items() if most == blocks]
    fraction = blocks * warps / limit["max_warps"]
    more = allowed, needs, room, limit["reserved_bytes"]
    return Occupancy(limit["name"], blocks, blocks * warps, fraction, limiters, *more)


def _up(amount, unit):
    """Rounded up to whole units."""
    return -(-amount // unit) * unit
