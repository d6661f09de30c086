"""Slips of the exercises of chapter 5."""

from accelerator_lib import gpu

SIZES = range(32, 1025, 32)


def by_habit(arch, registers, shared_each):
    """You took 256 threads, as everybody does. Some kernels fit better with another number."""
    return 256


def most_blocks(arch, registers, shared_each):
    """You counted blocks. What hides latency are warps: count those, in all blocks together."""
    return max(SIZES, key=lambda threads: gpu.occupancy(arch, threads, registers, threads * shared_each).blocks)


def the_largest_of_the_best(arch, registers, shared_each):
    """Of several sizes with the most warps you took the largest; the smallest was asked for."""
    return max(
        SIZES, key=lambda threads: (gpu.occupancy(arch, threads, registers, threads * shared_each).warps, threads)
    )


def shared_memory_of_one_thread(arch, registers, shared_each):
    """You gave gpu.occupancy the shared memory of one thread. It takes that of a block."""
    return max(SIZES, key=lambda threads: gpu.occupancy(arch, threads, registers, shared_each).warps)


def back_one_cycle_late(warps, latency, loads, cycles=4000):
    """Your loads come back one cycle late: issued in cycle 3 with latency 4, a slot is free again in cycle 7."""
    return issued_share(warps * loads, latency + 1, cycles)


def one_load_for_each_warp(warps, latency, loads, cycles=4000):
    """You let a warp wait for each load. It may have `loads` of them under way at once."""
    return issued_share(warps, latency, cycles)


def more_than_one_a_cycle(warps, latency, loads, cycles=4000):
    """Your share goes beyond 1. The scheduler issues one load a cycle at most, however many warps are ready."""
    return warps * loads / latency


def issued_share(slots, latency, cycles):
    """Share of the cycles that issue, with so many slots in all."""
    back, issued = [0] * slots, 0
    for cycle in range(cycles):
        free = [slot for slot, when in enumerate(back) if when <= cycle]
        if free:
            back[free[0]], issued = cycle + latency, issued + 1
    return issued / cycles
