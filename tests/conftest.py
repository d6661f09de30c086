"""All tests: progress goes to a folder of its own, measurements are brief, notebooks end with a sweep."""

import os
import tempfile

import pytest
import sweep_plugin  # noqa: F401  every collected notebook gets its sweep
from hypothesis import settings

os.environ["ACCELERATOR_COURSE_HOME"] = tempfile.mkdtemp(prefix="course-")
os.environ["ACCELERATOR_COURSE_SHORT"] = "1"

settings.register_profile("ci", derandomize=True)  # the same cases in every run; elsewhere new ones are tried
if os.environ.get("CI") == "true":
    settings.load_profile("ci")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A fresh folder for the learner's progress."""
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
