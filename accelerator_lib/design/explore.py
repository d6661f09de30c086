"""Explore: all designs of a grid, and three ways to try but a few of them, each with as many evaluations.
    random      any designs
    grid        a coarse one: a few values of every knob, the links fastest
    evolution   begins at random; then a child is a design of the front with one or two knobs moved
Legal or not, a design counts as tried. The front: legal ones that none beats in score and cost at once (Pareto).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.design.elasticities import elasticities, stepped
from accelerator_lib.design.grid import AXES, OVER, Grid, grid, undominated
from accelerator_lib.design.sharded import one_by_one, search

__all__ = ["elasticities", "fronts", "grid", "one_by_one", "search", "stepped"]
STRATEGIES = ("random", "evolution", "grid")
BUDGET, BATCH = 480, 12
Seed, Budget = Count(low=0, high=10**6), Count(low=BATCH, high=5000)
SHAPE = tuple(map(len, AXES.values()))
COARSE = ((1, 3, 5), (3, 7, 11, 15), (0, 2), (2, 4, 5, 6), (2, 5, 8), (0, 1))  # places along the axes; 576, cut at 480
MOVED, ANEW, REPEATED = 2, 0.25, 0.01  # knobs at most; chance that one is drawn anew, that a child is tried again


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
def fronts(
    strategy: OneOf(STRATEGIES) = "evolution", over: OneOf(OVER) = "dollars", seed: Seed = 1, budget: Budget = BUDGET
):
    """Yield an Explored for every 12 designs until `budget` are tried."""
    found, draw = grid(), np.random.default_rng(seed)
    cost, merit = getattr(found, OVER[over]).ravel(), found.score.ravel()
    whole = found.front(over)
    coarse = _coarse(budget) if strategy == "grid" else None
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


def _coarse(budget):
    places = np.array(np.meshgrid(*COARSE, indexing="ij")).reshape(len(SHAPE), -1)
    flat = np.ravel_multi_index(places, SHAPE)
    spread = np.linspace(0, len(flat) - 1, min(budget, len(flat))).round().astype(int)
    return np.resize(flat[spread], budget)
