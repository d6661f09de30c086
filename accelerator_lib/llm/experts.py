"""Experts: each token picks k of E, evenly; a step of B reads those that anybody picked.
    FLOP    of k experts for each token               bytes   of E (1 - (1 - k / E)^B) experts, in the mean
Where chips share the experts, all wait for the busiest chip. Ignored: a trained router does not pick evenly.
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
class Routed:  # one layer, one step: how many tokens each expert got
    active: int
    batch: int
    tokens: np.ndarray  # of each expert
    mean_read: float
    experts = property(lambda self: len(self.tokens))
    read = property(lambda self: int((self.tokens > 0).sum()))  # experts that got at least one token here
    picked_share = property(lambda self: self.active / self.experts)  # share of the experts that a token computes with
    read_share = property(lambda self: self.mean_read / self.experts)  # of the experts, in the mean
    busiest = property(lambda self: int(self.tokens.max()))  # the most tokens of one expert here
    tokens_each = property(lambda self: self.batch * self.active / self.mean_read)  # of an expert that is read


@checked
def route(experts: Experts = 8, active: Experts = 2, batch: Tokens = 1, seed: Seed = 0):
    """Routed: each of `batch` tokens picks `active` different experts, all equally likely. Raises ValueError."""
    mean = float(experts_read(experts, active, batch))  # refuses more picks than experts
    affordable("random numbers drawn", batch * experts, MOST_DRAWN, "batch or experts")
    keys = np.random.default_rng(seed).random((batch, experts))
    picked = np.argpartition(keys, active - 1, axis=1)[:, :active]
    return Routed(active, batch, np.bincount(picked.ravel(), minlength=experts), mean)


@checked
@cache
def busiest(experts: Experts, active: Experts, batch: Tokens, draws: Count(high=10_000) = 200):
    """(mean, spread) of the busiest expert's tokens over so many draws, all equally likely. Raises ValueError."""
    affordable("random numbers drawn", draws * batch * experts, 10 * MOST_DRAWN, "draws, batch or experts")
    most = [route(experts, active, batch, seed).busiest for seed in range(draws)]
    return float(np.mean(most)), float(np.std(most))
