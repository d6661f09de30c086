"""Codes on a ruler, and what lies over them: all codes of a format, gradients, the values of a tensor."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import RAISED, counted, percent, power, signed

LEFT, WIDE = 22, 696
ACROSS = LEFT, LEFT + WIDE
LEAST = 2.0  # pixels between two ticks; where they are closer, a box stands for them


class Ruler(Stage):
    """The ruler: all codes of a format on a logarithmic one, and below it on an even one.

    >>> view = Ruler()
    >>> view.show(numerics.ruled("fp16")), view.show(numerics.ruled(numerics.Format(1, 4)))
    >>> view.show(numerics.ruled(numerics.Format(1, 0)))
    """

    size, noun = (740, 360), "format"
    low, high, top = -28, 20, 70  # octaves that are shown; of the ruler
    x = staticmethod(Chart(ACROSS, (0, 1), (-28, 20), (0, 1), inside=True).x)

    def marks(self, ruled):  # reach.Ruled
        form, y, wide = ruled.format, self.top, WIDE / (self.high - self.low)
        seen = [one for one in ruled.octaves if self.low <= one.exponent < self.high]
        solid = [one for one in seen if wide / one.full < LEAST]
        key, at, role = _ticks([one for one in seen if wide / one.full >= LEAST])
        octaves, x = [one.exponent for one in solid], self.x(np.log2(at))
        begin, end = self.x(octaves), self.x([one.exponent + np.log2(1 + one.codes / one.full) for one in solid])
        roles = ["other tint" if one.subnormal else "memory tint" for one in solid]
        hover = {"who": [f"octave {power(e)}" for e in octaves], "says": [f"{one.codes:,} codes" for one in solid]}
        labels = np.arange(-24, self.high + 1, 8)
        notches, names = self.x(labels), [power(e) for e in labels]
        shape = f"1 sign bit, {form.exponent_bits} for the exponent, {form.mantissa_bits} for the fraction"
        yield words("shape", (LEFT, 22, shape, "ink bold start", 14))
        yield boxes("octaves", octaves, begin, y, end - begin, 34, roles, **hover)
        yield lines("ticks", key, x, y, x, y + 34, role, 1.4)
        yield lines("base", [0], LEFT, y + 36, LEFT + WIDE, y + 36, "muted", 1)
        yield lines("notches", labels, notches, y + 36, notches, y + 41, "muted", 1)
        yield texts("labels", labels, notches, y + 51, names, "muted", 14)
        if not form.max:
            yield words("ends", (370, y + 16, "no number but 0", "bad bold", 14))
            return
        # The largest number and the smallest ones, in rows of their own: no label meets another, or its leader
        low, ends = form.lowest_exponent, [("largest", np.log2(form.max), f"largest {_large(form.max)}", "memory")]
        if form.mantissa_bits:
            ends.append(("subnormal", low, f"smallest subnormal {power(low)}", "other"))
        if form.max >= form.min_normal:
            ends.append(("normal", form.min_exponent, f"smallest normal {power(form.min_exponent)}", "memory"))
        to_the_left = self.x(low) > 280
        if not to_the_left:
            ends[1:] = ends[:0:-1]
        names, at, said, roles = zip(*ends, strict=True)
        x, down, left = self.x(at), rows(y + 70, 19, len(ends)), [True, *[to_the_left] * (len(ends) - 1)]
        left[0] = x[0] > 560
        beyond = [f"{word} ▸" if e >= self.high else f"◂ {word}" for word, e in zip(said, at, strict=True)]
        said = [b if not self.low <= e < self.high else word for b, e, word in zip(beyond, at, said, strict=True)]
        there = [f"{role} bold {'end' if end else 'start'}" for role, end in zip(roles, left, strict=True)]
        yield lines("leaders", names, x, y + 60, x, down + 6, [f"{role} dashed" for role in roles], 1.5)
        yield texts("ends", names, x + np.where(left, -6, 6), down, said, there)
        # The same codes from 0 to the largest, on an even ruler
        y = 262
        most, scale = ruled.format.max, WIDE / ruled.format.max
        closer = [one for one in ruled.octaves if scale * one.step < LEAST]  # than can be drawn, from there to 0
        rest = min(2 * closer[-1].start, most) if closer else 0.0
        key, at, _ = _ticks([one for one in ruled.octaves if scale * one.step >= LEAST])
        ticks = LEFT + scale * np.array([0.0, *at])
        yield boxes("crowd", [0] * bool(closer), LEFT, y, scale * rest, 26, "memory tint")
        yield lines("even-ticks", [0, *key], ticks, y, ticks, y + 26, "memory", 1.4)
        yield lines("even-base", [0], LEFT, y + 28, LEFT + WIDE, y + 28, "muted", 1)
        feet = (LEFT, y + 44, "0", "muted start", 12), (LEFT + WIDE, y + 44, _large(most), "muted end", 12)
        yield words("even", (LEFT, y - 14, "the same codes on an even ruler", "muted start"), *feet)

    def say(self, ruled):
        form = ruled.format
        bits = f"{counted(form.exponent_bits, 'exponent bit')}, {form.mantissa_bits} for the fraction"
        if not form.max:
            return f"{bits}: no number but 0 is left."
        if form.even:
            return f"{bits}: an even grid, steps of {power(form.lowest_exponent)} up to {_large(form.max)}."
        each = f"{counted(form.octave_codes, 'code')} in each octave from {power(form.min_exponent)} on"
        return f"{bits}: from {power(form.lowest_exponent)} to {_large(form.max)}, {each}."


def _ticks(octaves):
    """(keys, numbers, roles) of all codes of these octaves."""
    codes = [(one, j) for one in octaves for j in range(one.codes)]
    keys = [(one.exponent + 200) * 1024 + j * 1024 // one.full for one, j in codes]
    roles = [("memory", "other")[one.subnormal] for one, _ in codes]
    return keys, [one.start + j * one.step for one, j in codes], roles


def _large(value):
    """A number above zero: 448; 3.4 × 10³⁸."""
    if value < 1e6:
        return f"{value:,.10g}"
    digits, raised = f"{value:.3g}".split("e+")
    return f"{digits} × 10{raised.lstrip('0').translate(RAISED)}"


class Gradients(Stage):
    """A cloud of gradients over the rulers of five formats: what lies beyond a ruler is lost.

    >>> view, run = Gradients(), list(numerics.reach.slide())
    >>> view.show(run[0]), view.show(run[12]), view.show(list(numerics.reach.slide(20, 1))[-1])
    """

    size, noun = (740, 448), "octave"
    low, high = -44, 18  # octaves that are shown
    TALL, HIGH, MANY = 42, 12, 0.01  # of a cloud and of a ruler [px]; a share that is written in bold
    NAMES = {"fp16": "fp16", "bf16": "bf16", "e5m2": "E5M2", "e4m3": "E4M3", "e2m1": "FP4 (E2M1)"}
    FATES = {"vanish": "bad", "subnormal": "other tint", "normal": "memory tint", "overflow": "bad"}
    KEY = {"memory tint": "kept", "other tint": "kept with fewer bits", "bad": "becomes 0 or is too large"}
    lost = staticmethod(lambda ruled: percent(round(ruled.lost, 4)))

    def marks(self, slid):  # reach.Slid
        chart = Chart((112, 638), (0, 1), (self.low, self.high), (0, 1), inside=True)
        names, every, y = list(slid.rulers), slid.rulers.values(), rows(74, 72, len(slid.rulers))
        labels = np.arange(-42, self.high + 1, 6)
        lost = [f"{self.lost(one)} lost" for one in every]
        each = [f"{one.format.octave_codes:,} an octave" for one in every]
        middle, x, floor = float(chart.x(slid.middle)), chart.x(labels), y[-1] + self.HIGH
        look = ["bad bold end" if one.lost >= self.MANY else "ink end" for one in every]
        axis = "size of a gradient (logarithmic: each octave doubles it)"
        yield from legend("legend", chart.across[0], 16, self.KEY.items())
        yield lines("middle", [0], middle, 32, middle, floor, "ink dashed", 1)
        yield lines("grid", labels, x, 34, x, floor + 5, "muted faint", 1)
        yield from [mark for row, at in zip(slid.rulers.items(), y, strict=True) for mark in self._row(*row, at, chart)]
        yield texts("names", names, 12, y - 8, [self.NAMES[name] for name in names], "ink bold start", 14)
        yield texts("codes", names, 12, y + 9, each, "muted start", 12)
        yield texts("lost", names, 728, y, lost, look, 14)
        yield texts("labels", labels, x, floor + 17, [power(e) for e in labels], "muted", 12)
        yield words("axis", (sum(chart.across) / 2, floor + 38, axis, "ink"))

    def _row(self, name, ruled, y, chart):
        """One ruler, and the cloud over it in the colours of what becomes of it."""
        bars = [bar for bar in ruled.bars if self.low <= bar.low < bar.high <= self.high and bar.share > 1e-5]
        x, end = chart.x([bar.low for bar in bars]), chart.x([bar.high for bar in bars])
        densest, form = max(bar.density for bar in ruled.bars), ruled.format
        tall = self.TALL * np.array([bar.density for bar in bars]) / densest
        key, looks = [f"{bar.low:.6g}" for bar in bars], [self.FATES[bar.fate] for bar in bars]
        cloud = {"who": "gradients", "says": [f"{percent(bar.share)} of all: {bar.fate}" for bar in bars]}
        ends = chart.x([form.lowest_exponent, form.min_exponent, np.log2(form.max)])
        ruler = {"who": f"{name}, the ruler", "says": ["subnormal numbers", "normal numbers"]}
        notches = [one.exponent for one in ruled.octaves if self.low <= one.exponent <= self.high]
        at = chart.x(notches)
        yield boxes(f"cloud {name}", key, x, y - 4 - tall, np.maximum(end - x - 0.5, 0), tall, looks, **cloud)
        yield boxes(f"ruler {name}", range(2), ends[:-1], y, np.diff(ends), self.HIGH, ["other", "memory"], **ruler)
        yield lines(f"octaves {name}", notches, at, y, at, y + self.HIGH, "paper", 1)

    def say(self, slid):
        half = f"Half of the gradients lie below {power(slid.middle)}"
        lost = [f"{self.NAMES[name]} {self.lost(one)}" for name, one in slid.rulers.items() if one.lost >= self.MANY]
        return f"{half}. Lost: {', '.join(lost)}." if lost else f"{half}: every ruler keeps them."


class IntegerGrid(Stage):
    """Integers over a distribution: a histogram of the values, and the integers that stand for them.

    >>> view = IntegerGrid()
    >>> view.show(numerics.calibration.gridded("after ReLU", 4))
    >>> view.show(numerics.calibration.gridded("after ReLU", 4, True))
    >>> view.show(numerics.calibration.gridded("weights", 8))
    """

    size, noun = (740, 330), "setting"
    TOP, FLOOR, RULER = 44, 216, 262
    APART = 34  # pixels between integers that carry their numbers

    def marks(self, grid):  # calibration.Gridded
        y, floor, most, edges = self.RULER, self.FLOOR, 1.06 * grid.edges[-1], grid.edges
        at = Chart(ACROSS, (0, 1), (-most, most), (0, 1)).x
        high = (floor - self.TOP) * np.sqrt(grid.counts / grid.counts.max())
        x, ticks, shown = at(edges), at(grid.at), np.array([edges[0], 0, edges[-1]])
        stride = next(n for n in (1, 2, 4, 8, 16, 32) if n * (ticks[1] - ticks[0]) >= self.APART)
        named = np.flatnonzero((grid.codes - grid.zero_point) % stride == 0)
        numbers, zero = [signed(code) for code in grid.codes], ticks[grid.codes == grid.zero_point]
        ends = [signed(edge, f"{abs(edge):.2g}") for edge in shown]
        count = {"who": [f"values near {edge:.2f}" for edge in edges[:-1]], "says": [f"{n:,}" for n in grid.counts]}
        unused = np.where(grid.used, "", ", never used")
        says = [f"stands for {value:.3g}{more}" for value, more in zip(grid.at, unused, strict=True)]
        code = {"who": [f"integer {word}" for word in numbers], "says": says}
        roles, looks = np.where(grid.used, "memory", "bad dashed"), np.where(grid.used, "memory bold", "bad")
        thick = 3 if len(numbers) <= 64 else 1.5
        yield boxes("bars", range(len(high)), x[:-1] + 0.5, floor - high, np.diff(x) - 1, high, "memory tint", **count)
        yield lines("floor", [0], LEFT, floor, LEFT + WIDE, floor, "muted", 1)
        yield texts("ends", range(3), at(shown), floor + 16, ends, "muted", 12)
        yield lines("codes", grid.codes, ticks, y - 10, ticks, y + 10, list(roles), thick, **code)
        yield texts("names", grid.codes[named], ticks[named], y + 24, np.array(numbers)[named], list(looks[named]))
        yield spots("zero", [0], zero, y, 10, "compute round", who="the integer for 0")
        yield words("title", (LEFT, 16, "the values (height: square root of the count)", "muted start"))
        yield words("key", (LEFT, y + 50, "blue: in use; dashed: never used; dot: stands for 0", "muted start"))

    def say(self, grid):
        how = f"zero point {grid.zero_point}" if grid.codes[0] == 0 else "no zero point"
        used = f"{int(grid.used.sum())} of {counted(len(grid.codes), 'integer')} in use"
        return f"{grid.bits} bits, scale {grid.scale:.3g}, {how}: {used}. Signal to noise: {grid.snr_db:.1f} dB."
