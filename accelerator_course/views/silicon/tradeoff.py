"""What a floor plan costs and how long a layer takes: bars from zero, beside the drawing (plans.py)."""

import numpy as np

from accelerator_course.views.stage import boxes, lines, texts
from accelerator_lib.units import counted, number, si

BARS, LONG, MOST = 404, 320, 8000  # left end of the bars, their length [px] for so many dollars
ROLES = {"die": "compute", "HBM": "memory", "package": "muted"}


def bill(served):
    """Dollars by part on one bar from zero."""
    usd = served.plan.usd
    long = np.array(list(usd.values())) * LONG / MOST
    starts = BARS + np.concatenate([[0], np.cumsum(long)[:-1]])
    bars = boxes(
        "bill",
        range(3),
        starts,
        66,
        np.minimum(long, BARS + LONG + 14 - starts),
        24,
        [ROLES[name] for name in usd],
        who=list(usd),
        says=[f"{value:,.0f} dollars" for value in usd.values()],
    )
    words = [f"{name} ${value:,.0f}" for name, value in usd.items()]
    at, down = BARS + np.array([0, 112, 0]), np.array([98, 98, 120])
    keys = boxes("keys", range(3), at, down, 12, 12, [ROLES[name] for name in usd])
    told = texts("parts", range(3), at + 17, down + 6, words, "ink start", 13)
    head = texts(
        "cost",
        range(2),
        [BARS, BARS + LONG],
        [44, 44],
        ["dollars (assumed)", f"${served.plan.total_usd:,.0f}"],
        ["ink bold start", "ink bold end"],
        [14, 16],
    )
    return [bars, lines("zero", [0], BARS, 60, BARS, 94, "ink", 1.5), keys, told, head]


def times(served):
    """Arithmetic and memory, side by side; the longer one is the time."""
    seconds = np.array([served.arithmetic_seconds, served.memory_seconds])
    long = LONG * seconds / seconds.max()
    y = np.array([198, 246])
    names = ["arithmetic", "memory"]
    bars = boxes(
        "times", range(2), BARS, y, long, 20, ["compute", "memory"], who=names, says=[si(s, "s") for s in seconds]
    )
    told = [f"{name} {si(s, 's')}" for name, s in zip(names, seconds, strict=True)]
    words = texts("told", range(2), BARS + 5, y - 12, told, "ink start", 13)
    head = texts("pace", [0], BARS, 160, f"layer of 8,192², {counted(served.rows, 'row')}", "ink bold start", 14)
    return [bars, lines("start", [0], BARS, 192, BARS, 272, "ink", 1.5), words, head]


def score(served, best, named=True):
    """Dollars times seconds, beside the least; which plan that is stands there if it is `named`."""
    if served.plan.problem:
        return [texts("score", [0], BARS, 318, "cannot be built", "bad bold start", 18)]
    ratio = served.usd_seconds / best.usd_seconds
    same = served.plan == best.plan
    least = f"{best.plan.units} units, {si(best.plan.sram_bytes, 'B')}, {counted(best.plan.stacks, 'stack')}"
    words = [
        "dollars × seconds",
        "this plan: the least" if same else f"this plan: {number(ratio)} × the least",
        f"best: {least}" if named else "the best plan",
    ]
    roles = ["ink bold start", "ink start", "good start"]
    told = texts("score", range(3), [BARS, BARS + 5, BARS + 5], [304, 328, 380], words, roles, [14, 13, 13])
    bars = boxes(
        "score bars", range(2), BARS, [339, 391], np.array([1.0, 1 / ratio]) * LONG, 18, ["ink", "good"],
        who=["this plan", "the best plan"], says=[f"{number(one.usd_seconds)} dollar s" for one in (served, best)],
    )  # fmt: skip
    return [bars, told, lines("score zero", [0], BARS, 335, BARS, 413, "ink", 1.5)]
