import importlib.util
import subprocess
import sys

import pytest

from accelerator_course.start import needs


@pytest.fixture
def lacking(home, monkeypatch):
    """What makes packages missing."""
    find = importlib.util.find_spec

    def lack(*gone):
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in gone else find(name))

    return lack


def test_one_line_where_everything_is_there_and_one_for_each_thing_that_is_missing(lacking, monkeypatch):
    assert needs.check().startswith("Ready: Python 3.") and "\n" not in needs.check()
    lacking("PIL", "anywidget")
    lines = needs.check().splitlines()
    assert [line.split()[0] for line in lines] == ["PIL", "anywidget"]
    assert all("pip install -r requirements.txt" in line for line in lines)
    lacking("PIL", "mistune")
    monkeypatch.setattr(needs.folders, "INSTALLED", True)  # no checkout: the package itself is asked for
    first, second = needs.check().splitlines()
    assert "run  pip install pillow  and" in first and "run  pip install mistune  and" in second


def test_widgets_that_are_too_old_are_one_line_that_says_what_to_install(home, monkeypatch):
    for old, told in (("7.5.1", True), ("7.6.0", False), ("7.7.1", False), ("8.1.8", False)):
        monkeypatch.setattr(needs, "version", lambda _, old=old: old)
        line = needs.check()
        assert ("is too old for the panels" in line) == told and "\n" not in line
        assert ('pip install "ipywidgets>=7.6"' in line) == told


def test_jax_may_be_missing_and_a_folder_that_cannot_be_written_is_named(home, tmp_path, monkeypatch):
    assert "jax " in needs.check() and "JAX" not in needs.check()
    monkeypatch.setitem(sys.modules, "jax", None)
    line = needs.check()
    assert line.startswith("Ready: Python 3.") and "\n" not in line
    assert "JAX is not here" in line and "pip install jax" in line
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "file"))
    assert f"{tmp_path / 'file'} is not writable" in needs.check()


@pytest.mark.parametrize("command", ["pages", "pages.classroom --help", "pages.book --help", "measure --help"])
def test_a_python_without_docstrings_breaks_no_command(command):
    run = [sys.executable, "-OO", "-m", *f"accelerator_course.{command}".split()]
    assert "Traceback" not in subprocess.run(run, capture_output=True, text=True).stderr
