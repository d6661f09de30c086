"""Exercises of chapter 5; X5.2 is a rung of the kernel ladder."""

import inspect

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import number
from accelerator_course.exercises.slips import gpu as slips
from accelerator_lib import gpu
from accelerator_lib.gpu import scheduler

SIZES = range(32, 1025, 32)  # threads of a block, whole warps
KERNELS = (
    ("sm86", 40, 64),
    ("sm80", 32, 128),
    ("sm90", 72, 0),
    ("sm80", 40, 200),
)  # capability, registers, bytes a thread


def best_block(arch, registers, shared_each):
    """The threads of a block, whole warps, with the most resident warps; the smallest of the best."""

    def warps(threads):
        return gpu.occupancy(arch, threads, registers, threads * shared_each).warps

    return max(range(32, 1025, 32), key=warps)


def blocks_that_fit(limit, threads, registers, shared_bytes):
    """Blocks on one SM of the capability whose record is `limit` (gpu.limits), from the rules alone."""
    if shared_bytes > limit["shared_kib_per_block"] * 1024:
        return 0
    warps = -(-threads // 32)
    of_a_warp = -(-registers * 32 // limit["reg_alloc_unit"]) * limit["reg_alloc_unit"]
    warps_by_registers = limit["registers"] // of_a_warp // limit["sub_partitions"] * limit["sub_partitions"]
    unit = limit["shared_alloc_bytes"]
    of_a_block = -(-(shared_bytes + limit["reserved_bytes"]) // unit) * unit
    by_shared = limit["shared_kib"] * 1024 // of_a_block if of_a_block else limit["max_blocks"]
    return min(limit["max_blocks"], limit["max_warps"] // warps, warps_by_registers // warps, by_shared)


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


def _check_best_block(function):
    draw, kernels = np.random.default_rng(51), list(KERNELS)
    for _ in range(60):
        kernels.append((str(draw.choice(["sm80", "sm86", "sm90"])), *map(int, draw.integers((24, 0), (97, 200)))))
    for arch, registers, each in kernels:
        limit = gpu.limits(arch)
        warps = {t: t // 32 * blocks_that_fit(limit, t, registers, t * each) for t in SIZES}
        want = min(threads for threads in SIZES if warps[threads] == max(warps.values()))
        held = f"256 threads: {warps[256]} warps, the best: {warps[want]}"
        where = f"{arch}, {registers} registers and {each} bytes a thread ({held})"
        yield number(function, (arch, registers, each), want, where, rel_tol=0)
    return f"right for {len(kernels)} kernels. No size is best for all of them, not even 256."


def _check_simulate(function):
    many = "cycles" in inspect.signature(function).parameters
    for warps, latency, loads in ((4, 20, 2), (4, 20, 1), (8, 100, 4), (32, 20, 1), (1, 50, 1), (10, 30, 3)):
        want = float(scheduler.utilization(warps, latency, loads))
        where = f"{warps} warps, latency {latency}, {loads} loads under way"
        yield number(function, (warps, latency, loads, *([4000] if many else [])), want, where, rel_tol=0.02)
    return "right within 2 %: min(1, warps x loads / latency). That is Little's law with the units of a scheduler."


EXERCISES = [
    Exercise(
        "05.1",
        "X5.1",
        "the threads of a block, a multiple of 32, that bring the most warps onto one SM; the fewest, if several do.",
        "Try them all: what does gpu.occupancy say of each, with the shared memory that so many threads need?",
        _check_best_block,
        best_block,
        (slips.by_habit, slips.most_blocks, slips.the_largest_of_the_best, slips.shared_memory_of_one_thread),
    ),
    Exercise(
        "05.3",
        "X5.3",
        "the share of cycles in which a scheduler issues a load, found by playing it cycle by cycle.",
        "Keep for every slot of every warp the cycle in which it is free again; in each cycle fill the first that is.",
        _check_simulate,
        simulate,
        (slips.back_one_cycle_late, slips.one_load_for_each_warp, slips.more_than_one_a_cycle),
    ),
]
