"""The log of what a learner did: nothing is lost, whatever happens, and what is computed from it."""

import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import exercises
from accelerator_course.quiz import bank, draw, fields, progress, read_token, schedule, standing, token
from accelerator_course.widgets import checkpoint, explain, quiz, review, warm_up
from accelerator_course.widgets import progress as show_progress
from accelerator_course.widgets.progress import certificate
from accelerator_lib import data

DAY = 86_400


pytestmark = pytest.mark.usefixtures("home")  # every test here begins without progress


def numbers():
    return sorted(event["n"] for event in progress.events())


def test_every_answer_is_kept_and_read_back():
    assert progress.events() == []
    assert progress.record({"kind": "answer", "item": "ä"}) and progress.record({"kind": "quiz"})
    assert [event["kind"] for event in progress.events()] == ["answer", "quiz"]
    assert progress.events("answer")[0]["item"] == "ä"


TAILS = [b'{"n": 2, "text": "torn \xff', b"\x00\x00\x00", b"{]", b"[1, 2]", b'{"n": {"a": 1}}']


def write(home, content):
    """A log as somebody or something has left it."""
    home.mkdir(exist_ok=True)
    (home / "answers.jsonl").write_bytes(content)


@pytest.mark.parametrize("tail", TAILS)
def test_a_torn_or_odd_line_costs_nothing_but_itself_and_a_truncated_file_keeps_its_whole_lines(tail):
    progress.record({"n": 1})
    with open(progress.path(), "ab") as log:
        log.write(tail)
    progress.record({"n": 3})
    assert numbers() == [1, 3]
    content = progress.path().read_bytes()
    for cut in (1, 5, 20, 30):
        progress.path().write_bytes(content[:-cut])
        progress.record({"n": 9})
        assert numbers() == [*(n for n in (1, 3) if b'"n": %d}' % n in content[:-cut]), 9]


NEWER = b'{"kind": "format", "version": 2}\n{"n": 7}\n'


@pytest.mark.parametrize("content, reason", [(b"\x89PNG not a log", "damaged"), (NEWER, "newer version"), (b"", "")])
def test_a_damaged_or_newer_file_is_left_aside_and_named_and_an_empty_one_is_a_beginning(home, content, reason):
    write(home, content)
    assert progress.record({"n": 1}) and progress.record({"n": 2}) and numbers() == [1, 2]
    for file, why in progress.set_aside():
        assert file.read_bytes() == content and reason in why and progress.path().name == "answers-2.jsonl"
    assert len(progress.set_aside()) == bool(reason)


def test_a_folder_that_cannot_be_written_is_no_crash_and_the_answers_wait(tmp_path, monkeypatch):
    progress.record({"kind": "quiz", "n": 0})
    saved = progress.save()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "file"))
    with pytest.raises(OSError, match="cannot be written"):
        progress.restore(saved)
    assert numbers() == [0]  # for now
    assert progress.record({"n": 1}) is False and numbers() == [0, 1] and '"n": 1' in progress.save()
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "free"))
    assert progress.record({"n": 2}) is True
    progress._waiting.clear()
    assert numbers() == [0, 1, 2]


def refuse(*_):
    raise PermissionError(30, "Read-only file system")


def test_a_read_only_file_is_no_crash(monkeypatch):
    progress.record({"n": 1})
    with monkeypatch.context() as patched:
        patched.setattr(progress.os, "open", refuse)
        assert progress.record({"n": 2}) is False
    assert progress.record({"n": 3}) and numbers() == [1, 2, 3]


FULL = """import resource, sys
from accelerator_course.quiz import progress
progress.record({"n": 0})
resource.setrlimit(resource.RLIMIT_FSIZE, (progress.path().stat().st_size + 20, resource.RLIM_INFINITY))
full = [progress.record({"n": n, "text": "x" * 50}) for n in (1, 2)]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(full, progress.record({"n": 3}), sorted(e["n"] for e in progress.events()))"""
WRITER = """import sys
from accelerator_course.quiz import progress
for n in range(int(sys.argv[1]), int(sys.argv[2])):
    assert progress.record({"n": n})"""
KILLED = """import os, random, signal, sys, time
from accelerator_course.quiz import progress

draw, kills, acknowledged = random.Random(1), 200, 0
for child in range(kills):
    read, write = os.pipe()
    pid = os.fork()
    if not pid:                      # a learner who answers as fast as can be, and reports what was stored
        os.close(read)
        n = 0
        while True:
            if progress.record({"n": child * 1_000_000 + n}):
                os.write(write, b"%d\\n" % (child * 1_000_000 + n))
            n += 1
    os.close(write)
    reported, wanted = b"", draw.randint(1, 3)
    while reported.count(b"\\n") < wanted:           # however slow the machine: so much work, then at any instant
        part = os.read(read, 4096)
        assert part, "the learner stopped"
        reported += part
    time.sleep(draw.uniform(0, 0.004))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    with os.fdopen(read, "rb") as pipe:
        stored = [int(line) for line in (reported + pipe.read()).splitlines()]
    assert len(stored) >= wanted
    acknowledged += len(stored)
    kept = {e["n"] for e in progress.events()}
    assert kept.issuperset(stored), sorted(set(stored) - kept)
print(acknowledged)"""


def run(code, *arguments):
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


def test_a_full_disk_loses_nothing_once_there_is_room_again():
    assert run(FULL).communicate()[0].strip() == "[False, False] True [0, 1, 2, 3]"
    assert numbers() == [0, 1, 2, 3]


def test_threads_lose_nothing_and_what_is_no_json_stops_nothing_that_comes_after():
    def write(first):
        return [progress.record({"n": n}) for n in range(first, first + 40)]

    with pytest.raises(TypeError, match="not JSON"):
        progress.record({"n": np.int64(7)})
    with ThreadPoolExecutor(8) as pool:
        assert all(all(kept) for kept in pool.map(write, range(0, 320, 40)))
    assert numbers() == list(range(320))
    for seed in (np.int64(7), 0):
        one, other = quiz("roofline", seed=seed), quiz("roofline", seed=seed)
        assert [item.question for item in one.items] == [item.question for item in other.items]
    for item in quiz("roofline", seed=np.int64(7)).items:
        item.widget.receive({"ask": "show"})
    assert progress.events("quiz")[-1]["seed"] == "7"


def test_two_writers_at_once_lose_nothing():
    assert [writer.wait() for writer in [run(WRITER, "0", "100"), run(WRITER, "100", "200")]] == [0, 0]
    assert numbers() == list(range(200))


def test_of_200_kills_at_random_instants_none_loses_an_answer():
    killed = run(KILLED)
    told, _ = killed.communicate()
    assert killed.returncode == 0 and int(told) >= 200  # every child had stored one at least before it was killed


TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
TOPIC = {id: panel for id, (_, panel) in bank.panels().items()}


def answer(day, right, item, attempt=1):
    return {"kind": "answer", "item": item, "time": day * DAY, "try": attempt, "right": right}


def result(points, chapter="roofline", **more):
    return {"kind": "quiz", "chapter": chapter, "points": points, "of": 5, "passed": points >= 3.5, **more}


def test_what_was_answered_is_due_when_its_recall_falls_to_nine_in_ten():
    """By the library's own formula of forgetting: (1 + F t / S) ** -decay, at the last whole day before and after."""
    events = [answer(day, True, "gemm-flops") for day in (0, 2, 12)]
    for many in (1, 2, 3):
        kept, at = schedule.memory(events[:many])["gemm-flops"], events[many - 1]["time"]
        decay = schedule.scheduler().parameters[20]
        days = (kept.due - schedule._date(at)).days
        recall = [(1 + (0.9 ** (-1 / decay) - 1) * (days + d) / kept.stability) ** -decay for d in (-0.5, 0.5)]
        assert recall[0] >= 0.9 >= recall[1]
        assert schedule.due(events[:many], at + (days - 1) * DAY) == []
        assert schedule.due(events[:many], at + days * DAY) == ["gemm-flops"]
    wrong = [*events, answer(40, False, "gemm-flops")]
    assert schedule.memory(wrong)["gemm-flops"].stability < kept.stability / 3
    assert schedule.memory([answer(0, True, "order-ridge")]) == {}  # it draws no numbers


def test_a_day_asks_for_ten_at_most():
    events, now = [answer(0, False, card) for card in list(schedule.cards())[:30]], 400.5 * DAY
    assert schedule.today(events, now)[1] == 10
    assert schedule.told(events, now) == "10 questions are due: about 10 minutes. 20 more can wait."
    came = [answer(400.5, False, card) | {"seed": f"review {n}"} for n, card in enumerate(list(schedule.cards())[:8])]
    assert schedule.today([*events, *came], now)[1] == 2
    assert schedule.told([], now) == "" and "comes back tomorrow" in schedule.told(came[:1], now)


@pytest.mark.parametrize("card", schedule.cards())
def test_three_draws_of_one_item_never_repeat_numbers(card):
    item, events, asked = schedule.cards()[card][1], [], []
    for _ in range(5):
        events.append({"kind": "answer", "item": card, "seed": schedule.seed(events, item)})
        asked.append(draw.question(item, events[-1]["seed"]).ask)
    assert all(len(set(asked[at : at + 3])) == 3 for at in range(3))


def test_only_first_answers_count_and_what_was_mended_since_is_not_missed():
    events = [answer(0, False, "ridge-point"), answer(0, False, "gemm-flops"), answer(0, True, "ridge-point", 2)]
    events += [answer(1, True, "gemm-flops"), answer(2, False, "a question that is gone")]
    assert standing.missed(events) == [TOPIC["ridge-point"]]
    assert standing.scores(events) == {"workload": (1, 2), "roofline": (0, 1)}


def test_a_chapter_shows_its_best_quiz_and_what_was_done():
    done = standing.chapter([result(4), result(2), *TABLE["done"]], "roofline", ["dot", "wall"], ["03.1", "03.2"])
    assert (done.best, done.passed, done.explored, done.solved, done.predicted) == (0.8, True, 1, 1, 1)
    assert standing.chapter([], "roofline").best is None


def test_restoring_adds_what_is_missing_and_takes_nothing_away(tmp_path, monkeypatch):
    progress.record(result(2))
    saved = progress.save()
    monkeypatch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path / "elsewhere"))
    progress.record(result(5))
    assert [progress.restore(text) for text in (saved, saved, progress.save())] == [(1, 0), (0, 0), (0, 0)]
    assert standing.chapter(progress.events(), "roofline").best == 1.0 and len(progress.events("quiz")) == 2


NONE = ["", '{"kind": "quiz"}', "[" * 5000, '{"kind": "format", "version": 2}', "x" * 20_000_001]
NONE += [json.dumps({"kind": "format", "version": version}) for version in ("2", -1, None, 1.5, [1], 10**9)]


@pytest.mark.parametrize("text", NONE, ids=range(len(NONE)))
def test_a_file_that_is_no_progress_is_refused_in_one_line(text):
    message = {NONE[3]: "newer version", NONE[4]: "at most 20 MB"}.get(text, "not a saved progress")
    with pytest.raises(ValueError, match=message):
        progress.restore(f"{text}\n{json.dumps(result(4))}" if "format" in text else text)


def lines(*records):
    return "\n".join(map(json.dumps, records))


def test_records_with_an_odd_field_stay_in_the_log_and_are_not_counted(home):
    """Of a restore they are left out: test_hostile_logs.py."""
    dream = {"kind": "dream", "panel": ["a"], "time": "now", "chapter": ["checkpoint-3"]}  # of tomorrow
    text = lines(progress.FORMAT, {"kind": "explore", "panel": ["a"]}, result(4), dream)
    write(home, text.encode())
    assert progress.left_out() == 1 and [event["kind"] for event in progress.events()] == ["quiz", "dream"]
    assert "answers.jsonl: 1 entry is not what this course writes: not counted, and left" in show_progress().note
    assert progress.record({"kind": "opened"}) and progress.path().read_text().startswith(text)
    panel = show_progress()
    panel.receive({"restore": lines(progress.FORMAT, {"kind": None}, {"kind": ["explore"]}, result(5), dream)})
    assert "1 new entries were added" in panel.note and "2 entries are not what this course writes" in panel.note


WRITTEN = TABLE["written"]
STRANGE = [10**400, -1e-9, 1e308, "x" * 10_000, "M" + "9" * 5000]
STRANGE += ["M\u00b2", "\ud800", "checkpoint-$x^{$", "$\\frac{$", "\0"]
PLACES = [(kind, field) for kind, known in WRITTEN.items() for field in ("kind", "time", *known)]
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(STRANGE)
anything = st.recursive(leaves, lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=6)
MISSING = object()


def changed(kind, field, value):
    record = {"kind": kind, "time": 1e9, **WRITTEN[kind], field: value}
    return {name: value for name, value in record.items() if value is not MISSING}


def test_the_table_of_fields_knows_everything_that_is_written():
    assert set(fields.KINDS) == {*WRITTEN, "format"} - {"dream"}
    for kind, known in WRITTEN.items():
        assert fields.sound(changed(kind, "time", 1.5)) and set(known) == set(fields.KINDS.get(kind, known))


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.sampled_from(PLACES), anything | st.just(MISSING)), min_size=1, max_size=20), st.booleans()
)
def test_no_value_in_any_field_stops_a_quiz_or_the_table_of_progress(changes, restored):
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patched:
        patched.setenv(progress.HOME, home)
        records = lines(progress.FORMAT, *(changed(*place, value) for place, value in changes))
        if restored:
            progress.restore(records)
        else:
            Path(home, "answers.jsonl").write_text(records)
        events = progress.events()
        schedule.told(events, time.time())
        draw.choose(bank.load("roofline")["quiz"], 3, seed=1, before=[event.get("item") for event in events])
        for shown in (quiz("roofline"), warm_up("tiling"), checkpoint(3), review(), show_progress()):
            shown._repr_mimebundle_()
        read_token(token.write(events))
        exercises.last("03.1")
        explain("roofline")
        progress.restore(progress.save())


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_page_can_be_printed_whatever_the_seed(kind):
    for place, seed in enumerate(["$\\frac{$", "\0\n\t", "\u4f60", "x" * 10_000]):
        progress.record(result(5, "checkpoint-3", seed=seed) | {"time": place})
    progress.record(result(5, "checkpoint-$x^{$"))
    assert len(certificate(kind)) > 1000


def test_the_log_lies_in_the_users_own_folder_and_a_browser_that_keeps_no_files_is_said_to_keep_none(
    monkeypatch, tmp_path
):
    """A folder beside the drive would be gone with the page."""
    monkeypatch.delenv(progress.HOME)
    assert Path.home() in progress.folder().parents and progress.folder().name == "accelerator-course"
    monkeypatch.setattr(progress.sys, "platform", "emscripten")
    monkeypatch.setenv(progress.HOME, str(tmp_path / "drive" / "progress"))
    assert not progress.record({"kind": "opened"})
    (tmp_path / "drive").mkdir()
    assert progress.record({"kind": "explore", "panel": "dot"})
    assert [event["kind"] for event in progress.events()] == ["opened", "explore"]
