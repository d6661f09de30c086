"""Capstone: all that is to be said of one design: limits, jobs, merit, its place among real chips and on the front.

A design is over-fitted where on another mix it is worth less, by more than a tie, than the grid's best all-rounder.
"""

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from accelerator_course.league.floor import Floor, floor
from accelerator_course.league.tokens import OWN, token
from accelerator_lib.checks.signature import OneOf, Single, Watts, checked
from accelerator_lib.data import frozen
from accelerator_lib.design.bill import areas
from accelerator_lib.design.grid import grid
from accelerator_lib.design.machine import ADesign, Design, real, reals
from accelerator_lib.design.merit import MIX, TIE, Score, limits, score
from accelerator_lib.design.work import jobs

ALL, SAME = "all five", "the same mix"
MIXES = MappingProxyType({ALL: MIX, **{name: {name: 1.0} for name in jobs()}})
HOLE = 1.5  # times an H100's value: more than anybody sells is a hole in the model


@dataclass(frozen=True)
class Dot:
    """A chip on the map of score and dollars, and shares of its die: arrays, SRAM, memory interfaces."""

    name: str
    usd_per_hour: float
    score: float
    value: float
    watts: float
    shares: tuple


@dataclass(frozen=True, eq=False)
class Judged:
    """A design on a mix, under a brief."""

    design: Design
    mix: str
    watts: float
    found: Score
    floor: Floor
    limits: tuple  # of merit.Limit, kept or not
    best_value: float  # of the grid on this mix; 0 where nothing of it is legal
    front: tuple  # (dollars an hour, score): arrays, from cheap to dear
    dot: Dot
    others: tuple  # of Dot: published chips
    serves: str  # another mix, or ""
    there: Score | None
    all_rounder: float  # value there of the grid's best design for all five jobs

    broken = property(lambda self: tuple(limit for limit in self.limits if limit.broken))  # the limits that it exceeds
    missing = property(lambda self: self.found.missing)  # jobs of the mix that 1,024 chips cannot hold
    legal = property(lambda self: not self.broken)
    # its value, as a share of the best in the grid on this mix
    share = property(lambda self: self.found.value / self.best_value if self.best_value else 0.0)
    tied = property(lambda self: self.share > 1 - TIE)  # whether this model cannot tell it from the best in the grid
    overfitted = property(lambda self: self.there is not None and self.there.value < (1 - TIE) * self.all_rounder)
    # whether its value is more than any real chip's could be
    hole = property(lambda self: self.legal and self.found.value > HOLE)
    token = property(lambda self: token(self.design))


AMix = OneOf(MIXES)


@checked
def judge(design: ADesign, mix: AMix = ALL, watts: Single(Watts) = 700.0, serves: OneOf((SAME, *MIXES)) = SAME):
    """Judged of a design made for one mix, and perhaps put to serve another, by name (MIXES)."""
    if any(getattr(design, name) is not None for name in OWN):
        raise ValueError(f"{design.name} is no design of one's own: judge designs whose memory is that of their stacks")
    found, elsewhere = score(design, MIXES[mix]), serves not in (SAME, mix)
    best, front = _beside(mix, watts, design.node, design.dtype)
    rounder = _all_rounder(serves, watts, design.node, design.dtype) if elsewhere else 0.0
    plan, there = floor(design), score(design, MIXES[serves]) if elsewhere else None
    dot = Dot("yours", found.usd_per_hour, found.score, found.value, found.watts, plan.shares)
    beside = limits(design, watts, MIXES[mix], found), best, front, dot, real_dots(mix)
    return Judged(design, mix, watts, found, plan, *beside, serves if elsewhere else "", there, rounder)


@lru_cache(maxsize=64)
def _beside(mix, watts, node, dtype):
    """(best value, (dollars, score) of the front) of the grid."""
    whole = grid(watts, MIXES[mix], node, dtype)
    if not whole.legal:
        return frozen((0.0, (np.zeros(0), np.zeros(0))))
    front = whole.front("dollars")
    costs, merits = (getattr(whole, name).ravel()[front] for name in ("usd_per_hour", "score"))
    return frozen((float(whole.value.ravel()[whole.top()]), (costs, merits)))


@lru_cache(maxsize=64)
def _all_rounder(mix, watts, node, dtype):
    """Value on a mix of the grid's best design for all five jobs; 0 where there is none."""
    whole = grid(watts, MIX, node, dtype)
    return score(whole.best(), MIXES[mix]).value if whole.legal else 0.0


@lru_cache(maxsize=32)
def real_dots(mix=ALL):
    """Dots of the published chips on a mix, in their 16-bit numbers."""
    dots = []
    for id in reals():
        chip = real(id)
        found, parts = score(chip, MIXES[mix]), areas(chip.machine())
        shares = tuple(part / sum(parts) for part in parts)
        dots.append(Dot(chip.name, found.usd_per_hour, found.score, found.value, found.watts, shares))
    return tuple(dots)
