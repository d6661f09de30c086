"""nbgrader itself hands out, validates and grades an assignment of the course.

It brings a notebook server with extensions of its own, which would change what the browser tests look at; so it is not
among the test tools. `make test-nbgrader` gives it an environment of its own and runs this file there.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from accelerator_course.pages import classroom

pytestmark = pytest.mark.skipif(not find_spec("nbgrader"), reason="nbgrader is not here: make test-nbgrader")
ROOT, NAME = Path(__file__).parents[1], "03_roofline"
RIGHT = "return exercises.find('03.1').solution(flops, bytes_moved, peak, bandwidth, overhead)"
WRONG = "return flops / peak + bytes_moved / bandwidth + overhead"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with one assignment handed out, and what runs nbgrader in it."""
    folder = tmp_path_factory.mktemp("course")
    classroom.write([NAME], folder)
    own = {"PYTHONPATH": str(ROOT), "HOME": str(folder), "ACCELERATOR_COURSE_HOME": str(folder / "home")}
    own["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic by its name

    def run(*arguments):
        command = [sys.executable, "-m", "nbgrader", *arguments]
        return subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, text=True)

    run.folder = folder
    made = run("generate_assignment", NAME, "--create")
    assert made.returncode == 0, made.stderr[-2000:]
    return run


def released(course):
    return json.loads((course.folder / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))


def submitted(course, learner, line):
    """Hand in the released notebook with one line in place of the first `...`."""
    notebook = released(course)
    cell = next(cell for cell in notebook["cells"] if cell["id"] == "x31")
    cell["source"] = "".join(cell["source"]).replace("    ...", f"    {line}")
    path = course.folder / "submitted" / learner / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def test_its_format_is_what_nbgrader_reads_and_what_is_handed_out_holds_no_solution(course):
    import nbformat
    from nbgrader import nbgraderformat

    notebook = nbformat.from_dict(classroom.assignment(NAME))
    nbgraderformat.MetadataValidator().validate_nb(notebook)
    answers = ["".join(cell["source"]) for cell in released(course)["cells"] if cell["id"] in ("x31", "x32", "x33")]
    assert len(answers) == 3 and all(text.rstrip().endswith("...") and "solution" not in text for text in answers)


def test_its_validation_passes_solutions_and_refuses_what_was_handed_out(course):
    source = f"source/{NAME}/{NAME}.ipynb"
    assert "Success! Your notebook passes all the tests." in course("validate", source).stdout
    failed = course("validate", f"release/{NAME}/{NAME}.ipynb").stdout
    assert "failed" in failed.lower() and "Not started" in failed


def test_a_right_solution_has_its_points_and_a_wrong_one_none(course):
    submitted(course, "right", RIGHT)
    submitted(course, "wrong", WRONG)
    graded = course("autograde", NAME, "--create")
    assert graded.returncode == 0, graded.stderr[-2000:]
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course.folder}/gradebook.db") as book:
        scores = {one.student.id: one.score for one in book.assignment_submissions(NAME)}
        most = book.find_assignment(NAME).max_score
    assert scores == {"right": classroom.POINTS, "wrong": 0} and most == 3 * classroom.POINTS
