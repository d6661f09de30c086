"""Page tables: the judge finds each thing that may not be, and the count needs no tables."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.exercises.paging import page_tables
from accelerator_course.exercises.slips import llm as slips
from accelerator_lib.llm import pages


def first_problem(events, blocks, size, seen):
    before, made = {}, {}
    for event, tables in zip(events, seen, strict=True):
        tables = {name: list(table) for name, table in tables.items()}
        pages.tally(event, made)
        said = pages.broken(event, before, tables, made, blocks, size)
        if said:
            return said
        before = tables
    return ""


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_good_tables_pass_and_each_slip_is_found(seed, size):
    events, blocks, _ = pages.trace(seed, size, 60)
    assert first_problem(events, blocks, size, page_tables(events, blocks, size)) == ""
    assert "not in the pool" in first_problem(events, blocks - 1, size, slips.paged(events, blocks, size))
    if any(event[0] == "fork" for event in events):
        plenty = slips.copied_at_once(events, 10 * blocks, size)
        assert "nothing is copied yet" in first_problem(events, 10 * blocks, size, plenty)


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=25)
def test_a_trace_ends_empty_and_can_be_replayed(seed):
    events, blocks, size = pages.trace(seed, 4, 50)
    assert pages.trace(seed, 4, 50) == (events, blocks, size)
    made = {}
    for event in events:
        pages.tally(event, made)
    assert made == {} and pages.in_use(events, size)[-1] == (0, 0)


def test_shared_blocks_count_once():
    events = [("start", "a"), *[("token", "a")] * 5, ("fork", "a", "b"), ("token", "b"), ("end", "a")]
    assert pages.in_use(events, 4)[-3:] == [(2, 5), (3, 7), (2, 6)]
    assert pages.useful(events[:2], 4) == pytest.approx(1 / 4)


def test_tables_that_changed_by_themselves_are_found():
    events = [("start", "a"), ("token", "a"), ("start", "b"), ("token", "b")]
    seen = [{"a": ()}, {"a": (0,)}, {"a": (0,), "b": ()}, {"a": (1,), "b": (0,)}]
    assert first_problem(events, 2, 4, seen) == "the table of a changed, and it did nothing."


def test_a_copy_that_nobody_needs_names_the_last_block():
    """Three tokens in pages of two lie in blocks 0 and 1; the fourth belongs into block 1, and is put into a copy."""
    events = [("start", "a"), *[("token", "a")] * 4]
    seen = [{"a": ()}, {"a": (0,)}, {"a": (0,)}, {"a": (0, 1)}, {"a": (0, 2)}]
    assert first_problem(events, 3, 2, seen) == "a alone holds block 1, so it need not be copied."


def test_a_size_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="size"):
        pages.trace(1, 0)
    with pytest.raises(ValueError, match="count"):
        pages.trace(1, 4, 10**9)
