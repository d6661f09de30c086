"""GPU: what fits on one SM, how many waves a product takes, how many warps keep the memory busy.

    blocks on an SM = min( blocks allowed,  warps allowed / warps of a block,
                           registers / registers of a block,  shared memory / shared memory of a block )
    occupancy       = resident warps / warps allowed
    waves           = ceil(tiles / SMs); the last one is rarely full
    warps to saturate memory = bandwidth x latency / (SMs x 32 x bytes a thread has under way)

Access patterns are in access.py, warps that diverge in simt.py, the scheduler in scheduler.py.
Facts: data/gpus.yaml. Source: CUDA C++ Programming Guide, and the occupancy header of its toolkit.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data, hardware
from accelerator_lib.access import bank_conflict, load_efficiency, sectors
from accelerator_lib.inputs import count, number, one_of, whole
from accelerator_lib.simt import LANES, simt_cycles, simt_efficiency

__all__ = [
    "LANES",
    "Occupancy",
    "Waves",
    "bandwidth_share",
    "bank_conflict",
    "launch",
    "limits",
    "load_efficiency",
    "occupancy",
    "occupancy_map",
    "sectors",
    "simt_cycles",
    "simt_efficiency",
    "tensor_peaks",
    "warps_to_saturate",
    "waves",
]

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


@dataclass(frozen=True)
class Waves:
    """Tiles of a product on the SMs of a chip; shares of one. Scalars or arrays."""

    tiles: int
    waves: int
    wave_efficiency: float  # SMs that have a tile, over all waves
    tile_efficiency: float  # numbers of the product in the tiles' numbers

    @property
    def efficiency(self):
        return self.wave_efficiency * self.tile_efficiency


def waves(m, n, tile_m=128, tile_n=128, sms=132):
    """Waves of an m x n result in tiles, one tile an SM at a time."""
    m, n = whole("m", m, high=10**9), whole("n", n, high=10**9)
    tile_m, tile_n = whole("tile_m", tile_m, high=10**6), whole("tile_n", tile_n, high=10**6)
    sms = whole("sms", sms, high=10**6)
    tiles = -(-m // tile_m) * -(-n // tile_n)
    rounds = -(-tiles // sms)
    return Waves(tiles, rounds, tiles / (rounds * sms), m * n / (tiles * tile_m * tile_n))


def warps_to_saturate(bytes_per_s, latency_seconds, sms, bytes_per_thread):
    """Warps on each SM that keep the memory busy, when every thread has so many bytes under way (Little's law)."""
    needed = number("bytes_per_s", bytes_per_s) * number("latency_seconds", latency_seconds, high=1e6)
    one = whole("sms", sms, high=10**6) * LANES * number("bytes_per_thread", bytes_per_thread, low=1e-3, high=1e6)
    return np.ceil(needed / one) if isinstance(needed / one, np.ndarray) else int(np.ceil(needed / one))


def bandwidth_share(bytes_per_s, latency_seconds, sms, bytes_per_thread, warps):
    """Share of the bandwidth that so many warps on each SM reach; scalars or arrays of warps."""
    needed = number("bytes_per_s", bytes_per_s) * number("latency_seconds", latency_seconds, high=1e6)
    held = (
        number("warps", warps, low=0)
        * whole("sms", sms, high=10**6)
        * LANES
        * number("bytes_per_thread", bytes_per_thread, low=1e-3, high=1e6)
    )
    return np.minimum(1, held / needed)


@dataclass(frozen=True)
class Launch:
    """A grid of blocks over so many elements, one thread each."""

    blocks: int
    threads: int  # of a block
    idle_threads: int  # beyond the last element
    warps: int  # of a block
    empty_lanes: int  # in the last warp of each block


def launch(elements, threads=256):
    """Launch for so many elements in blocks of so many threads; at most 1,024."""
    elements, threads = whole("elements", elements), whole("threads", threads, high=MOST_THREADS)
    blocks, warps = -(-elements // threads), -(-threads // LANES)
    return Launch(blocks, threads, blocks * threads - elements, warps, warps * LANES - threads)


def tensor_peaks():
    """[(record, chip, rebuilt peak or None)]: SMs x FLOP per clock x clock, where the clock is published on its own."""
    found = []
    for record in data.load("gpus")["tensor"]:
        chip, built = hardware.chip(record["chip"]), None
        if record["flop_per_clock"] and record["clock_ghz"]:
            built = hardware.peak_from_units(chip.units, record["flop_per_clock"], record["clock_ghz"] * 1e9)
        found.append((record, chip, built))
    return found
