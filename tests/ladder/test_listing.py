"""Listing: a class's kernels are run again; what a line claims counts for nothing."""

import pytest

from accelerator_course import ladder
from accelerator_course.ladder import listing, tokens

RUNGS = ladder.rungs()
GOOD, SLOW = ({id: text(RUNGS[id]) for id in ("map", "transpose")} for text in (lambda r: r.worked.text, lambda r: r.slow.text))  # fmt: skip


def test_a_class_is_listed_and_bad_lines_are_refused_one_by_one():
    lines = [
        "# our class",
        "",
        f"Ada: {tokens.write(GOOD, 1)}",
        f"Bob   Bobson {tokens.write(SLOW, 2)}",
        "Cleo KRN1-damaged",
        f"Dan {tokens.write({'map': 'out[0] = 1000000.0'}, 4)}",
        "KRN1-a KRN1-b",
        f"{tokens.write(GOOD, 1)} and more",
        "hello",
    ]
    found = listing.listing(lines)
    assert [(row.learner, row.rung, row.star) for row in found.rows] == [
        ("Ada", "map", True), ("Ada", "transpose", True), ("Bob Bobson", "map", False), ("Bob Bobson", "transpose", False),
        ("Dan", "map", False),
    ]  # fmt: skip
    assert [row.score for row in found.rows[:2]] == [RUNGS["map"].par, RUNGS["transpose"].par]
    assert found.rows[2].score == ladder.judge("map", SLOW["map"]).score and found.rows[4].score is None
    assert "a race" in str(found.rows[4]) and list(found.refused) == [5, 7, 8, 9]
    text = str(found)
    assert text.count("★") == 2 and "line 5 refused: token KRN1-damaged is damaged" in text and "line 7 refused" in text
    assert max(map(len, text.splitlines())) < 300


def test_of_several_kernels_of_one_learner_the_best_one_counts():
    lines = [f"Ada {tokens.write({'map': text}, 1)}" for text in (SLOW["map"], GOOD["map"], "x = 1", SLOW["map"])]
    (row,) = listing.listing(lines).rows
    assert row.star and row.score == RUNGS["map"].par


def test_two_learners_of_one_name_are_two_and_one_without_a_name_has_a_number():
    lines = [f"Ada {tokens.write({'map': GOOD['map']}, learner)}" for learner in (1, 2)]
    lines.append(tokens.write({"map": GOOD["map"]}, 255))
    names = [row.learner for row in listing.listing(lines).rows]
    assert names == ["Ada (00000001)", "Ada (00000002)", "(000000ff)"]


def test_a_text_that_many_sent_is_run_once(monkeypatch):
    asked = []
    monkeypatch.setattr(listing, "judge", lambda *given: asked.append(given) or ladder.judge(*given))
    rows = listing.listing([f"L{n} {tokens.write({'map': GOOD['map']}, n)}" for n in range(30)], seed=5).rows
    assert len(rows) == 30 and asked == [("map", GOOD["map"], 5)]


def test_there_are_limits(monkeypatch):
    monkeypatch.setattr(listing, "MOST_LINES", 3)
    monkeypatch.setattr(listing, "MOST_KERNELS", 1)
    found = listing.listing([tokens.write({"map": GOOD["map"]}, n) for n in range(5)])
    assert len(found.rows) == 1 and "only the first 1 kernels are run" in found.refused[2]
    assert "only the first 3 lines are read" in found.refused[4] and 5 not in found.refused
    many = listing.Listing((), dict.fromkeys(range(50), "x"))
    assert str(many).endswith("30 further lines refused") and "nobody has sent a kernel" in str(many)
    with pytest.raises(TypeError, match="line 1 must be text"):
        listing.listing([b"KRN1-"])


def test_names_of_control_signs_do_no_harm():
    (row,) = listing.listing(["\x1b[31m\u202eEve\t" + "x" * 100 + tokens.write({"map": GOOD["map"]}, 1)]).rows
    assert row.learner.isprintable() and len(row.learner) <= listing.NAME
