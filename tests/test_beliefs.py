"""Beliefs: told only where two questions showed one, with what refutes it; tags that are few and say their condition."""

import re

import pytest

from accelerator_course.quiz import bank, beliefs, draw, grade

KINDS = ("predict", "quick", "quiz")
ENTRIES = [entry for topic in bank.topics() for kind in KINDS for entry in bank.load(topic).get(kind, ())]
WRONG = [part for entry in ENTRIES for part in (*entry.get("options", ()), *entry.get("mistakes", ()))]
FIRST, SECOND = "decode-upgrade", "slope-which-change"  # in both, more FLOP/s may seem to be faster


def answer(item, right=False, belief="M1", attempt=1):
    return {"kind": "answer", "item": item, "try": attempt, "right": right, "misconception": None if right else belief}


def test_a_belief_is_diagnosed_from_two_different_questions_until_one_is_right_at_first_sight():
    one, two = answer(FIRST), answer(SECOND)
    assert beliefs.diagnosed([one]) == beliefs.diagnosed([one, one, answer(FIRST, attempt=2)]) == {}
    assert beliefs.diagnosed([one, two]) == {"M1": (FIRST, SECOND)}
    assert beliefs.diagnosed([one, two, answer(SECOND, right=True, attempt=2)])  # mended at once proves little
    assert beliefs.diagnosed([one, two, answer(SECOND, right=True)]) == {}
    assert beliefs.diagnosed([one, two, answer(SECOND, right=True), one]) == {}
    assert beliefs.diagnosed([one, answer("ridge-point", right=True), two])  # a question that could not show it


OLDER = [answer(SECOND, belief="M2"), answer("ridge-point"), answer("a question that is gone")]
OLDER += [{"kind": "predict", "item": SECOND}, {"kind": "answer", "misconception": "M1"}]


@pytest.mark.parametrize("odd", OLDER)
def test_what_an_older_bank_called_a_belief_accuses_nobody(odd):
    assert beliefs.diagnosed([answer(FIRST), odd]) == {}


def test_what_is_told_names_the_questions_and_a_tag_says_under_which_condition_it_would_be_right():
    asked = "“One token passes through a layer of … inputs and …” (chapter 3) and “On an H100,"
    said = beliefs.told("M1", (FIRST, SECOND))
    assert said.startswith(f"Your answers to {asked}")
    assert "if this were true: **“More FLOP/s means faster.”** But with four times the peak alone" in said
    tagged = [part for part in WRONG if "if" in part]
    assert len(tagged) < len(WRONG) / 8
    for part in tagged:
        told = grade.reason(part)
        assert re.match(r"That would be right if [^A-Z]?\w.*[^.]\. It is not, because (?![A-Z][a-z]+\b)\S", told), told
        assert len(part["if"].split()) <= 16 and part["why"].endswith("."), told


@pytest.mark.parametrize("name", bank.misconceptions())
def test_every_belief_can_be_diagnosed(name):
    assert sum(name in shown for shown in beliefs.showing().values()) >= 2


@pytest.mark.parametrize("topic", bank.topics())
def test_whoever_answers_wrong_is_told_a_reason_and_never_a_belief(topic):
    for item in bank.items(topic):
        q = draw.question(item, 0)
        for place, (_, option) in enumerate(q.options if q.type == "choice" else ()):
            said = grade.choice(q, place).text
            assert not re.search(r"belie|\bM\d", said) and (("It is not, because" in said) == ("if" in option))
