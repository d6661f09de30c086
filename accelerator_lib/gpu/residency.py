"""Residency: what fits on one SM at a time.

    blocks on an SM = min( blocks allowed,  warps allowed / warps of a block,
                           registers / registers of a block,  shared memory / shared memory of a block )
    occupancy       = resident warps / warps allowed

Facts: data/gpus.yaml. Source: CUDA C++ Programming Guide, and the occupancy header of its toolkit.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.gpu.simt import LANES
from accelerator_lib.inputs import count, one_of

MOST_THREADS, MOST_REGISTERS = 1024, 255
LIMITERS = ("warps", "blocks", "registers", "shared")


@dataclass(frozen=True)
class Occupancy:
    """What one SM holds at a time, what stops it from holding more, and how many blocks each resource would allow."""

    blocks: int
    warps: int
    fraction: float
    limiters: list
    allowed: dict  # limiter -> blocks


def limits(arch):
    """The record of a compute capability: "sm80" (A100), "sm90" (H100) ... Raises UnknownName."""
    table = {entry["id"]: entry for entry in data.load("gpus")["sm_limits"]}
    return table[one_of("arch", arch, table)]


def occupancy(arch="sm80", threads=256, registers=48, shared_bytes=0):
    """Occupancy of blocks with so many threads, registers a thread and bytes of shared memory. 0 blocks: no launch."""
    limit = limits(arch)
    threads = count("threads", threads, high=MOST_THREADS, unit="threads in a block")
    registers = count("registers", registers, high=MOST_REGISTERS, unit="registers a thread")
    most = limit["shared_kib_per_block"] * 1024
    shared_bytes = count("shared_bytes", shared_bytes, low=0, high=most, unit="bytes a block")
    allowed = {name: int(count) for name, count in _allowed(limit, threads, registers, shared_bytes).items()}
    blocks = min(allowed.values())
    warps = blocks * -(-threads // LANES)
    limiters = [name for name in LIMITERS if allowed[name] == blocks]
    return Occupancy(blocks, warps, warps / limit["max_warps"], limiters, allowed)


def _allowed(limit, threads, registers, shared_bytes):
    """Blocks that each resource allows; numbers or arrays that have been checked."""
    warps = -(-threads // LANES)
    of_a_warp = -(-registers * LANES // limit["reg_alloc_unit"]) * limit["reg_alloc_unit"]
    parts = limit["sub_partitions"]
    for_registers = limit["registers"] // of_a_warp // parts * parts  # warps, the same number in each partition
    unit = limit["shared_alloc_bytes"]
    of_a_block = -(-(shared_bytes + limit["reserved_bytes"]) // unit) * unit
    return {
        "warps": limit["max_warps"] // warps,
        "blocks": limit["max_blocks"] + 0 * warps,
        "registers": for_registers // warps,
        "shared": limit["shared_kib"] * 1024 // np.maximum(of_a_block, 1) + 0 * warps,
    }


def occupancy_map(arch, threads, registers, shared_bytes=0):
    """[registers, threads]: occupancy for all pairs of two lists."""
    limit = limits(arch)
    wide = np.array([count("threads", t, high=MOST_THREADS) for t in threads])
    deep = np.array([count("registers", r, high=MOST_REGISTERS) for r in registers])[:, None]
    shared_bytes = count("shared_bytes", shared_bytes, low=0, high=limit["shared_kib_per_block"] * 1024)
    allowed = _allowed(limit, wide, deep, shared_bytes)
    blocks = np.min(np.broadcast_arrays(*allowed.values()), axis=0)
    return blocks * -(-wide // LANES) / limit["max_warps"]
