"""A running sum: where it stands among the codes of its accumulator, and how far it is from the exact one."""

import numpy as np

from accelerator_course.views.numerics.formats import power
from accelerator_course.views.stage import Stage, arrows, boxes, lines, paths, texts
from accelerator_lib.units import counted

LEFT, WIDE = 74, 640
TOP, BOTTOM = 34, 250  # of the chart
RULER = 376
KEYS = np.array([LEFT, LEFT + 90])  # of the two lines
DEEP = 2**13  # how far below the largest sum the axis begins
NAMED = 7  # codes in the window that carry their numbers


class RunningSum(Stage):
    """A running sum: beside the exact one, over the number of terms; below, the codes around it and the last addition.

    >>> from accelerator_course.frames.numerics import sum_steps
    >>> view = RunningSum()
    >>> ones = list(sum_steps(np.ones(600), "bf16"))
    >>> view.show(ones[0])
    >>> view.show(ones[20])
    >>> view.show(ones[-1])
    >>> both = list(sum_steps(numerics.terms("products of both signs", 600), "e4m3", 8))
    >>> view.show(both[-1])
    >>> view.show(list(sum_steps(np.ones(600), "fp32"))[30])
    """

    size, noun = (740, 440), "state"

    def marks(self, summing):
        """`summing`: frames.numerics.Summing."""
        return [*self._chart(summing), *self._window(summing)]

    def _chart(self, summing):
        """Sums over the number of terms: powers of two on both axes, but an even one for sums of both signs."""
        most, length = summing.most or 1.0, np.log2(summing.length) or 1.0
        octaves = np.arange(np.ceil(np.log2(most / DEEP)), np.log2(most) + 1e-9)

        def high(value):
            share = (np.asarray(value) / most + 1) / 2
            if not summing.signed:
                share = 1 + np.log2(np.maximum(value, most / DEEP) / most) / np.log2(DEEP)
            return BOTTOM - (BOTTOM - TOP) * share

        def across(count):
            return LEFT + WIDE * np.log2(count) / length

        def line(values):
            points = zip(across(summing.numbers), high(values), strict=True)
            return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)

        levels = [-most, 0.0, most] if summing.signed else [2.0**e for e in octaves if e % 4 == 0]
        counts = [2**e for e in range(0, int(length) + 1, 2)]
        x, y = float(across(summing.number)), float(high(summing.sum))
        zero = high(0.0) if summing.signed else BOTTOM
        return [
            lines("grid", range(len(levels)), LEFT, high(levels), LEFT + WIDE, high(levels), "muted faint", 1),
            lines("axes", range(2), LEFT, [TOP, zero], [LEFT, LEFT + WIDE], [BOTTOM, zero], "muted", 1),
            texts("levels", range(len(levels)), LEFT - 8, high(levels), list(map(_short, levels)), "muted end", 12),
            texts("counts", counts, across(np.array(counts)), BOTTOM + 16, [f"{n:,}" for n in counts], "muted", 12),
            texts("count", [0], LEFT + WIDE, BOTTOM - 12, "terms", "muted end", 12),
            paths("exact", [0], [line(summing.exacts)], role="ink line dashed", size=2),
            paths("own", [0], [line(summing.sums)], role="compute line", size=3),
            boxes("dot", [0], x - 6, y - 6, 12, 12, "compute round", who="the accumulator", says=_short(summing.sum)),
            lines("keys", range(2), KEYS, 14, KEYS + 26, 14, ["ink dashed", "compute"], [2, 3]),
            texts("names", range(2), KEYS + 34, 14, ["exact", "rounded after every addition"],
                  ["ink start", "compute bold start"], 13),
        ]  # fmt: skip

    def _window(self, summing):
        low, high = summing.window

        def at(value):
            return LEFT + WIDE * (np.asarray(value) - low) / (high - low)

        codes = summing.near
        names = codes if len(codes) <= NAMED else codes[:: -(-len(codes) // NAMED)]
        before, wanted, held = (float(at(v)) for v in (summing.before, summing.wanted, summing.held))
        sign = "−" if summing.term < 0 else "+"
        told = f"{_short(summing.before)} {sign} {_short(abs(summing.term))} = {_short(summing.wanted)}"
        role = "bad" if summing.stuck else "compute"
        moves = [arrows("rounds", [0], wanted, RULER + 16, held, RULER + 16, role, 2.5)] if wanted != held else []
        crowd = [] if len(codes) else [boxes("crowd", [0], LEFT, RULER - 9, WIDE, 18, "memory tint")]
        many = "" if len(codes) else "codes closer than can be drawn"
        return [
            texts("told", [0], LEFT, RULER - 72, f"last: {told} → {_short(summing.held)}",
                  f"{role} bold start" if summing.stuck else "ink bold start", 13),
            *crowd,
            lines("ruler", [0], LEFT, RULER, LEFT + WIDE, RULER, "muted", 1),
            lines("codes", list(map(str, codes)), at(codes), RULER - 11, at(codes), RULER + 11, "memory", 2),
            texts("values", list(map(str, names)), at(names), RULER + 34, list(map(_short, names)), "memory", 12),
            texts("many", [0], LEFT + WIDE / 2, RULER + 34, many, "memory", 12),
            boxes("before", [0], before - 6, RULER - 6, 12, 12, "ink round", who="the accumulator before"),
            arrows("adds", [0], before, RULER - 26, wanted, RULER - 26, "ink", 2.5),
            texts("term", [0], (before + wanted) / 2, RULER - 42, f"{sign} {_short(abs(summing.term))}", "ink", 13),
            boxes("wanted", [0], wanted - 5, RULER - 5, 10, 10, "compute line round", who="what is to be rounded"),
            *moves,
        ]  # fmt: skip

    def say(self, summing):
        off = summing.sum - summing.exact
        told = f"off by {_short(abs(off))}"
        if off and summing.exact and abs(off) >= 0.001 * abs(summing.exact):
            told += f", {abs(off / summing.exact):.1%}".replace("%", " %")
        gone = " The last term was rounded away." if summing.stuck else ""
        found = f" instead of {_short(summing.exact)} ({told})" if off else ", and that is exact"
        first = f"{counted(summing.number, 'term')}: the sum is {_short(summing.sum)}{found}."
        return f"{first} Codes here are {_step(summing.ulp)} apart.{gone}"


def _step(ulp):
    return _short(ulp) if ulp >= 1 / 64 else power(round(np.log2(ulp)))


def _short(value):
    size = abs(value)
    text = (
        f"{size:,.0f}"
        if size >= 1000 and size == round(size)
        else f"{size:,.5g}"
        if size >= 1e-4 or not size
        else f"{size:.3g}"
    )
    return f"−{text}" if value < 0 and float(size) else text
