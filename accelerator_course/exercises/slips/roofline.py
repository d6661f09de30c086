"""Slips of the exercises of chapter 3."""

from accelerator_course.exercises.roofline import bandwidth_needed, kernel_time, take_apart
from accelerator_course.exercises.slips import changed

both_times_added = changed(kernel_time, "max(flops / peak, ", "(flops / peak + ")
the_shorter_time = changed(kernel_time, "max(", "min(")
overhead_forgotten = changed(kernel_time, " + overhead", "")
overhead_hidden = changed(kernel_time, ") + overhead", ", overhead)")

times_that_overlap_added = changed(take_apart, "max(arithmetic, fetching)", "arithmetic + fetching")
first_loss_that_is_enough = changed(
    take_apart, 'min(enough, key=enough.get, default="more")', 'next(iter(enough), "more")'
)
turned_round = changed(take_apart, "arithmetic > fetching", "arithmetic <= fetching")

bits_for_bytes = changed(bandwidth_needed, "return params", "return 8 * params")
always_two_bytes = changed(bandwidth_needed, "format_bytes(dtype)", "2")
multiplied_by_the_time = changed(bandwidth_needed, "/ seconds", "* seconds")
