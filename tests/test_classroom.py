"""Assignments for nbgrader: whole, solvable, marked as it wants. nbgrader itself grades them in test_nbgrader."""

import re

import nbformat
import pytest

from accelerator_course import exercises, syllabus
from accelerator_course.pages import classroom

CHAPTERS = [entry["name"] for entry in syllabus.chapters().values()]
MARKS = {"schema_version", "grade_id", "grade", "solution", "locked", "task"}  # of nbgrader's schema 3
SOLVED = re.compile(r"    ### BEGIN SOLUTION\n.*?    ### END SOLUTION", re.DOTALL)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_code_cell_is_marked_and_every_exercise_is_an_answer_and_its_test(name, home):
    """Worked solutions pass and what is handed out does not, with nothing but the imports before them."""
    notebook = nbformat.from_dict(classroom.assignment(name))
    nbformat.validate(notebook)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    imports, *marks = (cell.metadata["nbgrader"] for cell in codes)
    assert imports["locked"] and not imports["grade"] and not imports["solution"]
    assert len(marks) == 2 * len(exercises.of(name.partition("_")[2]))
    for mark in (imports, *marks):
        assert set(mark) == MARKS | ({"points"} if mark["grade"] else set())
        assert mark["schema_version"] == 3 and re.fullmatch(r"[a-zA-Z0-9_-]+", mark["grade_id"])
    for answer, test in zip(marks[::2], marks[1::2], strict=True):
        assert (answer["solution"], answer["grade"], answer["locked"]) == (True, False, False)
        assert (test["solution"], test["grade"], test["locked"]) == (False, True, True) and test["points"] > 0
    assert len({mark["grade_id"] for mark in (imports, *marks)}) == len(codes)
    first, *cells = (cell.source for cell in codes)
    shown = []
    space = {"display": shown.append}
    exec(first, space)
    space["display"] = shown.append
    for answer, test in zip(cells[::2], cells[1::2], strict=True):
        handed_out, count = SOLVED.subn("    ...", answer)
        exec(handed_out, space)
        with pytest.raises(AssertionError, match="Not started"):
            exec(test, space)
        exec(answer, space)
        exec(test, space)
        assert shown[-1].right and count == 1
        own = exercises.find(re.search(r'check\("([\w.]+)"', test)[1]).solution
        assert "solution" not in handed_out and handed_out.endswith("...") and own.__doc__ not in handed_out


def test_a_kernel_that_a_bench_judges_is_not_handed_out_and_what_cannot_be_is_one_line(tmp_path, capsys):
    cells = classroom.assignment("05_gpu")["cells"]
    ids = ["title", "imports", "exercises", "x54", "x54-test", "x51-text", "x51", "x51-test"]
    assert [cell["id"] for cell in cells] == ids and not any(
        "kernel(" in c["source"] for c in cells if c["cell_type"] == "code"
    )
    for name, said in (("../notebooks/03_roofline", "there is no chapter"), ("00_start_here", "has no exerc")):
        assert classroom.main([name, "--out", str(tmp_path)]) == 1
        told = capsys.readouterr().err
        assert told.startswith("classroom: ") and said in told and told.count("\n") == 1


def test_the_command_writes_a_course_and_keeps_a_configuration_that_is_there(tmp_path, capsys):
    assert classroom.main(["03_roofline", "04_tiling", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("\n") == 2
    config = tmp_path / "nbgrader_config.py"
    assert 'code_stub = {"python": "..."}' in config.read_text(encoding="utf-8")
    config.write_text("# mine\n", encoding="utf-8")
    assert classroom.main(["03_roofline", "--out", str(tmp_path)]) == 0
    assert config.read_text(encoding="utf-8") == "# mine\n"
    assert {path.stem for path in tmp_path.rglob("*.ipynb")} == {"03_roofline", "04_tiling"}
