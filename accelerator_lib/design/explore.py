"""Explore: all designs of a grid, and three ways to try but a few of them, each with as many evaluations.
    random      any designs
    grid        a coarse one: a few values of every knob, the links fastest
    evolution   begins at random; then a child is a design of the front with one or two knobs moved
Legal or not, a design counts as tried. The front: legal ones that none beats in score and cost at once (Pareto).
    elasticity = d ln(score) / d ln(knob)          percent of score for one percent of a knob, by a complex step
A law that rounds up is a staircase: its slope is 0 on every step. So `smooth` puts max(x, 1) where the laws have
ceil(x), and `stepped` compares two designs 10 % below and above.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from accelerator_lib.checks.signature import Count, Number, OneOf, Single, Switch, checked
from accelerator_lib.design.grid import AXES, OVER, Grid, grid, judge, results, undominated
from accelerator_lib.design.laws import on_complex, on_numpy
from accelerator_lib.design.machine import ADesign, Machine, machines
from accelerator_lib.design.merit import AMix
from accelerator_lib.design.merit import mix as mixed

STRATEGIES = ("random", "evolution", "grid")
BUDGET, BATCH = 480, 12
Strategy, Seed, Budget = OneOf(STRATEGIES), Count(low=0, high=10**6), Count(low=BATCH, high=5000)
SHAPE = tuple(map(len, AXES.values()))
COARSE = ((1, 3, 5), (3, 7, 11, 15), (0, 2), (2, 4, 5, 6), (2, 5, 8), (0, 1))  # places along the axes; 576, cut at 480
MOVED, ANEW, REPEATED = 2, 0.25, 0.01  # knobs at most; chance that one is drawn anew, that a child is tried again
NAMES = ("edge", "arrays", "SRAM", "stacks", "clock", "link")
KNOBS = MappingProxyType(dict(zip(Machine._fields, NAMES, strict=False)))
STEP, TINY = 0.1, 1e-20  # of a knob


@dataclass(frozen=True, eq=False)
class Explored:
    """The search so far. Arrays are of the designs tried, in order; `front` and `all_front` go from cheap to dear."""

    strategy: str
    over: str  # "dollars" or "watts"
    budget: int
    found: Grid
    tried: np.ndarray  # flat places in the grid
    cost: np.ndarray  # $/h or W
    score: np.ndarray
    legal: np.ndarray
    fresh: int  # of the designs, how many are new
    front: np.ndarray  # places among the tried
    all_front: Any  # (cost, score) of the front of the whole grid
    spent = property(lambda self: len(self.tried) / self.budget)  # share of the budget that was tried
    legal_count = property(lambda self: int(self.legal.sum()))
    legal_share = property(lambda self: self.legal_count / len(self.tried))  # of those tried

    @property
    def grown(self):
        """Area below this front, as a share of that below the front of the whole grid, up to where that one ends."""
        own = self.cost[self.front], self.score[self.front]
        return _below(*own, self.all_front) / _below(*self.all_front, self.all_front)

    @property
    def best_value(self):
        """Highest value of the legal designs tried; 0 where there is none yet."""
        values = self.found.value.ravel()[self.tried[self.legal]]
        return float(values.max()) if len(values) else 0.0

    share = property(lambda self: self.best_value / float(self.found.value.ravel()[self.found.top()]))

    def design(self, place):
        """The Design tried at a place."""
        return self.found.design(int(self.tried[place]))


@checked
def fronts(strategy: Strategy = "evolution", over: OneOf(OVER) = "dollars", seed: Seed = 1, budget: Budget = BUDGET):
    """Yield an Explored for every 12 designs until `budget` are tried."""
    found, draw = grid(), np.random.default_rng(seed)
    cost, merit = getattr(found, OVER[over]).ravel(), found.score.ravel()
    whole = found.front(over)
    places = np.array(np.meshgrid(*COARSE, indexing="ij")).reshape(len(SHAPE), -1)
    flat = np.ravel_multi_index(places, SHAPE)
    coarse = np.resize(flat[np.linspace(0, len(flat) - 1, min(budget, len(flat))).round().astype(int)], budget)
    tried, front = np.zeros(0, int), ()
    while len(tried) < budget:
        room = min(BATCH, budget - len(tried))
        if strategy == "grid":
            fresh = coarse[len(tried) : len(tried) + room]
        elif strategy == "random" or len(tried) < 2 * BATCH:
            fresh = draw.integers(found.size, size=room)
        else:
            fresh = _children(tried[front] if len(front) else tried, tried, room, draw)
        tried = np.concatenate([tried, fresh])
        legal = found.allowed.ravel()[tried]
        front = np.flatnonzero(legal)[undominated(cost[tried][legal], merit[tried][legal])]
        whole_front, known = (cost[whole], merit[whole]), (cost[tried], merit[tried], legal)
        yield Explored(strategy, over, budget, found, tried, *known, len(fresh), front, whole_front)


def _below(cost, merit, whole):
    end = whole[0][-1]
    within = cost <= end
    return float(merit[within] @ np.diff(np.append(cost[within], end)))


def _children(parents, tried, many, draw):
    known, children = set(tried.tolist()), []
    while len(children) < many:
        place = list(np.unravel_index(draw.choice(parents), SHAPE))
        for knob in draw.choice(len(SHAPE), draw.integers(1, MOVED + 1), replace=False):
            step = draw.integers(SHAPE[knob]) if draw.random() < ANEW else place[knob] + draw.choice((-2, -1, 1, 2))
            place[knob] = min(max(step, 0), SHAPE[knob] - 1)
        child = int(np.ravel_multi_index(place, SHAPE))
        if child not in known or draw.random() < REPEATED:
            known.add(child)
            children.append(child)
    return np.array(children)


@checked
def elasticities(design: ADesign, smooth: Switch = True, mix: AMix = None):
    """{knob: percent of score for one percent of it}; 0 for stacks where there are none. Memory is that of stacks."""
    moved = _knobs(design)[:, None] * (1 + TINY * 1j * np.eye(len(KNOBS)))  # a design for each knob that moves
    with np.errstate(divide="ignore", invalid="ignore"):  # a job that cannot run: its score is 0, and so is all slope
        merit = _score(moved, mixed(mix), _kind(design), on_complex(smooth)) + np.zeros(len(KNOBS))
        return _named(np.where(merit.real > 0, merit.imag / merit.real / TINY, 0.0))


@checked
def stepped(design: ADesign, mix: AMix = None, step: Single(Number(low=1e-3, high=0.9)) = STEP):
    """{knob: the same between two designs, one so much below, one so much above}, as built: whole folds and chips."""
    knobs, one = _knobs(design)[:, None], np.eye(len(KNOBS))
    below, above = (_score(knobs * (1 + way * one), mixed(mix), _kind(design), on_numpy()) for way in (-step, step))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _named(np.log(above / below) / np.log((1 + step) / (1 - step)) + np.zeros(len(KNOBS)))


def _named(slopes):  # {knob: its slope}; 0 where there is none
    return dict(zip(KNOBS, np.where(np.isfinite(slopes), slopes, 0.0).tolist(), strict=True))


def _knobs(design):
    return np.array([float(getattr(design, name)) for name in KNOBS])


def _kind(design):
    return design.node, design.dtype, design.stack


def _score(knobs, weights, kind, on, array=np.asarray):
    machine = machines(*knobs, *kind)
    return judge(machine, results(machine, tuple(weights), on, np.ndim(knobs[0]), array), weights, 1e9, on)[1]
