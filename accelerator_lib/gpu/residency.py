"""Residency: what fits on one SM at a time.

    blocks on an SM = min( blocks allowed,  warps allowed / warps of a block,
                           registers / registers of a block,  shared memory / shared memory of a block )
    occupancy       = resident warps / warps allowed

Facts: data/gpus.yaml. Source: CUDA C++ Programming Guide, and the occupancy header of its toolkit.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Whole, checked
from accelerator_lib.gpu.arch import LIMITS, MOST_REGISTERS, MOST_THREADS, WARP_LANES, Arch, limits

THREADS, REGISTERS = "threads in a block", "registers a thread"
MOST_SHARED = 1024 * max(record["shared_kib_per_block"] for record in LIMITS.values())  # bytes, on any of them


@dataclass(frozen=True)
class Occupancy:
    """What one SM holds at a time, what stops it from holding more, and how many blocks each resource would allow."""

    name: str  # of the compute capability
    blocks: int
    warps: int
    fraction: float
    limiters: list
    allowed: dict  # limiter -> blocks


@checked
def occupancy(
    arch: Arch = "sm80",
    threads: Count(high=MOST_THREADS, unit=THREADS) = 256,
    registers: Count(high=MOST_REGISTERS, unit=REGISTERS) = 48,
    shared_bytes: Count(low=0, unit="bytes a block") = 0,
):
    """Occupancy of blocks with so many threads, registers a thread and bytes of shared memory. 0 blocks: no launch."""
    limit = limits(arch)
    allowed = {name: int(blocks) for name, blocks in blocks_allowed(arch, threads, registers, shared_bytes).items()}
    blocks = min(allowed.values())
    warps = blocks * -(-threads // WARP_LANES)
    limiters = [name for name, most in allowed.items() if most == blocks]
    return Occupancy(limit["name"], blocks, warps, warps / limit["max_warps"], limiters, allowed)


@checked
def occupancy_fraction(
    arch: Arch,
    threads: Whole(high=MOST_THREADS, unit=THREADS),
    registers: Whole(high=MOST_REGISTERS, unit=REGISTERS),
    shared_bytes: Whole(low=0, high=MOST_SHARED, unit="bytes a block") = 0,
):
    """Resident warps / warps allowed; scalars or arrays."""
    blocks = np.minimum.reduce(np.broadcast_arrays(*blocks_allowed(arch, threads, registers, shared_bytes).values()))
    return blocks * -(-threads // WARP_LANES) / limits(arch)["max_warps"]


@checked
def blocks_allowed(
    arch: Arch,
    threads: Whole(high=MOST_THREADS, unit=THREADS),
    registers: Whole(high=MOST_REGISTERS, unit=REGISTERS),
    shared_bytes: Whole(low=0, high=MOST_SHARED, unit="bytes a block") = 0,
):
    """{limiter: blocks that it would allow on one SM}; scalars or arrays."""
    limit = limits(arch)
    warps = -(-threads // WARP_LANES)
    of_a_warp = _up(registers * WARP_LANES, limit["reg_alloc_unit"])
    parts = limit["sub_partitions"]
    for_registers = limit["registers"] // of_a_warp // parts * parts  # warps, the same number in each partition
    of_a_block = _up(shared_bytes + limit["reserved_bytes"], limit["shared_alloc_bytes"])
    return {
        "warps": limit["max_warps"] // warps,
        "blocks": limit["max_blocks"],
        "registers": for_registers // warps,
        "shared": (shared_bytes <= limit["shared_kib_per_block"] * 1024)
        * (limit["shared_kib"] * 1024 // np.maximum(of_a_block, 1)),  # none used: more than any SM holds
    }


def _up(amount, unit):
    """Rounded up to whole units."""
    return -(-amount // unit) * unit
