"""Rungs in the log: attempts are kept, the best text of each makes the token, a hostile log costs nothing."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refused import refused

from accelerator_course import ladder
from accelerator_course.exercises import rungs
from accelerator_course.ladder import tokens
from accelerator_course.quiz import progress, tail

MAP = ladder.rung("map")


pytestmark = pytest.mark.usefixtures("home")  # every test here begins without progress


def test_attempts_are_kept_and_the_best_text_is_told():
    assert rungs.last("map") == MAP.blank and rungs.best() == {} and tokens.read_token(rungs.token())[1] == {}
    assert not rungs.attempt("map", "x = 1").right
    for text in (MAP.slow.text, MAP.worked.text, MAP.slow.text):
        assert rungs.attempt("map", text).right
    assert rungs.last("map") == MAP.slow.text and rungs.best() == {"map": MAP.worked.text} and rungs.stars() == {"map"}
    learner, given = tokens.read_token(rungs.token())
    assert given == {"map": MAP.worked.text} and learner > 0
    events = progress.events("rung")
    assert [event["right"] for event in events] == [False, True, True, True]
    assert [event["star"] for event in events] == [False, False, True, False] and events[0]["score"] is None
    assert progress.left_out() == 0 and events[2]["score"] == MAP.par


def test_the_best_text_stays_when_old_ones_are_compacted(monkeypatch):
    monkeypatch.setattr(tail, "CHUNK", 300)
    rungs.attempt("map", MAP.worked.text)
    for n in range(8):
        rungs.attempt("map", f"# {n}\n{MAP.slow.text}")
        rungs.attempt("map", f"x = {n}")
        progress.events()
    tail._known.clear()
    assert rungs.best() == {"map": MAP.worked.text} and rungs.last("map") == "x = 7" and rungs.stars() == {"map"}
    assert len(progress.events("rung")) < 12


def test_kernels_that_the_token_has_no_room_for_are_left_out_and_named_and_a_claim_is_told_but_not_believed():
    progress.record({"kind": "rung", "id": "map", "right": True, "score": 1.0, "source": "x = 1", "star": True})
    assert tokens.read_token(rungs.token())[1] == {"map": "x = 1"} and not ladder.judge("map", "x = 1").right
    assert rungs.shared()[1] == ()
    for id in set(ladder.rungs()) - {"map"}:
        text = "".join(map(chr, np.random.default_rng([*id.encode()]).integers(0x4E00, 0x9FFF, 20_000)))
        progress.record({"kind": "rung", "id": id, "right": True, "source": text, "score": 1.0, "star": True})
    given = tokens.read_token(rungs.token())[1]
    assert given["map"] == "x = 1" and 2 <= len(given) < len(ladder.rungs())
    assert set(rungs.shared()[1]) == set(ladder.rungs()) - set(given)


@pytest.mark.parametrize(
    "change",
    [{"id": "maps"}, {"id": None}, {"source": "x" * 30_000}, {"score": None}, {"score": -1.0}, {"right": "yes"}],
)
def test_a_log_that_was_edited_costs_nothing(home, change):
    event = {"kind": "rung", "time": 1e9, "id": "map", "right": True, "score": 1.0, "source": "x = 1"} | change
    home.mkdir(exist_ok=True)
    (home / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (progress.FORMAT, event)))
    assert tokens.read_token(rungs.token())[1] == {} and isinstance(rungs.last("map"), str) and rungs.stars() == set()


words = st.text(max_size=4) | st.sampled_from(["map", "copy", "maps", "x = 1", "x" * 30_000])
plain = st.none() | st.booleans() | st.integers() | st.floats() | words
anything = plain | st.lists(plain, max_size=2) | st.dictionaries(st.text(max_size=2), plain, max_size=1)
known = dict.fromkeys(("id", "right", "source", "score", "star", "time"), anything)
odd = st.fixed_dictionaries({"kind": st.sampled_from(["rung", "draft"])}, optional=known)


@given(st.lists(odd, max_size=8))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_log_stops_what_reads_rungs(home, log):
    home.mkdir(exist_ok=True)
    (home / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in [progress.FORMAT, *log]))
    tail._known.clear()
    for id in ("map", "copy"):
        assert isinstance(rungs.last(id), str) and rungs.tried(id) in (True, False)
    assert all(isinstance(part, str) for pair in rungs.best().items() for part in pair)
    known = set(ladder.rungs())
    assert all(isinstance(id, str) for id in rungs.stars()) and set(tokens.read_token(rungs.token())[1]) <= known


def test_a_draft_is_the_last_text_until_another_is_judged_and_no_try():
    """A kernel is an honest try once it says more than the blank one."""
    assert rungs.draft("map", "x = 7") and rungs.last("map") == "x = 7" and not rungs.tried("map")
    rungs.attempt("map", MAP.blank)
    assert rungs.last("map") == MAP.blank and not rungs.tried("map")
    rungs.attempt("map", "x = 1")
    assert rungs.last("map") == "x = 1" and rungs.tried("map") and not rungs.tried("copy") and rungs.scores() == {}
    assert rungs.draft("map", "x = 8") and rungs.last("map") == "x = 8"
    for text in (MAP.worked.text, MAP.slow.text):
        rungs.attempt("map", text)
    assert rungs.scores() == {"map": MAP.par}
    for act in (rungs.attempt, rungs.draft):
        refused(KeyError, "did you mean 'map'", act, "maps", "x = 1")
