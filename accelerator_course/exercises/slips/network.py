"""Slips of chapter 11 that are written out."""

import numpy as np

from accelerator_course.exercises.network import all_reduce


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
