"""A race: four searches side by side on one budget, looked at ever more rarely; the finish is the best of all mappings.

The finish needs every mapping tried. For twelve pairs of buffers and one product that has been done and stored
(data/mappings.yaml); a test does it again.
"""

from dataclasses import dataclass
from math import inf

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.codesign.mapspace import PRODUCT, REGISTER_WORDS, SRAM_WORDS, Best, Words, best, mapspace
from accelerator_lib.codesign.nest import Whole
from accelerator_lib.codesign.search import STRATEGIES, search

A_DECADE = 15  # looks between 100 trials and 1,000


@dataclass(frozen=True)
class Runner:
    """One search after so many trials: how far its best is from the best of all."""

    strategy: str
    best: float  # energy of the best so far [J]
    ratio: float  # that over the best of all; infinity before the first that fits
    found_at: int  # the trial that found it
    leader: tuple | None  # that mapping
    last: float  # of the newest trial: its energy / the best of all; infinity if it does not fit
    fitted: int  # trials that fit, so far
    steps: tuple  # (trial, ratio) of each gain so far


@dataclass(frozen=True)
class Race:
    """All runners after `trials` of `budget`; `finish` is the best of `legal` mappings that fit."""

    trials: int
    budget: int
    runners: tuple
    finish: Best
    legal: int


@checked
def race(
    budget: Count(high=10**5) = 1000,
    seed: Count(low=0) = 0,
    sram_words: Words = SRAM_WORDS,
    register_words: Words = REGISTER_WORDS,
    gemm: Whole = PRODUCT,
):
    """Yield a Race for the start, and at trials that lie ever further apart, up to the budget."""
    row = stored(gemm, sram_words, register_words)
    finish = Best(row["joules"], _mapping(row)) if row else best(gemm, sram_words, register_words)
    legal = row["legal"] if row else mapspace(gemm, sram_words, register_words).legal
    return _race(budget, seed, finish, legal, (gemm, sram_words, register_words))


def stored(gemm, sram_words, register_words):
    """What was found once for all by trying every mapping: a row of data/mappings.yaml, or None."""
    rows = data.load("mappings")["rows"] if gemm == PRODUCT else ()
    return next((r for r in rows if (r["sram_words"], r["register_words"]) == (sram_words, register_words)), None)


def _mapping(row):
    outer, order, inner, inner_order = row["mapping"]
    return tuple(outer), order, tuple(inner), inner_order


def looks(budget):
    """The trials after which one looks: each at first, then so many a decade."""
    marks = {round(10 ** (step / A_DECADE)) for step in range(6 * A_DECADE)}
    return sorted({mark for mark in marks if mark < budget} | {budget})


def _race(budget, seed, finish, legal, where):
    searches = [search(strategy, seed, budget, *where) for strategy in STRATEGIES]
    runners = [Runner(strategy, inf, inf, 0, None, inf, 0, ()) for strategy in STRATEGIES]
    yield Race(0, budget, tuple(runners), finish, legal)
    trials = 0
    for mark in looks(budget):
        runners = [_run(*pair, mark - trials, finish.joules) for pair in zip(runners, searches, strict=True)]
        trials = mark
        yield Race(trials, budget, tuple(runners), finish, legal)


def _run(runner, trials, count, finish):
    """The runner after so many more trials."""
    fitted, steps, found_at, best_so_far = runner.fitted, list(runner.steps), runner.found_at, runner.best
    for _ in range(count):
        trial = next(trials)
        fitted += trial.joules < inf
        if trial.best < best_so_far:
            best_so_far, found_at = trial.best, trial.number
            steps.append((trial.number, trial.best / finish))
    ratio = steps[-1][1] if steps else inf
    return Runner(
        runner.strategy, best_so_far, ratio, found_at, trial.leader, trial.joules / finish, fitted, tuple(steps)
    )
