"""Plausible wrong solutions of every exercise are refused, with the case; and no key is the worked solution itself.

Slips that learners do write stand in syllabus/slips.yaml and exercises/slips; tests/<topic>/wrong.yaml says of each wrong
solution, a slip or an expression, what the feedback must name (wrong), which changed lines of a solution are as right
(harmless), and which exercises are searches: a small slip in one may find as much and is not tried.
"""

import ast
import html
import inspect
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from accelerator_course import exercises, syllabus, time_limit
from accelerator_course.exercises.slips import changed
from accelerator_lib import data

ROOMS = [data.parse(path) for path in sorted(Path(__file__).parent.glob("*/wrong.yaml"))]
HARMLESS = {id: lines for room in ROOMS for id, lines in room.get("harmless", {}).items()}
SEARCHES = [id for room in ROOMS for id in room.get("searches", ())]  # judged by what they find, not by lines


def module_of(id):
    return import_module(exercises.find(id).solution.__module__)


def made(id, text):
    """The function that is named, or written out, in the terms of an exercise and of its slips."""
    module = module_of(id)
    return eval(text, vars(module) | exercises.find(id).wrong | {"exercises": module, "changed": changed})


LISTED = [one for room in ROOMS for one in room["wrong"].items()]
WRONG = {id: [(made(id, text), named) for text, named in rows.items()] for id, rows in LISTED}
NUMBERED = [(f"{id}-{place}", id, *one) for id, wrongs in WRONG.items() for place, one in enumerate(wrongs)]
CASES = [pytest.param(*case, id=name) for name, *case in NUMBERED]


def refused(id, function):
    """Whether a check says no; it is left at the first case that is not right."""
    try:
        return not all(case.right for case in exercises.find(id).check(function))
    except Exception:  # it cannot even be called in the way that is asked
        return True


def test_every_exercise_there_is_has_two_wrong_solutions_and_knows_two_slips():
    found = [exercise for topic in syllabus.chapters() for exercise in exercises.of(topic)]
    assert sorted(one.id for one in found) == sorted(WRONG) and min(map(len, WRONG.values())) >= 2
    for one in found:
        assert len(one.slips) >= 2 and {*one.slips} <= {wrong for wrong, _ in WRONG[one.id]}


def test_a_slip_changes_what_stands_in_its_solution_once():
    assert changed(refused, "not all", "all").__name__ == "refused"
    for old, times in (("nowhere", 0), ("return", 2)):
        with pytest.raises(ValueError, match=f"refused has '{old}' {times} times"):
            changed(refused, old, "")


@pytest.mark.parametrize("id, wrong, named", CASES)
def test_a_wrong_solution_is_refused_and_the_feedback_names_the_case(id, wrong, named, home):
    """A known slip is met with its own sentence, whatever name the learner gave the function; no other is called one."""
    known = exercises.find(id).slips
    answer = exercises.check(id, (lambda *arguments: wrong(*arguments)) if wrong in known else wrong)
    assert not answer.right and named in answer.text
    assert "stopped with" not in answer.text  # refused for what it says, not because it fell
    sentence = known.get(wrong, "")
    assert answer.slip == sentence and answer.text.endswith(sentence)
    assert sentence in html.unescape(answer._repr_html_())


@pytest.mark.parametrize("id", WRONG)
def test_a_check_does_not_ask_the_worked_solution(id, home, monkeypatch):
    """With the solution itself made wrong, that is still refused and the right one still accepted."""
    module, right = module_of(id), exercises.find(id).solution
    assert getattr(module, right.__name__) is right
    wrong = WRONG[id][0][0]
    monkeypatch.setattr(module, right.__name__, wrong)
    assert refused(id, wrong) and exercises.check(id, right).right


# ---- every worked solution with one thing changed: a constant one up or down, another operator, max for min
OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
OTHER |= {ast.Mod: ast.FloorDiv, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Eq: ast.NotEq}
SWAPPED = {"max": "min", "min": "max"}


def mutants(function):
    """(source with one change, the changed lines) of a function, one by one."""
    source = inspect.getsource(function)
    before = ast.unparse(ast.parse(source)).splitlines()
    for place in range(len(list(ast.walk(ast.parse(source))))):
        for step in (1, -1):
            tree = ast.parse(source)
            node = list(ast.walk(tree))[place]
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                node.value += step
            elif step == 1 and isinstance(node, ast.BinOp) and type(node.op) in OTHER:
                node.op = OTHER[type(node.op)]()
            elif step == 1 and isinstance(node, ast.Compare) and type(node.ops[-1]) in OTHER:
                node.ops[-1] = OTHER[type(node.ops[-1])]()
            elif step == 1 and isinstance(node, ast.Name) and node.id in SWAPPED:
                node.id = SWAPPED[node.id]
            else:
                continue
            after = ast.unparse(tree)
            yield after, [line for line in after.splitlines() if line not in before]


@pytest.mark.parametrize("id", [id for id in WRONG if id not in SEARCHES])
def test_one_small_slip_in_a_worked_solution_is_refused(id, monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.5)  # some slips never return: refused sooner here than in a notebook
    solution, survived = exercises.find(id).solution, []
    with np.errstate(all="ignore"):
        for source, changed in mutants(solution):
            space = dict(vars(module_of(id)))
            exec(source, space)
            if not refused(id, space[solution.__name__]):
                survived += changed
    harmless = HARMLESS.get(id, [])
    assert not [line for line in survived if not any(fragment in line for fragment in harmless)]


# ---- whatever is handed in, a check answers

HOSTILE = [float("nan"), float("inf"), 10**400, "42795008", None, 1j, ("a", "b", "c"), (float("nan"), float("nan"))]
HOSTILE += [np.array([]), np.arange(6.0).reshape(2, 3), [[1], [2, 3]], {"query": "memory"}, exercises.check]
RETURNS = [*(lambda *_, value=value: value for value in HOSTILE), lambda: 1]


@pytest.mark.parametrize("handed_in", RETURNS, ids=range(len(RETURNS)))
def test_nothing_that_a_function_returns_makes_a_check_raise(handed_in, home):
    for id in WRONG:  # every judge, without the search for a slip that may be the same
        tried, _ = exercises._tried(exercises.find(id), handed_in)
        assert any(case.problem for case in tried), id
    answer = exercises.check("03.1", handed_in)
    assert answer.text and not answer.right


def spoil(*arguments):
    for argument in arguments:
        if hasattr(argument, "clear"):
            argument.clear()
        if isinstance(argument, np.ndarray):
            argument[...] = 0
    return 0


def test_a_function_that_spoils_its_arguments_is_answered(home):
    """And spoils nothing but its own copies: neither the key nor the tables of the library."""
    for id in WRONG:
        assert refused(id, spoil) and not refused(id, exercises.find(id).solution)
