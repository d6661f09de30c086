"""Slips of the exercises of chapter 11."""

from functools import partial

import numpy as np


def whole_arrays(rank, n, array):
    total = moving = np.array(array)
    for _ in range(n - 1):
        moving = yield moving
        total = total + moving
    return total


def equal_parts_only(rank, n, array):
    even = len(array) // n * n
    done = yield from around(rank, n, array[:even])
    return np.concatenate([done, array[even:]])


def around(rank, n, array, gather=True, adding=False, first=1):
    """The ring, with one thing changed."""
    parts = np.array_split(np.array(array), n)
    for turn in range((2 if gather else 1) * (n - 1)):
        step, again = turn % (n - 1), turn >= n - 1
        shift = first * again - step
        came = yield parts[(rank + shift) % n]
        here = (rank - 1 + shift) % n
        parts[here] = came if again and not adding else parts[here] + came
    return np.concatenate(parts)


half_way = partial(around, gather=False)
adds_to_the_end = partial(around, adding=True)
own_part_again = partial(around, first=0)
