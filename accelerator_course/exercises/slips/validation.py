"""Slips of the exercises of chapter 14."""

from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.validation import fitted_share, interval

mean_of_ratios = changed(fitted_share, "sorted(", "sum(", "[len(bounds) // 2]", " / len(bounds)")
geometric_mean = changed(fitted_share, "sorted(m / b", "exp(sum(log(m / b)", "[len(bounds) // 2]", " / len(bounds))")


def least_squares(bounds, measured):
    rows = list(zip(bounds, measured, strict=True))
    return sum(b * m for b, m in rows) / sum(b * b for b, m in rows)


def left_out(by):
    """The interval where each row is predicted without those that share something else than its publisher."""
    swaps = [(f'row["publisher"] {then}', f"{by} {then}") for then in ("for", "!=", "==")]
    return changed(interval, *(text for swap in swaps for text in swap))


files_left_out = left_out('row["file"]')
rows_left_out = left_out("id(row)")
nothing_left_out = changed(interval, ' if row["publisher"] != publisher', "")
the_extremes = changed(interval, "len(found) // 10], found[9 * len(found) // 10", "0], found[-1")
