"""The log is read once, then only what was added; in memory old versions go, in the file nothing does."""

import json
import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import exercises
from accelerator_course.exercises import rungs
from accelerator_course.quiz import beliefs, glance, progress, schedule, standing, tail, token

pytestmark = pytest.mark.usefixtures("home")  # every test here begins without progress


@pytest.fixture
def parsed(monkeypatch):
    """The lines that were parsed."""
    seen, parse = [], glance.parsed
    monkeypatch.setattr(glance, "parsed", lambda lines: seen.extend(lines) or parse(lines))
    return seen


def test_an_answer_costs_its_own_line_and_what_another_kernel_wrote_is_seen(parsed):
    for n in range(1, 301):
        progress.record({"kind": "answer", "try": 1, "item": f"i{n}", "n": n})
        assert len(progress.events()) == n
    assert 300 <= len(parsed) <= 310  # and not the whole log again
    append(b'\n{"n": 301}\n\n{"n": 3')
    assert sorted(numbers()) == [*range(1, 302)]
    append(b"02}")
    assert sorted(numbers()) == [*range(1, 303)]  # a last line without an end counts, once it is whole
    progress.record({"n": 303})
    assert sorted(numbers()) == [*range(1, 304)] and len(parsed) < 320


def numbers():
    return [e["n"] for e in progress.events()]


def append(content):
    with open(progress.path(), "ab") as log:
        log.write(content)


EDITS = {  # a number, what stands there then, what is added
    "shorter": (149, 1, ""),
    "longer": (149, 1490, ""),
    "as long": (100, 999, ""),
    "another file": (100, 999, "\n" * 50),
    "an early line and an answer": (100, 10_000, '\n{"n": 1}\n'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_log_is_read_anew(edit):
    for n in range(50):
        progress.record({"n": 100 + n})
    assert len(progress.events()) == 50
    file, (old, new, more) = progress.path(), EDITS[edit]
    other = file.with_name("other") if edit == "another file" else file
    other.write_text(file.read_text().replace(f'"n": {old}', f'"n": {new}') + more)
    other.replace(file)
    if edit == "as long":
        os.utime(file, ns=(1, 1))
    there = [each for each in map(json.loads, filter(str.strip, file.read_text().split("\n"))) if "n" in each]
    assert sorted(numbers()) == sorted(each["n"] for each in there)


ITEMS = ["batched-layer", "batch-doubles", "gemm-flops", "a question that is gone"]
names, right = st.sampled_from(["a", "b", "03.1"]), st.booleans()
ids, texts = st.sampled_from(["map", "copy"]), st.text('ab"\\\n}é', max_size=3)
times = st.integers(0, 40).map(lambda day: day * 86_400)


def record(kind, **fields):
    """Records of a kind: fields are strategies, or what always stands there."""
    fields = {"kind": kind, "time": times, **fields}
    return st.fixed_dictionaries({n: v if isinstance(v, st.SearchStrategy) else st.just(v) for n, v in fields.items()})


def quiz(time, points):
    rest = {"of": 5, "passed": points > 3, "seed": str(points)}
    return {"kind": "quiz", "time": time, "chapter": "roofline", "points": points, **rest}


rung = record("rung", id=ids, right=right, source=texts, score=st.integers(0, 3), star=right)
belief = st.sampled_from([None, "M1", "M2"])
records = st.one_of(
    record("explore", panel=names),
    record("opened"),
    record("predict", chapter="roofline", id=names),
    record("exercise", id=names, right=right, source=st.sampled_from(["", "x", "y"])),
    record("answer", item=st.sampled_from(ITEMS), **{"try": st.integers(1, 3)}, right=right, misconception=belief),
    st.builds(quiz, times, st.integers(0, 5)),
    record("explain", chapter=names, text=st.text(max_size=3)),
    record("kept", panel=names, names=["edge"], values=st.tuples(st.integers(0, 9)).map(list)),
    record("dream", of=names),
    record("draft", id=ids, source=texts),
    rung.map(lambda one: one | ({} if one["right"] else {"score": None})),
)


def seen(events):
    """Everything that a learner is shown of a log."""
    done = standing.chapter(events, "roofline", ["a", "b"], ["03.1", "a"])
    shown = [standing.scores(events), standing.missed(events), beliefs.diagnosed(events), schedule.memory(events)]
    kinds = ("explain", "kept", "exercise", "explore", "quiz")
    of = {kind: [e for e in events if e.get("kind") == kind] for kind in kinds}
    texts, places = {e["chapter"]: e["text"] for e in of["explain"]}, {e["panel"]: e["values"] for e in of["kept"]}
    sources = {e["id"]: e["source"] for e in of["exercise"] if e.get("source")}
    seeds, tried = [e["seed"] for e in of["quiz"] if e["passed"]], {e["panel"] for e in of["explore"]}
    dreams = [e for e in events if e.get("kind") == "dream"]
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
    whole = dict(zip(lines, log, strict=True))
    assert seen(tail.in_time(read.records.values())) == seen(tail.in_time(whole.values()))


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
    assert sum(e["kind"] == "explain" for e in events) < 20  # those that came since the last time it was compacted
    saved = progress.save()
    assert all(text in saved for text in texts) and saved.count("\n") == 121
    monkeypatch.setenv(progress.HOME, str(tmp_path / "elsewhere"))
    assert progress.restore(saved) == (120, 0) and progress.restore(saved) == (0, 0)
    assert all(text in progress.save() for text in texts)


def test_a_clock_that_was_once_in_2096_hides_nothing_that_came_after():
    far, now, (first, second) = 4.0e9, time.time(), ("gemm-flops", "ridge-point")

    def wrote(kind, when, **fields):
        progress.record({"kind": kind, "time": when, **fields})

    wrote("explain", now - 9, chapter="roofline", text="before")
    wrote("answer", far, item=second, right=True, **{"try": 1})
    for when, right, words in ((far, False, "in 2096"), (now, True, "after")):
        wrote("explain", when, chapter="roofline", text=words)
        wrote("exercise", when, id="03.1", right=right, source=words)
        wrote("answer", when, item=first, right=right, **{"try": 1})
    assert progress.events("explain")[-1]["text"] == "after" and exercises.last("03.1") == "after"
    assert standing.missed(progress.events()) == []
    assert schedule.memory(progress.events())[second].due.timestamp() < now + 3 * 86_400
    assert str(far) in progress.save()  # what was written stays as it is


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_place_of_the_log_is_left_aside(home):
    home.mkdir()
    os.mkfifo(home / "answers.jsonl")
    assert progress.record({"n": 1}) and numbers() == [1] and progress.path().name == "answers-2.jsonl"
    assert progress.set_aside() == [(home / "answers.jsonl", "it is no file")]
