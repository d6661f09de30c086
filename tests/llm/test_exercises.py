"""Wrong solutions of the exercises, their keys found again on another road, and the judge of page tables."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import exercises as exercise
from accelerator_course.exercises import llm as exercises
from accelerator_course.exercises import page_judge, paging
from accelerator_course.exercises.slips import llm as slips
from accelerator_lib import llm
from accelerator_lib.llm import goodput


def bytes_for_weights(cfg):
    return 2 * exercises.param_count(cfg)


def tables_at_the_end(events, blocks, size):
    return paging.page_tables(events, blocks, size)[-1]


def of_whole_blocks(events, blocks, size):
    """A new block already when the last one is full, a token too early."""
    tables = paging.page_tables(events, blocks, size)
    return [{name: (*table, 0) for name, table in state.items()} for state in tables]


def not_copied_but_moved(events, blocks, size):
    """After the copy the other holder's table shows the new block as well."""
    moved, before = [], {}
    for (kind, name, *_), state in zip(events, paging.page_tables(events, blocks, size), strict=True):
        state = {other: tuple(table) for other, table in state.items()}
        if (
            kind == "token"
            and before.get(name)
            and len(before[name]) == len(state[name])
            and before[name] != state[name]
        ):
            old, new = before[name][-1], state[name][-1]
            state = {other: tuple(new if block == old else block for block in table) for other, table in state.items()}
        moved.append(state)
        before = state
    return moved


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "10.1": [
        (slips.all_heads_alike, "Llama 2 70B"),
        (slips.two_matrices, "Llama 2 7B"),
        (slips.one_expert, "Mixtral 8x7B"),
        (slips.no_expert, "Mixtral 8x7B"),
        (slips.one_table, "Llama 2 7B"),
        (slips.no_norms, "Llama 2 7B"),
        (slips.no_last_norm, "Llama 2 7B"),
        (slips.no_norms_in_layers, "Llama 2 7B"),
        (slips.one_norm_a_layer, "Llama 2 7B"),
        (slips.no_router, "Mixtral 8x7B"),
        (bytes_for_weights, "expected is 6.73842e+09"),
        (lambda cfg: "6738415616", "a number was expected"),
        (lambda cfg: float("nan"), "expected is 6.73842e+09"),
    ],
    "10.2": [
        (slips.time_alone, "4,096 tokens each, 30 ms"),
        (slips.memory_alone, "4,096 tokens each, 20 ms"),
        (slips.one_too_many, "4,096 tokens each, 20 ms"),
        (slips.bytes_alone, "128 tokens each, 10 ms"),
        (lambda context, seconds: 96, "4,096 tokens each, 30 ms"),
        (lambda context, seconds: [94], "4,096 tokens each, 20 ms"),
    ],
    "10.3": [
        (slips.written_by_two, "b writes into block 2, which another request holds too"),
        (slips.freed_too_early, "another request holds too"),
        (slips.never_freed, "is one lost that nobody holds any more?"),
        (slips.copied_at_once, "a child begins with the very blocks of its parent"),
        (slips.copied_always, "a alone holds block"),
        (tables_at_the_end, "return one dict of tables for each of the 14 events"),
        (of_whole_blocks, "0 tokens in pages of 2, and 1 blocks"),
        (not_copied_but_moved, "the table of a changed, and it did nothing"),
        (lambda events, blocks, size: [{} for _ in events], "the requests alive are a; your tables name none"),
        (lambda events, blocks, size: [None for _ in events], "a dict of page tables was expected"),
    ],
    "10.4": [
        (slips.whole_prompts, "an overhead of 0 tokens your choice, (32, None), stands 20 requests a second; 27"),
        (slips.smallest_chunks, "stands 23 requests a second; 27 are wanted"),
        (slips.few_slots, "stands 9 requests a second; 27 are wanted"),
        (lambda overhead: (32, 128), "chunk out of None, 1024, 512, 256, 148"),
        (lambda overhead: 32, "return (slots, chunk)"),
        (lambda overhead: (32, 148) if overhead else (32, 256), "an overhead of 128 tokens your choice, (32, 148)"),
    ],
}
HARMLESS = {
    "10.1": ["cfg['experts'] >= 1", "> 2", "> 0"],
    "10.2": ["steps.seconds < seconds"],  # no step takes a whole number of milliseconds
    "10.3": ["child[-1]"],  # a fork names one child
}


@pytest.mark.parametrize("shape", exercises.SHAPES.values())
def test_the_published_counts_are_those_of_the_solution_and_of_the_library(shape):
    *given, want = shape
    assert exercises.param_count(dict(zip(exercises.NAMES, given, strict=True))) == want
    assert want in {
        llm.param_count(name) for name in ("llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3-8b", "mixtral-8x7b")
    }


@pytest.mark.parametrize("context, ms", exercises.PROMISES)
def test_the_most_users_of_the_key_are_found_by_trying_each(context, ms):
    step = lambda batch: llm.decode_step("llama-3-8b", "h100-sxm5", batch, context).seconds  # noqa: E731
    fit = llm.max_batch("llama-3-8b", "h100-sxm5", context)
    late = next(b for b in itertools.count(1) if b > fit or step(b) > ms / 1e3)
    assert exercises.most_users(context, ms / 1e3) == late - 1


def test_the_plans_own_promise():
    assert exercises.most_users(4096, 0.020) == 96 and llm.max_batch("llama-3-8b", "h100-sxm5", 4096) == 104
    assert llm.decode_step("llama-3-8b", "h100-sxm5", 97, 4096).seconds == pytest.approx(20.03e-3, abs=5e-6)


@pytest.mark.parametrize("name", page_judge.traces())
def test_the_worked_tables_need_just_the_blocks_that_must_be_held(name):
    events, blocks, size = page_judge.traces()[name]
    held = [len({b for table in state.values() for b in table}) for state in paging.page_tables(events, blocks, size)]
    assert held == [count for count, _ in page_judge.in_use(events, size)] and max(held) == blocks


def test_nearly_all_slots_of_a_long_trace_are_useful():
    events, _, size = page_judge.traces()["a random trace (seed 1)"]
    assert page_judge.useful(events, size) > 0.95


def from_the_front(events, blocks, size, give_back, copy):
    """Tables as a learner keeps them, the first free block first."""
    free, tables, seen, made = list(range(blocks)), {}, [], {}
    for kind, name, *child in events:
        if kind == "start":
            tables[name], made[name] = [], 0
        elif kind == "fork":
            tables[child[0]], made[child[0]] = list(tables[name]), made[name]
        elif kind == "end":
            gone = tables.pop(name)
            free += [block for block in gone if give_back and not any(block in held for held in tables.values())]
        else:
            if made[name] % size == 0:
                tables[name].append(free.pop(0))
            elif any(tables[name][-1] in held for other, held in tables.items() if other != name):
                tables[name][-1] = free.pop(0)
            made[name] += 1
        seen.append({other: list(held) if copy else held for other, held in tables.items()})
    return seen


def test_which_block_is_taken_first_does_not_matter_and_an_empty_pool_is_told_as_the_slip_that_emptied_it(home):
    assert exercise.check("10.3", lambda *given: from_the_front(*given, True, True)).right
    answer = exercise.check("10.3", lambda *given: from_the_front(*given, False, True))
    assert answer.slip == " ".join(slips.never_freed.__doc__.split()) and "stopped with" not in answer.text


def test_lists_that_change_after_they_were_returned_are_told_so(home):
    assert "copy them" in exercise.check("10.3", lambda *given: from_the_front(*given, True, False)).text


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_written_is_read_back_through_the_tables(seed):
    """The text of every request, written block by block into one memory, is what it would be alone."""
    events, blocks, size = page_judge.trace(seed, 4)
    memory, alone, said, before = np.full((blocks, size), -1), {}, 0, {}
    for (kind, name, *child), tables in zip(events, paging.page_tables(events, blocks, size), strict=True):
        if kind == "start":
            alone[name] = []
        elif kind == "fork":
            alone[child[0]] = list(alone[name])
        elif kind == "end":
            del alone[name]
        else:
            table, old, place = tables[name], before[name], len(alone[name])
            if len(table) == len(old) and table[-1] != old[-1]:
                memory[table[-1]] = memory[old[-1]]  # copy on write
            memory[table[place // size], place % size] = said
            alone[name].append(said)
            said += 1
        for other, table in tables.items():
            assert memory[list(table)].ravel()[: len(alone[other])].tolist() == alone[other]
        before = tables


@pytest.mark.parametrize("overhead, best", [(0, 29), (128, 18)])
def test_the_decision_asks_for_less_than_the_best_of_all_choices(overhead, best):
    choice, rate = goodput.best_choice(overhead)
    assert rate == best and best - 3 <= exercises.NEEDED[overhead] < best
    assert goodput.highest_rate(*exercises.choose(overhead), overhead) > exercises.NEEDED[overhead]
    assert choice[0] in goodput.SLOTS and choice[1] in goodput.CHUNKS


def first_problem(events, blocks, size, seen):
    before, made = {}, {}
    for event, tables in zip(events, seen, strict=True):
        tables = {name: list(table) for name, table in tables.items()}
        page_judge.tally(event, made)
        said = page_judge.broken(event, before, tables, made, blocks, size)
        if said:
            return said
        before = tables
    return ""


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_good_tables_pass_and_each_slip_is_found(seed, size):
    events, blocks, _ = page_judge.trace(seed, size, 60)
    assert first_problem(events, blocks, size, paging.page_tables(events, blocks, size)) == ""
    assert "not in the pool" in first_problem(events, blocks - 1, size, slips.paged(events, blocks, size))
    if any(event[0] == "fork" for event in events):
        plenty = slips.copied_at_once(events, 10 * blocks, size)
        assert "nothing is copied yet" in first_problem(events, 10 * blocks, size, plenty)


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=25)
def test_a_trace_ends_empty_and_can_be_replayed(seed):
    events, blocks, size = page_judge.trace(seed, 4, 50)
    assert page_judge.trace(seed, 4, 50) == (events, blocks, size)
    made = {}
    for event in events:
        page_judge.tally(event, made)
    assert made == {} and page_judge.in_use(events, size)[-1] == (0, 0)


def test_shared_blocks_count_once():
    events = [("start", "a"), *[("token", "a")] * 5, ("fork", "a", "b"), ("token", "b"), ("end", "a")]
    assert page_judge.in_use(events, 4)[-3:] == [(2, 5), (3, 7), (2, 6)]
    assert page_judge.useful(events[:2], 4) == pytest.approx(1 / 4)


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
        page_judge.trace(1, 0)
    with pytest.raises(ValueError, match="count"):
        page_judge.trace(1, 4, 10**9)
