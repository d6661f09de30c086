"""Cases: what a check tries, one after the other; what was given, what is wanted, what came.

A check is a generator of Cases that returns a sentence of praise. What is wanted never comes from the worked solution.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

import numpy as np

from accelerator_course import time_limit


class Wrong(Exception):
    """What a check found; its text is the feedback."""


@dataclass(frozen=True)
class Case:
    """One trial in words; `problem` is the sentence that says what is wrong, empty where nothing is."""

    given: str
    wanted: str
    yours: str
    problem: str = ""
    value: object = None  # what the function returned
    late: bool = False  # it did not return in time: no further case is tried

    right = property(lambda self: not self.problem)


def case(given, wanted, call, judge, show=None):
    """Case of one trial: `call()` gives what is judged, `judge(value)` raises Wrong, `show(value)` says it in words."""
    late, returned = f"had not returned after {time_limit.SECONDS} seconds. Does every loop end?", False
    try:
        with time_limit.limited():
            value = call()
        late, returned = f"returned what could not be read within {time_limit.SECONDS} seconds.", True
        with time_limit.limited():  # what is looked at may be an object of the learner's own
            problem, yours = _read(value, given, wanted, judge, show)
    except time_limit.TooLong:
        return Case(given, wanted, "no answer", f"For {given} your function {late}", late=True)
    except KeyboardInterrupt:  # the reader's own
        raise
    except BaseException as error:  # whatever the learner's code does is an answer, not a crash
        if returned:
            told = f"For {given} your function returned what cannot be read: {_said(error)}."
            return Case(given, wanted, "no answer", told)
        name = type(error).__name__
        return Case(given, wanted, name, stopped(error), name)
    return Case(given, wanted, yours, problem, value)


def _read(value, given, wanted, judge, show):
    """(what is wrong with a value, the value) in words."""
    yours = shown(value)
    try:
        judge(value)
        return "", (show or shown)(value)
    except Wrong as error:
        return str(error), show(value) if show else shown(value, precise=yours == wanted)
    except Exception as error:  # nothing that the check could read
        return f"For {given} your function returned {yours}, with which the check stopped: {_said(error)}", yours


def stopped(error):
    """What ended the learner's code, in words."""
    said = _said(error)
    return f"Your function stopped with {said}" + ("" if ":" in said else ".")


def _said(error):
    """An error's name and its words; one that cannot even be printed has its name alone."""
    text = time_limit.attempt(lambda: str(error), "")
    text = text if len(text) <= 300 else text[:297] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def number(function, arguments, want, where, rel_tol=1e-9):
    """Case of a function that returns a number."""
    return case(where, shown(want), lambda: function(*arguments), lambda got: expect(got, want, where, rel_tol))


def numbers(function, arguments, wants, where, ask, rel_tol=1e-9):
    """Case of a function that returns several numbers, `wants` by name; `ask` says what to return."""
    limits = rel_tol if isinstance(rel_tol, tuple) else (rel_tol,) * len(wants)

    def judge(got):
        several(got, len(wants), where, ask)
        for mine, (name, want), limit in zip(got, wants.items(), limits, strict=True):
            expect(mine, want, f"{where}, {name}", limit)

    return case(where, shown(tuple(wants.values())), lambda: function(*arguments), judge)


def several(got, count, where, ask):
    """Raise Wrong unless so many things came; `ask` says what to return."""
    if not isinstance(got, (tuple, list)) or len(got) != count:
        raise Wrong(f"For {where} return {ask}; you returned {shown(got)}.")


def is_number(value):
    """Whether it is a number, and neither True nor False."""
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def expect(got, want, where, rel_tol=1e-9):
    """Raise Wrong unless a number is the expected one."""
    try:
        value = None if isinstance(got, str) else float(got)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None:
        forgot = " Is there a return?" if got is None else ""
        raise Wrong(f"For {where} your function returned {shown(got)}; a number was expected.{forgot}")
    dtype = getattr(got, "dtype", None)
    if dtype is not None and dtype.kind == "f":  # right in its own format is right
        rel_tol = max(rel_tol, 4 * float(np.finfo(dtype).eps))
    if not abs(value - want) <= rel_tol * abs(want):
        digits = ".6g" if f"{value:.6g}" != f"{want:.6g}" else ".15g"  # one too many must not look the same
        raise Wrong(f"For {where} your function returned {value:{digits}}; expected is {want:{digits}}.")


def shown(value, precise=False):
    """A value in at most 60 letters: numbers with six digits, or with fifteen."""
    if isinstance(value, (float, np.floating)) and not isinstance(value, bool):
        return f"{value:.15g}" if precise else f"{value:.6g}"
    if type(value) in (tuple, list):
        text = ", ".join(shown(part, precise) for part in value[:8]) + (", ..." if len(value) > 8 else "")
        text = f"({text})" if isinstance(value, tuple) else f"[{text}]"
    elif isinstance(value, np.ndarray) and value.size > 8:
        text = f"an array of shape {value.shape}"
    else:
        text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def agree(one, other):
    """Whether two runs of a check met the same values, case by case."""
    try:
        pairs = zip_longest(one, other)
        return all(a and b and time_limit.attempt(partial(same, a.value, b.value), False) for a, b in pairs)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the function itself ended the check
        return False


def same(a, b):
    """Whether two functions returned the same: numbers to nine digits, the rest exactly."""
    if isinstance(a, Mapping) or isinstance(b, Mapping) or isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and a == b
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if a is None or b is None:
        return a is b
    return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, rtol=1e-9, atol=0, equal_nan=True))


def chosen(where, got, /, **lists):
    """The choice as a tuple, if it is one out of each list. Raises Wrong, with the lists."""
    names, told = ", ".join(lists), "; ".join(f"{name} out of {_listed(each)}" for name, each in lists.items())
    if len(set(lists.values())) == 1:
        told = f"each out of {_listed(next(iter(lists.values())))}"
    pairs = zip(got, lists.values(), strict=True) if isinstance(got, (tuple, list)) and len(got) == len(lists) else None
    if pairs is None or not all(any(one is each or one == each for each in all_of) for one, all_of in pairs):
        raise Wrong(f"For {where} return ({names}): {told}; you returned {shown(got)}.")
    return tuple(got)


def _listed(values):
    return ", ".join(map(str, values))
