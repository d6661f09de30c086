"""Files of measurements: what is saved is loaded, what is none is one line; the reader's own or a brief session."""

import copy
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accelerator_course import measure
from accelerator_course.measure import file
from accelerator_course.measure.yours import yours
from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable


@pytest.fixture
def content(simulated):
    session, _ = simulated(20)
    list(session.steps())
    return session.content()


def test_what_is_saved_is_loaded(content, tmp_path):
    path = tmp_path / "mine.json"
    file.save(content, path)
    mine = measure.load(str(path))
    assert len(mine.measurements) == len(content["measurements"])
    assert [p.name for p in tmp_path.iterdir()] == ["mine.json"]
    first, entry = mine.measurements[0], content["measurements"][0]
    assert first.flops_per_s == entry["flops"] / entry["seconds"]
    assert first.spread == pytest.approx(0.4)


WRONG = [(said, path, value) for said, *path, value in data.parse(Path(__file__).with_suffix(".yaml"))]
WRONG += [
    ("xxxx... is too long", ["versions", "x" * 300], "1"),
    ("measurements.0.conditions.kind: ", ["measurements", 0, "conditions", "kind"], "\ud800"),
    ("measurements: a list of 2,001 is too long", ["measurements"], [{}] * 2001),
]


@pytest.mark.parametrize("said, path, value", WRONG)
def test_a_file_that_is_wrong_is_one_clear_line(content, tmp_path, said, path, value):
    wrong = place = copy.deepcopy(content)
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(wrong))
    with pytest.raises(measure.BadFile) as error:
        measure.load(path)
    line = str(error.value)
    assert said in line and "\n" not in line and len(line) < 500 and str(path) in line


HOSTILE = {
    "nothing": b"",
    "no JSON": b"{'a': 1}",
    "not a number": b'{"format": NaN}',
    "infinite": b'{"format_version": -Infinity}',
    "a list": b"[1, 2]",
    "deep": b"[" * 100_000,
    "no text": bytes(range(128, 256)),
    "a long number": b'{"format_version": ' + b"9" * 10_000 + b"}",
    "huge": b" " * 5_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_one_clear_line(tmp_path, name):
    path = tmp_path / "mine.json"
    path.write_bytes(HOSTILE[name])
    with pytest.raises(measure.BadFile) as error:
        measure.load(path)
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


@settings(max_examples=30, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    ),
    st.sampled_from(["device", "measurements", "versions", "date", "complete", "seconds"]),
)
def test_whatever_stands_in_a_field_it_is_read_or_refused_in_one_line(value, key):
    device = {"platform": "cpu", "name": "cores", "count": 1}
    whole = {"format": file.FORMAT, "format_version": 1, "date": "2026-01-01", "complete": True, "device": device}
    whole |= {"versions": {}, "measurements": [], key: value}
    try:
        mine = file.read(whole)
    except measure.BadFile as error:
        assert "\n" not in str(error)
    else:
        assert mine.measurements == ()


@pytest.mark.parametrize("path, error", [(None, TypeError), ("", TypeError), ("a\0b", TypeError), (3.5, TypeError)])
def test_a_path_that_is_none_is_one_clear_line(path, error):
    with pytest.raises(error, match="path must name a file"):
        measure.load(path)


def test_a_path_of_many_letters_is_one_bounded_line():
    for path in (["x" * 100_000], "x" * 100_000):
        with pytest.raises((TypeError, ValueError), match="^path ") as error:
            measure.load(path)
        assert len(str(error.value)) < 200


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_and_a_device_are_no_files(tmp_path, monkeypatch):
    """None is opened: a pipe would be waited for without end, a device read without end."""
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(file.Path, "read_bytes", lambda path: pytest.fail(f"{path} was opened"))
    for path in (tmp_path / "pipe", tmp_path, os.devnull):
        with pytest.raises(measure.BadFile, match="is no file$"):
            measure.load(path)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["products", "decode", "streams", "attention", "launches"]),
    *[st.sampled_from([0, 1e-300, 1e-9, 1.0, 1e9, 1e18, 1e21])] * 2,
    st.sampled_from([2e-12, 1e-3, 1.0, 1e18]),
)
def test_what_is_loaded_can_be_judged_and_drawn(content, group, flops, moved, seconds):
    """Its peak may come from one odd product alone."""
    odd = {"group": group, "flops": flops, "bytes_moved": moved, "seconds": seconds, "low": seconds, "high": seconds}
    streams = [each for each in content["measurements"] if each["group"] == "streams"]
    try:
        mine = file.read({**content, "measurements": [{**streams[0], **odd, "name": "odd"}, *streams]})
    except measure.BadFile as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    else:
        for look in (measure.judged, measure.overlay):
            try:
                assert look(mine)
            except NotAvailable as why:
                assert group not in file.COMPUTE and "is no published chip" in str(why)


def test_where_no_file_can_be_written_is_said_before_anything_is_measured(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        file.writable(tmp_path / "none" / "mine.json")
    with pytest.raises(IsADirectoryError, match="is a folder: name a file"):
        file.writable(tmp_path)
    assert file.writable(tmp_path / "mine.json")


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(content, tmp_path):
    path = tmp_path / "mine.json"
    file.save(content, path)
    before = path.read_bytes()
    with pytest.raises(ValueError):
        file.save({"seconds": float("nan")}, path)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


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
