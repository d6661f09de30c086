"""Exercises of chapter 11."""

from functools import partial
from inspect import isgenerator

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.units import counted

RINGS = ((4, 8), (3, 7), (2, 4), (8, 64), (5, 23), (6, 4), (1, 6))  # ranks, numbers
MOST_STEPS = 1000


def all_reduce(rank, n, array):
    """Around the ring twice: n - 1 steps that add, n - 1 that hand on what is finished."""
    parts = np.array_split(np.array(array), n)
    for step in range(n - 1):
        came = yield parts[(rank - step) % n]
        here = (rank - step - 1) % n
        parts[here] = parts[here] + came
    for step in range(n - 1):
        came = yield parts[(rank + 1 - step) % n]
        parts[(rank - step) % n] = came
    return np.concatenate(parts)


def carry(function, arrays):
    """Run a function on all ranks; what each yields goes to the next one: (results, steps, most numbers sent), or in
    words what keeps the ranks from sending alike."""
    n = len(arrays)
    runs = [function(rank, n, array.copy()) for rank, array in enumerate(arrays)]
    if not all(map(isgenerator, runs)):
        return "the function has no yield, so no rank sends anything: came = yield part"
    came, results, sent, steps = [None] * n, {}, np.zeros(n, int), 0
    while len(results) < n:
        leaving = []
        for rank, run in enumerate(runs):
            try:
                leaving.append(np.array(run.send(came[rank])))
            except StopIteration as end:
                results[rank] = end.value
        if leaving and results:
            return f"after {counted(steps, 'step')} some ranks are done and others still send"
        if steps == MOST_STEPS:
            return f"after {MOST_STEPS:,} steps no rank was done"
        if leaving:
            steps += 1
            sent += [part.size for part in leaving]
            came = [leaving[rank - 1] for rank in range(n)]
    return [results[rank] for rank in range(n)], steps, int(sent.max())


def _check_all_reduce(function):
    for ranks, numbers in RINGS:
        arrays = np.random.default_rng(ranks).integers(0, 100, (ranks, numbers))
        total, where = arrays.sum(0), f"{counted(ranks, 'rank')}, {numbers} numbers each"
        steps, sent = 2 * (ranks - 1), 2 * (numbers - numbers // ranks) if ranks > 1 else 0

        def judge(value, total=total, where=where, steps=steps, sent=sent):
            if isinstance(value, str):
                raise Wrong(f"For {where}: {value}.")
            got, took, moved = value
            for rank, mine in enumerate(got):
                if np.shape(mine) != total.shape or not np.array_equal(mine, total):
                    raise Wrong(f"For {where}: rank {rank} ends with {shown(mine)}, not with the sum {shown(total)}.")
            if moved > sent:
                raise Wrong(f"For {where}: the sum is right, but a rank sent {moved} numbers; {sent} are enough.")
            if took != steps:
                raise Wrong(f"For {where}: the sum is right, but it took {counted(took, 'step')} instead of {steps}.")

        told = f"the sum, {steps} steps, at most {sent} sent"
        yield case(where, told, partial(carry, function, arrays), judge, _said)
    return "right for seven rings: every rank has the sum, and none sent more than 2(n − 1)/n of its array."


def _said(value):
    return value if isinstance(value, str) else f"{value[1]} steps, {value[2]} sent"


EXERCISES = [Exercise("11.5", _check_all_reduce, all_reduce)]
