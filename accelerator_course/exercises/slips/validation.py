"""Slips of chapter 14 that are written out."""

from math import exp, log


def mean_of_ratios(bounds, measured):
    return sum(m / b for b, m in zip(bounds, measured, strict=True)) / len(bounds)


def geometric_mean(bounds, measured):
    return exp(sum(log(m / b) for b, m in zip(bounds, measured, strict=True)) / len(bounds))


def least_squares(bounds, measured):
    rows = list(zip(bounds, measured, strict=True))
    return sum(b * m for b, m in rows) / sum(b * b for b, m in rows)


def files_left_out(rows, fit):
    return middle(apart(rows, fit, "file"))


def rows_left_out(rows, fit):
    return middle([row["measured"] / fit(rows[:at] + rows[at + 1 :])(row) for at, row in enumerate(rows)])


def nothing_left_out(rows, fit):
    predict = fit(rows)
    return middle([row["measured"] / predict(row) for row in rows])


def the_extremes(rows, fit):
    found = apart(rows, fit, "publisher")
    return min(found), max(found)


def apart(rows, fit, by):
    """measured / predicted of all rows, each predicted without those that share its publisher, or its file."""
    found = []
    for name in {row[by] for row in rows}:
        predict = fit([row for row in rows if row[by] != name])
        found += [row["measured"] / predict(row) for row in rows if row[by] == name]
    return found


def middle(found):
    """(first tenth, ninth tenth)"""
    found = sorted(found)
    return found[len(found) // 10], found[9 * len(found) // 10]
