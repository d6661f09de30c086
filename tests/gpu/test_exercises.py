"""Wrong solutions of the exercises, and their keys found again on another road."""

from accelerator_course.exercises.slips import gpu as slips


def busy_for_ever(warps, latency, loads, cycles=4000):
    return 1.0


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "05.1": [
        (slips.by_habit, "sm86, 40 registers and 64 bytes a thread (256 threads: 40 warps, the best: 48)"),
        (slips.most_blocks, "sm86, 40 registers and 64 bytes a thread"),
        (slips.the_largest_of_the_best, "sm86, 40 registers and 64 bytes a thread"),
        (slips.shared_memory_of_one_thread, "sm86, 40 registers and 64 bytes a thread"),
    ],
    "05.3": [
        (slips.back_one_cycle_late, "4 warps, latency 20, 2 loads"),
        (slips.one_load_for_each_warp, "4 warps, latency 20, 2 loads"),
        (slips.more_than_one_a_cycle, "32 warps, latency 20, 1 loads"),
        (busy_for_ever, "4 warps, latency 20, 2 loads"),
    ],
}
HARMLESS = {  # changed lines of the worked solution that give the same answer, or one within the tolerance
    "05.1": ["range(32, 102"],  # 1,024 threads are never the smallest of the best
    "05.3": ["turn", "cycles=", "back, issued", "free[-1]"],  # which warp goes first; the first cycles of 4,000
}
