"""Slips of the exercises of chapter 8."""

from accelerator_course.exercises.energy import best_clock, joules
from accelerator_course.exercises.slips import changed

leakage_left_out = changed(best_clock, "constant + leaking * volts", "constant")
leakage_constant = changed(best_clock, "leaking * volts", "leaking")
least_power = changed(best_clock, "min((step / 1000 for step in range(10, 5000)), key=joules)", "0.01")
time_forgotten = changed(best_clock, "/ joules(clock)", "/ joules(clock) / clock")

scopes_mixed = changed(
    joules, 'price["HBM"]', 'PRICES["device alone"]["HBM"]', 'price["L1"]', 'PRICES["whole path"]["L1"]'
)
no_neighbours = changed(joules, " // edge", "")
path_paid_twice = changed(joules, "reads - fetched if", "reads if")
outputs_forgotten = changed(joules, "m * n * size", "0")
one_byte_each = changed(joules, "SIZE[dtype]", "1")
