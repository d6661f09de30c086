"""Slips of the exercises of chapter 5."""

from functools import partial

from accelerator_lib import gpu

SIZES = range(32, 1025, 32)


def by_habit(arch, registers, shared_each):
    return 256


def most_blocks(arch, registers, shared_each):
    return max(SIZES, key=lambda threads: gpu.occupancy(arch, threads, registers, threads * shared_each).blocks)


def the_largest_of_the_best(arch, registers, shared_each):
    return max(
        SIZES, key=lambda threads: (gpu.occupancy(arch, threads, registers, threads * shared_each).warps, threads)
    )


def shared_memory_of_one_thread(arch, registers, shared_each):
    return max(SIZES, key=lambda threads: gpu.occupancy(arch, threads, registers, shared_each).warps)


def occupancy_first(blocks, resident, room, warps, requests, sectors, loads):
    if resident < room:
        return "occupancy"
    return _best(blocks, resident, room, warps, requests, sectors, loads, max)


def sectors_first(blocks, resident, room, warps, requests, sectors, loads):
    if sectors > 4:
        return "sectors"
    return _best(blocks, resident, room, warps, requests, sectors, loads, max)


def _best(blocks, resident, room, warps, requests, sectors, loads, join, whole=True):
    """The best fix, with the two times of a wave joined so; whether the last wave is a wave of its own."""

    def cycles(blocks, resident, requests, sectors, loads):
        def wave(count):
            return join(count * warps * requests * sectors * 32 / 1446, requests * 552 / loads)

        places = 108 * resident
        full, rest = divmod(blocks, places)
        last = (wave(rest) if whole else wave(places) * rest / places) if rest else 0
        return full * wave(places) + last

    filled = -(-blocks // (108 * resident)) * 108 * resident
    after = {
        "sectors": cycles(blocks, resident, requests, 4, loads),
        "loads": cycles(blocks, resident, requests, sectors, 4),
        "occupancy": cycles(blocks, room, requests, sectors, loads),
        "grid": cycles(filled, resident, requests * blocks / filled, sectors, loads),
    }
    return min(after, key=after.get)


both_times_added = partial(_best, join=lambda one, other: one + other)
last_wave_full = partial(_best, join=max, whole=False)
