"""Assignments for nbgrader: whole, solvable, marked as it wants. nbgrader itself grades them in test_nbgrader."""

import re

import nbformat
import pytest

from accelerator_course import exercises, syllabus
from accelerator_course.pages import classroom

CHAPTERS = [entry["name"] for entry in syllabus.chapters().values()]
MARKS = {"schema_version", "grade_id", "grade", "solution", "locked", "task"}  # of nbgrader's schema 3


def code(name):
    return [cell for cell in classroom.assignment(name)["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_code_cell_is_marked_and_every_exercise_is_an_answer_and_its_test(name):
    notebook = nbformat.from_dict(classroom.assignment(name))
    nbformat.validate(notebook)
    imports, *cells = (cell.metadata["nbgrader"] for cell in notebook.cells if cell.cell_type == "code")
    assert imports["locked"] and not imports["grade"] and not imports["solution"]
    asked = [exercise.id for exercise in exercises.of(name.partition("_")[2])]
    assert len(cells) == 2 * len(asked)
    for mark in (imports, *cells):
        assert set(mark) == MARKS | ({"points"} if mark["grade"] else set())
        assert mark["schema_version"] == 3 and re.fullmatch(r"[a-zA-Z0-9_-]+", mark["grade_id"])
    for answer, test in zip(cells[::2], cells[1::2], strict=True):
        assert (answer["solution"], answer["grade"], answer["locked"]) == (True, False, False)
        assert (test["solution"], test["grade"], test["locked"]) == (False, True, True) and test["points"] > 0
    ids = [mark["grade_id"] for mark in (imports, *cells)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", CHAPTERS)
def test_worked_solutions_pass_and_what_is_handed_out_does_not(name, home):
    """With nothing but the imports before them: an assignment needs no other cell of its chapter."""
    imports, *cells = (cell["source"] for cell in code(name))
    space, shown = {}, []
    exec(imports, space | {"display": shown.append}, space)
    space["display"] = shown.append
    for answer, test in zip(cells[::2], cells[1::2], strict=True):
        solved = re.compile(r"    ### BEGIN SOLUTION\n.*?    ### END SOLUTION", re.DOTALL)
        assert len(solved.findall(answer)) == 1
        exec(solved.sub("    ...", answer), space)
        with pytest.raises(AssertionError, match="Not started"):
            exec(test, space)
        exec(answer, space)
        exec(test, space)
        assert shown[-1].right


def test_a_kernel_that_a_bench_judges_is_not_handed_out():
    ids = [cell["id"] for cell in classroom.assignment("05_gpu")["cells"]]
    assert ids == ["title", "imports", "exercises", "x54", "x54-test", "x51-text", "x51", "x51-test"]
    assert all("kernel(" not in cell["source"] for cell in code("05_gpu"))


def test_nothing_of_a_solution_stands_outside_its_marks():
    for cell in code("03_roofline")[1::2]:
        handed_out = re.sub(r"    ### BEGIN.*END SOLUTION", "    ...", cell["source"], flags=re.DOTALL)
        notebook = exercises.find(re.search(r'find\("([\d.]+)"\)', cell["source"])[1])
        assert "solution" not in handed_out and handed_out.endswith("...")
        assert notebook.solution.__doc__ not in handed_out


def test_the_command_writes_a_course_and_keeps_a_configuration_that_is_there(tmp_path, capsys):
    assert classroom.main(["03_roofline", "04_tiling", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("\n") == 2
    config = tmp_path / "nbgrader_config.py"
    assert 'code_stub = {"python": "..."}' in config.read_text(encoding="utf-8")
    config.write_text("# mine\n", encoding="utf-8")
    assert classroom.main(["03_roofline", "--out", str(tmp_path)]) == 0
    assert config.read_text(encoding="utf-8") == "# mine\n"
    assert {path.stem for path in tmp_path.rglob("*.ipynb")} == {"03_roofline", "04_tiling"}


@pytest.mark.parametrize(
    "name, said", [("99_none", "there is no chapter '99_none'"), ("00_start_here", "has no exerc")]
)
def test_what_cannot_be_handed_out_is_one_line(name, said, tmp_path, capsys):
    assert classroom.main([name, "--out", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("classroom: ") and said in told and told.count("\n") == 1
