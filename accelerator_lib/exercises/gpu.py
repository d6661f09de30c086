"""Exercises of chapter 5."""

import inspect

import numpy as np

from accelerator_lib import gpu
from accelerator_lib.exercises import Exercise, Wrong, expect
from accelerator_lib.gpu import access, scheduler

FIELDS = 3
SMALL = (("sm80", 32, 16, 0), ("sm89", 32, 24, 1024), ("sm90", 40, 32, 0))  # many blocks fit: their number is the limit


def occupancy(limit, threads, registers, shared_bytes):
    """Blocks that fit on one SM of the capability whose record is `limit` (gpu.limits)."""
    warps = -(-threads // 32)
    of_a_warp = -(-registers * 32 // limit["reg_alloc_unit"]) * limit["reg_alloc_unit"]
    warps_by_registers = limit["registers"] // of_a_warp // limit["sub_partitions"] * limit["sub_partitions"]
    unit = limit["shared_alloc_bytes"]
    of_a_block = -(-(shared_bytes + limit["reserved_bytes"]) // unit) * unit
    by_shared = limit["shared_kib"] * 1024 // of_a_block if of_a_block else limit["max_blocks"]
    return min(limit["max_blocks"], limit["max_warps"] // warps, warps_by_registers // warps, by_shared)


def index(point, field, count):
    """Where a field (0, 1, 2) of a point lies when each field has an array of its own, `count` points each."""
    return field * count + point


def simulate(warps, latency, loads, cycles=4000):
    """Share of the cycles that issue: one load a cycle, up to `loads` of a warp under way, back after `latency`."""
    back, issued = [[0] * loads for _ in range(warps)], 0
    turn = 0
    for cycle in range(cycles):
        for offset in range(warps):
            slots = back[(turn + offset) % warps]
            free = [place for place, when in enumerate(slots) if when <= cycle]
            if free:
                slots[free[0]] = cycle + latency
                issued, turn = issued + 1, (turn + offset + 1) % warps
                break
    return issued / cycles


def _check_occupancy(function):
    draw, launches = np.random.default_rng(51), list(SMALL)
    for _ in range(200):
        arch = str(draw.choice(["sm70", "sm80", "sm89", "sm90"]))
        threads, registers = int(draw.integers(1, 1025)), int(draw.integers(16, 256))
        shared = int(draw.integers(0, gpu.limits(arch)["shared_kib_per_block"])) * 1024
        launches.append((arch, threads, registers, shared))
    for arch, threads, registers, shared in launches:
        found = gpu.occupancy(arch, threads, registers, shared)
        where = (
            f"{arch}, {threads} threads, {registers} registers, {shared} bytes (limit: {' and '.join(found.limiters)})"
        )
        expect(function(dict(gpu.limits(arch)), threads, registers, shared), found.blocks, where, rel_tol=0)
    return "right for 203 launches on four kinds of SM."


def _check_index(function):
    count = 96
    places = [function(point, field, count) for field in range(FIELDS) for point in range(count)]
    if sorted(places) != list(range(FIELDS * count)):
        raise Wrong(
            f"Each of the {FIELDS * count} numbers must have a place of its own, from 0 to {FIELDS * count - 1}."
        )
    for field in range(FIELDS):
        touched = len(access.touched(lambda lane, field=field: function(lane, field, count)).sectors)
        if touched != 4:
            raise Wrong(f"A warp that reads field {field} of 32 points touches {touched} sectors; four are enough.")
    return "right: 4 sectors for every field. The array of structures took 12 for each."


def _check_simulate(function):
    many = "cycles" in inspect.signature(function).parameters
    for warps, latency, loads in ((4, 20, 2), (4, 20, 1), (8, 100, 4), (32, 20, 1), (1, 50, 1), (10, 30, 3)):
        got = function(warps, latency, loads, 4000) if many else function(warps, latency, loads)
        want = float(scheduler.utilization(warps, latency, loads))
        where = f"{warps} warps, latency {latency}, {loads} loads under way"
        expect(got, want, where, rel_tol=0.02)
    return "right within 2 %: min(1, warps x loads / latency). That is Little's law with the units of a scheduler."


EXERCISES = [
    Exercise(
        "05.1",
        "X5.1",
        "The smallest of four: blocks, warps, registers (rounded by the warp), shared memory (rounded by the block).",
        _check_occupancy,
        occupancy,
    ),
    Exercise(
        "05.2",
        "X5.2",
        "All x first, then all y, then all z: neighbours in a warp must become neighbours in memory.",
        _check_index,
        index,
    ),
    Exercise(
        "05.3",
        "X5.3",
        "In each cycle look for a warp with a free slot; give it a load that comes back `latency` cycles later.",
        _check_simulate,
        simulate,
    ),
]
