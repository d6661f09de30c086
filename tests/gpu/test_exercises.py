"""Wrong solutions of the exercises."""

from accelerator_course.exercises.slips import gpu as slips


def always_loads(blocks, resident, room, warps, requests, sectors, loads):
    return "loads"


WRONG = {
    "05.1": [
        (slips.by_habit, "sm86, 40 registers and 64 bytes a thread (256 threads: 40 warps, the best: 48)"),
        (slips.most_blocks, "sm86, 40 registers and 64 bytes a thread"),
        (slips.the_largest_of_the_best, "sm86, 40 registers and 64 bytes a thread"),
        (slips.shared_memory_of_one_thread, "sm86, 40 registers and 64 bytes a thread"),
    ],
    "05.4": [
        (slips.occupancy_first, "first_fix(4000, 2, 8, 8, 64, 32, 4) the fix “occupancy” makes the kernel 1 times"),
        (slips.sectors_first, "first_fix(4000, 1, 1, 4, 64, 8, 1) the fix “sectors” makes the kernel 1 times"),
        (slips.both_times_added, "the fix"),
        (slips.last_wave_full, "first_fix(110, 1, 1, 2, 64, 4, 4) the fix"),
        (always_loads, "first_fix(4000, 2, 8, 8, 64, 32, 4) the fix “loads” makes"),
    ],
}
HARMLESS = {"05.1": ["range(32, 102"]}  # 1,024 threads are never the smallest of the best
SEARCHES = ["05.4"]
