"""Yours: the reader's file, or a brief session in its place."""

import pytest

from accelerator_course import measure
from accelerator_course.measure import file
from accelerator_course.measure.yours import yours


def test_without_a_file_a_brief_session_is_run_and_read_as_if_it_were_one(simulated, tmp_path):
    session, _ = simulated(seconds=8)
    asked = []
    *before, last = yours(tmp_path / "mine.json", lambda seconds: asked.append(seconds) or session, 8.0)
    assert asked == [8.0] and before and all(each.result is None for each in before)
    assert isinstance(last.result, measure.Mine) and last.result.measurements
    assert not (tmp_path / "mine.json").exists()


def test_a_file_is_read_and_nothing_is_measured(simulated, tmp_path):
    session, _ = simulated(seconds=8)
    list(session.steps())
    file.save(session.content(), tmp_path / "mine.json")
    (only,) = yours(tmp_path / "mine.json", session=None)
    assert only.result == measure.load(tmp_path / "mine.json") and "mine.json" in only.doing


def test_a_file_that_is_none_says_so(tmp_path):
    (tmp_path / "mine.json").write_text("{}")
    with pytest.raises(measure.BadFile, match="was not written by"):
        list(yours(tmp_path / "mine.json"))
