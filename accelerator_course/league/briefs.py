"""Briefs: what a customer asks for, by seed: thirty that are equally hard (data/briefs.yaml, made by tests/briefs.py).

A brief has a mix of jobs, most watts, dollars an hour and seconds of waiting, and the memory, node and format of its
year. Watts are as on a datasheet: the model's, times what the datasheets of published chips say more (`tdp_factor`).
A design is worth what it is worth for the worst guess (machine.guesses); two within `bar` of each other tie.
"""

from dataclasses import dataclass, replace
from functools import cache
from math import exp, log
from statistics import geometric_mean, pstdev

import numpy as np

from accelerator_lib import data, hardware
from accelerator_lib.checks.signature import Count, Given, Record, Single, checked
from accelerator_lib.design.bill import whole_area
from accelerator_lib.design.grid import grid, kept, rated
from accelerator_lib.design.laws import on_numpy
from accelerator_lib.design.machine import Design, guesses, reals
from accelerator_lib.design.merit import Limit, limits, score
from accelerator_lib.design.validation import validate

WAITS = {"first token": "prefill", "each token": "decode"}  # seconds of a step of these jobs are promised
DIGITS = 3  # to which values are rounded, that every machine finds the same


@dataclass(frozen=True)
class Brief:
    """Limits and jobs of one seed; `best`, and what each limit `costs` of it [share], are the grid's."""

    seed: int
    year: int
    node: int
    stack: str
    dtype: str
    mix: dict  # {job: weight}
    watts: float  # as on a datasheet
    usd_per_hour: float  # at cost: chip and host over four years, and electricity
    seconds: dict  # {"first token", "each token": most}
    best: float
    costs: dict

    def design(self, *knobs):
        """The Design of six knobs (edge, arrays, MB, stacks, clock, links) with what the year has."""
        return Design(*knobs, self.node, self.dtype, stack=self.stack)

    def __str__(self):
        jobs = ", ".join(f"{weight:g} {name}" for name, weight in self.mix.items())
        first, each = (self.seconds[name] * 1e3 for name in WAITS)
        had = f"Brief {self.seed} ({self.year}): {self.node} nm, {self.stack}, {self.dtype}. The mix: {jobs}. At most"
        most = f"{self.watts:,.0f} W, ${self.usd_per_hour:.3f} an hour, {first:g} ms to the first token"
        return f"{had} {most}, {each:g} ms for each token."


@data.kept
def brief(seed=1):
    """The Brief of a seed, 1 to 30."""
    known = data.load("briefs")
    one = known["briefs"][Single(Count(high=30))("seed", seed)]
    year = known["years"][one["year"]]
    mix = dict(sorted(zip(known["jobs"], one["mix"], strict=True), key=lambda pair: -pair[1]))
    waits = dict(zip(WAITS, one["seconds"], strict=True))
    return Brief(seed, one["year"], *year, mix, one["watts"], one["usd_per_hour"], waits, one["best"], one["costs"])


ABrief = Given("a seed of a brief, 1 to 30", lambda seed: seed if isinstance(seed, Brief) else brief(seed))


@cache
def tdp_factor():
    """How many times a model's watts the datasheets of published chips say: the geometric mean."""
    return geometric_mean([hardware.chip(id).tdp_w / score(id).watts for id in reals() if hardware.chip(id).tdp_w])


@checked
def bar(brief: ABrief = 1):
    """Ratio of values below which two designs tie: the scatter of measured rows, each job of a mix by itself."""
    spread = pstdev([log(predicted / measured) for _, predicted, measured in validate()])
    return exp(spread * sum(weight**2 for weight in brief.mix.values()) ** 0.5)


@checked
def under(brief: ABrief, design: Record(Design)):
    """Every limit of a brief as a merit.Limit, kept or not."""
    found, more = score(design, brief.mix), tdp_factor()
    own = {"power": Limit("power", found.watts * more, brief.watts, "W")}
    own |= {"rent": Limit("rent", 100 * found.usd_per_hour, 100 * brief.usd_per_hour, "¢/h")}
    for name, job in WAITS.items():
        own[name] = Limit(name, 1e3 * found.results[job].seconds, 1e3 * brief.seconds[name], "ms")
    *first, jobs_left = limits(design, brief.watts / more, brief.mix, found)
    return (*(own.pop(one.limit, one) for one in first), *own.values(), jobs_left)


@checked
def values(brief: ABrief, design: Record(Design)):
    """{guess: value of a design}, rounded; the worst is what it is worth."""
    return {words: round(score(design, brief.mix, given).value, DIGITS) for words, given in guesses().items()}


@checked
def open_to(brief: ABrief):
    """({limit: whether each design of the grid keeps it}, Grid whose `allowed` are those that keep all)."""
    machine, found = rated(brief.node, brief.dtype, brief.stack)
    most, on = brief.watts / tdp_factor(), on_numpy()
    whole = grid(most, brief.mix, brief.node, brief.dtype, brief.stack)
    held = kept(machine, whole_area(machine), whole.watts, most, on)
    held["rent"] = whole.usd_per_hour <= brief.usd_per_hour
    held |= {name: found[job].seconds <= brief.seconds[name] for name, job in WAITS.items()}
    allowed = whole.allowed & np.logical_and.reduce([np.broadcast_to(held[name], whole.allowed.shape) for name in held])
    return held, replace(whole, allowed=allowed)
