"""Exercise of chapter 15, beside its rungs."""

from functools import cache

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import number
from accelerator_lib import kernels

WIDTHS = (32, 33, 40, 48, 64, 36, 50)
ACROSS = (1, 2, 4, 8, 16, 32)
PATCH = "table = shared(32, {row})\ntable[lane // {across}, lane % {across}] = a[lane]"


def spare(width, across):
    """The fewest words beside each row for which 32 lanes find 32 banks."""
    for words in range(32):
        banks = {(lane // across * (width + words) + lane % across) % 32 for lane in range(32)}
        if len(banks) == 32:
            return words


@cache
def turns(width, across):
    """Turns in which a warp writes its patch, as the machine counts them."""
    given = {"a": np.ones(32, np.float32)}
    return kernels.run(PATCH.format(row=width, across=across), given, 1, 32).counted.shared_turns


def _check_spare(function):
    for width in WIDTHS:
        for across in ACROSS:
            want = next(words for words in range(32) if turns(width + words, across) == 1)
            where = f"rows of {width} words, {across} lanes across ({turns(width, across)} turns as it is)"
            yield number(function, (width, across), want, where, rel_tol=0)
    return "right: in banks, the rows of a patch must begin an odd multiple of its width apart."


EXERCISES = [Exercise("15.1", _check_spare, spare)]
