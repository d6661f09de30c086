"""Hostile kernels are answered in one line by every machine: tests/attacks/texts.py."""

import pytest
from attacks import texts

from accelerator_course import ladder

HOSTILE = dict(texts.hostile())


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_answered_in_one_line(name):
    said = texts.answers(HOSTILE[name])
    assert texts.wrong(said) == [] and set(said) == {*texts.RUNGS, "run"}, said


def test_what_is_right_stays_right_beside_them():
    assert len(HOSTILE) >= 55
    for id in texts.RUNGS.values():
        assert ladder.judge(id, ladder.rung(id).worked.text).star
    assert texts.wrong({"a": "", "b": "two\nlines", "c": "x" * 1000, "d": "one line"}) == ["a", "b", "c"]
