"""Published runs beside their bounds: how much of what the roofline allows was reached."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, si

LEFT, WIDE, MOST = 266, 126, 1.12  # where bars begin; pixels of a bound; a bar that goes beyond it is cut here
TOP, ROW, HIGH = 52, 33, 21
RATIO, MEASURED, BOUND = 432, 550, 624  # columns of words


class Published(Stage):
    """Published runs: each a bar inside the frame of its bound, dashed where that bound's state would not fit.

    >>> view = Published()
    >>> view.show(llm.published.one_user())
    >>> view.show(llm.published.first_token())
    >>> view.show(llm.published.longer_answer())
    >>> view.show(llm.published.offline("fp8"))
    >>> view.show(llm.published.offline("fp16"))
    """

    size, noun = (632, 356), "kind of runs"

    def marks(self, runs):
        """`runs`: llm.published.Beside, nine at most."""
        keys, y = [one.id for one in runs], TOP + ROW * np.arange(len(runs))
        names, middle = [one.what for one in runs], y + HIGH / 2
        said = [f"{_measured(one)}{'' if one.fits else ', but no room for ' + _needs(one)}" for one in runs]
        bars = [WIDE * min(1 / one.ratio, MOST) for one in runs]
        ends, bottom = [LEFT, LEFT + WIDE], TOP + ROW * len(runs)
        heads, roles = ["slower", "measured", "bound"], ["muted start", "muted end", "muted end"]
        return [
            texts("ends", range(2), ends, 34, ["0", "the bound"], "muted", 12),
            texts("heads", range(3), [RATIO, MEASURED, BOUND], 34, heads, roles, 12),
            texts("unit", [0], BOUND, 14, "tokens/s" if runs[0].unit == "tokens/s" else "time", "muted end", 12),
            lines("rules", range(2), ends, 42, ends, bottom, ["muted", "muted dashed"], 1.2),
            boxes("bars", keys, LEFT, y, bars, HIGH, [_role(one) for one in runs], who=names, says=said),
            boxes("frames", keys, LEFT, y, WIDE, HIGH, "ink line"),
            texts("names", keys, LEFT - 8, middle, names, "ink end", 13, who=names, says=said),
            texts("ratios", keys, RATIO, middle, [_times(one) for one in runs], "ink bold start", 13),
            texts("measured", keys, MEASURED, middle, [_plain(one.measured, one) for one in runs], "ink end", 13),
            texts("bounds", keys, BOUND, middle, [_bound(one) for one in runs], "ink end", 13),
        ]

    def say(self, runs):
        """How far off they are, which one most, and which bounds could not have been."""
        ratios, off = [one.ratio for one in runs], [one for one in runs if not one.fits]
        worst = max(runs, key=lambda one: one.ratio)
        said = f"{len(runs)} published runs: {min(ratios):.2f} to {max(ratios):.2f} times slower than their bounds; "
        said += f"farthest off is {worst.what}: {_measured(worst)}."
        if off:
            there = "; ".join(f"{one.what}, {_times(one)}, {_needs(one)}" for one in off)
            said += f" Dashed: bounds whose weights and caches do not fit ({there})."
        return said


def _role(one):
    return "memory" if one.fits else "compute tint dashed"


def _times(one):
    return f"{one.ratio:.2f}x"


def _measured(one):
    if one.unit == "s":
        return f"{si(one.measured, 's')}, bound {si(one.bound, 's')}"
    return f"{number(one.measured)} of {number(one.bound)} {one.unit}"


def _plain(value, one):
    return si(value, "s") if one.unit == "s" else number(value)


def _bound(one):
    return _plain(one.bound, one) if one.fits else "no room"


def _needs(one):
    return f"{si(one.needed_bytes, 'B')} in {si(one.capacity_bytes, 'B')}"
