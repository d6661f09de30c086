"""Capstone: all that is to be said of one design under a brief: limits, jobs, merit, its place among real chips.

The grid's front stays hidden until a design is frozen. Score or value above HOLE times any chip's of a node: a hole.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from accelerator_course.league import briefs
from accelerator_course.league.briefs import ABrief, Brief
from accelerator_course.league.floor import Floor, floor
from accelerator_course.league.tokens import token
from accelerator_lib import hardware
from accelerator_lib.checks.signature import OneOf, Record, Switch, checked
from accelerator_lib.data import frozen
from accelerator_lib.design.bill import areas
from accelerator_lib.design.machine import Design, guesses, real, reals
from accelerator_lib.design.merit import MIX, Score, score

HOLE = 1.5  # times a published chip's score or value


@dataclass(frozen=True)
class Dot:
    """A chip on the map of score and dollars, and shares of its die: arrays, SRAM, memory interfaces."""

    name: str
    usd_per_hour: float
    score: float
    value: float
    watts: float
    shares: tuple
    node: int = 5
    dies: int = 1
    a_die = property(lambda self: self.score / self.dies)


@dataclass(frozen=True, eq=False)
class Judged:
    """A design under a brief, and under a guess."""

    brief: Brief
    design: Design
    guess: str
    frozen: bool
    found: Score  # under that guess
    floor: Floor
    limits: tuple  # of merit.Limit, kept or not
    values: dict  # {guess: value}
    front: tuple  # (dollars an hour, score): arrays, from cheap to dear; empty until frozen
    dot: Dot
    others: tuple  # of Dot: published chips

    broken = property(lambda self: tuple(limit for limit in self.limits if limit.broken))  # the limits that it exceeds
    missing = property(lambda self: self.found.missing)  # jobs of the mix that 1,024 chips cannot hold
    legal = property(lambda self: not self.broken)
    worst = property(lambda self: min(self.values, key=self.values.get))  # the guess that costs it most
    holds = property(lambda self: self.values[self.worst])  # its value for that guess: what counts
    share = property(lambda self: self.holds / self.brief.best)  # of the best in the grid
    tied = property(lambda self: self.share * briefs.bar(self.brief) > 1)  # the model cannot tell it from that one
    hole = property(lambda self: self.legal and is_hole(self.brief, self.design))
    token = property(lambda self: token(self.brief, self.design))


@checked
def judge(brief: ABrief, design: Record(Design), guess: OneOf(guesses()) = "as assumed", frozen: Switch = False):
    """Judged of a design that the brief made (`brief.design`)."""
    said = token(brief, design)  # refuses what is no design of the brief
    found, plan, others = score(design, brief.mix, guesses()[guess]), floor(design), real_dots(brief)
    dot = Dot(said, found.usd_per_hour, found.score, found.value, found.watts, plan.shares, design.node)
    front, held = _front(brief.seed) if frozen else (np.zeros(0),) * 2, briefs.values(brief, design)
    return Judged(brief, design, guess, frozen, found, plan, briefs.under(brief, design), held, front, dot, others)


@checked
def is_hole(brief: ABrief, design: Record(Design)):
    """Whether score or value is above HOLE times that of any published chip, of the same node if there is one."""
    others, mine = real_dots(brief), score(design, brief.mix)
    same = [dot for dot in others if dot.node == design.node] or others
    return mine.score > HOLE * max(dot.a_die for dot in same) or mine.value > HOLE * max(dot.value for dot in same)


@lru_cache(maxsize=64)
def _front(seed):
    whole = briefs.open_to(seed)[1]
    places = whole.front("dollars")
    return frozen(tuple(getattr(whole, name).ravel()[places] for name in ("usd_per_hour", "score")))


def real_dots(brief=None):
    """Dots of the published chips in 16 bits on the usual mix; under a brief those that have its format."""
    dtype, mix = (brief.dtype, brief.mix) if brief else ("bf16", MIX)
    return _dots(dtype, tuple(mix.items()))


@lru_cache(maxsize=64)
def _dots(dtype, mix):
    dots = []
    for id in reals():
        own = next((one for one in (dtype, "fp8") if one in hardware.chip(id).matrix), None)
        if own and (own == dtype or dtype == "fp4"):
            chip = replace(real(id), dtype=own)
            found, parts = score(chip, dict(mix)), areas(chip.machine())
            shares = tuple(part / sum(parts) for part in parts)
            worth = found.usd_per_hour, found.score, found.value, found.watts
            dots.append(Dot(chip.name, *worth, shares, chip.node, chip.dies))
    return tuple(dots)
