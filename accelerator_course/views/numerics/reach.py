"""The codes of a format as ticks on a logarithmic ruler; gradients lie over it."""

from math import ceil, floor

import numpy as np

from accelerator_course.views.numerics.formats import RAISED, power
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent

LEFT, WIDE = 22, 696
LEAST = 2.0  # pixels between two ticks; where they are closer, a box stands for them
FATES = {
    "vanish": ("bad tint dashed", "vanish"),
    "subnormal": ("other tint", "subnormal"),
    "normal": ("memory tint", "normal"),
    "overflow": ("bad tint dashed", "overflow"),
}


class Ruler(Stage):
    """The ruler: all codes of a format on a logarithmic one, and below it on an even one.

    >>> view = Ruler()
    >>> view.show(numerics.ruled("fp16"))
    >>> view.show(numerics.ruled("bf16"))
    >>> view.show(numerics.ruled(numerics.Format(1, 4)))
    >>> view.show(numerics.ruled(numerics.Format(1, 0)))
    """

    size, noun = (740, 360), "format"
    low, high, every = -28, 20, 8  # octaves that are shown, and those with a label
    top = 70  # of the ruler

    def marks(self, ruled):
        """`ruled`: reach.Ruled."""
        form = ruled.format
        shape = f"1 sign bit, {form.exponent_bits} for the exponent, {form.mantissa_bits} for the fraction"
        return [
            texts("shape", [0], LEFT, 22, shape, "ink bold start", 14),
            *self._ruler(ruled),
            *self._even(ruled),
        ]

    def _x(self, exponent):
        return LEFT + WIDE * (np.clip(exponent, self.low, self.high) - self.low) / (self.high - self.low)

    def _ruler(self, ruled):
        form, y = ruled.format, self.top
        wide = WIDE / (self.high - self.low)
        seen = [one for one in ruled.octaves if self.low <= one.exponent < self.high]
        solid = [one for one in seen if wide / self._full(form, one) < LEAST]
        ticks = [(one, j) for one in seen if one not in solid for j in range(one.codes)]
        at = np.array([one.exponent + np.log2(1 + j / self._full(form, one)) for one, j in ticks])
        labels = [e for e in range(self.low, self.high + 1) if e % self.every == 0]
        return [
            boxes(
                "octaves", [one.exponent for one in solid], [self._x(one.exponent) for one in solid], y,
                [self._end(one, form) - self._x(one.exponent) for one in solid], 34,
                ["other tint" if one.subnormal else "memory tint" for one in solid],
                who=[f"octave {power(one.exponent)}" for one in solid], says=[f"{one.codes:,} codes" for one in solid],
            ),
            lines(
                "ticks", [(one.exponent + 200) * 1024 + j * 1024 // self._full(form, one) for one, j in ticks],
                self._x(at), y, self._x(at), y + 34, ["other" if one.subnormal else "memory" for one, _ in ticks], 1.4,
            ),
            lines("base", [0], LEFT, y + 36, LEFT + WIDE, y + 36, "muted", 1),
            lines("notches", labels, self._x(np.array(labels)), y + 36, self._x(np.array(labels)), y + 41, "muted", 1),
            texts("labels", labels, self._x(np.array(labels)), y + 51, [power(e) for e in labels], "muted", 14),
            *self._ends(ruled, y),
        ]  # fmt: skip

    @staticmethod
    def _full(form, one):
        return one.codes if one.subnormal else 2**form.mantissa_bits

    def _end(self, one, form):
        return self._x(one.exponent + np.log2(1 + one.codes / self._full(form, one)))

    def _ends(self, ruled, y):
        """The largest number and the smallest ones, in rows of their own: no label meets another, or its leader."""
        form = ruled.format
        if not form.max:
            return [texts("ends", [0], LEFT + WIDE / 2, y + 16, "no number but 0", "bad bold", 14)]
        rows = [("largest", np.log2(form.max), f"largest {_number(form.max)}", "memory")]
        low = form.min_exponent - form.mantissa_bits
        if form.mantissa_bits:
            rows.append(("subnormal", low, f"smallest subnormal {power(low)}", "other"))
        if form.max >= form.min_normal:
            rows.append(("normal", form.min_exponent, f"smallest normal {power(form.min_exponent)}", "memory"))
        to_the_left = self._x(low) > 280
        if not to_the_left:
            rows[1:] = rows[:0:-1]
        names, at, words, roles = zip(*rows, strict=True)
        x, down = self._x(np.array(at)), y + 70 + 19 * np.arange(len(rows))
        words = [
            f"{word} ▸" if e >= self.high else f"◂ {word}" if e < self.low else word
            for word, e in zip(words, at, strict=True)
        ]
        ends = [x[0] > 560, *[to_the_left] * (len(rows) - 1)]
        there = [f"{role} bold {'end' if end else 'start'}" for role, end in zip(roles, ends, strict=True)]
        return [
            lines("leaders", names, x, y + 60, x, down + 6, [f"{role} dashed" for role in roles], 1.5),
            texts("ends", names, x + np.where(ends, -6, 6), down, words, there, 13),
        ]

    def _even(self, ruled):
        """The same codes from 0 to the largest, on an even ruler."""
        form, y = ruled.format, 262
        if not form.max:
            return []
        ticks, rest = [(0, 0.0)], 0.0
        for one in reversed(ruled.octaves):
            full, start = self._full(form, one), 2.0**one.exponent
            if WIDE * start / form.max / full < LEAST:
                rest = min(2 * start, form.max)  # from here down to 0 the ticks are closer than can be drawn
                break
            ticks += [
                ((one.exponent + 200) * 1024 + j * 1024 // full, start * (1 + j / full)) for j in range(one.codes)
            ]
        keys, at = zip(*ticks, strict=True)
        x = LEFT + WIDE * np.array(at) / form.max
        return [
            texts("even", [0], LEFT, y - 14, "the same codes on an even ruler", "muted start", 13),
            boxes("crowd", [0] * (rest > 0), LEFT, y, WIDE * rest / form.max, 26, "memory tint"),
            lines("even-ticks", keys, x, y, x, y + 26, "memory", 1.4),
            lines("even-base", [0], LEFT, y + 28, LEFT + WIDE, y + 28, "muted", 1),
            texts(
                "even-ends",
                range(2),
                [LEFT, LEFT + WIDE],
                y + 44,
                ["0", _number(form.max)],
                ["muted start", "muted end"],
                12,
            ),
        ]

    def say(self, ruled):
        form = ruled.format
        bits = (
            f"{form.exponent_bits} exponent bit{'s' * (form.exponent_bits > 1)}, {form.mantissa_bits} for the fraction"
        )
        if not form.max:
            return f"{bits}: no number but 0 is left."
        low = form.min_exponent - form.mantissa_bits
        if form.max < 2 * form.min_normal:
            return f"{bits}: an even grid, steps of {power(low)} up to {_number(form.max)}."
        each = f"{counted(2**form.mantissa_bits, 'code')} in each octave from {power(form.min_exponent)} on"
        return f"{bits}: from {power(low)} to {_number(form.max)}, {each}."


class Gradients(Ruler):
    """Gradients over the codes of a format: which vanish, which are subnormal, which overflow.

    >>> view = Gradients()
    >>> view.show(numerics.landed("fp16", -24, 3))
    >>> view.show(numerics.landed("e4m3", -24, 5, 23))
    >>> view.show(numerics.landed("bf16", -24, 3))
    >>> view.show(numerics.landed("e5m2", 10, 8, 40))
    """

    size, noun = (740, 400), "setting"
    low, high, every = -56, 56, 16
    top = 232
    bottom, tall = 226, 150  # of the histogram

    def marks(self, ruled):
        return [*self._histogram(ruled), *self._shares(ruled), *self._ruler(ruled)]

    def _histogram(self, ruled):
        bars = [bar for bar in ruled.bars if bar.high > self.low and bar.low < self.high]
        density = np.array([bar.share / (bar.high - bar.low) for bar in bars])
        high = self.tall * density / max(density.max(), 1e-9)
        x, end = self._x(np.array([bar.low for bar in bars])), self._x(np.array([bar.high for bar in bars]))
        return [
            boxes(
                "bars", [f"{bar.low:.6g}" for bar in bars], x, self.bottom - high, end - x, high,
                [FATES[bar.fate][0] for bar in bars], who=[f"gradients near {power(round(bar.low))}" for bar in bars],
                says=[f"{percent(bar.share)} of all: {FATES[bar.fate][1]}" for bar in bars],
            ),
        ]  # fmt: skip

    def _shares(self, ruled):
        x = LEFT + 176 * np.arange(4)
        words = [f"{_share(ruled, fate)} {name}" for fate, (_, name) in FATES.items()]
        return [
            boxes("legend", list(FATES), x, 18, 16, 16, [role for role, _ in FATES.values()]),
            texts("shares", list(FATES), x + 23, 26, words, "ink start", 14),
        ]

    def say(self, ruled):
        told = [f"{_share(ruled, fate)} {name}" for fate, (_, name) in FATES.items()]
        scale = f"Loss scale {power(int(ruled.scale))}: {told[0]}, {told[3]}; {told[1]}, {told[2]}."
        if ruled.window is None or ceil(ruled.window[0]) > floor(ruled.window[1]):
            return f"{scale} No loss scale keeps the losses under 1 % at both ends."
        many = " and too many ".join(ruled.too_many)
        return f"{scale} " + (f"Too many {many}." if many else "Less than 1 % is lost at each end.")


def _share(ruled, fate):
    """To a hundredth of a percent."""
    return percent(round(ruled.share(fate), 4))


def _number(value):
    if value >= 1e6:
        digits, raised = f"{value:.3g}".split("e+")
        return f"{digits} × 10{raised.lstrip('0').translate(RAISED)}"
    return f"{value:,.10g}"
