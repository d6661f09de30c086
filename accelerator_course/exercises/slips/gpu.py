"""Slips of the exercises of chapter 5."""

from functools import partial

from accelerator_course.exercises.gpu import SIZES
from accelerator_lib import gpu


def by_habit(arch, registers, shared_each):
    return 256


def most(arch, registers, shared_each, counts="warps", each=True, sizes=SIZES):
    """The first of the sizes with the most warps, with one thing changed."""
    found = {size: gpu.occupancy(arch, size, registers, shared_each * (size if each else 1)) for size in sizes}
    return max(found, key=lambda size: getattr(found[size], counts))


most_blocks = partial(most, counts="blocks")
the_largest_of_the_best = partial(most, sizes=SIZES[::-1])
shared_memory_of_one_thread = partial(most, each=False)


def occupancy_first(blocks, resident, room, *more):
    return "occupancy" if resident < room else _best(blocks, resident, room, *more)


def sectors_first(*kernel):
    return "sectors" if kernel[5] > 4 else _best(*kernel)


def _best(blocks, resident, room, warps, requests, sectors, loads, join=max, whole=True):
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
last_wave_full = partial(_best, whole=False)
