"""Slips of the exercises of chapter 11."""

import numpy as np


def whole_arrays(rank, n, array):
    """You sent whole arrays around the ring. Cut them into as many parts as there are ranks: each step moves one."""
    total = moving = np.array(array)
    for _ in range(n - 1):
        moving = yield moving
        total = total + moving
    return total


def half_way(rank, n, array):
    """You stopped half-way: every rank has the whole sum of one part. Send the parts around once more, so that
    all get them."""
    return (yield from around(rank, n, array, gather=False))


def adds_to_the_end(rank, n, array):
    """In the second round you went on adding. A part that comes then is finished: it replaces the one that was
    there."""
    return (yield from around(rank, n, array, adding=True))


def own_part_again(rank, n, array):
    """In the second round each rank began with the same part as in the first. The part that it has finished is
    the next one."""
    return (yield from around(rank, n, array, first=0))


def equal_parts_only(rank, n, array):
    """You lost what is left over when n does not divide the array. np.array_split also cuts into uneven parts."""
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
