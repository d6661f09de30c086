"""The sooner road and the scheduler agree to the last bit; where it cannot know, it says so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.llm import scheduler, serving
from accelerator_lib.llm.served import Request
from accelerator_lib.llm.unhindered import outcome

jobs = st.lists(st.builds(Request, st.integers(0, 30), st.integers(1, 40), st.integers(1, 12)), min_size=1, max_size=8)


def clock(prompt, decode, cached):
    return 0.5 + 0.125 * (prompt + decode) + 2**-10 * cached


@settings(max_examples=200, deadline=None)
@given(jobs, st.integers(1, 6), st.one_of(st.none(), st.integers(1, 50)), st.booleans())
def test_both_roads_lead_to_the_same_times(requests, slots, budget, static):
    *_, end = scheduler.serve(requests, slots, budget=budget, static=static, seconds=clock)
    found = outcome(requests, slots, budget, static, clock)
    assert (found.time, found.steps) == (end.time, end.step)
    assert [one.times for one in found.served] == [one.times for one in end.served]
    assert [one.request for one in found.served] == requests and not any(one.preempted for one in found.served)


def test_also_with_the_clock_of_a_chip():
    step = serving.clock("llama-3-8b", "h100-sxm5")
    requests = [Request(0.02 * i, 300, 30) for i in range(40)]
    for budget in (None, 148):
        *_, end = scheduler.serve(requests, 16, budget=budget, seconds=step)
        found = outcome(requests, 16, budget, seconds=step)
        assert [one.times for one in found.served] == [one.times for one in end.served]


def test_whoever_answers_always_finds_a_token_in_the_budget():
    """So a small budget keeps the others out, as slots would."""
    requests = [Request(0, 1, 20)] * 6
    assert outcome(requests, 6, 3).steps == outcome(requests, 3).steps == 40


@pytest.mark.parametrize("prompt, output, budget", [(1, 10**7, None), (10**7, 1, 1)])
def test_a_run_that_would_not_end_is_refused_as_by_the_scheduler(prompt, output, budget):
    with pytest.raises(ValueError, match="this may take 100,000,0.0 steps; allowed: up to 2,000,000"):
        outcome([Request(0, prompt, output)] * 10, 1, budget)
