import pytest

from accelerator_course import exercises, syllabus
from accelerator_course.exercises import roofline
from accelerator_course.exercises.cases import Wrong, chosen
from accelerator_course.quiz import progress
from accelerator_lib.workload import models

EXERCISES = [exercise for topic in syllabus.chapters() for exercise in exercises.of(topic)]


EACH = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)


@EACH
def test_the_worked_solution_passes_its_own_check(exercise, home):
    answer = exercises.check(exercise.id, exercise.solution)
    assert answer.right and "<details>" in answer._repr_html_()
    assert progress.events("exercise")[-1]["right"] is True


def untouched(*arguments): ...


def nonsense(*arguments):
    return "about right"


def crash(*arguments):
    raise RuntimeError("boom <b>")


@EACH
def test_no_attempt_makes_it_raise(exercise, home):
    for attempt in (untouched, nonsense, crash, None, 42, print, dict):
        answer = exercises.check(exercise.id, attempt)
        assert not answer.right and answer.text and "\n" not in answer.text


def test_an_untouched_exercise_shows_no_solution_and_is_no_attempt(home):
    answer = exercises.check("03.1", untouched)
    assert answer.text.startswith("Not started: X3.1 asks for the time of one kernel")
    assert "<details>" not in answer._repr_html_() and progress.events("exercise") == []


def test_feedback_says_for_which_numbers_and_is_safe_html(home):
    assert "For " in exercises.check("03.1", lambda flops, moved, peak, bandwidth, overhead: flops / peak).text
    assert "boom &lt;b&gt;" in exercises.check("03.1", crash)._repr_html_()
    answer = exercises.check("03.4", lambda kernel, chip, measured: (kernel.flops / chip.peak, "fast", "none"))
    assert "your limit is 'fast'; it is 'compute'" in answer.text
    assert "returned None; a number was expected. Is there a return?" in exercises.check("03.1", looked_at).text


def both_added(flops, bytes_moved, peak, bandwidth, overhead):
    return flops / peak + bytes_moved / bandwidth + overhead


def test_an_answer_shows_what_is_asked_and_each_case_with_given_wanted_and_yours(home):
    answer = exercises.check("03.1", both_added)
    page = answer._repr_html_()
    assert "X3.1 asks for the time of one kernel" in page and "Perhaps this:" in page and "only the longer one" in page
    first = answer.cases[0]
    assert (first.wanted, first.yours, first.right) == ("0.002005", "0.002505", False)
    for cell in ("given", "wanted", "yours", "2e+12 FLOP, 1e+09 bytes", "0.002005", "0.002505", "✘ differs"):
        assert cell in page and cell in repr(answer)
    assert repr(answer).splitlines()[0] == answer.text


def test_the_table_holds_few_rows_and_the_first_case_that_is_not_right(home):
    solution = exercises.find("05.1").solution
    right = exercises.check("05.1", solution)
    assert len(right.cases) == 64 and "64 cases tried, 64 right; here are 4." in right._repr_html_()
    odd = exercises.check("05.1", lambda arch, given, each: solution(arch, given, each) + 32 * (given == 49))
    assert not odd.right and odd.cases[3].right and "✘ differs" in odd._repr_html_() and not odd.slip


def test_a_solution_is_code_with_a_button_that_copies_it_and_a_hint_comes_only_after_a_try(home):
    solution = exercises.find("03.1").solution
    pages = [exercises.check("03.1", attempt)._repr_html_() for attempt in (untouched, both_added, solution)]
    assert ["<summary>Hint</summary>" in page for page in pages] == [False, True, False] and "Hint" not in pages[2]
    for page in pages[1:]:
        assert "<pre" in page and ">Copy</button>" in page and '<span class="k">def</span>' in page


def nothing(*arguments):
    return None


def only_passes(*arguments):
    """Not yet."""
    pass


def looked_at(flops, bytes_moved, peak, bandwidth, overhead):
    flops / peak


@EACH
def test_an_untouched_exercise_says_what_is_asked_and_never_how(exercise, home):
    for stub in (untouched, nothing, only_passes):
        answer = exercises.check(exercise.id, stub)
        assert answer.text == f"Not started: {exercise.title} asks for {exercise.task}"
        assert exercise.hint not in answer._repr_html_() and not answer.cases and not answer.solution


def test_the_last_attempt_can_be_had_back(home):
    exercises.check("03.3", nonsense)
    assert "about right" in exercises.last("03.3")
    assert exercises.last("03.4") == "# No attempt at 03.4 is kept."


def test_the_inverse_roofline_asks_for_642_gigabytes_a_second():
    needed = roofline.bandwidth_needed(models.model("llama-3-8b").params, "bf16", 0.025)
    assert needed == pytest.approx(642.4e9, rel=1e-4)


def test_an_unknown_exercise_is_answered_not_raised():
    assert "unknown; did you mean '03.1'" in exercises.check("03.9", untouched).text
    assert "unknown" in exercises.check("99.1", untouched).text
    assert len(exercises.check("3" * 10**6, untouched).text) < 200
    for id in (["03.1"], 10**5000, None, 3.1, {}, b"03.1"):
        told = f'an exercise is named by a text such as "03.1", not by one of type {type(id).__name__}'
        assert told == exercises.check(id, untouched).text
        with pytest.raises(TypeError, match="named by a text"):
            exercises.last(id)


@pytest.mark.parametrize("got", [3, (8,), (9, None), ("8", None), None, (8, None, 1)])
def test_a_choice_is_one_out_of_each_list_or_the_lists_are_named(got):
    with pytest.raises(Wrong, match=r"For x return \(slots, chunk\): slots out of 8, 16; chunk out of None, 256; you"):
        chosen("x", got, slots=(8, 16), chunk=(None, 256))
    assert chosen("x", [16, None], slots=(8, 16), chunk=(None, 256)) == (16, None)
