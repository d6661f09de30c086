"""The scheduler and its clock: against the plain rules written down once more, the sooner road, frames of it."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.frames import llm as timelines
from accelerator_lib import hardware, llm
from accelerator_lib.llm import serving, unhindered
from accelerator_lib.llm.serving import Engine, Request, Served


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


small = st.builds(Request, st.integers(0, 12), st.integers(1, 12), st.integers(1, 9))
jobs = st.lists(small.filter(lambda one: one.prompt + one.output <= 17), min_size=1, max_size=6)
sizes = {"slots": st.integers(1, 5), "blocks": st.integers(16, 40), "block": st.integers(1, 5)}
engines = st.fixed_dictionaries(sizes | {"budget": st.none() | st.integers(1, 20), "static": st.booleans()})


@settings(max_examples=150, deadline=None)
@given(jobs, engines)
def test_every_token_comes_when_the_rules_say(requests, engine):
    *_, end = serving.serve(requests, **engine)
    want = by_the_rules(requests, **engine)
    assert [list(one.times) for one in end.served] == list(want.values())


@settings(max_examples=100, deadline=None)
@given(jobs, engines)
def test_no_block_has_two_owners_and_no_token_is_lost(requests, engine):
    made = [0] * len(requests)
    for state in serving.serve(requests, **engine):
        pages = [page for _, held in state.held for page in held]
        assert len(pages) == len(set(pages)) <= engine["blocks"] and all(0 <= p < engine["blocks"] for p in pages)
        assert len(pages) == state.taken == engine["blocks"] - state.free
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
    for state in serving.serve(requests, **engine):
        lost += sum(cached[i] for i in state.preempted)
        computed += sum(state.work.values())
        cached = state.cached
    assert computed == lost + sum(one.prompt + one.output - 1 for one in requests)


@pytest.mark.parametrize("outputs", [(2, 8, 3, 3), (1, 1, 1), (5,)])
@pytest.mark.parametrize("slots", [1, 2, 3])
def test_static_groups_last_as_long_as_their_longest_member(outputs, slots):
    run = list(serving.serve([Request(0, 1, o) for o in outputs], slots=slots, static=True))
    groups = [outputs[i : i + slots] for i in range(0, len(outputs), slots)]
    assert len(run) == sum(map(max, groups))


def test_states_stay_as_they_were_and_time_is_that_of_the_clock():
    run = list(serving.serve([Request(0, 2, 5), Request(1, 3, 4)], slots=2))
    assert [state.made for state in run][:3] == [(1, 0), (2, 1), (3, 2)]
    assert run[0].served[0].times == (1.0,) and run[-1].served[0].times == (1.0, 2.0, 3.0, 4.0, 5.0)
    seen = []

    def clock(*step):
        seen.append(step)
        return 0.5

    run = list(serving.serve([Request(0, 3, 2), Request(7, 4, 2)], slots=2, seconds=clock))
    assert seen == [(3, 0, 0, 6), (0, 1, 3, 4), (4, 0, 0, 10), (0, 1, 4, 5)]
    assert [(state.began, state.time) for state in run] == [(0, 0.5), (0.5, 1.0), (7, 7.5), (7.5, 8.0)]


def test_a_request_larger_than_all_blocks_is_refused_and_one_that_just_fits_runs_alone():
    *_, end = serving.serve([Request(0, 29, 4)], slots=1, blocks=8, block=4)
    assert end.served[0].done and serving.blocks_needed(end.requests[0], 4) == 8
    *_, end = serving.serve([Request(0, 4, 5)] * 2, slots=2, blocks=2, block=4)
    assert [one.preempted for one in end.served] == [0, 1] and all(one.done for one in end.served)


def engine(requests, slots=3, blocks=9, block=4, budget=None, static=False):
    return Engine(tuple(requests), slots, blocks, block, budget, static, lambda *_: 1)


def test_blocks_budgets_and_waits_by_hand():
    *_, end = serving.serve([Request(0, 4, 8)] * 3, slots=2, blocks=5, block=4)
    _, lost, waited = end.served
    again = lost.gaps.index(lost.longest_gap) + 1  # its first token after the pause
    assert lost.preempted == 1 and waited.ttft >= lost.times[again]
    one = engine([Request(0, 8, 1), Request(1, 4, 1)], blocks=3)
    assert one.step() and one.held == ((0, (0, 1)),) and one.free == 3
    assert one.step() and one.held == ((1, (0,)),)
    assert not one.step()
    one = engine([Request(0, 3, 4), Request(0, 9, 2)], budget=4, blocks=20)
    works = []
    while one.step():
        works.append(dict(one.work))
    assert works == [{0: 3, 1: 1}, {0: 1, 1: 3}, {0: 1, 1: 3}, {0: 1, 1: 2}, {1: 1}]
    one = Served(Request(1.0, 4, 5), [4.0, 4.1, 4.2, 6.8, 6.9], 5, 0)
    assert one.ttft == 3.0 and one.tpot == pytest.approx(0.725) and one.longest_gap == pytest.approx(2.6)
    assert one.done and one.gaps == pytest.approx((0.1, 0.1, 2.6, 0.1))
    log = [4.0, 5.0]
    assert Served(Request(1, 4, 5), log, 0, 0).ttft is None
    one = Served(Request(1, 4, 5), log, 1, 0)
    assert (one.ttft, one.tpot, one.longest_gap, one.done) == (3.0, None, None, False)
    log = [1.0]
    one = Served(Request(0, 1, 2), log, 1, 0)
    log.append(9.0)
    assert one.times == (1.0,) and Served(one.request, log, 2, 0).tpot == 8.0


def runs(*given, **more):
    return list(serving.serve(*given, **more))


@pytest.mark.parametrize("chunk, gap", [(None, 0.267686149), (512, 0.018582593)])
def test_a_long_prompt_stops_everybody_unless_it_is_cut(chunk, gap):
    jobs = [Request(0, 512, 200)] * 31 + [Request(1.0, 8192, 50)]
    end = runs(jobs, slots=64, budget=chunk, seconds=serving.clock("llama-3-8b", "h100-sxm5"))[-1]
    assert max(one.longest_gap for one in end.served[:31]) == pytest.approx(gap, rel=1e-6)


MODEL, CHIP = "llama-3-8b", "h100-sxm5"
STEP = serving.clock(MODEL, CHIP)


def test_steps_of_one_token_of_a_prompt_and_of_both():
    head = 128_256 * 4096  # as many weights as the table of inputs
    assert STEP(0, 1, 0) == pytest.approx((2 * (8_030_261_248 - head) + 131_072) / 3.35e12)
    flops, pair = 2 * (8_030_261_248 - 2 * head) * 8223 + 2 * head * 32, 4 * 32 * 4096
    assert STEP(8192, 31, 0, 7) == pytest.approx((flops + 7 * pair) / (989.4e12 / 2))
    written = (
        (2 * (8_030_261_248 - head) + pair) * 31 / (989.4e12 / 2)
    )  # each of 31 meets itself and the last table too
    assert serving.mixed_step(MODEL, CHIP, decode=31).compute_seconds == pytest.approx(written)
    assert STEP(4096, 0, 0) == pytest.approx(llm.prefill(MODEL, CHIP, 4096, mfu=0.5)[1])  # chapter 10's road
    whole, halves = STEP(4096, 0, 0), STEP(2048, 0, 0) + STEP(2048, 0, 2048, 2048 * 2048 + 2048 * 2049 // 2)
    assert halves == pytest.approx(whole, rel=1e-3)  # a chunk meets what was read before
    for step in ((0, 31, 15_872), (8192, 31, 15_872), (100, 0, 0), (200, 0, 0)):
        one = serving.mixed_step(MODEL, CHIP, *step)
        assert one.seconds == STEP(*step) >= one.shorter
        assert one.bound == ("compute" if step[0] >= 160 else "memory")


@given(st.integers(0, 5000), st.integers(1, 500), st.integers(0, 10**6))
def test_a_step_is_never_shorter_than_a_smaller_one(prompt, decode, cached):
    here = STEP(prompt, decode, cached)
    assert here <= STEP(prompt + 1, decode, cached) and here <= STEP(prompt, decode, cached + 1)


@given(st.integers(1, 300), st.integers(1, 4096))
def test_without_prompts_it_is_the_decode_step_of_the_roofline_where_memory_binds(batch, context):
    step = llm.decode_step(MODEL, CHIP, batch, context)
    took = serving.clock(MODEL, CHIP, mfu=1)(0, batch, batch * (context - 1))
    assert took >= step.memory_seconds * (1 - 1e-12) and (step.bound != "memory" or took == pytest.approx(step.seconds))


def test_blocks_are_what_the_weights_leave_and_one_less_than_enough_preempts():
    requests, need = [Request(0, 6, 10)] * 5, serving.blocks_for(5, 6, 10, 4)
    for blocks in (need, need - 1):
        *_, end = serving.serve(requests, 5, blocks, 4)
        assert (sum(one.preempted for one in end.served) > 0) == (blocks < need)
    assert serving.blocks_of(MODEL, CHIP) == 26_674 and serving.blocks_of("llama-2-70b", CHIP) == 0
    room = 0.9 * hardware.chip(CHIP).capacity_bytes - 2 * llm.param_count(MODEL)
    assert 0 <= room - 26_674 * 16 * 131_072 < 16 * 131_072


@pytest.mark.parametrize("answers, static, filled", [((2, 8, 3, 3), 11, 8), ((4, 1, 6, 2), 10, 7)])
def test_four_users_by_hand(answers, static, filled):
    assert unhindered.four_users(*answers) == static == max(answers[:2]) + max(answers[2:])
    assert unhindered.four_users(*answers, batching="continuous") == filled


def clock(prompt, decode, cached, pairs):
    return 0.5 + 0.125 * (prompt + decode) + 2**-10 * cached + 2**-12 * pairs


@settings(max_examples=200, deadline=None)
@given(jobs, st.integers(1, 6), st.one_of(st.none(), st.integers(1, 50)), st.booleans())
def test_both_roads_lead_to_the_same_times(requests, slots, budget, static):
    *_, end = serving.serve(requests, slots, budget=budget, static=static, seconds=clock)
    found = unhindered.outcome(requests, slots, budget, static, clock)
    assert (found.time, found.steps) == (end.time, end.step)
    assert [one.times for one in found.served] == [one.times for one in end.served]
    assert [one.request for one in found.served] == requests and not any(one.preempted for one in found.served)


def test_the_sooner_road_with_the_clock_of_a_chip_and_a_small_budget():
    step = serving.clock("llama-3-8b", "h100-sxm5")
    requests = [Request(0.02 * i, 300, 30) for i in range(40)]
    for budget in (None, 148):
        *_, end = serving.serve(requests, 16, budget=budget, seconds=step)
        found = unhindered.outcome(requests, 16, budget, seconds=step)
        assert [one.times for one in found.served] == [one.times for one in end.served]
    # So a small budget keeps the others out, as slots would.
    requests = [Request(0, 1, 20)] * 6
    assert unhindered.outcome(requests, 6, 3).steps == unhindered.outcome(requests, 3).steps == 40


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(4, 64), st.integers(1, 16), st.sampled_from(timelines.BATCHING))
def test_every_setting_of_the_panel_can_be_watched(slots, blocks, block, batching):
    run = list(timelines.watch(timelines.WAVES, slots, blocks, block, batching))
    assert [state.now.time for state in run] == list(range(1, len(run) + 1))  # a state for each step, empty or not
    end = run[-1]
    gone = {i for i, _ in end.refused}
    assert gone == {i for i, one in enumerate(timelines.WAVES) if serving.blocks_needed(one, block) > blocks}
    assert len(gone) < len(timelines.WAVES)
    for i, one in enumerate(end.now.served):
        did = [words[i] for _, words in end.past]
        assert sum(word.endswith("+") for word in did) == (0 if i in gone else one.request.output) == end.now.made[i]
        assert did.count("lost") == one.preempted
        assert all(word in ("waits", "lost") or not word or i not in gone for word in did)


def test_of_the_three_alike_one_waits_where_a_block_is_missing():
    wide, tight = (list(timelines.watch(blocks=blocks)) for blocks in (9, 8))
    for run, through, gap in ((wide, 8, 1), (tight, 11, 4)):
        done = next(s.now.time for s in run if all(one.done for one in s.now.served[:3]))
        assert done == through and run[-1].now.served[2].longest_gap == gap
    did = [words[2] for _, words in tight[-1].past][4:10]
    assert did == ["writes+", "lost", "waits", "waits", "rereads+", "writes+"]


def test_chunks_keep_to_their_budget_and_where_nobody_fits_there_is_nothing_to_watch():
    cut, whole = (list(timelines.watch(blocks=64, batching=way)) for way in ("chunked", "continuous"))
    assert max(sum(s.now.work.values()) for s in cut) == timelines.CHUNK
    assert max(sum(s.now.work.values()) for s in whole) > 2 * timelines.CHUNK


@pytest.mark.parametrize("chunk", [None, 2048, 512, 148])
@pytest.mark.parametrize("users", [1, 31, 63])
def test_a_pause_is_the_longest_gap_that_the_scheduler_finds_after_the_arrival(users, chunk):
    clock = serving.clock("llama-3-8b", "h100-sxm5")
    seen = unhindered.interrupt(users, 8192, chunk, clock)
    jobs = [Request(0, 512, 1000)] * users + [Request(unhindered.ARRIVED, 8192, 2)]
    *_, end = serving.serve(jobs, users + 1, budget=chunk, seconds=clock)
    times = [at for at in end.served[0].times if at > unhindered.ARRIVED - unhindered.BEFORE]
    gaps = [b - a for a, b in pairwise(times) if b < unhindered.ARRIVED + seen.ttft + 1e-9]
    assert seen.ttft == end.served[-1].ttft and seen.longest == pytest.approx(max(gaps))
    assert seen.pause[0] == seen.longest and 0 <= seen.begin < seen.ttft
