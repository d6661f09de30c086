"""Slips: wrong solutions that learners do write, one module a chapter; most are a solution with one thing changed.

What a learner is told whose function gives the same results stands under the slip's name in syllabus/exercises.yaml.
"""

import inspect


def changed(solution, *swaps):
    """A worked solution with some of its text exchanged: swaps are old, new, old, new ...

    Raises ValueError for an old text that does not stand in the solution exactly once."""
    text = inspect.getsource(solution)
    for old, new in zip(swaps[::2], swaps[1::2], strict=True):
        if text.count(old) != 1:
            raise ValueError(f"{solution.__name__} has {old!r} {text.count(old)} times")
        text = text.replace(old, new)
    made = {}
    exec(compile(text, solution.__code__.co_filename, "exec"), solution.__globals__, made)
    return made[solution.__name__]
