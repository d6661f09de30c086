"""Unstated: the same rows, with a word and without it."""

from math import log
from statistics import median

import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.validation import predict, report, unstated


def test_a_word_left_out_by_hand_costs_what_the_table_says():
    rows = [row for row in data.published("training").values() if row["basis"] == "seen"]
    rows = [row for row in rows if "recomputation" in row["conditions"] and not row["conditions"].get("claim")]
    off = []
    for row in rows:
        bare = {key: value for key, value in row["conditions"].items() if key != "recomputation"}
        off.append(abs(log(predict({**row, "conditions": bare}).value / row["value"])))
    found = unstated.missing("training", "recomputation")
    assert found.rows == len(rows) and found.unstated == pytest.approx(median(off)) and found.worst == max(off)


@pytest.mark.parametrize("kind", ["attention", "collective", "decode", "prefill", "serving"])
def test_rows_that_are_lost_are_those_that_the_door_refuses(kind):
    for each in unstated.costs(kind):
        words, lost = unstated.WORDS[kind][each.word], 0
        for row in data.published(kind).values():
            if not unstated.fittable(row) or not set(words) & set(row["conditions"]):
                continue
            try:
                predict(row)
            except NotAvailable:
                continue
            try:
                predict({**row, "conditions": {k: v for k, v in row["conditions"].items() if k not in words}})
            except NotAvailable:
                lost += 1
        assert each.lost == lost <= each.rows


@pytest.mark.parametrize("kind", unstated.WORDS)
def test_every_word_is_one_that_rows_of_its_kind_state_and_the_dearest_comes_first(kind):
    costs = unstated.costs(kind)
    assert {each.word for each in costs} == set(unstated.WORDS[kind]) and all(each.rows for each in costs)
    shares = [each.lost / each.rows for each in costs]
    assert shares == sorted(shares, reverse=True)
    free = [each.dearer for each in costs if not each.lost]
    assert free == sorted(free, reverse=True)


def test_every_row_that_no_model_predicts_has_a_reason():
    missing = sum(len(both["publisher"].missing) for both in report.report().values())
    assert sum(unstated.reasons().values()) == missing


def test_a_word_of_another_kind_is_one_line():
    with pytest.raises(UnknownName, match="shape"):
        unstated.missing("training", "shape")
    with pytest.raises(UnknownName):
        unstated.costs("trainings")


def test_recomputation_is_the_dearest_word_of_training_and_no_other_doubles_the_error():
    """As the question says that asks for it."""
    words = {each.word: each.unstated / each.stated for each in unstated.costs("training")}
    assert words.pop("recomputation") > 3 and max(words.values()) < 2
