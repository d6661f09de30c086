"""Exercises of chapter 5; X5.2 is a rung of the kernel ladder."""

from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number, shown
from accelerator_lib import gpu
from accelerator_lib.gpu.arch import SECTOR_BYTES

SIZES = range(32, 1025, 32)  # threads of a block, whole warps
# capability, registers, bytes a thread
KERNELS = (("sm86", 40, 64), ("sm80", 32, 128), ("sm90", 72, 0), ("sm80", 40, 200))
FIXES = ("sectors", "loads", "occupancy", "grid")
SICK = (  # kernels worked by hand: blocks, resident, room, warps, requests, sectors, loads
    (4000, 2, 8, 8, 64, 32, 4),
    (4000, 1, 1, 4, 64, 8, 1),
    (4000, 1, 4, 2, 64, 4, 4),
    (110, 1, 1, 2, 64, 4, 4),
)


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


def first_fix(blocks, resident, room, warps, requests, sectors, loads):
    """The fix after which the kernel takes the least time."""

    def seconds(blocks=blocks, resident=resident, requests=requests, sectors=sectors, loads=loads):
        def wave(count):
            return max(count * warps * requests * sectors * 32 / 1446, requests * 552 / loads)

        full, rest = divmod(blocks, 108 * resident)
        return full * wave(108 * resident) + (wave(rest) if rest else 0)

    filled = -(-blocks // (108 * resident)) * 108 * resident
    after = {
        "sectors": seconds(sectors=4),
        "loads": seconds(loads=4),
        "occupancy": seconds(resident=room),
        "grid": seconds(blocks=filled, requests=requests * blocks / filled),
    }
    return min(after, key=after.get)


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


def _sick(draw):
    """A kernel that only reads: blocks, resident, room, warps, requests, sectors, loads."""
    resident = int(draw.integers(1, 5))
    blocks = int(108 * resident * draw.integers(1, 5) + draw.choice([0, 2, 10]))
    room, warps = resident * int(draw.choice([1, 2, 4])), int(draw.choice([2, 4, 8]))
    return blocks, resident, room, warps, 64, int(draw.choice([4, 8, 16, 32])), int(draw.choice([1, 2, 4]))


def _takes(kernel, fix=""):
    """Cycles of a kernel after a fix, wave by wave until no block is left."""
    blocks, resident, room, warps, requests, sectors, loads = kernel
    resident = room if fix == "occupancy" else resident
    sectors, loads = 4 if fix == "sectors" else sectors, 4 if fix == "loads" else loads
    if fix == "grid":
        filled = len(range(0, blocks, 108 * resident)) * 108 * resident
        blocks, requests = filled, requests * blocks / filled
    cycles = 0.0
    while blocks > 0:
        wave = min(blocks, 108 * resident)
        cycles += max(wave * warps * requests * sectors * SECTOR_BYTES / 1446, requests / loads * 552)
        blocks -= wave
    return cycles


def _check_first_fix(function):
    draw, kernels = np.random.default_rng(54), list(SICK)
    wanted = dict.fromkeys(FIXES, 0)
    while min(wanted.values()) < 5:
        kernel = _sick(draw)
        times = sorted((_takes(kernel, fix), fix) for fix in FIXES)
        best = times[0][1]
        if 1.1 * times[0][0] < times[1][0] and wanted[best] < 5:
            kernels.append(kernel)
            wanted[best] += 1
    for kernel in kernels:
        before, after = _takes(kernel), {fix: _takes(kernel, fix) for fix in FIXES}
        best = min(after, key=after.get)
        where = f"first_fix{kernel}"

        def judge(got, after=after, best=best, before=before, where=where):
            if not isinstance(got, str) or got not in FIXES:
                raise Wrong(f"For {where} return one of {', '.join(FIXES)}; you returned {shown(got)}.")
            if got != best:
                told = f"{before / after[got]:.3g} times as fast; another fix makes it {before / after[best]:.3g} times"
                raise Wrong(f"For {where} the fix “{got}” makes the kernel {told}.")

        yield case(where, shown(best), partial(function, *kernel), judge)
    return f"right for {len(kernels)} kernels: the longer of the two times says where to look first."


EXERCISES = [Exercise("05.1", _check_best_block, best_block), Exercise("05.4", _check_first_fix, first_fix)]
