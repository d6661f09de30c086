"""Exercises of chapter 14."""

from functools import partial
from math import exp, log
from statistics import median

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, several, shown
from accelerator_lib.units import percent

SETS = (  # bounds, measured
    ((100, 200, 400), (50, 140, 240)),
    ((10, 10, 10, 1000), (6, 7, 8, 100)),
    ((10, 20, 30, 40, 50), (9, 4, 12, 14, 15)),
    ((300, 300, 300, 300, 8), (60, 150, 240, 270, 7)),
    ((1e12, 2e12, 5e11, 3e12, 1e12), (7e11, 1.1e12, 4.6e11, 2.7e12, 1e11)),
)
SEEDS = tuple(range(8))
SEEN, HIDDEN = 48, 80  # publishers of a population whose rows are given, and those who judge
LEAST, MOST = 0.6, 0.92  # of the hidden rows, in a population: 80 % are meant, and publishers differ


def fitted_share(bounds, measured):
    """The median of measured / bound."""
    return sorted(m / b for b, m in zip(bounds, measured, strict=True))[len(bounds) // 2]


def interval(rows, fit):
    """(low, high): 80 % of measured / predicted, each publisher predicted by what the others gave."""
    found = []
    for publisher in {row["publisher"] for row in rows}:
        predict = fit([row for row in rows if row["publisher"] != publisher])
        found += [row["measured"] / predict(row) for row in rows if row["publisher"] == publisher]
    found.sort()
    return found[len(found) // 10], found[9 * len(found) // 10]


def loss(share, bounds, measured):
    """Sum of |log(share x bound / measured)|."""
    return float(np.sum(np.abs(np.log(share * np.divide(bounds, measured)))))


def _check_share(function):
    for bounds, measured in SETS:
        least = min(loss(m / b, bounds, measured) for b, m in zip(bounds, measured, strict=True))
        where = f"{len(bounds)} rows, bounds {shown(bounds)}, measured {shown(measured)}"

        def judge(got, given=(bounds, measured), least=least, where=where):
            expect(got, got if isinstance(got, (int, float, np.number)) else 0, where)
            if not got > 0:
                raise Wrong(f"For {where} your share is {shown(got)}; it must be more than 0.")
            off = loss(float(got), *given)
            if not off <= least * (1 + 1e-9):
                told = f"is off by {off:.4f} in all; {least:.4f} can be had"
                raise Wrong(f"For {where} your share {shown(float(got))} {told}.")

        yield case(where, f"off by {least:.4f} in all", partial(function, list(bounds), list(measured)), judge)
    return "right for five sets of rows: the middle one decides, however far off the last one is."


def population(seed):
    """(rows of publishers that are given, rows of those who judge): each has a program, and a bias of its own."""
    draw, found = np.random.default_rng([14, seed]), ([], [])
    for place in range(SEEN + HIDDEN):
        bias = draw.normal(0, 0.22)
        for file in range(int(draw.integers(1, 4))):
            shift = bias + draw.normal(0, 0.04)
            for bound in draw.choice([100.0, 200.0, 400.0, 800.0], 3):
                reached = 0.6 * exp(shift + draw.normal(0, 0.05))
                row = {"publisher": f"p{place}", "file": f"p{place}/{file}", "program": f"program {place}"}
                found[place >= SEEN].append({**row, "bound": float(bound), "measured": float(bound * reached)})
    return found


def fit(rows):
    """A function that predicts a row: its bound by the share of its program, or by a high share where that is new."""
    programs = {}
    for row in rows:
        programs.setdefault(row["program"], []).append(log(row["measured"] / row["bound"]))
    shares = {name: exp(median(logs)) for name, logs in programs.items()}
    common = exp(np.quantile([each for logs in programs.values() for each in logs], 0.875)) if programs else 1.0
    return lambda row: row["bound"] * shares.get(row["program"], common)


def held(rows, predict, low, high):
    """Share of the rows that lie from low to high times what was predicted."""
    return sum(low <= row["measured"] / predict(row) <= high for row in rows) / len(rows)


def _check_interval(function):
    for seed in SEEDS:
        given, hidden = population(seed)
        predict, where = fit(given), f"population {seed + 1}"

        def judge(got, predict=predict, hidden=hidden, where=where):
            several(got, 2, where, "(low, high)")
            low, high = got
            if any(isinstance(one, str) or one is None for one in got) or not 0 < low < high:
                raise Wrong(f"For {where} low and high must be factors, 0 < low < high; you returned {shown(got)}.")
            share, below = (held(hidden, predict, *ends) for ends in ((low, high), (0, low)))
            if not LEAST <= share <= MOST:
                much = "too narrow" if share < LEAST else "too wide"
                told = f"{percent(share)} of the rows of {HIDDEN} hidden publishers, and {percent(below)} lie below"
                raise Wrong(f"For {where} yours, {low:.3g} to {high:.3g}, holds {told}. 80 % are meant: it is {much}.")

        yield case(where, "about 80 % of the hidden rows", partial(function, [dict(row) for row in given], fit), judge)
    return f"right for {len(SEEDS)} populations: your interval holds about 80 % where nobody was seen before."


EXERCISES = [Exercise("14.2", _check_share, fitted_share), Exercise("14.4", _check_interval, interval)]
