"""Slips: wrong solutions that learners do write; most are a solution with one thing changed (syllabus/slips.yaml).

Those that are written out stand here, one module a chapter. What a learner is told whose function gives the same
results stands under the slip's name in syllabus/exercises.yaml.
"""

import inspect
from importlib import import_module
from importlib.util import find_spec

from accelerator_course import syllabus


def of(id, solution):
    """{name: function} of the slips of an exercise, and whatever else its chapter has written out."""
    made = {name: changed(solution, *swaps) for name, swaps in syllabus.load("slips").get(id, {}).items()}
    module = f"{__name__}.{solution.__module__.rpartition('.')[2]}"
    return vars(import_module(module)) | made if find_spec(module) else made


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
