import pytest

from accelerator_lib import data, exercises
from accelerator_lib.exercises import roofline
from accelerator_lib.quiz import progress
from accelerator_lib.workload import models

EXERCISES = [exercise for topic in data.chapters() for exercise in exercises.of(topic)]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_the_worked_solution_passes_its_own_check(exercise, home):
    answer = exercises.check(exercise.id, exercise.solution)
    assert answer.right and "<details>" in answer._repr_html_()
    assert progress.events("exercise")[-1]["right"] is True


def untouched(*arguments): ...


def nonsense(*arguments):
    return "about right"


def crash(*arguments):
    raise RuntimeError("boom <b>")


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
@pytest.mark.parametrize("attempt", [untouched, nonsense, crash, None, 42, print, dict])
def test_no_attempt_makes_it_raise(exercise, attempt, home):
    answer = exercises.check(exercise.id, attempt)
    assert not answer.right and answer.text and "\n" not in answer.text


def test_an_untouched_exercise_shows_no_solution_and_is_no_attempt(home):
    answer = exercises.check("03.1", untouched)
    assert (
        answer.text.startswith("Not started: X3.1 asks for the time of one kernel")
        and "<details>" not in answer._repr_html_()
    )
    assert progress.events("exercise") == []


def test_feedback_says_for_which_numbers_and_is_safe_html(home):
    assert "For " in exercises.check("03.1", lambda flops, moved, peak, bandwidth, overhead: flops / peak).text
    assert "boom &lt;b&gt;" in exercises.check("03.1", crash)._repr_html_()
    assert "you call key 'fast'-bound" in exercises.check(
        "03.2", lambda ops, chip, batch: dict.fromkeys(ops(batch), "fast")
    ).text.replace("query", "key")


def test_the_last_attempt_can_be_had_back(home):
    exercises.check("03.3", nonsense)
    assert "about right" in exercises.last("03.3")
    assert exercises.last("03.2") == "# No attempt at 03.2 is kept."


def test_the_inverse_roofline_asks_for_642_gigabytes_a_second():
    assert roofline.bandwidth_needed(models.model("llama-3-8b").params, "bf16", 0.025) == pytest.approx(
        642.4e9, rel=1e-4
    )


def test_an_unknown_exercise_is_answered_not_raised():
    assert "unknown; did you mean '03.1'" in exercises.check("03.9", untouched).text
    assert "unknown" in exercises.check("13.1", untouched).text
