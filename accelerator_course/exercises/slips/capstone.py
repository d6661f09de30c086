"""Slips of the capstone."""

from accelerator_course.exercises.capstone import choose
from accelerator_course.exercises.slips import changed

for_one_mix = changed(choose, 'brief["mixes"]', 'brief["mixes"][:1]')
four_times_the_arrays = changed(choose, 'brief["mixes"]', 'brief["mixes"][:1]', "best.arrays", "4096")
fastest_of_all = changed(choose, "one.value", "one.score", '<= brief["usd_per_hour"]', "< np.inf")
