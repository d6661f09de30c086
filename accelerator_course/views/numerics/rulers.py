"""Codes on a ruler, and what lies over them: all codes of a format, gradients, the values of a tensor."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.numerics.written import large, power, signed
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent

MANY = 0.01  # a share that is written in bold
LEFT, WIDE = 22, 696
ACROSS = LEFT, LEFT + WIDE
LEAST = 2.0  # pixels between two ticks; where they are closer, a box stands for them


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
        return [words("shape", (LEFT, 22, shape, "ink bold start", 14)), *self._ruler(ruled), *self._even(ruled)]

    def _x(self, exponent):
        return Chart(ACROSS, (0, 1), (self.low, self.high), (0, 1)).x(np.clip(exponent, self.low, self.high))

    def _ruler(self, ruled):
        y, wide = self.top, WIDE / (self.high - self.low)
        seen = [one for one in ruled.octaves if self.low <= one.exponent < self.high]
        solid = [one for one in seen if wide / one.full < LEAST]
        key, at, role = _ticks([one for one in seen if wide / one.full >= LEAST])
        x, begin = self._x(np.log2(at)), self._x([one.exponent for one in solid])
        end = self._x([one.exponent + np.log2(1 + one.codes / one.full) for one in solid])
        roles = ["other tint" if one.subnormal else "memory tint" for one in solid]
        who, says = [f"octave {power(one.exponent)}" for one in solid], [f"{one.codes:,} codes" for one in solid]
        labels = [e for e in range(self.low, self.high + 1) if e % self.every == 0]
        notches, names = self._x(labels), [power(e) for e in labels]
        octaves = [one.exponent for one in solid]
        return [
            boxes("octaves", octaves, begin, y, end - begin, 34, roles, who=who, says=says),
            lines("ticks", key, x, y, x, y + 34, role, 1.4),
            lines("base", [0], LEFT, y + 36, LEFT + WIDE, y + 36, "muted", 1),
            lines("notches", labels, notches, y + 36, notches, y + 41, "muted", 1),
            texts("labels", labels, notches, y + 51, names, "muted", 14),
            *self._ends(ruled, y),
        ]

    def _ends(self, ruled, y):
        """The largest number and the smallest ones, in rows of their own: no label meets another, or its leader."""
        form = ruled.format
        if not form.max:
            return [words("ends", (LEFT + WIDE / 2, y + 16, "no number but 0", "bad bold", 14))]
        rows = [("largest", np.log2(form.max), f"largest {large(form.max)}", "memory")]
        low = form.lowest_exponent
        if form.mantissa_bits:
            rows.append(("subnormal", low, f"smallest subnormal {power(low)}", "other"))
        if form.max >= form.min_normal:
            rows.append(("normal", form.min_exponent, f"smallest normal {power(form.min_exponent)}", "memory"))
        to_the_left = self._x(low) > 280
        if not to_the_left:
            rows[1:] = rows[:0:-1]
        names, at, said, roles = zip(*rows, strict=True)
        x, down = self._x(np.array(at)), y + 70 + 19 * np.arange(len(rows))
        said = [
            f"{word} ▸" if e >= self.high else f"◂ {word}" if e < self.low else word
            for word, e in zip(said, at, strict=True)
        ]
        ends = [x[0] > 560, *[to_the_left] * (len(rows) - 1)]
        there = [f"{role} bold {'end' if end else 'start'}" for role, end in zip(roles, ends, strict=True)]
        return [
            lines("leaders", names, x, y + 60, x, down + 6, [f"{role} dashed" for role in roles], 1.5),
            texts("ends", names, x + np.where(ends, -6, 6), down, said, there, 13),
        ]

    def _even(self, ruled):
        """The same codes from 0 to the largest, on an even ruler."""
        form, y = ruled.format, 262
        if not form.max:
            return []
        x, scale = Chart(ACROSS, (0, 1), (0, form.max), (0, 1)).x, WIDE / form.max
        shown = [one for one in ruled.octaves if scale * one.step >= LEAST]
        closer = [one for one in ruled.octaves if scale * one.step < LEAST]  # than can be drawn, from there to 0
        rest = min(2 * closer[-1].start, form.max) if closer else 0.0
        key, at, _ = _ticks(shown)
        ticks = x([0.0, *at])
        return [
            boxes("crowd", [0] * bool(closer), LEFT, y, scale * rest, 26, "memory tint"),
            lines("even-ticks", [0, *key], ticks, y, ticks, y + 26, "memory", 1.4),
            lines("even-base", [0], LEFT, y + 28, LEFT + WIDE, y + 28, "muted", 1),
            words(
                "even",
                (LEFT, y - 14, "the same codes on an even ruler", "muted start"),
                (LEFT, y + 44, "0", "muted start", 12),
                (LEFT + WIDE, y + 44, large(form.max), "muted end", 12),
            ),
        ]

    def say(self, ruled):
        form = ruled.format
        bits = f"{counted(form.exponent_bits, 'exponent bit')}, {form.mantissa_bits} for the fraction"
        if not form.max:
            return f"{bits}: no number but 0 is left."
        if form.even:
            return f"{bits}: an even grid, steps of {power(form.lowest_exponent)} up to {large(form.max)}."
        each = f"{counted(form.octave_codes, 'code')} in each octave from {power(form.min_exponent)} on"
        return f"{bits}: from {power(form.lowest_exponent)} to {large(form.max)}, {each}."


def _ticks(octaves):
    """(keys, numbers, roles) of all codes of these octaves."""
    found = [
        (
            (one.exponent + 200) * 1024 + j * 1024 // one.full,
            one.start + j * one.step,
            "other" if one.subnormal else "memory",
        )
        for one in octaves
        for j in range(one.codes)
    ]
    return zip(*found, strict=True) if found else [()] * 3


class Gradients(Stage):
    """A cloud of gradients over the rulers of five formats: what lies beyond a ruler is lost.

    >>> view, run = Gradients(), list(numerics.reach.slide())
    >>> view.show(run[0])
    >>> view.show(run[12])
    >>> view.show(run[-1])
    >>> view.show(list(numerics.reach.slide(20, 1))[-1])
    """

    size, noun = (740, 448), "octave"
    low, high, every = -44, 18, 6  # octaves that are shown, and those with a label
    FIRST, PITCH, TALL, HIGH = 74, 72, 42, 12  # of the rulers' rows, of a cloud and of a ruler [px]
    NAMES = {"fp16": "fp16", "bf16": "bf16", "e5m2": "E5M2", "e4m3": "E4M3", "e2m1": "FP4 (E2M1)"}
    ACROSS = (112, 638)
    FATES = {"vanish": "bad", "subnormal": "other tint", "normal": "memory tint", "overflow": "bad"}

    def marks(self, slid):
        """`slid`: reach.Slid."""
        chart = Chart(self.ACROSS, (0, 1), (self.low, self.high), (0, 1), inside=True)
        names, y = list(slid.rulers), rows(self.FIRST, self.PITCH, len(slid.rulers))
        labels = np.arange(-42, self.high + 1, self.every)
        lost = [f"{percent(round(one.lost, 4))} lost" for one in slid.rulers.values()]
        each = [f"{one.format.octave_codes:,} an octave" for one in slid.rulers.values()]
        middle, floor = float(chart.x(slid.middle)), y[-1] + self.HIGH
        return [
            *legend(
                "legend", self.ACROSS[0], 16,
                (("memory tint", "kept"), ("other tint", "kept with fewer bits"), ("bad", "becomes 0 or is too large")),
            ),
            lines("middle", [0], middle, 32, middle, floor, "ink dashed", 1),
            lines("grid", labels, chart.x(labels), 34, chart.x(labels), floor + 5, "muted faint", 1),
            *[mark for row, at in zip(slid.rulers.items(), y, strict=True) for mark in self._row(*row, at, chart)],
            texts("names", names, 12, y - 8, [self.NAMES[name] for name in names], "ink bold start", 14),
            texts("codes", names, 12, y + 9, each, "muted start", 12),
            texts("lost", names, 728, y, lost, ["bad bold end" if one.lost >= MANY else "ink end"
                                                for one in slid.rulers.values()], 14),
            texts("labels", labels, chart.x(labels), floor + 17, [power(e) for e in labels], "muted", 12),
            words("axis", (sum(self.ACROSS) / 2, floor + 38, "size of a gradient (logarithmic: each octave doubles it)",
                           "ink")),
        ]  # fmt: skip

    def _row(self, name, ruled, y, chart):
        """One ruler, and the cloud over it in the colours of what becomes of it."""
        bars = [bar for bar in ruled.bars if self.low <= bar.low < bar.high <= self.high and bar.share > 1e-5]
        x, end = chart.x([bar.low for bar in bars]), chart.x([bar.high for bar in bars])
        densest = max(bar.density for bar in ruled.bars)
        tall = np.array([self.TALL * bar.density / densest for bar in bars])
        key, looks = [f"{bar.low:.6g}" for bar in bars], [self.FATES[bar.fate] for bar in bars]
        says = [f"{percent(bar.share)} of all: {bar.fate}" for bar in bars]
        form = ruled.format
        ends = chart.x(np.array([form.lowest_exponent, form.min_exponent, np.log2(form.max)]))
        parts, wide = ["subnormal", "normal"], np.diff(ends)
        notches = [one.exponent for one in ruled.octaves if self.low <= one.exponent <= self.high]
        return [
            boxes(f"cloud {name}", key, x, y - 4 - tall, end - x - 0.5, tall, looks, who="gradients", says=says),
            boxes(f"ruler {name}", parts, ends[:-1], y, wide, self.HIGH, ["other", "memory"], who=f"{name}, the ruler",
                  says=[f"{part} numbers" for part in parts]),
            lines(f"octaves {name}", notches, chart.x(notches), y, chart.x(notches), y + self.HIGH, "paper", 1),
        ]  # fmt: skip

    def say(self, slid):
        half = f"Half of the gradients lie below {power(slid.middle)}"
        lost = {self.NAMES[name]: one.lost for name, one in slid.rulers.items() if one.lost >= MANY}
        if not lost:
            return f"{half}: every ruler keeps them."
        told = ", ".join(f"{name} {percent(share)}" for name, share in lost.items())
        return f"{half}. Lost: {told}."


class IntegerGrid(Stage):
    """Integers over a distribution: a histogram of the values, and the integers that stand for them.

    >>> view = IntegerGrid()
    >>> view.show(numerics.calibration.gridded("after ReLU", 4))
    >>> view.show(numerics.calibration.gridded("after ReLU", 4, True))
    >>> view.show(numerics.calibration.gridded("weights", 8))
    >>> view.show(numerics.calibration.gridded("after GELU", 2, True))
    """

    size, noun = (740, 330), "setting"
    TOP, FLOOR, RULER = 44, 216, 262
    APART = 34  # pixels between integers that carry their numbers

    def marks(self, grid):
        """`grid`: calibration.Gridded."""
        y, floor, most = self.RULER, self.FLOOR, 1.06 * grid.edges[-1]
        at = Chart(ACROSS, (0, 1), (-most, most), (0, 1)).x
        high = (floor - self.TOP) * np.sqrt(grid.counts / grid.counts.max())
        x, ticks = at(grid.edges), at(grid.at)
        stride = next(n for n in (1, 2, 4, 8, 16, 32) if n * (ticks[1] - ticks[0]) >= self.APART)
        named = np.flatnonzero((grid.codes - grid.zero_point) % stride == 0)
        numbers, zero = [signed(code) for code in grid.codes], ticks[grid.codes == grid.zero_point]
        ends = [signed(edge, f"{abs(edge):.2g}") for edge in (grid.edges[0], 0, grid.edges[-1])]
        values, counts = [f"values near {edge:.2f}" for edge in grid.edges[:-1]], [f"{n:,}" for n in grid.counts]
        says = [
            f"stands for {value:.3g}{'' if used else ', never used'}"
            for value, used in zip(grid.at, grid.used, strict=True)
        ]
        who, roles = [f"integer {word}" for word in numbers], np.where(grid.used, "memory", "bad dashed").tolist()
        names, looks = [numbers[i] for i in named], ["memory bold" if grid.used[i] else "bad" for i in named]
        thick = 3 if len(numbers) <= 64 else 1.5
        bars = x[:-1] + 0.5, floor - high, np.diff(x) - 1, high
        return [
            boxes("bars", range(len(high)), *bars, "memory tint", who=values, says=counts),
            lines("floor", [0], LEFT, floor, LEFT + WIDE, floor, "muted", 1),
            texts("ends", range(3), at([grid.edges[0], 0, grid.edges[-1]]), floor + 16, ends, "muted", 12),
            lines("codes", grid.codes, ticks, y - 10, ticks, y + 10, roles, thick, who, says),
            texts("names", grid.codes[named], ticks[named], y + 24, names, looks),
            spots("zero", [0], zero, y, 10, "compute round", who="the integer for 0"),
            words(
                "words",
                (LEFT, 16, "the values (root of their number)", "muted start"),
                (LEFT, y + 50, "blue: integers in use; dashed: never used; dot: stands for 0", "muted start"),
            ),
        ]

    def say(self, grid):
        how = f"zero point {grid.zero_point}" if grid.codes[0] == 0 else "no zero point"
        used = f"{counted(int(grid.used.sum()), 'integer')} of {len(grid.codes)} in use"
        return f"{grid.bits} bits, scale {grid.scale:.3g}, {how}: {used}. Signal to noise: {grid.snr_db:.1f} dB."
