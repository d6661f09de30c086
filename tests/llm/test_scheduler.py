"""The scheduler against the plain rules, written down once more; and what must hold whatever happens."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.llm import scheduler
from accelerator_lib.llm.served import Request


def by_the_rules(requests, slots, blocks, block, budget, static):
    """Times of all tokens, {request: [time]}, in unit steps: sets of blocks, everything counted anew in each step."""
    table = {i: set() for i in range(len(requests))}
    cached, made, times = dict.fromkeys(table, 0), dict.fromkeys(table, 0), {i: [] for i in table}
    queue, run, time = [], [], 0
    to_come = sorted(table, key=lambda i: requests[i].arrival)

    def need(i):
        return requests[i].prompt + made[i]

    def take(i, tokens):
        want = math.ceil((cached[i] + tokens) / block)
        pool = set(range(blocks)) - set().union(*table.values())
        if want - len(table[i]) > len(pool):
            return False
        table[i] |= set(sorted(pool)[: want - len(table[i])])
        return True

    while any(made[i] < requests[i].output for i in table):
        if not run and not queue:
            time = max(time, requests[to_come[0]].arrival)
        while to_come and requests[to_come[0]].arrival <= time:
            queue.append(to_come.pop(0))
        left, work, evicted = budget or 10**9, {}, False
        for i in list(run):
            if i not in run:
                continue
            tokens = min(need(i) - cached[i], left)
            while i in run and not take(i, tokens):
                newest = run.pop()
                table[newest], cached[newest], evicted = set(), 0, True
                work.pop(newest, None)
                queue.insert(0, newest)
            if i in run and tokens:
                work[i] = tokens
                left -= tokens
        if not evicted and not (static and run):
            while queue and len(run) < slots and left and take(queue[0], min(need(queue[0]), left)):
                i = queue.pop(0)
                run.append(i)
                work[i] = min(need(i), left)
                left -= work[i]
        time += 1
        for i, tokens in work.items():
            cached[i] += tokens
            if cached[i] == need(i):
                made[i] += 1
                times[i].append(time)
        for i in [i for i in run if made[i] == requests[i].output]:
            run.remove(i)
            table[i] = set()
    return times


jobs = st.lists(
    st.builds(Request, st.integers(0, 12), st.integers(1, 12), st.integers(1, 9)).filter(
        lambda one: one.prompt + one.output <= 17
    ),
    min_size=1,
    max_size=6,
)
engines = st.fixed_dictionaries(
    {
        "slots": st.integers(1, 5),
        "blocks": st.integers(16, 40),
        "block": st.integers(1, 5),
        "budget": st.one_of(st.none(), st.integers(1, 20)),
        "static": st.booleans(),
    }
)


@settings(max_examples=150, deadline=None)
@given(jobs, engines)
def test_every_token_comes_when_the_rules_say(requests, engine):
    *_, end = scheduler.serve(requests, **engine)
    want = by_the_rules(requests, **engine)
    assert [list(one.times) for one in end.served] == list(want.values())


@settings(max_examples=100, deadline=None)
@given(jobs, engines)
def test_no_block_has_two_owners_and_no_token_is_lost(requests, engine):
    made = [0] * len(requests)
    for state in scheduler.serve(requests, **engine):
        pages = [page for _, held in state.held for page in held]
        assert len(pages) == len(set(pages)) <= engine["blocks"] and all(0 <= p < engine["blocks"] for p in pages)
        assert len(state.owner) + state.free == engine["blocks"]
        assert len(state.held) <= engine["slots"] and sum(state.work.values()) <= (engine["budget"] or 10**9)
        assert not set(state.waiting) & {i for i, _ in state.held}
        for i, held in state.held:
            assert len(held) == math.ceil(state.cached[i] / engine["block"])
        assert all(0 <= now - before <= 1 for now, before in zip(state.made, made, strict=True))
        made = state.made
    assert all(one.done and len(one.times) == one.request.output for one in state.served)
    assert [one.preempted for one in state.served] == list(state.lost)


@settings(max_examples=60, deadline=None)
@given(jobs, engines)
def test_all_tokens_that_are_computed_are_those_needed_and_those_lost(requests, engine):
    """Prompt + output - 1 for each request, and once more what was in a cache that was lost."""
    computed, lost, cached = 0, 0, [0] * len(requests)
    for state in scheduler.serve(requests, **engine):
        lost += sum(cached[i] for i in state.preempted)
        computed += sum(state.work.values())
        cached = state.cached
    assert computed == lost + sum(one.prompt + one.output - 1 for one in requests)


@pytest.mark.parametrize("outputs", [(2, 8, 3, 3), (1, 1, 1), (5,)])
@pytest.mark.parametrize("slots", [1, 2, 3])
def test_static_groups_last_as_long_as_their_longest_member(outputs, slots):
    run = list(scheduler.serve([Request(0, 1, o) for o in outputs], slots=slots, static=True))
    groups = [outputs[i : i + slots] for i in range(0, len(outputs), slots)]
    assert len(run) == sum(map(max, groups))


def test_states_stay_as_they_were():
    run = list(scheduler.serve([Request(0, 2, 5), Request(1, 3, 4)], slots=2))
    assert [state.made for state in run][:3] == [(1, 0), (2, 1), (3, 2)]
    assert run[0].served[0].times == (1.0,) and run[-1].served[0].times == (1.0, 2.0, 3.0, 4.0, 5.0)


def test_time_is_that_of_the_clock_and_nobody_is_served_before_he_comes():
    seen = []

    def clock(prompt, decode, cached):
        seen.append((prompt, decode, cached))
        return 0.5

    run = list(scheduler.serve([Request(0, 3, 2), Request(7, 4, 2)], slots=2, seconds=clock))
    assert seen == [(3, 0, 0), (0, 1, 3), (4, 0, 0), (0, 1, 4)]
    assert [(state.began, state.time) for state in run] == [(0, 0.5), (0.5, 1.0), (7, 7.5), (7.5, 8.0)]


def test_a_request_larger_than_all_blocks_is_refused_in_one_line():
    with pytest.raises(ValueError, match=r"request 2 \(30 \+ 4 tokens\) needs 9 blocks of 4 tokens, more than all 8$"):
        scheduler.serve([Request(0, 4, 4), Request(0, 30, 4)], slots=1, blocks=8, block=4)
    *_, end = scheduler.serve([Request(0, 29, 4)], slots=1, blocks=8, block=4)
    assert end.served[0].done and scheduler.blocks_needed(end.requests[0], 4) == 8


def test_a_request_that_just_fits_runs_alone_in_the_end():
    *_, end = scheduler.serve([Request(0, 4, 5)] * 2, slots=2, blocks=2, block=4)
    assert [one.preempted for one in end.served] == [0, 1] and all(one.done for one in end.served)


@pytest.mark.parametrize(
    "bad, said",
    [
        ({"requests": []}, "0 requests"),
        ({"requests": [(0, 1, 1)]}, "must hold Request"),
        ({"requests": 3}, "must be a list of Request"),
        ({"slots": 0}, "slots = 0 is outside"),
        ({"slots": 2.5}, "slots must be whole"),
        ({"blocks": 0}, "blocks = 0"),
        ({"block": float("nan")}, "NaN"),
        ({"budget": -1}, "budget = -1"),
        ({"static": 1}, "static must be True or False"),
        ({"seconds": 3}, "seconds must be a function"),
        ({"requests": [Request(0, 10**7, 1)], "budget": 1}, "may take 10,000,001 steps"),
    ],
)
def test_what_cannot_be_served_is_said(bad, said):
    given = {"requests": [Request(0, 1, 1)], "slots": 1} | bad
    with pytest.raises((ValueError, TypeError), match=said):
        scheduler.serve(**given)


@pytest.mark.parametrize("time", [0, -1, float("nan"), float("inf")])
def test_a_clock_that_stands_still_is_refused(time):
    with pytest.raises(ValueError, match="above 0 s"):
        list(scheduler.serve([Request(0, 1, 1)], slots=1, seconds=lambda *_: time))


def test_who_loses_its_blocks_comes_back_before_those_who_have_waited_all_along():
    *_, end = scheduler.serve([Request(0, 4, 8)] * 3, slots=2, blocks=5, block=4)
    _, lost, waited = end.served
    again = lost.gaps.index(lost.longest_gap) + 1  # its first token after the pause
    assert lost.preempted == 1 and waited.ttft >= lost.times[again]
