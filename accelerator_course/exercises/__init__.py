"""Exercises: the learner writes a function, the library checks it.

    exercises.check("03.1", kernel_time)     answers with a sentence and a table of cases, never raises
    exercises.last("03.1")                   the source of your last attempt, kept with your progress

One file a chapter: exercises/roofline.py has checks and worked solutions; what is asked and said stands in
syllabus/exercises.yaml, what learners get wrong in syllabus/slips.yaml and exercises/slips.
"""

import dis
import importlib.util
import inspect
from functools import cache, cached_property
from importlib import import_module

from accelerator_course import syllabus, time_limit
from accelerator_course.exercises import slips
from accelerator_course.exercises.answer import PERHAPS, Answer
from accelerator_course.exercises.cases import Case, agree, stopped
from accelerator_course.quiz import progress
from accelerator_lib.checks.inputs import one_of

ENOUGH = 3  # cases that are not right: then a check stops


class Exercise:
    """One task. `check(function)` yields Cases and returns a sentence of praise (cases.py); its key is independent of
    `solution`: numbers worked by hand, loops that count, a simulation or another model."""

    def __init__(self, id, check, solution):
        self.id, self.check, self.solution, self.words = id, check, solution, syllabus.load("exercises")[id]
        self.title, self.task, self.hint = (self.words[part] for part in ("title", "task", "hint"))

    @cached_property
    def wrong(self):
        """{name: a wrong function that learners do write}, and what its chapter needs to write them."""
        return slips.of(self.id, self.solution)

    @property
    def slips(self):
        """{a wrong function that learners do write: what such a learner is told}"""
        return {self.wrong[name]: told for name, told in self.words["slips"].items()}


def check(id, function):
    """Check an attempt: Answer. Never raises, so that an unsolved notebook runs to its end."""
    try:
        exercise = find(id)
    except (KeyError, TypeError) as error:
        return Answer(str(error))
    title, asked = exercise.title, f"{exercise.title} asks for {exercise.task}"
    if not callable(function):
        return Answer(f"{title}: give me the function itself, without calling it.")
    if time_limit.attempt(lambda: _untouched(function), False):
        return Answer(f"Not started: {asked}")
    with time_limit.brief():
        cases, praise = _tried(exercise, function)
    right = all(case.right for case in cases)
    text = praise if right else next(case.problem for case in cases if not case.right)
    source = time_limit.attempt(lambda: inspect.getsource(function), "")
    kept = progress.record({"kind": "exercise", "id": id, "right": right, "source": source})
    note = "" if kept else " (Your progress could not be saved: the folder is not writable.)"
    slip = "" if right else _slip(exercise, function, cases)
    said = f"{title}: {text}{note}" + (f" {PERHAPS}{slip}" if slip else "")
    solution = inspect.getsource(exercise.solution)
    return Answer(said, right, solution, asked, exercise.hint, slip, tuple(case for case in cases if case.given))


def _tried(exercise, function):
    """(Cases, praise) of an attempt; after a few that are not right no more are tried."""
    cases, steps = [], exercise.check(function)
    try:
        while sum(not case.right for case in cases) < ENOUGH and not (cases and cases[-1].late):
            cases.append(next(steps))
    except StopIteration as end:
        return cases, end.value
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a function that cannot even be called in the way that is asked
        cases.append(Case("", "", "", stopped(error)))
    return cases, ""


def _slip(exercise, function, cases):
    """What is said of the known slip that gives the same results in all cases; empty where none does."""
    if cases[-1].late:
        return ""
    for slip, told in exercise.slips.items():
        if agree(cases, _met(exercise, slip)) and agree(exercise.check(function), exercise.check(slip)):
            return told
    return ""


@cache
def _met(exercise, slip):
    """The Cases that a known slip meets: the same for every learner."""
    return _tried(exercise, slip)[0]


def last(id):
    """The source of the learner's last attempt at an exercise, or a sentence that there is none. Raises as find."""
    find(id)
    attempts = [event for event in progress.events("exercise") if event.get("id") == id and event.get("source")]
    return attempts[-1]["source"] if attempts else f"# No attempt at {id} is kept."


def of(topic):
    """The Exercises of a chapter, from exercises/topic.py; none where there is no such file."""
    name = f"accelerator_course.exercises.{topic}"
    return import_module(name).EXERCISES if importlib.util.find_spec(name) else []


def find(id):
    """The Exercise of an id such as "03.1". Raises UnknownName, or TypeError for what is no text."""
    if not isinstance(id, str):
        raise TypeError(f'an exercise is named by a text such as "03.1", not by one of type {type(id).__name__[:40]}')
    number = id.partition(".")[0].rstrip("b")  # an exercise keeps its id where its chapter was cut in two
    halves = [topic for topic, entry in syllabus.chapters().items() if f"{entry['number']:02d}" == number]
    known = {entry.id: entry for topic in halves for entry in of(topic)}
    return known[one_of("exercise", id, known)]


def _untouched(function):
    """Whether the body is still the `...` of the notebook, or nothing but `pass` or `return None`."""
    if not hasattr(function, "__code__"):
        return False
    steps = [step for step in dis.get_instructions(function) if step.opname not in ("RESUME", "NOP")]
    names = {"LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
    return all(step.opname in names and step.argval is None for step in steps)
