"""Failures: how often to save the work of many machines, when any of them stops all; and a long run, event by event.

    best interval   sqrt(2 x cost x mtbf)                              cost: time to write a checkpoint
    useful share    interval / (mtbf e^(restart/mtbf) (e^((interval + cost)/mtbf) - 1))

mtbf: mean time between failures of the whole machine, which come by chance at an even rate, whatever is being done: one
takes the work since the last finished checkpoint, and a checkpoint or a restart that it hits begins anew. The share is
the mean of many runs. Sources: J. W. Young, "A first order approximation to the optimum checkpoint interval", 1974;
J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", 2006.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, Single, Whole, checked

DAY = 86_400
Seconds = Number(low=1e-6, high=1e12, unit="s")
Restart = Number(low=0, high=1e12, unit="s")
STEEPEST = 700  # e to this power is still a number
WORK, SAVED, CHECKPOINT, LOST, RESTART = KINDS = ("work", "saved", "checkpoint", "lost", "restart")
FAILURES = 8  # mean number in a run
LONGEST = 1000  # of them
ROUNDS = 96  # of work and checkpoint in a run that are shown one by one; where there are more, several as one


@checked
def young_seconds(cost: Seconds, mtbf: Seconds):
    """The interval [s] between checkpoints that wastes least, by Young's formula; numbers or arrays.

    Good while the checkpoint is short beside the mean time between failures.
    """
    return np.sqrt(2 * cost * mtbf)


@checked
def useful_share(interval: Seconds, cost: Seconds, mtbf: Seconds, restart: Restart):
    """Share of the time that ends up in work that is kept; times [s]; numbers or arrays."""
    wasted = np.minimum(restart / mtbf, STEEPEST) - np.log(interval / mtbf)
    round_of = (interval + cost) / mtbf
    grown = np.log(np.expm1(np.minimum(round_of, STEEPEST))) + np.maximum(round_of - STEEPEST, 0)
    return np.exp(-wasted - grown)


@checked
def mtbf_seconds(gpus: Whole(high=10**8)):
    """Mean time [s] between failures of so many GPUs, at the rate of one long run of 16,384 (data/network.yaml)."""
    seen = data.load("network")["failures"]
    return seen["days"] * DAY / seen["stops"] * seen["gpus"] / gpus


@dataclass(frozen=True)
class Span:
    """What was done from `start` to `end` [s]."""

    kind: str
    start: float
    end: float
    rounds: int = 1  # of work or checkpoints, drawn as one
    cut: bool = False  # by a failure


@dataclass(frozen=True, eq=False)
class History:
    """A run so far: work that is kept, work that may still be lost, and the rest."""

    spans: tuple
    horizon: float  # where the run ends [s]
    expected: float  # the useful share of many runs

    @property
    def clock(self):
        """Seconds since the start."""
        return self.spans[-1].end if self.spans else 0.0

    @property
    def crashes(self):
        return sum(span.cut for span in self.spans)

    def seconds(self, *kinds):
        """Time [s] that went into these kinds."""
        return sum(span.end - span.start for span in self.spans if span.kind in kinds)

    @property
    def shares(self):
        """Shares of the time so far: work, checkpoints, lost, restarts."""
        parts = (SAVED, WORK), (CHECKPOINT,), (LOST,), (RESTART,)
        return tuple(self.seconds(*kinds) / self.clock if self.clock else 0.0 for kinds in parts)

    @property
    def useful(self):
        """Share of the time so far that went into work that is kept, or may still be."""
        return self.shares[0] if self.clock else 1.0


Run = Count(low=0, high=2**32)
Horizon = Single(Number(low=1e-6, high=1e15, unit="s"))


@checked
def happen(
    interval: Single(Seconds), cost: Single(Seconds), mtbf: Single(Seconds), restart: Single(Restart), run: Run = 7,
    horizon: Horizon = None,
):  # fmt: skip
    """Yield a History for each event of one run, until the first event after `horizon` [s]: eight failures' mean time.

    Where a run has very many rounds of work and checkpoint, several of them are one event.
    """
    horizon = FAILURES * mtbf if horizon is None else horizon
    if horizon > LONGEST * mtbf:
        raise ValueError(f"horizon must be at most {LONGEST:,} times the mtbf of {mtbf:g} s, not {horizon:g} s")
    draw, expected = np.random.default_rng(run), float(useful_share(interval, cost, mtbf, restart))
    together = max(1, int(np.ceil(horizon / (interval + cost) / ROUNDS)))
    spans, clock, fails = [], 0.0, draw.exponential(mtbf)
    yield History((), horizon, expected)
    while clock < horizon:
        whole = min(together, int((fails - clock) // (interval + cost)))
        if whole:  # rounds that no failure hits
            spans += [Span(WORK, clock, clock + whole * interval, whole)]
            clock += whole * interval
            if whole == 1:
                yield History(tuple(spans), horizon, expected)
            spans[-1] = Span(SAVED, spans[-1].start, clock, whole)
            spans += [Span(CHECKPOINT, clock, clock + whole * cost, whole)]
            clock += whole * cost
            yield History(tuple(spans), horizon, expected)
            continue
        if fails > clock + interval:  # the failure hits the checkpoint
            spans += [Span(WORK, clock, clock + interval)]
            clock += interval
            yield History(tuple(spans), horizon, expected)
            spans[-1] = Span(LOST, spans[-1].start, clock)
            spans += [Span(CHECKPOINT, clock, fails, cut=True)]
        else:
            spans += [Span(LOST, clock, fails, cut=True)]
        clock = fails
        yield History(tuple(spans), horizon, expected)
        while clock == fails and restart and clock < horizon:  # a restart may be hit, too
            fails = clock + draw.exponential(mtbf)
            spans += [Span(RESTART, clock, min(clock + restart, fails), cut=fails < clock + restart)]
            clock = spans[-1].end
            yield History(tuple(spans), horizon, expected)
        if not restart:
            fails = clock + draw.exponential(mtbf)
