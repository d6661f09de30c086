"""Chapter 12 in frames: stages of a compiler, searches on one budget, networks that arrive."""

from dataclasses import dataclass
from math import inf, prod

import numpy as np

from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Count, Number, OneOf, Share, Single, checked
from accelerator_lib.codesign import coverage, graphs, loopnest, mobile
from accelerator_lib.codesign.coverage import Factor
from accelerator_lib.codesign.loopnest import Order, Whole
from accelerator_lib.codesign.mapspace import PRODUCT, REGISTER_WORDS, SRAM_WORDS, Best, Words, optimum
from accelerator_lib.codesign.search import STRATEGIES, search
from accelerator_lib.workload import Gemm

A_DECADE = 15  # states of a comparison between 100 trials and 1,000


@dataclass(frozen=True)
class Stage:
    """One stage on the way to instructions: the ways of each up to it, the kernels, one order of instructions."""

    number: int  # of graphs.STAGES
    ways: tuple  # of each stage up to here
    n: int
    ops: tuple  # names
    kernels: tuple  # of names
    tiles: tuple  # edges: the whole, the tile on the chip, the tile in the registers
    instructions: tuple
    bytes_moved: int  # as the stage has it: every operation on its own, then fused

    name = property(lambda self: graphs.STAGES[self.number])
    total = property(lambda self: prod(self.ways))


@checked
def stages(n: Count(low=64, high=2**14) = 4096, steps: Count(high=8) = 3):
    """Yield a Stage for each of four, for a product of n x n x n and so many element-wise steps behind it."""
    graph, ways = graphs.block(n, steps), ()
    ops, tiles = tuple(op.name for op in graph.ops), (n, min(n, 512), 128)
    for number in range(len(graphs.STAGES)):
        ways = (*ways, graphs.ways(number, n, steps))
        kernels = graphs.fused(graph) if number else graph.alone()
        moved = graphs.bytes_moved(graph, kernels)
        yield Stage(number, ways, n, ops, tuple(map(tuple, kernels)), tiles, graphs.ISSUED, moved)


@dataclass(frozen=True)
class Run:
    """One search after so many trials: how far its best is from the optimum."""

    strategy: str
    trials: int  # so far
    best: float  # energy of the best so far [J]
    ratio: float  # that over the optimum; infinity before the first that fits
    found_at: int  # the trial that found it
    leader: tuple | None  # that mapping
    last: float  # of the newest trial: its energy / the optimum; infinity if it does not fit
    gains: tuple  # (trial, ratio) of each so far

    # trials since the last gain; 0 before the first, and where nothing is left to gain, but for rounding
    stalled = property(lambda self: 0 if self.ratio <= 1 + 1e-9 or not self.gains else self.trials - self.found_at)
    # whether more than half of its trials brought nothing since
    stuck = property(lambda self: self.stalled > self.trials / 2)


@dataclass(frozen=True)
class Comparison:
    """All searches after `trials` of `budget`; `optimum` is the best of `legal` mappings that fit."""

    trials: int
    budget: int
    runs: tuple
    optimum: Best
    legal: int


@checked
def compare(
    budget: Count(high=10**5) = 1000,
    seed: Count(low=0) = 0,
    sram_words: Words = SRAM_WORDS,
    register_words: Words = REGISTER_WORDS,
    gemm: Whole = PRODUCT,
):
    """Yield a Comparison for the start, and at trials that lie ever further apart, up to the budget."""
    where = gemm, sram_words, register_words
    least, legal = optimum(*where)
    searches = [search(strategy, seed, budget, *where) for strategy in STRATEGIES]
    runs = [Run(strategy, 0, inf, inf, 0, None, inf, ()) for strategy in STRATEGIES]
    yield Comparison(0, budget, tuple(runs), least, legal)
    for mark in marks(budget):
        runs = [_further(*pair, mark, least.joules) for pair in zip(runs, searches, strict=True)]
        yield Comparison(mark, budget, tuple(runs), least, legal)


def marks(budget):
    """The trials after which there is a state: each at first, then so many a decade."""
    found = {round(10 ** (step / A_DECADE)) for step in range(6 * A_DECADE)}
    return sorted({mark for mark in found if mark < budget} | {budget})


def _further(run, coming, mark, least):
    gains, found_at, best = list(run.gains), run.found_at, run.best
    for _ in range(mark - run.trials):
        trial = next(coming)
        if trial.best < best:
            best, found_at = trial.best, trial.number
            gains.append((trial.number, trial.best / least))
    ratio, last = gains[-1][1] if gains else inf, trial.joules / least
    return Run(run.strategy, mark, best, ratio, found_at, trial.leader, last, tuple(gains))


@dataclass(frozen=True, eq=False)
class Arrivals:
    """After so many networks: which have arrived, the front among them, the best by the reward.

    news: what became of the last one: "joins the front", "beaten by another". pushed: those that it pushed off.
    """

    arrived: tuple  # Networks, in the order of their arrival
    costs: tuple  # of each on the axis: ms, or multiply-adds
    ms: tuple  # of each on the phone
    front: tuple  # indices
    rewards: tuple
    best: int
    news: str
    pushed: tuple
    across: str
    target: float
    w: float
    beta: float
    total: int

    # whether the axis is the time that the reward weighs
    over_time = property(lambda self: self.across != "multiply-adds")

    @property
    def tied(self):
        """Indices of those whose reward is the best to within 1e-9 of it."""
        top = self.rewards[self.best]
        return tuple(i for i, reward in enumerate(self.rewards) if top - reward <= 1e-9 * top)

    def level(self, ms):
        """Accuracy [%] that is as good as the best one, at other times [ms]; a number or an array of them."""
        return self.rewards[self.best] / mobile.nas_reward(1.0, ms, self.target, self.w, self.beta)


@checked
def arrivals(
    across: OneOf(mobile.ACROSS) = "ms on Pixel 1",
    target: Single(Number(low=1, high=1e4, unit="ms")) = 80,
    w: Single(mobile.Weight) = -0.07,
    beta: Single(mobile.Weight) = -0.07,
    seed: Count(0, 2**31) = 39,
):
    """Yield Arrivals after each network; they come in an order that is shuffled once."""
    phone = mobile.ACROSS[across]
    found = mobile.measured(phone)
    coming = [found[i] for i in np.random.default_rng(seed).permutation(len(found))]
    ms = tuple(one.ms[phone] for one in coming)
    costs = tuple(one.macs for one in coming) if across == "multiply-adds" else ms
    rewards, front = tuple(mobile.nas_reward([one.accuracy for one in coming], ms, target, w, beta).tolist()), ()
    for newest in range(len(coming)):
        here = slice(newest + 1)
        met = [(one.accuracy, cost) for one, cost in zip(coming[here], costs[here], strict=True)]
        before, front = front, tuple(mobile.pareto(met))
        news = "joins the front" if newest in front else "beaten by another"
        best, pushed = int(np.argmax(rewards[here])), tuple(sorted({*before} - {*front}))
        seen = tuple(coming[here]), costs[here], ms[here], front, rewards[here]
        yield Arrivals(*seen, best, news, pushed, across, target, w, beta, len(found))


MOVES = 10  # states of each of two moves


@dataclass(frozen=True)
class Moving:
    """A job on its way to a new chip: what its two parts take now, in units of the time before."""

    found: coverage.Coverage  # what it comes to
    number: int
    chip: float
    host: float

    begun = property(lambda self: self.number > 0)
    ended = property(lambda self: self.number == 2 * MOVES)
    time = property(lambda self: self.chip + self.host)


@checked
def moving(share: Single(Share) = 0.98, speedup: Factor = 10.0, fallback: Factor = 50.0):
    """Yield Moving: first the part that the chip runs shrinks, then the rest grows on the host."""
    found, rest = coverage.covered(share, speedup, fallback), 1 - share
    for number in range(2 * MOVES + 1):
        moved, grown = min(number / MOVES, 1), max(number / MOVES - 1, 0)
        yield Moving(found, number, share + moved * (found.chip - share), rest + grown * (found.host - rest))


@dataclass(frozen=True)
class Both:
    """One product in two orders of its loops, after the same number of tiles: a Moment of each."""

    left: loopnest.Moment
    right: loopnest.Moment

    step = property(lambda self: self.left.step)
    steps = property(lambda self: self.left.steps)

    @property
    def fewer(self):
        """The order that has moved fewer words so far; None where both have moved as many."""
        left, right = (moment.words.words for moment in (self.left, self.right))
        return None if left == right else self.left.order if left < right else self.right.order


@checked
def both(tile: Count(high=8) = 2, left: Order = "mnk", right: Order = "mkn", gemm: Whole = Gemm(8, 8, 8)):
    """Yield Both for the start, for each tile and for the end, a long walk thinned out; tiles are squares."""
    walks = (loopnest.walk(gemm, (tile,) * 3, order) for order in (left, right))
    return thin(Both(*pair) for pair in zip(*walks, strict=True))


def thin(moments, slowly=56, most=150):
    """The first `slowly` states of a long walk one by one, then only every so many, and the last: about `most`."""
    slowly = count("slowly", slowly, low=0)
    most = count("most", most, low=slowly + 1)
    for moment in moments:
        rest = max(moment.steps - slowly, 0)
        every = -(-rest // (most - slowly)) or 1
        if moment.step <= slowly or not (moment.step - slowly) % every or moment.step == moment.steps:
            yield moment
