"""Tokens: a class is added up, nobody is lost in another, and what no course writes is told from a result."""

import base64
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refused import refused

from accelerator_course import syllabus
from accelerator_course.quiz import __main__ as command
from accelerator_course.quiz import bank, progress, read_token, token

CHAPTERS = len(syllabus.chapters())


ASKED = {topic: bank.load(topic)["quiz"][0]["id"] for topic in bank.topics()}
SHOWS = ("decode-upgrade", "slope-which-change")  # two questions in which more FLOP/s seem to be faster


def answer(time, right, topic="roofline"):
    return {"kind": "answer", "time": time, "item": ASKED[topic], "try": 1, "right": right}


def believed(item, belief="M1"):
    return {"kind": "answer", "time": 2, "item": item, "try": 1, "right": False, "misconception": belief}


def result(points, time=0):
    return {"kind": "quiz", "time": time, "chapter": "roofline", "points": points, "of": 5, "passed": points >= 3.5}


def opened(time):
    return {"kind": "opened", "time": time}


def forged(body, mark=token.MARK):
    """A token with a right checksum and whatever in it: the checksum is no secret."""
    body = bytes(body)
    return mark + base64.urlsafe_b64encode(body + token._sum(body)).decode().rstrip("=")


scores = st.dictionaries(st.sampled_from(bank.topics()), st.lists(st.booleans(), min_size=1, max_size=300))


@given(scores, st.lists(st.sampled_from([0, 1.25, 3.5, 5]), max_size=5), st.lists(st.sampled_from(SHOWS), max_size=3))
def test_a_token_says_what_the_log_says(answers, points, shown):
    events = [answer(0, right, topic) for topic, rights in answers.items() for right in rights]
    events += [result(p) for p in points]
    report = read_token(f"Dear teacher, mine is {token.write([*events, *map(believed, shown)])}.")
    assert report.beliefs == ({"M1": 1} if len(set(shown)) == 2 else {})
    report = read_token(token.write(events))
    assert set(report.answers) == set(answers) and not report.notes and not report.beliefs
    for topic, rights in answers.items():  # a byte holds up to 255 answers, more are scaled down
        many = len(rights)
        scaled = pytest.approx((255 * sum(rights) / many, 255), abs=0.5)
        assert report.answers[topic] == ((sum(rights), many) if many < 256 else scaled)
    assert report.chapters == ({"roofline": [max(points) / 5]} if points else {})


def test_two_learners_with_the_same_results_are_two_and_of_many_bad_tokens_the_first_are_named():
    tokens = [token.write([opened(1.7e9 + n / 1000), result(4, 1.8e9)]) for n in range(300)]
    report = read_token("\n".join(tokens))
    assert report.learners == 300 and report.chapters == {"roofline": [0.8] * 300} and not report.notes
    report = read_token("ACC5-A " * 1000 + tokens[0])
    assert len(report.notes) == token.TOLD + 1 and report.notes[-1] == f"{1000 - token.TOLD} more like these"
    assert str(report).endswith(report.notes[-1])


def test_two_who_begin_in_one_moment_are_two_and_a_best_quiz_that_falls_is_named(home, monkeypatch):
    monkeypatch.setattr(progress.time, "time", lambda: 1.7e9)
    tokens = []
    for drawn in "ab":
        monkeypatch.setattr(progress, "SELF", drawn)
        monkeypatch.setenv(progress.HOME, str(home / drawn))
        assert progress.record({"kind": "opened"}) and progress.record({"kind": "opened"})
        tokens.append(token.write(progress.events()))
    assert read_token(" ".join(tokens)).learners == 2 and progress.save().count('"log"') == 1
    mine, more = [opened(1), result(4, 9)], [opened(1), *[answer(5, False)] * 3, result(1, 9)]
    report = read_token(" ".join(map(token.write, (mine, more))))
    assert report.learners == 1 and "contradict each other: no best quiz falls" in report.notes[0]


def test_a_learner_who_sends_twice_counts_once_with_the_later_state():
    first = [opened(1.7e9), answer(1.7e9, False)]
    later = [*first, answer(1.8e9, True), result(5, 1.8e9)]
    twice = "more came from learners who are counted already: the one with most answers counts"
    for tokens in ([first, later], [later, first], [first, later, later]):
        report = read_token(" ".join(map(token.write, tokens)))
        assert (report.learners, report.answers, report.chapters) == (1, {"roofline": (1, 2)}, {"roofline": [1.0]})
        assert report.notes == (f"{len(tokens) - 1} {twice}",) and report.notes[0] in str(report)


def test_a_damaged_token_costs_only_itself_and_is_named():
    good, other = token.write([opened(1), result(4, 9)]), token.write([opened(2), answer(3, False), result(5, 9)])
    damaged = [good[:-3], good[:-1] + ("A" if good[-1] != "A" else "B"), "ACC5-zz", "ACC5-é", "ACC9-AAAA"]
    report = read_token("\n".join([damaged[0], good, *damaged[1:], other]))
    assert report.learners == 2 and report.chapters == {"roofline": [0.8, 1.0]} and len(report.notes) == 5
    assert str(report).count("is damaged: was all of it copied?") == 4 and "another version" in report.notes[-1]
    assert "0 of 1    roofline" in str(report)
    both = read_token(token.write([opened(1), *map(believed, SHOWS)]))
    assert f"   1 M1   {bank.misconceptions()['M1']['says']}" in str(both)
    refused(ValueError, r"damaged.*\(and 4 more\)", read_token, " ".join(damaged))


LINES = {  # what each is refused with
    "hello": "no token in",
    "ACC3-" + "A" * 40: f"ACC3-AAAAA.* is of another version; this one reads {token.MARK}",
    "ACC5-A " * 1000: r"damaged.*\(and 999 more\)$",
    "ACC5-A " * 1_400_000: "more than 100,000 tokens",
}


@pytest.mark.parametrize("text", LINES, ids=range(len(LINES)))
def test_what_holds_no_result_is_one_line(text, monkeypatch):
    if len(text) > 10**6:
        monkeypatch.setattr(token, "_read", None)  # before any is read
    refused(ValueError, LINES[text], read_token, text)
    for odd in (None, b"ACC3-A", 7, ["ACC3-A"]):
        refused(TypeError, "tokens are read from a text, not from", read_token, odd)


OWN, SCORES, NONE = [1, 2, 3, 4], [0] * CHAPTERS, [0, 0] * CHAPTERS
BODIES = {
    "1270 %": [*OWN, 255, *SCORES[1:], *NONE],
    "just above all": [*OWN, token.STEPS + 2, *SCORES[1:], *NONE],
    "more right than asked": [*OWN, *SCORES, 2, 1, *NONE[2:]],
    "a belief that there is not": [*OWN, *SCORES, *NONE, 200],
    "a belief twice": [*OWN, *SCORES, *NONE, 1, 1],
    "half a score": [*OWN, *SCORES, *NONE[1:]],
    "too few chapters": OWN,
    "nothing": [],
}
NEVER = {name: forged(body) for name, body in BODIES.items()}
NEVER |= {"zeros": token.MARK + "A" * 24, "a megabyte": token.MARK + "A" * 1_000_000}


@pytest.mark.parametrize("name", NEVER)
def test_what_no_course_writes_is_refused_and_costs_nobody_else_anything(name):
    with pytest.raises(ValueError, match=r"^token ACC\d-.{0,11}\.\.\. is (damaged|not of this course)") as said:
        read_token(NEVER[name])
    assert "\n" not in str(said.value) and len(str(said.value)) < 120
    report = read_token(f"{NEVER[name]}\n{token.write([opened(1), result(4, 9)])}")
    assert (report.learners, len(report.notes)) == (1, 1) and str(report)


@given(st.binary(max_size=150))
def test_any_bytes_with_a_right_checksum_are_a_result_or_one_line(body):
    try:
        report = read_token(forged(body))
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert str(report) and all(0 <= share <= 1 for best in report.chapters.values() for share in best)


def ran(*arguments, given=b"", encoding="ascii"):
    line = [sys.executable, "-W", "error", "-m", "accelerator_course.quiz", "token", *map(str, arguments)]
    return subprocess.run(line, input=given, capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding})


def test_the_command_reads_any_bytes_and_answers_any_console(tmp_path, capsys, monkeypatch):
    seen = [believed(item, "M8") for item in ("code-attainable", "honest-metric")]
    mine = token.write([opened(1), *seen, result(4, 9)])
    mails = "Grüße: “gut” ".encode("latin-1", "replace") + b"\xff\x00\xed\xa0\x80 " + mine.encode()
    (tmp_path / "mails.txt").write_bytes(mails)
    for run in (ran(tmp_path / "mails.txt"), ran(given=mails), ran("-", given=mails)):
        assert run.returncode == 0 and run.stdout.startswith(b"1 learner") and b"The datasheet?s peak" in run.stdout
        assert not run.stderr
    run = ran(tmp_path / "none.txt")
    assert run.returncode == 1 and b"No such file" in run.stderr and b"Traceback" not in run.stderr
    monkeypatch.setattr(command, "MOST_BYTES", len(mails) - 1)
    assert command.main(["token", str(tmp_path / "mails.txt")]) == 1
    assert "that is no list of tokens" in capsys.readouterr().err
