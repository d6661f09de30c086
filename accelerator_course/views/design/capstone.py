"""One design: its floor plan, its limits, what it does to each job, and where it stands among real chips."""

import numpy as np

from accelerator_course.views.design.floor import plan
from accelerator_course.views.design.grid import Chart, triangle
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent

RIGHT, BAR, LONG, END = 352, 466, 102, 748
LIMITS, ROW, JOBS, JOB = 42, 25, 228, 22
JOBS_ONE = 54  # pixels of an H100's rate
NAMES = ("die", "memory stacks", "links", "heat", "power")
BOUNDS = {"compute": "compute", "memory": "memory", "vector": "other", "link": "other", "overhead": "muted"}
CALLED = {"vector": "between", "link": "links", "overhead": "starting"}
HEADS = ["ink bold start", "muted"]
MAP = (58, 402, 360, 158)


class Capstone(Stage):
    """Your accelerator: its floor plan, its limits, its jobs, and real chips beside it.

    >>> view = Capstone()
    >>> view.show(league.capstone.judge(design.Design(128, 20, 128, 6, 1.5e9, 300e9)))
    >>> view.show(league.capstone.judge(design.Design(256, 6, 64, 6, 2.4e9, 300e9), serves="training"))
    >>> view.show(league.capstone.judge(design.Design(512, 40, 512, 8, 2.5e9, 1.8e12, node=7), "decode", 300.0))
    >>> view.show(league.capstone.judge(design.Design(16, 4, 8, 0, 5e8, 5e10, dtype="fp8")))
    """

    size, noun = (760, 600), "design"

    def marks(self, judged):
        """`judged`: league.capstone.Judged."""
        return [
            *plan(judged.floor, 172, 40),
            *_limits(judged),
            *_jobs(judged),
            *_map(judged),
            *triangle(judged, 490, 742, MAP[1] - 4),
        ]

    def say(self, judged):
        return f"{_what(judged)}: {verdict(judged)}" + (f" {_swap(judged)}" if judged.serves else "")


def _what(judged):
    one = judged.design
    arrays, stacks = counted(one.arrays, "array"), counted(one.stacks, "stack")
    return (
        f"{arrays} of {one.edge} × {one.edge}, {number(one.sram_mb)} MB, {stacks}, "
        f"{one.clock_hz / 1e9:g} GHz, {one.node} nm, {one.dtype}"
    )


def verdict(judged):
    """One sentence: what breaks a limit, or what the design is worth."""
    broken = judged.broken
    if broken:
        many = "; ".join(_broken(limit, judged) for limit in broken[:2]) + ("; and more" if len(broken) > 2 else "")
        return f"not legal: {many}."
    words = f"score {judged.found.score:.2f}, value {judged.found.value:.2f} (H100: 1)"
    if judged.hole:
        return f"{words}. More than half above an H100: a hole in the model; name it."
    if judged.best_value:
        words += (
            ", a tie with the best in the grid" if judged.tied else f", {percent(judged.share)} of the best in the grid"
        )
    return f"{words}."


def _broken(limit, judged):
    if limit.limit in NAMES:
        return f"{limit.limit} {number(limit.value)}, allowed {number(limit.most)} {_unit(limit)}".rstrip()
    missing = [name for name, result in judged.found.results.items() if not result.fits]
    return f"1,024 chips cannot run {', '.join(missing)}"


def _unit(limit):
    return "" if limit.unit == "of them" else limit.unit


def _times(ratio):
    return f"{ratio:.2f}" if ratio >= 0.01 or not ratio else number(ratio, 1)


def _swap(judged):
    words = f"Now it serves {judged.serves}: value {_times(judged.there.value)}; "
    words += f"the grid's best all-rounder has {judged.all_rounder:.2f} there."
    return f"Over-fitted. {words}" if judged.overfitted else words


def _limits(judged):
    """A bar for each limit: its end is what is allowed; beyond it the bar is red, dashed, and says so."""
    bars = [limit for limit in judged.limits if limit.limit in NAMES]
    n, y = range(len(bars)), LIMITS + ROW * np.arange(len(bars))
    over = [limit.value > limit.most for limit in bars]
    share = [limit.value / limit.most if limit.most else 2.0 * (limit.value > 0) for limit in bars]
    wide = LONG * np.minimum(share, 1.2)
    said = [f"{number(limit.value)} of {number(limit.most)} {_unit(limit)}".rstrip() for limit in bars]
    missing = [name for name, result in judged.found.results.items() if not result.fits]
    fine = (
        "every job fits on 1,024 chips"
        if not missing
        else f"✕ {counted(len(missing), 'job')} of the mix: no room on 1,024 chips"
    )
    return [
        texts("limits head", [0, 1], [RIGHT, BAR + LONG], LIMITS - 22, ["limits", "allowed"], HEADS, [14, 12]),
        texts(
            "limit names",
            n,
            RIGHT,
            y + 9,
            [limit.limit.removeprefix("memory ") for limit in bars],
            ["bad bold start" if o else "ink start" for o in over],
            13,
        ),
        boxes(
            "limit bars",
            n,
            BAR,
            y,
            np.maximum(wide, 0.5),
            18,
            ["bad tint dashed" if o else "good tint" for o in over],
            who=[limit.limit for limit in bars],
            says=said,
        ),
        lines("allowed", [0], BAR + LONG, LIMITS - 8, BAR + LONG, LIMITS + ROW * len(bars) - 2, "ink", 2),
        texts(
            "limit words",
            n,
            END,
            y + 9,
            [f"✕ {s}" if o else s for s, o in zip(said, over, strict=True)],
            ["bad bold end" if o else "ink end" for o in over],
            12,
        ),
        texts(
            "fitting",
            [0],
            RIGHT,
            LIMITS + ROW * len(bars) + 9,
            fine,
            "bad bold start" if missing else "muted start",
            12,
        ),
    ]


def _jobs(judged):
    """A chip's rate on each job of the mix beside an H100's, and what takes longest in a step."""
    shown = judged.there if judged.serves else judged.found
    names, y = list(shown.results), JOBS + JOB * np.arange(len(shown.results))
    ratio = np.array([shown.ratios[name] for name in names])
    bounds = [shown.results[name].bound for name in names]
    fits = [shown.results[name].fits for name in names]
    wide = JOBS_ONE * np.minimum(ratio, 2.9)
    words = [
        (f"{_times(r)} ×, {CALLED.get(b, b)}" if f else "✕ does not fit")
        for r, b, f in zip(ratio, bounds, fits, strict=True)
    ]
    chips = [
        f"{shown.results[name].chips:,.0f} chips, {number(shown.results[name].per_chip_s)} a second each"
        for name in names
    ]
    n = range(len(names))
    return [
        texts("jobs head", [0, 1], [RIGHT, BAR + JOBS_ONE], JOBS - 16, ["a chip's rate", "H100"], HEADS, [14, 12]),
        texts("job names", names, RIGHT, y + 8, names, "ink start", 13),
        boxes(
            "job bars",
            names,
            BAR,
            y,
            np.maximum(wide, 0.5),
            16,
            [f"{BOUNDS[b]} tint" if f else "bad tint dashed" for b, f in zip(bounds, fits, strict=True)],
            who=names,
            says=chips,
        ),
        lines("one", [0], BAR + JOBS_ONE, JOBS - 6, BAR + JOBS_ONE, JOBS + JOB * len(names) - 2, "ink dashed", 1.5),
        texts("job words", n, END, y + 8, words, ["ink end" if f else "bad bold end" for f in fits], 12),
    ]


def _map(judged):
    """Score and dollars an hour: the front of the grid, published chips, and this design."""
    chart = Chart(*MAP, (0.1, 0.4), (0, 2.5), "$ an hour", f"score on {judged.mix}", x_steps=6, y_steps=5)
    return [
        *chart.frame(),
        *chart.front(*judged.front, "the best of the grid"),
        *chart.dots(judged.others),
        *chart.mine(judged.dot, judged.legal, judged.others),
    ]
