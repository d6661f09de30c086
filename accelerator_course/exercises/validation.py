"""Exercises of chapter 14."""

from math import exp, log
from statistics import median

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, number, shown
from accelerator_course.exercises.causes import check_causes
from accelerator_course.exercises.slips import validation as slips
from accelerator_lib import validation

SETS = (  # bounds, measured, weights
    ((100, 200, 400), (50, 140, 240), (1, 1, 1)),
    ((10, 10, 10, 1000), (6, 7, 8, 100), (1, 1, 1, 1)),
    ((10, 20, 30, 40, 50), (9, 4, 12, 14, 15), (1, 1, 1, 1, 5)),
    ((300, 300, 300, 300, 8), (60, 150, 240, 270, 7), (1, 1, 1, 1, 3)),
    ((1e12, 2e12, 5e11, 3e12), (7e11, 1.1e12, 4.6e11, 2.7e12), (2, 1, 1, 0.5)),
)
KINDS = ("link_bandwidth", "memory_bandwidth", "gemm")  # published rows that the third exercise judges


def find_cause(row):
    """The way of printing that brings the figure nearest to the prediction, by a factor."""
    real = {"fine": row["printed"]}
    if row["what"] in ("stream", "link"):
        real["GiB"] = row["printed"] * 2**30 / 1e9
    if row["what"] == "link":
        real["both ways"] = row["printed"] / 2
    if row["what"] == "attention":
        real["mask"] = row["printed"] / 2
    if row["what"] in ("attention", "product"):
        real["one"] = row["printed"] * 2
    if row["chips"] > 1:
        real["all chips"] = row["printed"] / row["chips"]
    return min(real, key=lambda way: abs(log(real[way] / row["predicted"])))


def fitted_share(bounds, measured, weights):
    """The weighted median of measured / bound: from small to large, where half of the weight is reached."""
    reached = 0
    for ratio, weight in sorted((m / b, w) for b, m, w in zip(bounds, measured, weights, strict=True)):
        reached += weight
        if reached >= sum(weights) / 2:
            return ratio


def left_out(rows):
    """Median of |log(share x bound / measured)|, each publisher by the share that the other publishers give."""
    off = []
    for publisher in {row["publisher"] for row in rows}:
        others = [row["measured"] / row["bound"] for row in rows if row["publisher"] != publisher]
        share = exp(median(log(ratio) for ratio in others))
        off += [abs(log(share * row["bound"] / row["measured"])) for row in rows if row["publisher"] == publisher]
    return median(off)


def loss(share, bounds, measured, weights):
    """Sum of weight x |log(share x bound / measured)|."""
    return float(np.sum(np.multiply(weights, np.abs(np.log(share * np.divide(bounds, measured))))))


def _check_share(function):
    for bounds, measured, weights in SETS:
        least = min(loss(m / b, bounds, measured, weights) for b, m in zip(bounds, measured, strict=True))
        where = f"{len(bounds)} rows, bounds {shown(bounds)}, measured {shown(measured)}, weights {shown(weights)}"

        def judge(got, given=(bounds, measured, weights), least=least, where=where):
            expect(got, got if isinstance(got, (int, float, np.number)) else 0, where)
            if not got > 0:
                raise Wrong(f"For {where} your share is {shown(got)}; it must be more than 0.")
            off = loss(float(got), *given)
            if not off <= least * (1 + 1e-9):
                raise Wrong(
                    f"For {where} your share {shown(float(got))} is off by {off:.4f} in all; {least:.4f} can be had."
                )

        wanted = f"off by {least:.4f} in all"
        yield case(where, wanted, lambda g=(bounds, measured, weights): function(*map(list, g)), judge)
    return "right for five sets of rows: the middle one decides, however far off the last one is."


def published(kind):
    """The rows of a kind that count, as the third exercise gets them: in rates, bound and measured."""
    found = validation.report.report()[kind]["publisher"].counted
    rates = [one for one in found if not one.prediction.faster_is_less]
    return [{"publisher": one.publisher, "bound": one.prediction.bound, "measured": one.measured} for one in rates]


def judged(rows):
    """The same figure by the library: best_share on the other publishers, in arrays."""
    publishers = np.array([row["publisher"] for row in rows])
    bounds, measured = (np.array([row[name] for row in rows], float) for name in ("bound", "measured"))
    off = np.empty(len(rows))
    for publisher in set(publishers):
        out = publishers == publisher
        logs = np.sort(np.log(measured[~out] / bounds[~out]))
        middle = (logs[(len(logs) - 1) // 2] + logs[len(logs) // 2]) / 2
        off[out] = np.abs(middle + np.log(bounds[out] / measured[out]))
    return float(np.quantile(off, 0.5))


MADE_UP = (
    [
        {"publisher": "a", "bound": 100.0, "measured": 50.0},
        {"publisher": "a", "bound": 100.0, "measured": 50.0},
        {"publisher": "b", "bound": 100.0, "measured": 80.0},
    ],
    [
        {"publisher": name, "bound": 10.0 * (place + 1), "measured": share * 10.0 * (place + 1)}
        for place, (name, share) in enumerate(
            zip("aaabbcccd", (0.5, 0.55, 0.6, 0.9, 0.8, 0.65, 0.7, 0.6, 0.3), strict=True)
        )
    ],
)


def _check_left_out(function):
    for rows in MADE_UP:
        where = "measured / bound " + ", ".join(
            f"{row['publisher']} {row['measured']:g}/{row['bound']:g}" for row in rows
        )
        yield number(function, ([dict(row) for row in rows],), judged(rows), where)
    for kind in KINDS:
        rows = published(kind)
        where = f"{len(rows)} published rows, {kind.replace('_', ' ')}"
        yield number(function, (rows,), judged(rows), where)
    return "right, on published rows too: so far off is one number, on what it never saw."


EXERCISES = [
    Exercise(
        "14.1",
        "X14.1",
        "the way in which a figure was printed, one of six words.",
        "What would have been measured, for each way that can apply? Which is nearest to the prediction, as a factor?",
        check_causes,
        find_cause,
        (slips.by_difference, slips.tries_all, slips.gib_is_larger, slips.one_is_twice),
    ),
    Exercise(
        "14.2",
        "X14.2",
        "the share of the bound with the least weighted sum of |log|.",
        "Each row would like its own measured / bound. Sort these. From which one on lies half of the weight below?",
        _check_share,
        fitted_share,
        (slips.mean_of_ratios, slips.geometric_mean, slips.least_squares, slips.no_weights),
    ),
    Exercise(
        "14.3",
        "X14.3",
        "the median of |log| when every publisher is predicted by the others, a number.",
        "Two loops: over the publishers, and over the rows of the one that is left out. What may the share have seen?",
        _check_left_out,
        left_out,
        (slips.nothing_left_out, slips.rows_left_out, slips.publisher_alone, slips.in_percent),
    ),
]
