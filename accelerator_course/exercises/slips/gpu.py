"""Slips of the exercises of chapter 5."""

from accelerator_course.exercises.gpu import best_block, first_fix
from accelerator_course.exercises.slips import changed

by_habit = changed(best_block, "max(range(32, 1025, 32), key=warps)", "256")
most_blocks = changed(best_block, ").warps", ").blocks")
the_largest_of_the_best = changed(best_block, "range(32, 1025, 32)", "range(1024, 0, -32)")
shared_memory_of_one_thread = changed(best_block, "threads * shared_each", "shared_each")

occupancy_first = changed(first_fix, "return min", 'return "occupancy" if resident < room else min')
sectors_first = changed(first_fix, "return min", 'return "sectors" if sectors > 4 else min')
both_times_added = changed(first_fix, "max(count", "(count", "1446, ", "1446 + ")
last_wave_full = changed(first_fix, "(wave(rest) if rest else 0)", "wave(108 * resident) * rest / (108 * resident)")
