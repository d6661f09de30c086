"""Exercises: the learner writes a function, the library checks it.

    exercises.check("03.1", kernel_time)     answers with a sentence, never raises
    exercises.last("03.1")                   the source of your last attempt, kept with your progress

One file a model: exercises/roofline.py holds 03.1 to 03.3, each an Exercise with task, check and worked solution.
"""

import html
import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from accelerator_lib import data
from accelerator_lib.inputs import UnknownName, did_you_mean
from accelerator_lib.quiz import progress


class Wrong(Exception):
    """What a check found; its text is the feedback."""


@dataclass(frozen=True)
class Exercise:
    """One task. `check(function)` returns a sentence of praise or raises Wrong.

    Its key is independent of `solution`: numbers worked by hand, loops that count, a simulation or another model.
    """

    id: str
    title: str
    task: str
    check: Callable
    solution: Callable


@dataclass(frozen=True)
class Answer:
    """The sentence that answers an attempt; after an honest try, with a solution to unfold."""

    text: str
    right: bool = False
    solution: str = ""

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        mark = "✔" if self.right else "▸"
        body = f'<p role="status" style="margin:0 0 6px;white-space:pre-wrap">{mark} {html.escape(self.text)}</p>'
        if self.solution:
            code = html.escape(self.solution)
            body += f"<details><summary>Show a worked solution</summary><pre>{code}</pre></details>"
        return body


def check(id, function):
    """Check an attempt: Answer. Never raises, so that an unsolved notebook runs to its end."""
    try:
        exercise = find(id)
    except KeyError as error:
        return Answer(str(error))
    attempt = _source(function)
    if not callable(function):
        return Answer(f"{exercise.title}: give me the function itself, without calling it.")
    try:
        text, right = exercise.check(function), True
    except Wrong as error:
        text, right = str(error), False
    except Exception as error:  # whatever the learner's code does is an answer, not a crash
        text, right = f"Your function stopped with {type(error).__name__}: {error}", False
    if not right and _untouched(function):
        return Answer(f"{exercise.title}: not tried yet. {exercise.task}")
    kept = progress.record({"kind": "exercise", "id": id, "right": right, "source": attempt})
    note = "" if kept else " (Your progress could not be saved: the folder is not writable.)"
    return Answer(f"{exercise.title}: {text}{note}", right, inspect.getsource(exercise.solution))


def last(id):
    """The source of the learner's last attempt at an exercise, or a sentence that there is none."""
    attempts = [event for event in progress.events("exercise") if event.get("id") == id and event.get("source")]
    return attempts[-1]["source"] if attempts else f"# No attempt at {id} is kept."


def of(topic):
    """The Exercises of a chapter, from exercises/topic.py; none where there is no such file."""
    name = f"accelerator_lib.exercises.{topic}"
    return import_module(name).EXERCISES if importlib.util.find_spec(name) else []


def find(id):
    """The Exercise of an id such as "03.1". Raises UnknownName."""
    numbered = {entry["name"].partition("_")[0]: topic for topic, entry in data.chapters().items()}
    known = {entry.id: entry for entry in of(numbered.get(str(id).partition(".")[0]))}
    if id not in known:
        raise UnknownName(f"exercise {id!r} is unknown{did_you_mean(str(id), known)}")
    return known[id]


def expect(got, want, where, rel_tol=1e-9):
    """Raise Wrong unless a number is the expected one. What is expected never comes from the worked solution."""
    try:
        value = None if isinstance(got, str) else float(got)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None:
        raise Wrong(f"For {where} your function returned {repr(got)[:60]}; a number was expected.")
    if not abs(value - want) <= rel_tol * abs(want):
        digits = ".6g" if f"{value:.6g}" != f"{want:.6g}" else ".15g"  # one too many must not look the same
        raise Wrong(f"For {where} your function returned {value:{digits}}; expected is {want:{digits}}.")


def _untouched(function):
    """Whether the body is still the `...` of the notebook."""

    def empty(): ...

    return getattr(function, "__code__", empty.__code__).co_code == empty.__code__.co_code


def _source(function):
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""
