"""Slips of the exercises of chapter 14."""

from math import exp, log


def mean_of_ratios(bounds, measured):
    """You took the mean of measured / bound. One row far off pulls it; the sum of |log| is least at a median."""
    return sum(m / b for b, m in zip(bounds, measured, strict=True)) / len(bounds)


def geometric_mean(bounds, measured):
    """The mean of the logarithms makes the sum of their squares least. The sum of |log| is least at a median."""
    return exp(sum(log(m / b) for b, m in zip(bounds, measured, strict=True)) / len(bounds))


def least_squares(bounds, measured):
    """You fitted by least squares. There large rows decide, as if 10 GB/s too many were the same everywhere."""
    rows = list(zip(bounds, measured, strict=True))
    return sum(b * m for b, m in rows) / sum(b * b for b, m in rows)


def files_left_out(rows, fit):
    """You left out one file at a time. Its publisher's other files stay in, and they tell of its program."""
    return middle(apart(rows, fit, "file"))


def rows_left_out(rows, fit):
    """You left out one row at a time. Its neighbours in the same file stay in, and they are much like it."""
    found = []
    for place, row in enumerate(rows):
        found.append(row["measured"] / fit(rows[:place] + rows[place + 1 :])(row))
    return middle(found)


def nothing_left_out(rows, fit):
    """Your errors are on rows that the fit has seen. Predict each publisher without its own rows."""
    predict = fit(rows)
    return middle([row["measured"] / predict(row) for row in rows])


def the_extremes(rows, fit):
    """You took the smallest and the largest error. 80 % of the rows lie between the first tenth and the ninth."""
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
