"""Auto-tuning: choices of a kernel are compiled, checked and timed on this machine until the budget is spent.
    exhaustive   one after the other            random   in any order
    halving      all once; the faster half again as often, and so on, until one is left or has all its repeats
What counts is the median; the spread is (slowest - fastest) / median. The budget pays for compiling, warming up and
running, compiled before or not. Without JAX: on recorded times, by their own clock (kernels.py).
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Given, Number, OneOf, checked
from accelerator_lib.codesign.kernels import NAMES, Kernel, kernel, recorded_kernel
from accelerator_lib.recorded import here

KERNELS, STRATEGIES = NAMES, ("exhaustive", "random", "halving")


@dataclass(frozen=True)
class Moment:
    """A tuning so far: seconds of every run by choice, of every compilation; what is being done with which choice."""

    kernel: Kernel
    strategy: str
    budget_s: float
    times: dict  # {choice: (seconds of each run, ...)}
    compiled: dict  # {choice: seconds}
    wrong: tuple  # choices whose result is not NumPy's
    out: tuple  # choices that halving has dropped
    doing: str  # "" before the start, "compile", "warm up", "run", "done"
    at: tuple | None
    spent: tuple  # seconds of compiling, warming up, running
    finished: tuple | None = None  # a choice whose turn has just ended

    def median(self, choice):
        return float(np.median(self.times[choice]))

    def spread(self, choice):
        """(slowest - fastest) / median."""
        times = self.times[choice]
        return (max(times) - min(times)) / self.median(choice)

    @property
    def best(self):
        """The choice with the least median; None before the first run."""
        right = [choice for choice in self.times if choice not in self.wrong]
        return min(right, key=self.median, default=None)

    slowest = property(lambda self: max(self.times, key=self.median, default=None))


def _kernel(given):
    if isinstance(given, Kernel):
        return given
    return kernel(given) if here() else recorded_kernel(given)


TheKernel = Given("attention, product or a Kernel", _kernel)
Budget = Number(low=0.01, high=600, unit="s")


@checked
def run(
    kernel: TheKernel = "attention",
    strategy: OneOf(STRATEGIES) = "random",
    budget_s: Budget = 6.0,
    repeats: Count(1, 100) = 5,
    seed: Count(0, 2**31) = 0,
    clock=None,
):
    """Yield a Moment before anything is done and after every slice of work; the last one is "done"."""
    return _Bench(kernel, strategy, min(budget_s, kernel.most_seconds), repeats, seed, clock or kernel.clock).states()


class _Bench:
    """A tuning on its way."""

    def __init__(self, kernel, strategy, budget_s, repeats, seed, clock):
        self.kernel, self.strategy, self.budget_s, self.repeats, self.clock = kernel, strategy, budget_s, repeats, clock
        self.draw = np.random.default_rng(seed)
        self.built, self.times, self.wrong, self.out = {}, {}, (), ()
        self.compiling = self.warming = self.running = 0.0

    def states(self):
        yield self.now("")
        choices = list(self.kernel.configurations)
        if self.strategy != "exhaustive":
            choices = [choices[i] for i in self.draw.permutation(len(choices))]
        if self.strategy == "halving":
            yield from self.halve(choices)
        else:
            for choice in choices:
                yield from self.measure(choice, self.repeats)
        yield self.now("done")

    def halve(self, choices):
        done = 0
        while choices and done < self.repeats and not self.over:
            more = min(max(done, 1), self.repeats - done)
            for choice in choices:
                yield from self.measure(choice, more)
            done += more
            finished = [c for c in choices if len(self.times.get(c, ())) >= done]
            choices = sorted(finished, key=lambda c: np.median(self.times[c]))
            dropped = choices[-(-len(choices) // 2) :] if not self.over else []
            self.out += tuple(dropped)
            choices = choices[: len(choices) - len(dropped)]
            if len(choices) == 1:
                return

    def measure(self, choice, runs):
        if self.over:
            return
        if choice not in self.built:
            yield from self.prepare(choice)
        for _ in range(runs if choice not in self.wrong else 0):
            if self.over and self.times:  # one run at least, however small the budget
                break
            begin = self.clock()
            self.built[choice].run()
            took = self.clock() - begin
            self.running += took
            self.times[choice] = (*self.times.get(choice, ()), took)
            yield self.now("run", choice)
        yield self.now("run", choice, choice)

    def prepare(self, choice):
        """Compile, warm up, compare with NumPy."""
        begin, before, building = self.clock(), self.compiling, self.kernel.build(choice)
        yield self.now("compile", choice)
        while True:
            try:
                next(building)
            except StopIteration as end:
                self.built[choice] = end.value
                break
            self.compiling = before + self.clock() - begin
            yield self.now("compile", choice)
        self.compiling = before + self.built[choice].compile_seconds
        begin = self.clock()
        if not self.built[choice].right():
            self.wrong += (choice,)
        self.warming += self.clock() - begin
        yield self.now("warm up", choice)

    over = property(lambda self: self.compiling + self.warming + self.running >= self.budget_s)

    def now(self, doing, at=None, finished=None):
        spent = (self.compiling, self.warming, self.running)
        compiled = {choice: built.compile_seconds for choice, built in self.built.items()}
        given = self.kernel, self.strategy, self.budget_s
        return Moment(*given, dict(self.times), compiled, self.wrong, self.out, doing, at, spent, finished)
