"""Rung: what is asked, the blank kernel, kernels on the way to a good one; its machine has `run`, `score`, `least`."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

HIDDEN = 4  # cases that a learner does not see


@dataclass(frozen=True)
class Draft:
    """A kernel on the way: its name, what its counters say, the counter that is at fault ("" in the worked one)."""

    name: str
    says: str
    text: str
    fault: str = ""


@dataclass(frozen=True, eq=False)
class Case:
    """Sizes of one trial, and the arrays that are drawn for them."""

    sizes: dict
    arguments: dict
    hidden: bool = False

    def __str__(self):
        return ", ".join(f"{name} = {size:,}" for name, size in self.sizes.items())


@dataclass(frozen=True, eq=False)
class Rung:
    """One step of the ladder; its machine says how a kernel runs, what is counted, and what no kernel beats."""

    machine = ""  # "warp", "pallas" or "array"
    counters = {}  # name -> (value of a run, what is said of it), for hints
    constants = {}  # what a text may name beside its arrays and sizes: {name: value}

    steps: tuple  # of Draft, the worked one last
    specification: Callable
    drawn: Callable  # (draw, **sizes) -> arguments
    sizes: Callable  # draw -> sizes
    work: Callable  # **sizes -> what the specification computes, as the machine's bound takes it
    id: str
    title: str
    task: str
    blank: str
    chapter: str  # the topic of the chapter after which it can be done
    section: str  # the heading there
    scored: str  # "cycles" or "bytes"
    visible: list  # of sizes
    measured: dict  # the sizes that are scored
    minutes: int  # that a learner takes who has read its section

    worked = property(lambda self: self.steps[-1])
    slow = property(lambda self: self.steps[0])
    specified = property(lambda self: inspect.getsource(self.specification))

    def case(self, sizes, hidden=False, salt=()):
        """Case of these sizes; the same sizes always hold the same numbers, other ones with another salt."""
        seed = [*self.id.encode(), *sizes.values(), *salt]
        return Case(sizes, self.drawn(np.random.default_rng(seed), **sizes), hidden)

    def cases(self, seed=0):
        """The visible Cases, then those whose sizes the seed draws; no size comes twice."""
        draw, taken = np.random.default_rng([seed, *self.id.encode()]), [*self.visible, self.measured]
        while len(taken) < len(self.visible) + 1 + HIDDEN:
            sizes = self.sizes(draw)
            if sizes not in taken:
                taken.append(sizes)
        hidden = [self.case(sizes, hidden=True) for sizes in taken[len(self.visible) + 1 :]]
        return [*map(self.case, self.visible), *hidden]

    scoring = cached_property(lambda self: self.case(self.measured))

    def unseen(self, seed=0):
        """A Case as large as the one that is scored, with numbers that the seed draws."""
        return self.case(self.measured, hidden=True, salt=(1, seed))

    def expected(self, case):
        """{name: array} that a kernel must leave for a Case."""
        names = inspect.signature(self.specification).parameters
        return self.specification(**{name: case.arguments[name] for name in names})

    def cost(self, made):
        """What the losses that hints name are shares of."""
        return self.score(made)

    def counts(self, made):
        """{what is counted: how many}, for whoever nearly reaches the par."""
        return {self.scored: self.score(made)}

    bound = cached_property(lambda self: self.least(self.scoring))
    best = cached_property(lambda self: self.run(self.worked.text, self.scoring))
    par = cached_property(lambda self: self.score(self.best))
