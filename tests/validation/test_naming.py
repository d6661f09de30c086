"""Names of rows: each its own, and no longer than they must be."""

import pytest

from accelerator_lib import data
from accelerator_lib.validation import rows


@pytest.mark.parametrize("kind", rows.KINDS)
def test_no_two_rows_of_a_kind_have_one_name(kind):
    names = [rows.name(kind, id) for id in data.published(kind)]
    assert len(set(names)) == len(names)


def test_a_row_that_is_alone_on_its_device_needs_no_more_words():
    alike = {}
    for id, row in data.published("training").items():
        alike.setdefault((row.get("workload") or "", row["device"]), []).append(id)
    for ids in alike.values():
        assert (rows.beside("training")[ids[0]] == "") == (len(ids) == 1)


def test_what_tells_rows_apart_is_what_differs_and_what_was_found_is_no_condition():
    told = rows._told({"a": {"M": 64, "N": 32, "reported": 1}, "b": {"M": 64, "N": 16, "reported": 2}})
    assert told == {"a": "N 32", "b": "N 16"}
    found = {"a": {"reported": 1, "N": 32}, "b": {"reported": 2, "N": 16}}
    assert rows._told(found) == {"a": "N 32", "b": "N 16"}
    assert rows._told({"a": {"reported": 1}, "b": {"reported": 2}}) == {"a": "reported 1", "b": "reported 2"}
    assert rows._told({"a": {"pass": "forward"}, "b": {"pass": "backward"}}) == {"a": "forward", "b": "backward"}


def test_two_conditions_are_told_where_one_is_not_enough():
    three = {"a": {"M": 1, "N": 1}, "b": {"M": 1, "N": 2}, "c": {"M": 2, "N": 1}}
    assert rows._told(three) == {"a": "M 1, N 1", "b": "M 1, N 2", "c": "M 2, N 1"}


def test_rows_that_state_the_same_are_told_by_their_ids():
    assert rows._told({"a": {"M": 1}, "b": {"M": 1}}) == {"a": "a", "b": "b"}
