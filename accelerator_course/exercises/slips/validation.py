"""Slips of the exercises of chapter 14."""

from math import exp, log
from statistics import median


def by_difference(row):
    """You took what is nearest by difference. Twice and half as much are equally far off: compare factors."""
    real = counted(row)
    return min(real, key=lambda way: abs(real[way] - row["predicted"]))


def tries_all(row):
    """You tried ways that cannot apply: a product has no two directions, and a link no mask."""
    real = counted({**row, "what": "any"}) | counted(row)
    return nearest(real, row)


def gib_is_larger(row):
    """You divided by 2^30 / 1e9. A GiB is larger than a GB, so more bytes went than was printed."""
    real = counted(row)
    if "GiB" in real:
        real["GiB"] = row["printed"] * 1e9 / 2**30
    return nearest(real, row)


def one_is_twice(row):
    """Who counts a multiply-add as one FLOP prints half of what we count. You divided once more."""
    real = counted(row)
    if "one" in real:
        real["one"] = row["printed"] / 2
    return nearest(real, row)


def nearest(real, row):
    """The way whose figure is nearest by a factor."""
    return min(real, key=lambda way: abs(log(real[way] / row["predicted"])))


def counted(row):
    """What was measured, for each way of printing that can apply."""
    any_, what, printed = row["what"] == "any", row["what"], row["printed"]
    real = {"fine": printed}
    if any_ or what in ("stream", "link"):
        real["GiB"] = printed * 2**30 / 1e9
    if any_ or what == "link":
        real["both ways"] = printed / 2
    if any_ or what == "attention":
        real["mask"] = printed / 2
    if any_ or what in ("attention", "product"):
        real["one"] = printed * 2
    if row["chips"] > 1:
        real["all chips"] = printed / row["chips"]
    return real


def mean_of_ratios(bounds, measured, weights):
    """You took the mean of measured / bound. One row far off pulls it; the sum of |log| is least at a median."""
    return sum(w * m / b for b, m, w in zip(bounds, measured, weights, strict=True)) / sum(weights)


def geometric_mean(bounds, measured, weights):
    """The mean of the logarithms makes the sum of their squares least. The sum of |log| is least at a median."""
    return exp(sum(w * log(m / b) for b, m, w in zip(bounds, measured, weights, strict=True)) / sum(weights))


def least_squares(bounds, measured, weights):
    """You fitted by least squares. There large rows decide, as if 10 GB/s too many were the same everywhere."""
    rows = list(zip(bounds, measured, weights, strict=True))
    return sum(w * b * m for b, m, w in rows) / sum(w * b * b for b, m, w in rows)


def no_weights(bounds, measured, weights):
    """You took the median of all rows alike. A row of weight 5 counts as five rows."""
    return sorted(m / b for b, m in zip(bounds, measured, strict=True))[(len(bounds) - 1) // 2]


def share_of(rows):
    """exp of the median of log(measured / bound)."""
    return exp(median(log(row["measured"] / row["bound"]) for row in rows))


def off(rows, share):
    """|log(share x bound / measured)| of each row."""
    return [abs(log(share * row["bound"] / row["measured"])) for row in rows]


def nothing_left_out(rows):
    """Your share has seen the rows that it is judged on. Fit it without their publisher."""
    return median(off(rows, share_of(rows)))


def rows_left_out(rows):
    """You left out one row at a time. Its neighbours of the same publisher stay in, and they are much like it."""
    found = []
    for place, row in enumerate(rows):
        found += off([row], share_of([other for at, other in enumerate(rows) if at != place]))
    return median(found)


def publisher_alone(rows):
    """You fitted the share on the publisher itself. It is to be predicted by all the others."""
    found = []
    for publisher in {row["publisher"] for row in rows}:
        own = [row for row in rows if row["publisher"] == publisher]
        found += off(own, share_of(own))
    return median(found)


def in_percent(rows):
    """You took |predicted / measured - 1|. That is 1 for twice too much and 0.5 for half: take the logarithm."""
    found = []
    for publisher in {row["publisher"] for row in rows}:
        share = share_of([row for row in rows if row["publisher"] != publisher])
        found += [abs(share * row["bound"] / row["measured"] - 1) for row in rows if row["publisher"] == publisher]
    return median(found)
