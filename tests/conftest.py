"""All tests: progress goes to a folder of its own, measurements are brief, notebooks end with a sweep."""

import os
import tempfile

import pytest
import sweep_plugin  # every collected notebook gets its sweep
from hypothesis import settings

HOME = tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True)
os.environ["ACCELERATOR_COURSE_HOME"] = HOME.name
os.environ["ACCELERATOR_COURSE_SHORT"] = "1"

settings.register_profile("ci", derandomize=True, deadline=None)  # the same cases in every run, on a busy machine
settings.register_profile("here", deadline=None)  # elsewhere new ones are tried
settings.load_profile("ci" if os.environ.get("CI") == "true" else "here")


def pytest_unconfigure():
    """Nothing stays in the system's folder for temporary files: a worker of xdist ends without Python's own clean-up."""
    HOME.cleanup()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A fresh folder for the learner's progress, with nothing waiting to be written to it."""
    from accelerator_course.quiz import progress

    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "home"))
    progress._waiting.clear()
    yield tmp_path / "home"
    progress._waiting.clear()


@pytest.fixture(scope="module")
def browser():
    """A running headless browser; where there is none, CI fails and everyone else skips (IN_BROWSER)."""
    from browser import HOW, MISSING, SHOTS, session

    if MISSING:
        pytest.fail(f"the browser tests must run here: {HOW}")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with session() as running:
        yield running


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """What takes longest begins first (two workers then end together), and the tests of an open chapter are neighbours."""
    if any(item.path.suffix == ".ipynb" for item in items):
        items[:] = sweep_plugin.shared(items)  # a chapter runs once
    files = {path: place for place, path in enumerate(dict.fromkeys(item.path for item in items))}

    def place(item):
        params = getattr(getattr(item, "callspec", None), "params", {})
        return item.get_closest_marker("browser") is None, files[item.path], str(params.get("chapter", ""))

    items.sort(key=place)
