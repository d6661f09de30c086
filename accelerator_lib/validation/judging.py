"""Judging: every row predicted by constants, and within an interval, that never saw its publisher, or its device.

Nested: a publisher A is left out, and then each other publisher B in turn. How far off the rows of each B are, by
constants that saw neither, makes the interval that the rows of A are held against.

Kinds of which all rows are from one source (latencies, the TPUs, operators, software, memory) are judged within it:
what is left out is what was run, or the device, and the same paper's other rows were seen.
"""

from math import ceil, exp, floor

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.door import foretell, whole
from accelerator_lib.validation.fitting import DIGITS, FAR, Ground, fittable, miss
from accelerator_lib.validation.record import less_is_better
from accelerator_lib.validation.report import Judged, Report

SHARE = 0.8  # of the rows of a kind that an interval shall hold
UNSEEN = (0.5, 2.0)  # where nothing at all is known of how far off a kind is


def left_out(rows, by="publisher"):
    """{what is left out: its rows}: publishers, sources or devices, or what was run where all rows share these."""
    for each in (by, "workload", "device"):
        found = {}
        for row in rows:
            found.setdefault(_group(row, each), []).append(row)
        if len(found) > 1:
            break
    return dict(sorted(found.items()))


def _group(row, by):
    if by == "device":  # two spellings of one chip are one device
        try:
            return named(row["device"])[0].id
        except NotAvailable:
            pass
    return data.publisher(row.get("source")) if by == "publisher" else str(row.get(by))


def interval(off):
    """(low, high): factors on a predicted speed between which SHARE of further ones lie, from logs of misses.
    Order statistics of n + 1, as conformal prediction takes them: right for few rows too, if they are like the next."""
    off = sorted(min(max(each, -FAR), FAR) for each in off)
    if not off:
        return UNSEEN
    tail = round((1 - SHARE) / 2 * (len(off) + 1), DIGITS)  # 0.1 x 20 rows is 2, not a hair less
    low, high = off[max(floor(tail) - 1, 0)], off[min(ceil(len(off) + 1 - tail) - 1, len(off) - 1)]
    return float(f"{min(exp(-high), 1):.3g}"), float(f"{max(exp(-low), 1):.3g}")


def spread(ground, groups):
    """(low, high) of a kind: each group of rows predicted by constants that never saw it."""
    every, misses = {row["id"] for rows in groups.values() for row in rows}, []
    for rows in groups.values():
        ids = {row["id"] for row in rows} & set(ground.rows)
        off = ground.errors(ground.fit(every - ids), ids) if ids else {}  # a time too long is a speed too low
        misses += [-off[id] if less_is_better(ground.rows[id][0]) else off[id] for id in off]
    return interval(misses)


def judge(kind, rows, by="publisher", ground=None):
    """Report of a kind: each publisher (source, device) predicted by what was fitted, interval included, without it."""
    ground = ground or Ground(kind, rows)
    groups, judged, missing, hand_set = left_out(rows, by), [], {}, []
    for name, outside in groups.items():
        inside = {other: its for other, its in groups.items() if other != name}
        ids = [row["id"] for its in inside.values() for row in its]
        constants, (low, high) = Constants(ground.fit(ids)), spread(ground, inside)
        told_by = set().union(*ground.asked(ids).values())
        hand_set += [id for id, names in ground.asked(row["id"] for row in outside).items() if names - told_by]
        for row in outside:
            try:
                prediction = foretell(whole(row), constants, low, high, ground.module)
            except NotAvailable as why:
                missing[row["id"]] = str(why)
                continue
            off = miss(prediction.value, row["value"])
            judged.append(Judged(row["id"], prediction, row["value"], off, fittable(row), row["source"], row["device"]))
    reasons = data.load("validation").get("explained") or {}
    beaten = {each.id: reasons.get(each.id) for each in judged if each.beaten}
    return Report(kind, by, tuple(judged), missing, beaten, len(ground.fit()), len(ground.rows), tuple(hand_set))


def moved(kind, rows):
    """Medians |log| of a kind, publishers left out, where all constants start at half, and at twice, what was set."""
    return tuple(round(judge(kind, rows, ground=Ground(kind, rows, factor)).median, 4) for factor in (0.5, 2.0))
