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


def occupancy_first(blocks, resident, room, warps, requests, sectors, loads):
    """You raised the occupancy because it was low. Where most bytes of the sectors are not asked for, or a busy memory
    has enough under way, more warps bring nothing: ask first which of the two times is the longer."""
    if resident < room:
        return "occupancy"
    return _best(blocks, resident, room, warps, requests, sectors, loads, max)


def sectors_first(blocks, resident, room, warps, requests, sectors, loads):
    """You repaired the sectors wherever more than four are brought. Where the requests take longer than the bytes,
    fewer bytes save nothing."""
    if sectors > 4:
        return "sectors"
    return _best(blocks, resident, room, warps, requests, sectors, loads, max)


def both_times_added(blocks, resident, room, warps, requests, sectors, loads):
    """You added the two times of a wave. Bytes move while requests wait: the longer one counts."""
    return _best(blocks, resident, room, warps, requests, sectors, loads, lambda one, other: one + other)


def last_wave_full(blocks, resident, room, warps, requests, sectors, loads):
    """You took the last wave for a fraction of a full one. Its requests wait as long as those of a full wave."""
    return _best(blocks, resident, room, warps, requests, sectors, loads, max, whole=False)


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
