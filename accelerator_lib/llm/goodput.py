"""Goodput: of the requests that a server answers in a second, those whose users got what was promised (SLO).
The objective: time to first token and time per output token, both at most so much. 200 requests arrive at random
(Poisson), as long as in a published trace (data/loads.yaml), or all alike. One H100 serves Llama 3 8B; a request enters
when its whole cache has room. Ignored: bursts, users that give up; each stores a beginning that it shares.
"""

from dataclasses import dataclass, field

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, OneOf, Single, checked
from accelerator_lib.llm.serving import blocks_of, clock
from accelerator_lib.llm.unhindered import steps

MODEL, CHIP = "llama-3-8b", "h100-sxm5"
COUNT, SEED = 200, 1
LOADS, ALIKE = data.load("loads")["loads"], "all alike"
TTFT, TPOT, SHARE = 0.2, 0.012, 0.9  # the objective [s], and the share of the requests that must be within it
Rate = Single(Number(low=0.1, high=1e4, unit="requests/s"))
Slots, Chunk, Seed, Lengths = Count(high=10_000), Count(high=10**7), Count(low=0), OneOf(LOADS)


@dataclass(frozen=True, eq=False)
class Load:  # how a server came through its requests
    rate: float  # requests that arrive in a second
    seconds: float  # from the first arrival to the last token, or to a mean answer after the last first token
    ttft: np.ndarray = field(repr=False)  # of each request [s]
    tpot: np.ndarray = field(repr=False)
    arrived: float  # requests that arrived in a second in this draw
    promise = TTFT, TPOT
    within = property(lambda self: (self.ttft <= TTFT) & (self.tpot <= TPOT))  # of each request
    share = property(lambda self: float(self.within.mean()))  # share of the requests within the objective
    passes = property(lambda self: self.share >= SHARE)  # whether nine of ten are within it
    throughput = property(lambda self: len(self.ttft) / self.seconds)  # requests answered in a second
    goodput = property(lambda self: self.throughput * self.share)  # requests a second within the objective

    @property
    def growing(self):
        """Whether the queue grows: the last third waits over half a second, and twice as long as the first."""
        third = len(self.ttft) // 3
        early, late = self.ttft[:third].mean(), self.ttft[-third:].mean()
        return bool(late > max(2 * early, 0.5))

    def p90(self):
        """(TTFT, TPOT) [s] that nine of ten requests stay within."""
        return float(np.quantile(self.ttft, 0.9)), float(np.quantile(self.tpot, 0.9))


@checked
def arrivals(rate: Rate, count: Count(high=10_000) = COUNT, seed: Seed = SEED):
    """When requests arrive [s], at random, `rate` in a second in the mean."""
    return np.cumsum(np.random.default_rng(seed).exponential(1 / rate, count))


def drawn(lengths, count, seed):
    """(tokens of prompts to read, of prompts whose cache is at hand, of answers) of `count` requests of a load."""
    its, shares, rng = LOADS[lengths], data.load("loads")["shares"], np.random.default_rng((seed, 1))
    told = [np.interp(rng.random(count), shares, np.log(its[name])) for name in ("prompt", "answer")]
    prompt, answer = np.exp(told).round().astype(int)
    at_hand = (its["kept"] * prompt).astype(int)
    return prompt - at_hand, at_hand, answer


@checked
@data.kept
def serve_load(rate: Rate, slots: Slots = 32, chunk: Chunk = None, seed: Seed = SEED, lengths: Lengths = ALIKE):
    """The Load of 200 requests of such `lengths`; `chunk`: most tokens of a step, None: prompts whole."""
    begin, (new, at_hand, output) = arrivals(rate, COUNT, seed), drawn(lengths, COUNT, seed)
    told = (one.tolist() for one in (begin, new, output))
    ends, first = map(np.array, steps(*told, slots, chunk, False, clock(MODEL, CHIP), at_hand.tolist(), room()))
    answer, arrived = ends[first + output - 1] - ends[first], (COUNT - 1) / float(begin[-1] - begin[0])
    seconds = float(min(ends[-1], ends[first].max() + answer.mean()) - begin[0])  # no long answer alone stops the clock
    return Load(rate, seconds, ends[first] - begin, answer / (output - 1), arrived)


def room():
    """Tokens whose keys and values have room beside the weights."""
    return 16 * blocks_of(MODEL, CHIP)
