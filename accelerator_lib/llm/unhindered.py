"""Unhindered: the scheduler's outcome, sooner, where blocks never run short.

Then nobody is preempted, and every request that has begun to answer makes a token in each step: it entered when the
budget had a token left for it, and goes before all who came later. So it is enough to count them, and to note the step
of a request's first token: the times of the others follow. A run of 200 requests takes some milliseconds, without
states. What the scheduler says of the same requests is the same (tests).
"""

from collections import deque
from dataclasses import dataclass, field

from accelerator_lib.checks.signature import Count, Switch, checked
from accelerator_lib.llm.scheduler import Clock, Requests, Tokens, a_step, steps_at_most
from accelerator_lib.llm.served import Served


@dataclass(frozen=True)
class Outcome:
    """All requests served."""

    time: float  # when the last token was made [s]
    steps: int
    served: tuple = field(repr=False)  # a Served of each request


@checked
def outcome(
    requests: Requests,
    slots: Count(high=10_000),
    budget: Tokens = None,
    static: Switch = False,
    seconds: Clock = a_step,
):
    """The Outcome of scheduler.serve with blocks for all. Raises ValueError for a run that would not end."""
    steps_at_most(requests, budget)
    ends, first = _times(requests, slots, budget or float("inf"), static, seconds)
    served = tuple(
        Served(one, ends[begin : begin + one.output], one.output, 0) for one, begin in zip(requests, first, strict=True)
    )
    return Outcome(ends[-1], len(ends), served)


def _times(requests, slots, budget, static, seconds):
    """(the end of every step [s], the step of every request's first token)."""
    to_come = deque(sorted(range(len(requests)), key=lambda i: requests[i].arrival))
    waiting, ends, first, leaving = deque(), [], [0] * len(requests), {}
    time, answering, cached = 0.0, 0, 0  # how many make a token in each step, and the tokens in their caches
    reading, read = None, 0  # the one whose prompt is cut, and how much of it is cached: there is one at most
    while to_come or waiting or answering or reading is not None:
        if not (waiting or answering) and reading is None:
            time = max(time, requests[to_come[0]].arrival)
        while to_come and requests[to_come[0]].arrival <= time:
            waiting.append(to_come.popleft())
        left, prompt, before, done = budget - answering, 0, cached, []
        may_enter = not (static and (answering or reading is not None))
        running = answering + (reading is not None)
        while left > 0:
            if reading is None:
                if not (waiting and may_enter and running < slots):
                    break
                reading, read, running = waiting.popleft(), 0, running + 1
            tokens = min(requests[reading].prompt - read, left)
            before, read, prompt, left = before + read, read + tokens, prompt + tokens, left - tokens
            if read == requests[reading].prompt:
                done.append(reading)
                reading = None
        passed = seconds(prompt, answering, before)
        if not 0 < passed < 1e30:
            raise ValueError(f"a step must take a time above 0 s, not {passed!r}")
        time += passed
        cached += answering
        for i in done:
            first[i] = len(ends)
            leaving.setdefault(len(ends) + requests[i].output - 1, []).append(i)
            answering, cached = answering + 1, cached + requests[i].prompt
        for i in leaving.pop(len(ends), ()):
            answering, cached = answering - 1, cached - requests[i].prompt - requests[i].output + 1
        ends.append(time)
    return ends, first
