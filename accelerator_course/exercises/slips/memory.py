"""Slips of the exercises of chapter 2."""

from accelerator_course.exercises.memory import classify, direct_mapped, padding
from accelerator_course.exercises.slips import changed

addresses_for_lines = changed(direct_mapped, "(line % sets)", "(address % sets)", "[line % sets]", "[address % sets]")
fully_associative = changed(direct_mapped, "(line % sets)", "(line)", "[line % sets]", "[line]")
misses_counted = changed(direct_mapped, "== line", "!= line")

unchanged = changed(padding, "272", "256")
twice_as_long = changed(padding, "272", "512")

all_conflicts = changed(classify, '"conflict" if would else "capacity"', '"conflict"')
full_itself = changed(classify, "full.use(line)", "sum(len(one.lines) for one in own) < sets * ways")
blind_to_hits = changed(classify, "full.use(line)", "line in full.lines\n        hit or full.use(line)")
