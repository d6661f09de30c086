"""What each knob is worth: percent of score for one percent, by the slope and by a step of ten percent."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts

ZERO, UNIT, TOP, ROW = 200, 330, 92, 50
CALLED = {
    "edge": "edge of an array",
    "arrays": "arrays",
    "sram_mb": "SRAM",
    "stacks": "stacks",
    "clock_hz": "clock",
    "link_bytes_per_s": "links",
}


class Worth(Stage):
    """What each knob is worth: the slope where the design stands, and a step from ten percent below to ten above.

    >>> view, d = Worth(), design.Design(128, 20, 128, 6, 1.5e9, 300e9)
    >>> view.show((d, True, design.explore.elasticities(d), design.explore.stepped(d)))
    >>> view.show((d, False, design.explore.elasticities(d, False), design.explore.stepped(d)))
    >>> none = design.Design(512, 1, 16, 0, 1e9, 3e11)
    >>> view.show((none, True, design.explore.elasticities(none), design.explore.stepped(none)))
    """

    size, noun = (740, 430), "design"

    def marks(self, found):
        """`found`: (design, smooth, {knob: slope}, {knob: percent for a percent, between two steps})."""
        _, smooth, slopes, steps = found
        n, y = range(len(slopes)), TOP + ROW * np.arange(len(slopes))
        slope, step = (np.array([of[name] for name in CALLED]) for of in (slopes, steps))
        ticks = np.array([0, 0.25, 0.5, 0.75, 1.0])
        end = TOP + ROW * len(slopes) - 8
        upper, lower = _bar(slope), _bar(step)
        after, before = (ZERO + UNIT * np.clip(value, 0, 1.3) + 8 for value in (slope, step))
        kind = "slope, rounding left out" if smooth else "slope, rounded up as it is built"
        return [
            lines("grid", range(5), ZERO + UNIT * ticks, TOP - 10, ZERO + UNIT * ticks, end, "muted faint", 1),
            texts("ticks", range(5), ZERO + UNIT * ticks, end + 14, [f"{tick:g} %" for tick in ticks], "muted", 12),
            texts("axis", [0], ZERO + UNIT, end + 34, "more score for 1 % more of a knob", "ink end", 13),
            lines("zero", [0], ZERO, TOP - 10, ZERO, end, "ink", 1.5),
            texts("names", n, ZERO - 14, y + 17, CALLED.values(), "ink end", 14),
            boxes("slopes", n, upper[0], y, upper[1], 15, "compute" if smooth else "other", who=list(CALLED.values()),
                  says=[f"slope: {value:.3f} %" for value in slope]),
            boxes("steps", n, lower[0], y + 18, lower[1], 15, "muted tint", who=list(CALLED.values()),
                  says=[f"from 10 % less to 10 % more: {value:.3f} %" for value in step]),
            texts("slope values", n, after, y + 8, [_number(v) for v in slope],
                  "compute bold start" if smooth else "other bold start", 13),
            texts("step values", n, before, y + 26, [_number(v) for v in step], "muted start", 13),
            boxes("key", [0, 1], 20, [22, 46], 13, 13, ["compute" if smooth else "other", "muted tint"]),
            texts("key words", [0, 1], 40, [29, 53], [kind, "from 10 % less to 10 % more, as it is built"],
                  "ink start", 13),
        ]  # fmt: skip

    def say(self, found):
        design, smooth, slopes, steps = found
        first = max(slopes, key=slopes.get)
        kind = "rounding left out" if smooth else "as it is built"
        words = f"{design.arrays:,} arrays of {design.edge} × {design.edge}, {kind}"
        if slopes[first] <= 0:
            return f"{words}: no knob changes the score here."
        return (
            f"{words}: 1 % more {CALLED[first]} brings {slopes[first]:.2f} % of score, 1 % more arrays "
            f"{_number(slopes['arrays'])} %; by steps of 10 % arrays bring {_number(steps['arrays'])} %."
        )


def _bar(value):
    """(left end, width) of bars around the zero line."""
    value = np.clip(value, -0.5, 1.3)
    return ZERO + UNIT * np.minimum(value, 0), np.maximum(UNIT * np.abs(value), 0.4)


def _number(value):
    return "0" if value == 0 else f"{value:.3f}" if abs(value) < 0.01 else f"{value:.2f}"
