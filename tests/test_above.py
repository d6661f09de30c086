"""A cell that is run too early says in one calm line what to run; every other error stays one."""

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from accelerator_course import syllabus
from accelerator_course.start import unrun


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a cell in a fresh kernel of chapter 3: (what it shows, whether the cell counts as failed)."""
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda page: shown.append(page.data))
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/learner/course/mine/03_roofline.ipynb")
    shell = InteractiveShell()
    unrun.load_ipython_extension(shell)

    def cell(source):
        result = shell.run_cell(source)
        printed = capsys.readouterr()
        return "".join(shown) + printed.out + printed.err, not result.success

    yield cell
    unrun.unload_ipython_extension(shell)


def test_a_panel_before_its_imports_says_what_to_run(run):
    said, failed = run("explore(dot)")
    assert "Run the cells above first" in said and "<code>explore</code>" in said and "run-all-above" in said
    assert failed and "Traceback" not in said and "NameError" not in said


def test_a_slip_of_the_learner_s_stays_an_error_and_elsewhere_a_name_error_stays_one(run, monkeypatch):
    for source in ("ridgepoint + 1", "1 / 0", "def f():\n    y = z\nf()"):
        said, failed = run(source)
        assert failed and "Error" in said and "Run the cells above" not in said
    for name in ("", "/home/learner/thesis.ipynb"):
        monkeypatch.setenv("JPY_SESSION_NAME", name)
        said, _ = run("explore(dot)")
        assert "NameError" in said and "Run the cells above" not in said
    monkeypatch.setenv("JPY_SESSION_NAME", "mine/03_roofline-2.ipynb")  # a copy beside another is the same chapter
    assert unrun.opened().stem == "03_roofline"


def test_the_names_of_a_chapter_are_those_its_cells_make():
    paths = {topic: unrun.NOTEBOOKS / f"{entry['name']}.ipynb" for topic, entry in syllabus.chapters().items()}
    for path in filter(Path.exists, paths.values()):
        assert {"explore", "views", "chapter_bar"} <= unrun.names(path)
    assert {"dot", "h100", "ZOO", "Markdown"} <= unrun.names(paths["roofline"])
