"""Estimates: a number and an interval, committed before a measurement is shown, and how well such intervals hold."""

from dataclasses import dataclass
from math import exp, log
from statistics import median

from accelerator_lib.checks.inputs import real

WANTED = 0.8  # of the intervals should hold


@dataclass(frozen=True)
class Estimate:
    """What a learner committed, beside what was measured; all in one unit, above zero."""

    guess: float
    low: float
    high: float
    measured: float

    # 2: twice as much as was measured, or half of it
    factor = property(lambda self: exp(abs(log(self.guess / self.measured))))
    held = property(lambda self: self.low <= self.measured <= self.high)


@dataclass(frozen=True)
class Calibration:
    """How well the estimates of a learner fit: how many, how many intervals held, the typical factor."""

    count: int
    held: int
    factor: float

    @property
    def verdict(self):
        """What to do about the intervals; with fewer than four there is nothing to say yet."""
        if self.count < 4:
            return "Too few to judge."
        share = self.held / self.count
        if share < WANTED - 0.15:
            return "Your intervals are too narrow: you trust your numbers more than they deserve."
        return "Your intervals hold as often as they should." if share < 1 else "They all hold: dare narrower ones."


def estimate(guess, low, high, measured):
    """Estimate, checked. Raises TypeError or ValueError where a number is not above zero or the guess lies outside."""
    guess, low, high = real("your number", guess), real("the lower end", low), real("the upper end", high)
    if not low <= guess <= high:
        raise ValueError(f"your number, {guess:g}, must lie between the two ends, {low:g} and {high:g}")
    return Estimate(guess, low, high, real("measured", measured))


def calibration(events, measured):
    """Calibration of the first commitments of a log, but for those without a number; measured: {chapter: value}."""
    first = {}
    for event in events:
        if event.get("kind") == "decide" and event.get("chapter") in measured:
            first.setdefault(event["chapter"], event)
    judged = []
    for name, event in first.items():
        try:
            judged.append(estimate(event.get("guess"), event.get("low"), event.get("high"), measured[name]))
        except (TypeError, ValueError):
            continue  # shown without a number, or a line that was edited by hand
    typical = median([each.factor for each in judged]) if judged else 1.0
    return Calibration(len(judged), sum(each.held for each in judged), typical)
