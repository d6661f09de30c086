"""Glance: which lines of a log are not parsed, and that all others are read as if one by one."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.quiz import fields, glance

MOVE = b'{"time": %d, "kind": "explore", "panel": "%b"}'
KEPT = b'{"time": %d, "kind": "draft", "id": "map", "source": "%b"}'


def test_of_lines_for_the_same_slot_the_last_and_the_earliest_are_left():
    lines = [MOVE % (n, b"dot") for n in range(1, 9)] + [KEPT % (n, b"x = %d" % n) for n in range(9, 20)]
    assert glance.still_count(lines) == [lines[0], lines[7], lines[18]]
    shuffled = [*lines[4:8], *lines[:4], *lines[8:]]
    assert glance.still_count(shuffled) == [lines[7], lines[0], lines[18]]
    others = [MOVE % (50, b"grid"), b'{"time": 51, "kind": "quiz"}', b"torn"]
    assert glance.still_count(lines + others) == [lines[0], lines[7], lines[18], *others]
    same = [MOVE % (1, b"a"), MOVE % (5, b"dot"), KEPT % (5, b"1"), KEPT % (5, b"2"), MOVE % (5, b"dot")]
    assert glance.still_count(same) == same  # of two at the same instant both are parsed


TEXTS = [b"", b"\\\\", b"\\u00e9", b"\\q", b'a"b', b"a\tb", b"a\\", b'a", "time": "b', b"x" * (fields.TEXT + 1)]
PANELS = [b"x" * 300, b"\xc3\xa9", b'a", "b": "c']
OTHERS = rb"""{"time": 07, "kind": "draft", "id": "map", "source": "x"}
{"time": 7., "kind": "explore", "panel": "dot"}
{"time": true, "kind": "explore", "panel": "dot"}
{"time": 7, "kind": "answer", "try": 1}""".splitlines()
OTHERS += [KEPT % (7, b"x") + b"}", b"[" + KEPT % (7, b"x"), MOVE % (4 * 10**9, b"dot")]


@pytest.mark.parametrize("line", [*(KEPT % (7, text) for text in TEXTS), *(MOVE % (7, one) for one in PANELS), *OTHERS])
def test_a_line_that_needs_a_second_look_is_parsed(line):
    lines = [MOVE % (1, b"first"), line, MOVE % (9, b"dot"), KEPT % (9, b"y")]
    assert glance.still_count(lines) == lines


@given(st.lists(st.tuples(st.integers(1, 99), st.sampled_from(["map", "copy"]), st.text(max_size=9)), max_size=30))
def test_whatever_is_passed_over_has_a_later_line_of_its_own_slot(drawn):
    records = [{"time": when, "kind": "draft", "id": id, "source": text} for when, id, text in drawn]
    lines = [json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") for record in records]
    left = glance.still_count(lines)
    for record in (json.loads(line) for line in lines if line not in left):
        assert fields.sound(record) and record["source"]
        assert any(other["time"] > record["time"] and other["id"] == record["id"] for other in map(json.loads, left))


LINES = rb"""{"kind": "explore", "panel": "a"}
{"kind": "answer", "try": 1, "tags": ["M1"]}
{"kind": "dream", "a": [1]}
{"kind": "explore", "panel": 1}
{"a": {}}
{"a": [{}
{}]}
{},{}
{"a": ["}
{"]}
{
[1]
1
{"a": 1}}
{"kind": "quiz", "points": NaN}""".splitlines()
LINES += [b"\xff", b'{"a": ' + b"9" * 5000 + b"}", b"[" * 100_000, b'{"a": "\xff"}']


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_many_lines_are_read_as_one_by_one(lines):
    assert list(glance.parsed(lines)) == [(line, *glance.one(line)) for line in lines]


def test_many_lines_are_parsed_in_few_calls(monkeypatch):
    calls, loads = [], json.loads
    monkeypatch.setattr(glance.json, "loads", lambda text: calls.append(text) or loads(text))
    lines = [MOVE % (time.time() - n, b"dot") for n in range(3 * glance.TOGETHER)]
    assert len(list(glance.parsed(lines))) == len(lines) and len(calls) == 3
    assert len(list(glance.parsed([*lines, b"torn"]))) == len(lines) + 1 and len(calls) == 3 + 4
