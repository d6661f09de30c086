"""Slips of the exercises of chapter 5."""


def part_of_a_warp_forgotten(limit, threads, registers, shared_bytes):
    """You rounded the warps of a block down. Threads left over need a warp of their own: round up."""
    return occupancy_with(limit, threads, registers, shared_bytes, part_of_a_warp=False)


def warps_not_rounded_to_partitions(limit, threads, registers, shared_bytes):
    """You did not round the warps that the registers allow: every partition has its own, so they come in fours."""
    return occupancy_with(limit, threads, registers, shared_bytes, partitions=False)


def reserve_forgotten(limit, threads, registers, shared_bytes):
    """You left out the reserve: `reserved_bytes` of shared memory go with every block."""
    return occupancy_with(limit, threads, registers, shared_bytes, reserve=False)


def blocks_not_limited(limit, threads, registers, shared_bytes):
    """You left out the limit on blocks: an SM holds at most `max_blocks`, however small they are."""
    return occupancy_with({**limit, "max_blocks": 10**6}, threads, registers, shared_bytes)


def occupancy_with(limit, threads, registers, shared_bytes, part_of_a_warp=True, reserve=True, partitions=True):
    """Blocks on an SM, with one thing changed."""
    warps = -(-threads // 32) if part_of_a_warp else max(1, threads // 32)
    of_a_warp = -(-registers * 32 // limit["reg_alloc_unit"]) * limit["reg_alloc_unit"]
    by_registers = limit["registers"] // of_a_warp
    if partitions:
        by_registers = by_registers // limit["sub_partitions"] * limit["sub_partitions"]
    unit = limit["shared_alloc_bytes"]
    of_a_block = -(-(shared_bytes + reserve * limit["reserved_bytes"]) // unit) * unit
    by_shared = limit["shared_kib"] * 1024 // of_a_block if of_a_block else limit["max_blocks"]
    return int(min(limit["max_blocks"], limit["max_warps"] // warps, by_registers // warps, by_shared))


def as_before(point, field, count):
    """That is the order as it was: neighbours in the warp lie three places apart."""
    return 3 * point + field


def one_too_far(point, field, count):
    """Your arrays have a gap between them: a field of `count` points takes `count` places."""
    return field * (count + 1) + point


def field_forgotten(point, field, count):
    """You put all three fields into the same place: the second array begins where the first one ends."""
    return point


def back_one_cycle_late(warps, latency, loads, cycles=4000):
    """Your loads come back one cycle late: issued in cycle 3 with latency 4, a slot is free again in cycle 7."""
    return issued_share(warps * loads, latency + 1, cycles)


def one_load_for_each_warp(warps, latency, loads, cycles=4000):
    """You let a warp wait for each load. It may have `loads` of them under way at once."""
    return issued_share(warps, latency, cycles)


def more_than_one_a_cycle(warps, latency, loads, cycles=4000):
    """You issue for every warp in every cycle. The scheduler issues one load a cycle at most."""
    return warps * loads / latency


def issued_share(slots, latency, cycles):
    """Share of the cycles that issue, with so many slots in all."""
    back, issued = [0] * slots, 0
    for cycle in range(cycles):
        free = [slot for slot, when in enumerate(back) if when <= cycle]
        if free:
            back[free[0]], issued = cycle + latency, issued + 1
    return issued / cycles
