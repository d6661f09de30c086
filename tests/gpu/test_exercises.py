"""Wrong solutions of the exercises, and their keys found again on another road."""


def occupancy(limit, threads, registers, shared_bytes, part_of_a_warp=True, reserve=True, partitions=True):
    warps = -(-threads // 32) if part_of_a_warp else max(1, threads // 32)
    of_a_warp = -(-registers * 32 // limit["reg_alloc_unit"]) * limit["reg_alloc_unit"]
    by_registers = limit["registers"] // of_a_warp
    if partitions:
        by_registers = by_registers // limit["sub_partitions"] * limit["sub_partitions"]
    unit = limit["shared_alloc_bytes"]
    of_a_block = -(-(shared_bytes + reserve * limit["reserved_bytes"]) // unit) * unit
    by_shared = limit["shared_kib"] * 1024 // of_a_block if of_a_block else limit["max_blocks"]
    return int(min(limit["max_blocks"], limit["max_warps"] // warps, by_registers // warps, by_shared))


def warps_not_rounded_to_partitions(limit, threads, registers, shared_bytes):
    return occupancy(limit, threads, registers, shared_bytes, partitions=False)


def reserve_forgotten(limit, threads, registers, shared_bytes):
    return occupancy(limit, threads, registers, shared_bytes, reserve=False)


def part_of_a_warp_forgotten(limit, threads, registers, shared_bytes):
    return occupancy(limit, threads, registers, shared_bytes, part_of_a_warp=False)


def blocks_not_limited(limit, threads, registers, shared_bytes):
    return occupancy({**limit, "max_blocks": 10**6}, threads, registers, shared_bytes)


def toy(warps, latency, loads, cycles):
    back, issued = [0] * (warps * loads), 0
    for cycle in range(cycles):
        free = [slot for slot, when in enumerate(back) if when <= cycle]
        if free:
            back[free[0]], issued = cycle + latency, issued + 1
    return issued / cycles


def back_one_cycle_late(warps, latency, loads, cycles=4000):
    return toy(warps, latency + 1, loads, cycles)


def one_load_for_each_warp(warps, latency, loads, cycles=4000):
    return toy(warps, latency, 1, cycles)


def busy_for_ever(warps, latency, loads, cycles=4000):
    return 1.0


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "05.1": [
        (warps_not_rounded_to_partitions, "registers"),
        (reserve_forgotten, "bytes (limit: shared"),
        (part_of_a_warp_forgotten, "threads"),
        (blocks_not_limited, "sm80, 32 threads, 16 registers, 0 bytes (limit: blocks)"),
    ],
    "05.2": [
        (lambda point, field, count: 3 * point + field, "field 0 of 32 points touches 12 sectors"),
        (lambda point, field, count: field * (count + 1) + point, "from 0 to 287"),
        (lambda point, field, count: point, "a place of its own"),
    ],
    "05.3": [
        (back_one_cycle_late, "4 warps, latency 20, 2 loads"),
        (one_load_for_each_warp, "4 warps, latency 20, 2 loads"),
        (busy_for_ever, "4 warps, latency 20, 2 loads"),
    ],
}
HARMLESS = {  # changed lines of the worked solution that give the same answer, or one within the tolerance
    "05.1": ["1025 //"],  # no block of these launches ends within so few bytes
    "05.3": ["turn", "cycles=", "back, issued", "free[-1]"],  # which warp goes first; the first cycles of 4,000
}
