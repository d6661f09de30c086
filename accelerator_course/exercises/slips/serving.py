"""Slips of the exercises of chapter 10b."""

from accelerator_course.exercises.serving import next_step
from accelerator_course.exercises.slips import changed

WRITING = "for one in running if not one.left"
LAST = [f"{{one.name: 1 {WRITING}}}", "{}", "in reading:", f"in reading + [one {WRITING}]:"]  # those who write
LAST += ["min(one.left, budget)", "min(one.left or 1, budget)"]
prompts_first = changed(next_step, *LAST)

whole_batches = changed(next_step, "in waiting:", "in waiting if not running else ():")

NOW = ["one.need > room", "one.left > room", "room -= one.need", "room -= one.left"]  # room for the prompt alone
no_room_kept = changed(next_step, " - sum(one.need for one in running)", "", *NOW)
