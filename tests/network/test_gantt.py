from itertools import pairwise

import pytest

from accelerator_lib.network import gantt, pipeline

RUNS = [("gpipe", 4, 16), ("1f1b", 8, 16), ("interleaved", 4, 16, 2), ("gpipe", 1, 1)]


@pytest.mark.parametrize("given", RUNS)
def test_a_run_from_its_start_to_its_end(given):
    states = list(gantt.watch(*given))
    made = states[0].schedule
    assert states[0].clock == 0 and not states[0].running and states[0].waited == 0 and sum(states[0].live) == 0
    assert states[-1].clock == made.seconds and states[-1].waited == pytest.approx(made.idle)
    assert sum(states[-1].live) == 0
    assert all(a.clock < b.clock for a, b in pairwise(states))
    assert max(max(state.live) for state in states) == made.live


@pytest.mark.parametrize("given", RUNS)
def test_who_runs_is_who_the_schedule_says(given):
    for state in gantt.watch(*given):
        for stage in range(given[1]):
            spans = [s for s in state.schedule.spans if s.stage == stage and s.start < state.clock <= s.end]
            assert [state.running.get(stage)] == (spans or [None])


@pytest.mark.parametrize("given", RUNS)
def test_waiting_is_what_nobody_ran(given):
    for state in list(gantt.watch(*given))[1:]:
        ran = sum(max(0, min(s.end, state.clock) - s.start) for s in state.schedule.spans)
        assert state.waited == pytest.approx(1 - ran / (given[1] * state.clock))


def test_a_long_run_takes_larger_steps():
    states = list(gantt.watch("interleaved", 8, 64, 4))
    assert len(states) <= gantt.MOST_STATES + 1
    assert states[-1].clock == pipeline.schedule("interleaved", 8, 64, 4).seconds
