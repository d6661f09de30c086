"""Unhindered: the scheduler's outcome, sooner, where blocks never run short.
Nobody is preempted, and every request that has begun to answer makes a token in each step. So it is enough to count
them, and to note the step of a request's first token: the times of the others follow.
"""

from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, OneOf, Switch, checked
from accelerator_lib.llm.serving import Clock, Request, Requests, Served, Slots, Tokens, a_step, steps_at_most

Few, Streaming, Prompt, BATCHING = Count(high=100), Count(high=63), Count(high=10**5), ("static", "continuous")


@dataclass(frozen=True)
class Outcome:  # all requests served
    time: float  # when the last token was made [s]
    steps: int
    served: tuple = field(repr=False)  # a Served of each request


@checked
def outcome(requests: Requests, slots: Slots, budget: Tokens = None, static: Switch = False, seconds: Clock = a_step):
    """The Outcome of serving.serve with blocks for all. Raises ValueError for a run that would not end."""
    steps_at_most(requests, budget)
    wanted = ([getattr(one, name) for one in requests] for name in ("arrival", "prompt", "output"))
    ends, first = steps(*wanted, slots, budget, static, seconds)
    times = (ends[begin : begin + one.output] for one, begin in zip(requests, first, strict=True))
    served = (Served(one, own, one.output, 0) for one, own in zip(requests, times, strict=True))
    return Outcome(ends[-1], len(ends), tuple(served))


def steps(arrival, prompt, output, slots, budget, static, seconds, kept=None, room=float("inf")):
    """(the end of every step [s], the step of every request's first token), from a list of each; nothing is checked.
    kept: tokens of each whose cache is at hand; a request enters when there is room for all of its tokens."""
    kept = kept or [0] * len(arrival)
    full = [sum(tokens) for tokens in zip(kept, prompt, output, strict=True)]
    to_come = deque(sorted(range(len(arrival)), key=arrival.__getitem__))
    next_arrival = arrival[to_come[0]]
    waiting, ends, first, leaving = deque(), [], [0] * len(arrival), {}
    time, answering, cached, held = 0.0, 0, 0, 0  # how many make a token in each step; tokens in their caches, at most
    reading, read, budget = None, 0, budget or float("inf")  # the one whose prompt is cut, how much of it is cached
    while to_come or waiting or answering or reading is not None:
        if not (waiting or answering) and reading is None:
            time = max(time, next_arrival)
        while to_come and next_arrival <= time:
            waiting.append(to_come.popleft())
            next_arrival = arrival[to_come[0]] if to_come else float("inf")
        left, taken, before, pairs, done = budget - answering, 0, cached, cached + answering, ()
        if left > 0 and (waiting or reading is not None):
            done, may_enter = [], not (static and (answering or reading is not None))
            running = answering + (reading is not None)
            while left > 0:
                if reading is None:
                    if not (waiting and may_enter and running < slots and held + full[waiting[0]] <= room):
                        break
                    reading, read, running = waiting.popleft(), 0, running + 1
                    held += full[reading]
                tokens = min(prompt[reading] - read, left)
                pairs += tokens * (kept[reading] + read) + tokens * (tokens + 1) // 2
                before, read, taken, left = before + kept[reading] + read, read + tokens, taken + tokens, left - tokens
                if read == prompt[reading]:
                    done.append(reading)
                    reading = None
        passed = seconds(taken, answering, before, pairs)
        if not 0 < passed < 1e30:
            raise ValueError(f"a step must take a time above 0 s, not {passed!r}")
        time += passed
        cached += answering
        for i in done:
            first[i] = len(ends)
            leaving.setdefault(len(ends) + output[i] - 1, []).append(i)
            answering, cached = answering + 1, cached + kept[i] + prompt[i]
        for i in leaving.pop(len(ends), ()):
            answering, cached, held = answering - 1, cached - full[i] + 1, held - full[i]
        ends.append(time)
    return ends, first


@checked
def four_users(a: Few, b: Few, c: Few, d: Few, slots: Count(high=4) = 2, batching: OneOf(BATCHING) = "static"):
    """Steps until four users who came together have answers of a, b, c and d tokens; a prompt has one token."""
    jobs = [Request(0, 1, tokens) for tokens in (a, b, c, d)]
    return outcome(jobs, slots, static=batching == "static").steps


ARRIVED, BEFORE = 3.0, 0.06  # when the newcomer comes; from when on the times of the others are told [s]


@dataclass(frozen=True)
class Interrupted:
    """Users who stream, and a newcomer with a long prompt. Times in seconds from its arrival."""

    users: int
    prompt: int
    chunk: int | None  # tokens of a step; None: prompts whole
    times: tuple  # when one of those who stream gets tokens
    begin: float  # of the step that first takes a part of the prompt
    ttft: float  # of the newcomer
    gaps = property(lambda self: tuple(b - a for a, b in pairwise(self.times) if b <= self.ttft + 1e-9))
    pause = property(lambda self: max(zip(self.gaps, self.times, strict=False)))  # the longest gap, and where it begins
    longest = property(lambda self: max(self.gaps))

    @property
    def pieces(self):
        """(begin, end) of each step that takes a part of the prompt."""
        return tuple(pairwise(at for at in self.times if self.begin - 1e-9 < at <= self.ttft + 1e-9))


@checked
def interrupt(users: Streaming = 31, prompt: Prompt = 8192, chunk: Tokens = None, seconds: Clock = a_step):
    """Interrupted: `users` of 512 + 1,000 tokens stream when a prompt arrives; `seconds` of a step (serving.clock)."""
    step = seconds(0, users, 512 * users)  # amid 1,000 of them, after the prompts
    arrived = min(max(ARRIVED, 420 * step), 700 * step)
    jobs = [Request(0, 512, 1000)] * users + [Request(arrived, prompt, 2)]
    *old, new = outcome(jobs, users + 1, chunk, seconds=seconds).served
    times = tuple(at - arrived for at in old[0].times if -BEFORE <= at - arrived <= new.ttft + BEFORE)
    begin = next((at for at in times if at >= 0), None)
    if begin is None:
        raise NotAvailable("here nobody streams yet when the newcomer comes: prompts take longer than answers")
    return Interrupted(users, prompt, chunk, times, begin, new.ttft)
