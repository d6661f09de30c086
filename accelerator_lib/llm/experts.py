"""Experts: each token picks a few of many, a step reads those that anybody picked.

    FLOP    of k experts for each token
    bytes   of E (1 - (1 - k / E)^B) experts, in the mean, if B tokens pick evenly

An expert works for B k / E tokens in the mean. Where chips share the experts, all wait for the busiest chip.
Ignored: a trained router does not pick evenly; which experts lie on which chip.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.llm.counts import experts_read

MOST_DRAWN = 10**7  # random numbers: 160 MB with their order
Experts, Tokens, Seed = Count(high=4096), Count(high=100_000), Count(0, 2**31)


@dataclass(frozen=True, eq=False)
class Routed:
    """One layer, one step: how many tokens each expert got."""

    active: int
    batch: int
    tokens: np.ndarray  # of each expert
    mean_read: float

    @property
    def experts(self):
        return len(self.tokens)

    @property
    def read(self):
        """Experts that got at least one token here."""
        return int((self.tokens > 0).sum())

    @property
    def picked_share(self):
        """Share of the experts that a token computes with."""
        return self.active / self.experts

    @property
    def read_share(self):
        """Share of the experts that the step reads, in the mean."""
        return self.mean_read / self.experts

    @property
    def busiest(self):
        """The most tokens of one expert here."""
        return int(self.tokens.max())

    @property
    def tokens_each(self):
        """Tokens of an expert that is read, in the mean."""
        return self.batch * self.active / self.mean_read


@checked
def route(experts: Experts = 8, active: Experts = 2, batch: Tokens = 1, seed: Seed = 0):
    """Routed: each of `batch` tokens picks `active` different experts, all equally likely. Raises ValueError."""
    mean = float(experts_read(experts, active, batch))  # refuses more picks than experts
    affordable("random numbers drawn", batch * experts, MOST_DRAWN, "batch or experts")
    keys = np.random.default_rng(seed).random((batch, experts))
    picked = np.argpartition(keys, active - 1, axis=1)[:, :active]
    return Routed(active, batch, np.bincount(picked.ravel(), minlength=experts), mean)


@checked
def busiest(experts: Experts, active: Experts, batch: Tokens, draws: Count(high=10_000) = 200):
    """(mean, spread) of the busiest expert's tokens over so many draws, all equally likely. Raises ValueError."""
    affordable("random numbers drawn", draws * batch * experts, 10 * MOST_DRAWN, "draws, batch or experts")
    return _busiest(experts, active, batch, draws)


@cache
def _busiest(experts, active, batch, draws):
    most = [route(experts, active, batch, seed).busiest for seed in range(draws)]
    return float(np.mean(most)), float(np.std(most))
