"""Slips of the exercises of chapter 6."""

from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.systolic import feed, pe_step, total_cycles

sum_not_kept = changed(pe_step, "kept + left * top", "left * top", "top + left * kept", "left * kept")
turned_round = changed(
    pe_step, "return left, top, kept", "return top, left, kept", "left, top + left * kept", "top + left * kept, left"
)
added = changed(pe_step, "left * top", "left + top", "left * kept", "left + kept")
outputs_always_stay = changed(pe_step, 'stays == "outputs":', "True:")

all_end_with_the_first_row = changed(feed, "0 <= cycle - r <", "r <= cycle <")
row_by_row_at_once = changed(feed, "cycle - r] if 0 <= cycle - r", "cycle] if 0 <= cycle")
one_cycle_late = changed(feed, "cycle - r] if 0 <= cycle - r", "cycle - r - 1] if 0 <= cycle - r - 1")
wraps_around = changed(feed, "0 <= cycle - r <", "cycle - r <")
zeros_for_nothing = changed(feed, "else None", "else 0")

rows_and_columns_exchanged = changed(total_cycles, "rows, cols, dataflow", "cols, rows, dataflow")
weights_at_once = changed(total_cycles, "max(stream, moved)", "stream")
draining_forgotten = changed(total_cycles, " or drain else", " else")
ramps_for_every_fold = changed(total_cycles, "max(stream, moved)", "one")
folds_in_fractions = changed(
    total_cycles, "-(-on_rows // rows) * -(-on_cols // cols)", "on_rows / rows * on_cols / cols"
)
