"""Slips of the exercises of chapter 11."""

import numpy as np

from accelerator_course.exercises.network import all_reduce
from accelerator_course.exercises.slips import changed

AGAIN = "range(n - 1):\n        came = yield parts[(rank + 1 - step) % n]"  # the second time around
half_way = changed(all_reduce, AGAIN, AGAIN.replace("n - 1", "0", 1))
adds_to_the_end = changed(all_reduce, "] = came", "] += came")
own_part_again = changed(all_reduce, "rank + 1 - step", "rank - step", "step) % n] = came", "step - 1) % n] = came")


def whole_arrays(rank, n, array):
    total = moving = np.array(array)
    for _ in range(n - 1):
        moving = yield moving
        total = total + moving
    return total


def equal_parts_only(rank, n, array):
    even = len(array) // n * n
    done = yield from all_reduce(rank, n, array[:even])
    return np.concatenate([done, array[even:]])
