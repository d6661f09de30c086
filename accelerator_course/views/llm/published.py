"""Published runs beside their bounds: how much of what the roofline allows was reached."""

import numpy as np

from accelerator_course.views.kit import bars, below, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, si


class Published(Stage):
    """Published runs: each a bar inside the frame of its bound, dashed where that bound's state would not fit.

    >>> view = Published()
    >>> view.show(llm.published.one_user()), view.show(llm.published.first_token())
    >>> view.show(llm.published.longer_answer()), view.show(llm.published.offline("fp8"))
    >>> view.show(llm.published.offline("fp16"))
    """

    size, noun = (632, 356), "kind of runs"
    left, wide, most = 266, 126, 1.12  # where bars begin; pixels of a bound; a bar that goes beyond it is cut here
    top, row, high = 52, 33, 21
    columns = {"slower": (432, "start"), "measured": (550, "end"), "bound": (624, "end")}

    def marks(self, runs):
        """`runs`: llm.published.Beside, nine at most."""
        keys, y, left = [one.id for one in runs], rows(self.top + self.high / 2, self.row, len(runs)), self.left
        names, ends, bottom = (
            [one.what for one in runs],
            np.array([left, left + self.wide]),
            self.top + self.row * len(runs),
        )
        said = [f"{_measured(one)}{'' if one.fits else ', but no room for ' + _needs(one)}" for one in runs]
        long, roles = [self.wide * min(one.share, self.most) for one in runs], [_role(one) for one in runs]
        cells = [
            [f"{one.ratio:.2f}x" for one in runs],
            [_plain(one.measured, one) for one in runs],
            [_plain(one.bound, one) if one.fits else "no room" for one in runs],
        ]
        unit = "tokens/s" if runs[0].unit == "tokens/s" else "time"
        yield words("ends", (ends[0], 34, "0", "muted", 12), (ends[1], 34, "the bound", "muted", 12))
        yield words("heads", *((x, 34, name, f"muted {side}", 12) for name, (x, side) in self.columns.items()))
        yield words("unit", (self.columns["bound"][0], 14, unit, "muted end", 12))
        yield lines("rules", range(2), ends, 42, ends, bottom, ["muted", "muted dashed"], 1.2)
        yield from bars("bars", keys, left, y, long, self.high, roles, who=names, says=said)
        yield boxes("frames", keys, left, y - self.high / 2, self.wide, self.high, "ink line")
        yield texts("names", keys, left - 8, y, names, "ink end", 13, who=names, says=said)
        yield from (
            below(name, x, y[0], its, self.row, f"ink {'bold ' if name == 'slower' else ''}{side}")
            for (name, (x, side)), its in zip(self.columns.items(), cells, strict=True)
        )

    def say(self, runs):
        ratios, off = [one.ratio for one in runs], [one for one in runs if not one.fits]
        worst = max(runs, key=lambda one: one.ratio)
        said = f"{len(runs)} published runs: {min(ratios):.2f} to {max(ratios):.2f} times as slow as their bounds; "
        said += f"farthest off is {worst.what}: {_measured(worst)}."
        if off:
            there = "; ".join(f"{one.what}, {one.ratio:.2f}x, {_needs(one)}" for one in off)
            said += f" Dashed: bounds whose weights and caches do not fit ({there})."
        return said


def _role(one):
    return "memory" if one.fits else "compute tint dashed"


def _measured(one):
    unit = "" if one.unit == "s" else f" {one.unit}"
    joint = ", bound " if one.unit == "s" else " of "
    return f"{_plain(one.measured, one)}{joint}{_plain(one.bound, one)}{unit}"


def _plain(value, one):
    return si(value, "s") if one.unit == "s" else number(value)


def _needs(one):
    return f"{si(one.needed_bytes, 'B')} in {si(one.capacity_bytes, 'B')}"
