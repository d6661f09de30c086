"""Exercise of chapter 10b."""

import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.llm.serving import clock
from accelerator_lib.units import percent

BUDGET = 256  # tokens of a step: it stays below the pace that was promised
FIRST, GAP = 1.0, 0.05  # the promise: the first token, and the longest gap [s]


@dataclass(frozen=True)
class Request:
    """What a policy sees of a request."""

    name: int
    left: int
    need: int


@dataclass
class Job:
    """A request, and what has been done for it."""

    name: int
    arrival: float
    prompt: int
    output: int
    read: int = 0
    made: int = 0
    first: float = 0.0
    last: float = 0.0
    gap: float = 0.0

    # whether its user got what was promised
    kept = property(lambda self: self.first - self.arrival <= FIRST and self.gap <= GAP)
    cached = property(lambda self: self.read + max(0, self.made - 1))

    def seen(self):
        return Request(self.name, self.prompt - self.read, self.prompt + self.output - 1 - self.cached)

    def take(self, tokens, time):
        """Compute so many of its tokens; it has a new one where its prompt is read."""
        if self.read < self.prompt:
            self.read += tokens
            if self.read < self.prompt:
                return
            self.first = time
        else:
            self.gap = max(self.gap, time - self.last)
        self.made, self.last = self.made + 1, time


@dataclass(frozen=True)
class Load:
    """What comes: requests a second, the share of long prompts, places in the cache."""

    rate: float
    long: float
    room: int
    seed: int
    count: int = 80
    prompts: tuple = (256, 512, 1024)  # of those that are not long

    def jobs(self):
        draw, time, jobs = random.Random(self.seed), 0.0, []
        for name in range(self.count):
            time += draw.expovariate(self.rate)
            prompt = 8192 if draw.random() < self.long else draw.choice(self.prompts)
            jobs.append(Job(name, time, prompt, draw.choice([64, 128, 192])))
        return jobs


LOADS = {
    "a quiet load": Load(8, 0.0, 60_000, 1),
    "a load with long prompts": Load(12, 0.05, 400_000, 2),
    "a busy load": Load(26, 0.03, 400_000, 3),
    "a small cache": Load(14, 0.0, 7_000, 4),
    "a crowd with a small cache": Load(2000, 0.0, 3_000, 4, 40, (16, 32, 64)),
}


def play(policy, load):
    """All Jobs of a Load, served as a policy says. Raises Wrong for a step that cannot be done."""
    jobs, seconds = load.jobs(), clock("llama-3-8b", "h100-sxm5")
    to_come, waiting, running, time, steps = deque(jobs), [], [], 0.0, 0
    while to_come or waiting or running:
        if not (waiting or running):
            time = max(time, to_come[0].arrival)
        while to_come and to_come[0].arrival <= time:
            waiting.append(to_come.popleft())
        steps += 1
        if steps > 20_000:
            raise Wrong("After 20,000 steps there are still requests that wait. Does everybody get a turn?")
        free = load.room - sum(job.cached for job in running)
        told = policy([job.seen() for job in running], [job.seen() for job in waiting], free, BUDGET)
        plan = _plan(told, running, waiting, free)
        if not plan:
            if not to_come:
                raise Wrong("Nobody computes in a step, and nobody else will come: the requests wait for ever.")
            time = max(time, to_come[0].arrival)
            continue
        reading = sum(tokens for job, tokens in plan if job.read < job.prompt)
        pairs = sum(tokens * job.cached + tokens * (tokens + 1) // 2 for job, tokens in plan)
        writing, cached = sum(job.read == job.prompt for job, _ in plan), sum(job.cached for job, _ in plan)
        time += seconds(reading, writing, cached, pairs)
        for job, tokens in plan:
            if job in waiting:
                waiting.remove(job)
                running.append(job)
            job.take(tokens, time)
        running = [job for job in running if job.made < job.output]
    return jobs


def _plan(told, running, waiting, free):
    """[(job, tokens)] of what a policy said. Raises Wrong for a step that cannot be done."""
    if not isinstance(told, Mapping):
        raise Wrong(f"Return a dict of names and tokens; you returned {shown(told)}.")
    known, plan = {job.name: job for job in (*running, *waiting)}, []
    for name, tokens in told.items():
        job = known.get(name)
        if job is None or isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise Wrong(f"A step names requests that are here, with whole numbers; you gave {shown({name: tokens})}.")
        most = job.prompt - job.read or 1
        if tokens > most:
            told = f"only {most:,} can be computed: the rest of its prompt, or one new token"
            raise Wrong(f"You gave a request {tokens:,} tokens; {told}.")
        if tokens:
            plan.append((job, tokens))
    total = sum(tokens for _, tokens in plan)
    if total > BUDGET:
        raise Wrong(f"Your step has {total:,} tokens; the budget is {BUDGET}.")
    if total > free:
        told = f"{free:,} are free. Somebody's blocks would be lost"
        raise Wrong(f"Your step needs {total:,} places in the cache; {told}.")
    return plan


ENOUGH = 0.9  # of the users of a load get what was promised


def next_step(running, waiting, free, budget):
    """Tokens of each request in the next step: those who write first, then prompts; a place is kept for all to come."""
    step = {one.name: 1 for one in running if not one.left}
    budget -= len(step)
    room = free - sum(one.need for one in running)
    reading = [one for one in running if one.left]
    for one in waiting:
        if one.need > room:
            break
        reading.append(one)
        room -= one.need
    for one in reading:
        tokens = min(one.left, budget)
        if tokens:
            step[one.name] = tokens
            budget -= tokens
    return step


def _check_next_step(function):
    clock("llama-3-8b", "h100-sxm5")  # what it reads first is not the learner's time
    for name, load in LOADS.items():

        def kept(load=load):
            """The share of users who get the promise, or why the server could not go on."""
            try:
                jobs = play(function, load)
            except Wrong as problem:
                return str(problem)
            return round(sum(job.kept for job in jobs) / len(jobs), 3)

        def judge(got, name=name):
            if isinstance(got, str):
                raise Wrong(f"For {name}: {got}")
            if got < ENOUGH:
                raise Wrong(f"For {name} {percent(got)} of the users get what was promised, not {percent(ENOUGH)}.")

        wanted = f"at least {percent(ENOUGH)} kept"
        yield case(name, wanted, kept, judge, lambda got: got if isinstance(got, str) else percent(got))
    return "right for five loads. Requests that write go first, prompts fill the rest, and nobody enters without room."


EXERCISES = [Exercise("10b.1", _check_next_step, next_step)]
