"""What is watched is what the scheduler does, step by step, and a pause is one of its gaps."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.llm import scheduler, serving, timelines
from accelerator_lib.llm.served import Request


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(4, 64), st.integers(1, 16), st.sampled_from(timelines.BATCHING))
def test_every_setting_of_the_panel_can_be_watched(slots, blocks, block, batching):
    run = list(timelines.watch(timelines.WAVES, slots, blocks, block, batching))
    assert [state.now.time for state in run] == list(range(1, len(run) + 1))  # a state for each step, empty or not
    end = run[-1]
    gone = {i for i, _ in end.refused}
    assert gone == {i for i, one in enumerate(timelines.WAVES) if scheduler.blocks_needed(one, block) > blocks} and len(
        gone
    ) < len(timelines.WAVES)
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
    assert [words[2] for _, words in tight[-1].past][4:10] == [
        "writes+",
        "lost",
        "waits",
        "waits",
        "rereads+",
        "writes+",
    ]


def test_a_step_of_chunks_computes_no_more_than_its_budget():
    cut, whole = (list(timelines.watch(blocks=64, batching=way)) for way in ("chunked", "continuous"))
    assert max(sum(s.now.work.values()) for s in cut) == timelines.CHUNK
    assert max(sum(s.now.work.values()) for s in whole) > 2 * timelines.CHUNK


def test_where_nobody_fits_there_is_nothing_to_watch():
    with pytest.raises(ValueError, match="every request needs more than 2 blocks of 4 tokens: at least 3"):
        timelines.watch([Request(0, 8, 4)] * 2, blocks=2)


@pytest.mark.parametrize("chunk", [None, 2048, 512, 148])
@pytest.mark.parametrize("users", [1, 31, 63])
def test_a_pause_is_the_longest_gap_that_the_scheduler_finds_after_the_arrival(users, chunk):
    clock = serving.clock("llama-3-8b", "h100-sxm5")
    seen = timelines.interrupt(users, 8192, chunk, clock)
    jobs = [Request(0, 512, 1000)] * users + [Request(timelines.ARRIVED, 8192, 2)]
    *_, end = scheduler.serve(jobs, users + 1, budget=chunk, seconds=clock)
    times = [at for at in end.served[0].times if at > timelines.ARRIVED - timelines.BEFORE]
    gaps = [b - a for a, b in pairwise(times) if b < timelines.ARRIVED + seen.ttft + 1e-9]
    assert seen.ttft == end.served[-1].ttft and seen.longest == pytest.approx(max(gaps))
    assert seen.pause[0] == seen.longest and 0 <= seen.begin < seen.ttft


def test_the_pause_of_the_question():
    clock = serving.clock("llama-3-8b", "h100-sxm5")
    whole, cut = (timelines.interrupt(31, 8192, chunk, clock) for chunk in (None, 512))
    assert whole.longest == pytest.approx(0.232100116, rel=1e-6) and cut.longest == pytest.approx(0.014515302, rel=1e-6)
    assert cut.ttft > whole.ttft


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: timelines.watch(slots=0), "slots = 0"),
        (lambda: timelines.watch(batching="dynamic"), "batching 'dynamic' is unknown"),
        (lambda: timelines.interrupt(users=64), "users = 64"),
        (lambda: timelines.interrupt(prompt=0), "prompt = 0"),
        (lambda: timelines.interrupt(seconds=1), "seconds must be a function"),
    ],
)
def test_bad_values_are_one_line(call, said):
    with pytest.raises((ValueError, TypeError, KeyError), match=said):
        call()
