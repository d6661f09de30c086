"""The log is read once, then only what was added; in memory old versions go, in the file nothing does."""

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import exercises
from accelerator_course.exercises import rungs
from accelerator_course.quiz import bank, beliefs, glance, progress, standing, tail, token


@pytest.fixture(autouse=True)
def fresh(home):
    """Every test here begins without progress."""


@pytest.fixture
def parsed(monkeypatch):
    """The lines that were parsed."""
    seen, parse = [], glance.parsed
    monkeypatch.setattr(glance, "parsed", lambda lines: seen.extend(lines) or parse(lines))
    return seen


def test_an_answer_costs_its_own_line_and_not_the_whole_log_again(parsed):
    for n in range(300):
        progress.record({"kind": "answer", "try": 1, "item": f"i{n}"})
        assert len(progress.events()) == n + 1
    assert 300 <= len(parsed) <= 310


def test_what_another_kernel_wrote_is_seen(parsed):
    progress.record({"n": 1})
    assert len(progress.events()) == 1
    with open(progress.path(), "ab") as log:
        log.write(b'\n{"n": 2}\n\n{"n": 3')
    assert sorted(e["n"] for e in progress.events()) == [1, 2]
    with open(progress.path(), "ab") as log:
        log.write(b"3}")
    assert sorted(e["n"] for e in progress.events()) == [
        1,
        2,
        33,
    ]  # a last line without an end counts, once it is whole
    progress.record({"n": 4})
    assert sorted(e["n"] for e in progress.events()) == [1, 2, 4, 33] and len(parsed) < 10


@pytest.mark.parametrize("edit", ["shorter", "longer", "as long", "another file", "an early line and an answer"])
def test_an_edited_log_is_read_anew(edit):
    for n in range(50):
        progress.record({"n": 100 + n})
    assert len(progress.events()) == 50
    file = progress.path()
    text = file.read_text()
    if edit == "shorter":
        file.write_text(text.replace('"n": 149', '"n": 1'))
    elif edit == "longer":
        file.write_text(text.replace('"n": 149', '"n": 1490'))
    elif edit == "as long":
        file.write_text(text.replace('"n": 100', '"n": 999'))
        os.utime(file, ns=(1, 1))
    elif edit == "another file":
        other = file.with_name("other")
        other.write_text(text.replace('"n": 100', '"n": 999') + "\n" * 50)
        other.replace(file)
    else:
        file.write_text(text.replace('"n": 100', '"n": 10000') + '\n{"n": 1}\n')
    found = [e["n"] for e in progress.events()]
    assert found == sorted((e["n"] for e in map(json.loads, filter(str.strip, file.read_text().split("\n"))) if "n" in e), key=found.index)  # fmt: skip


ITEMS = ["batched-layer", "batch-doubles", "gemm-flops", "a question that is gone"]
names = st.sampled_from(["a", "b", "03.1"])
ids, texts = st.sampled_from(["map", "copy"]), st.text('ab"\\\n}é', max_size=3)
times = st.integers(0, 40).map(lambda day: day * 86_400)
records = st.one_of(
    st.builds(lambda t, p: {"kind": "explore", "time": t, "panel": p}, times, names),
    st.builds(lambda t: {"kind": "opened", "time": t}, times),
    st.builds(lambda t, c, i: {"kind": "predict", "time": t, "chapter": c, "id": i}, times, st.just("roofline"), names),
    st.builds(lambda t, i, r, s: {"kind": "exercise", "time": t, "id": i, "right": r, "source": s}, times, names, st.booleans(), st.sampled_from(["", "x", "y"])),
    st.builds(
        lambda t, n, r, i, m: {"kind": "answer", "time": t, "item": i, "try": n, "right": r, "misconception": m},
        times, st.integers(1, 3), st.booleans(), st.sampled_from(ITEMS), st.sampled_from([None, "M1", "M2"]),
    ),
    st.builds(lambda t, p: {"kind": "quiz", "time": t, "chapter": "roofline", "points": p, "of": 5, "passed": p > 3, "seed": str(p)}, times, st.integers(0, 5)),
    st.builds(lambda t, c, x: {"kind": "explain", "time": t, "chapter": c, "text": x}, times, names, st.text(max_size=3)),
    st.builds(lambda t, p, v: {"kind": "kept", "time": t, "panel": p, "names": ["edge"], "values": [v]}, times, names, st.integers(0, 9)),
    st.builds(lambda t, v: {"kind": "dream", "time": t, "of": v}, times, names),
    st.builds(lambda t, i, s: {"kind": "draft", "time": t, "id": i, "source": s}, times, ids, texts),
    st.builds(
        lambda t, i, r, s, p, b: {"kind": "rung", "time": t, "id": i, "right": r, "source": s, "score": p if r else None, "star": b},
        times, ids, st.booleans(), texts, st.integers(0, 3), st.booleans(),
    ),
)  # fmt: skip


def seen(events):
    """Everything that a learner is shown of a log."""
    done = standing.chapter(events, "roofline", ["a", "b"], ["03.1", "a"])
    shown = [standing.scores(events), standing.missed(events), beliefs.diagnosed(events), standing.boxes(events)]
    last = {kind: [e for e in events if e.get("kind") == kind] for kind in ("explain", "kept", "exercise")}
    texts = {e.get("chapter"): e["text"] for e in last["explain"]}
    places = {e["panel"]: e["values"] for e in last["kept"]}
    sources = {e["id"]: e["source"] for e in last["exercise"] if e.get("source")}
    tried = {e["panel"] for e in events if e.get("kind") == "explore"}
    dreams = [e for e in events if e.get("kind") == "dream"]
    seeds = [e["seed"] for e in events if e.get("kind") == "quiz" and e["passed"]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "events", lambda kind=None: [e for e in events if kind in (None, e.get("kind"))])
        written = [rungs.last("map"), rungs.last("copy"), rungs.best(), rungs.stars(), rungs.tried("map")]
    return done, shown, texts, places, sources, tried, dreams, seeds, written, token.write(events)


@given(st.lists(records, max_size=60))
@settings(max_examples=60)
def test_nothing_that_is_shown_changes_when_old_records_are_compacted(log):
    kept = {n.to_bytes(4, "big"): record for n, record in enumerate(log)}
    compacted = tail.compact(kept)
    assert seen(tail.in_time(compacted.values())) == seen(tail.in_time(log))
    assert tail.compact(compacted) == compacted and all(kept[key] is compacted[key] for key in compacted)


@given(st.lists(records, max_size=60), st.sampled_from([300, 4000]))
@settings(max_examples=60)
def test_nothing_that_is_shown_changes_when_replaced_lines_are_not_parsed(tmp_path_factory, log, chunk):
    file = tmp_path_factory.mktemp("log") / "answers.jsonl"
    lines = [tail.line({"time": each["time"], **each}) for each in log]
    file.write_bytes(b"".join(b"\n%b\n" % line for line in lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tail, "CHUNK", chunk)
        read = tail.Log(file).renewed()
    assert seen(tail.in_time(read.records.values())) == seen(tail.in_time(dict(zip(lines, log, strict=True)).values()))  # fmt: skip


def test_old_versions_leave_the_memory_but_never_the_file(monkeypatch, tmp_path):
    monkeypatch.setattr(tail, "CHUNK", 1000)
    texts = [f"version {n}, {'x' * 90}" for n in range(60)]
    for n, text in enumerate(texts):
        progress.record({"kind": "explain", "chapter": "roofline", "text": text})
        progress.record({"kind": "answer", "item": f"i{n}", "try": 1, "right": True, "tags": ["M1"]})
        progress.events()
    tail._known.clear()
    events = progress.events()
    assert events[-2]["text"] == texts[-1] and sum(e["kind"] == "answer" for e in events) == 60
    assert sum(e["kind"] == "explain" for e in events) < 10
    saved = progress.save()
    assert all(text in saved for text in texts) and saved.count("\n") == 121
    monkeypatch.setenv(progress.HOME, str(tmp_path / "elsewhere"))
    assert progress.restore(saved) == (120, 0) and progress.restore(saved) == (0, 0)
    assert all(text in progress.save() for text in texts)


def test_a_clock_that_was_once_in_2096_hides_nothing_that_came_after():
    far, now, (first, second) = 4.0e9, time.time(), ("gemm-flops", "ridge-point")
    progress.record({"kind": "explain", "chapter": "roofline", "text": "before", "time": now - 9})
    progress.record({"kind": "explain", "chapter": "roofline", "text": "in 2096", "time": far})
    progress.record({"kind": "exercise", "id": "03.1", "right": False, "source": "in 2096", "time": far})
    progress.record({"kind": "answer", "item": first, "try": 1, "right": False, "time": far})
    progress.record({"kind": "answer", "item": second, "try": 1, "right": True, "time": far})
    progress.record({"kind": "explain", "chapter": "roofline", "text": "after", "time": now})
    progress.record({"kind": "exercise", "id": "03.1", "right": True, "source": "after", "time": now})
    progress.record({"kind": "answer", "item": first, "try": 1, "right": True, "time": now})
    assert progress.events("explain")[-1]["text"] == "after" and exercises.last("03.1") == "after"
    assert standing.missed(progress.events()) == []
    assert standing.boxes(progress.events())[bank.panels()[second][1]][1] < now + 2 * standing.DAY
    assert str(far) in progress.save()  # what was written stays as it is


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_place_of_the_log_is_left_aside(home):
    home.mkdir()
    os.mkfifo(home / "answers.jsonl")
    assert progress.record({"n": 1}) and [e["n"] for e in progress.events()] == [1]
    ((file, reason),) = progress.set_aside()
    assert (
        file == Path(home, "answers.jsonl") and reason == "it is no file" and progress.path().name == "answers-2.jsonl"
    )
