"""Rounding of many values together: a block with its scale, and a sum that is rounded after every addition."""

import numpy as np

from accelerator_course.views.kit import Chart, rows, spots, words
from accelerator_course.views.numerics.written import power, signed
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import counted, number


class OneOutlier(Stage):
    """One outlier among values in blocks: the largest sets the scale; all are divided by it, rounded, multiplied back.

    >>> from accelerator_course.frames.numerics import block_steps
    >>> view = OneOutlier()
    >>> runs = [list(block_steps(numerics.outlier(100.0, n), e, b, s)) for n, e, b, s in
    ...         ((32, "e2m1", 32, "e8m0"), (32, "int4", 8, "fp32"), (128, "e4m3", 128, "e4m3"))]
    >>> view.show(runs[0][0])
    >>> view.show(runs[0][2])
    >>> view.show(runs[0][4])
    >>> view.show(runs[0][5])
    >>> view.show(runs[1][3])
    >>> view.show(runs[1][5])
    >>> view.show(runs[2][5])
    """

    size, noun = (740, 470), "step"
    LEFT, WIDE = 22, 696
    HEAD = 20  # what a row needs above it for the words on its block
    TWO_LINES = 44  # pixels that a cell needs for what it was, below what it is
    RULER = 400  # where the ruler of the magnitudes stands
    TRACK = ("values", "largest", "scale", "divide", "round", "back")
    KINDS = {"e8m0": "a power of two", "e4m3": "stored in E4M3", "fp32": "stored in FP32", "fp16": "stored in FP16"}

    def __init__(self):
        across = (self.LEFT + 40, self.LEFT + self.WIDE)
        self.ruler = Chart(across, (self.RULER, self.RULER), (2.0**-11, 2.0**11), (0, 1), log="x")

    def marks(self, blocks):
        """`blocks`: frames.numerics.Blocks."""
        roles = ["compute bold" if place == blocks.done else "muted" for place in range(6)]
        track = texts("track", range(6), rows(self.LEFT + 48, 120, 6), 456, self.TRACK, roles)
        return [*self._cells(blocks), *self._ruler(blocks), track]

    def _cells(self, blocks):
        """The values in rows, few of them large enough to be read on a phone; above each block what is known of it."""
        count, across = blocks.values.size, 8 if blocks.values.size <= 32 else 16
        key, side = range(count), self.WIDE / across
        row, col = np.divmod(np.arange(count), across)
        heads = row // max(1, blocks.block // across) + 1  # rows of words so far
        high = min(58.0, (262 - self.HEAD * heads[-1]) / (count // across))
        x, y, first = self.LEFT + side * col, 8 + self.HEAD * heads + high * row, np.arange(0, count, blocks.block)
        edge = np.argmax(np.abs(blocks.values), axis=1) + first
        largest, lost = np.isin(key, edge) & (blocks.done >= 1), blocks.lost.ravel() & (blocks.done >= 4)
        roles = np.where(lost, "bad tint dashed", np.where(largest, "compute tint bold", "memory tint"))
        before, now = blocks.values.ravel(), [_short(value) for value in blocks.now.ravel()]
        says = [f"{a:.4g}, in the end {b:.4g}" for a, b in zip(before, blocks.back.ravel(), strict=True)]
        room = blocks.done >= 3 and high >= self.TWO_LINES
        middle, line, few = x + side / 2 - 1, y + high / 2, count * room
        look = ("ink bold", 12) if room else ("ink", 12.5)
        once = [_short(value) for value in before[:few]]
        head = "muted start" if not blocks.done else "compute bold start"
        return [
            boxes("cells", key, x, y, side - 2, high - 2, list(roles), "", 12.5, self._who(blocks), says),
            texts("now", key, middle, line - 1 - 8 * room, now, *look),
            texts("once", range(few), middle[:few], line[:few] + 11, once, "muted", 12),
            texts("heads", range(len(first)), x[first], y[first] - 10, self._heads(blocks), head),
        ]

    @staticmethod
    def _who(blocks):
        return ["the outlier" if i == blocks.odd else f"value {i + 1}" for i in range(blocks.values.size)]

    @staticmethod
    def _heads(blocks):
        if blocks.done == 0:
            return [f"block {i + 1}" for i in range(len(blocks.values))]
        if blocks.done == 1:
            return [f"largest {_short(one)}" for one in blocks.largest]
        return [f"scale {_scale(one)}" for one in blocks.scales]

    def _ruler(self, blocks):
        """Codes as ticks on a logarithmic ruler; the values over it, moved by the scale, then to the nearest code."""
        place, y, left = self._along, self.RULER, self.LEFT
        now = np.abs(blocks.stored if blocks.done >= 4 else blocks.now).ravel()
        x, ticks = (
            np.where(now == 0, left + 10, place(np.where(now == 0, 1.0, now))),
            place(blocks.codes[blocks.codes > 0]),
        )
        lost = blocks.lost.ravel() & (blocks.done >= 4)
        roles = np.where(np.arange(now.size) == blocks.odd, "compute", np.where(lost, "bad line", "memory"))
        labels, high = range(-8, 9, 4), y - 22 - 70 * (np.arange(now.size) * 0.618 % 1)
        powers = [(e, 2 ** abs(e)) for e in labels]
        powers = [f"{size:,}" if e >= 0 else f"1/{size}" for e, size in powers]
        dots = "the values" if blocks.done < 3 else "values / scale" if blocks.done == 3 else "the stored elements"
        title = f"ticks: the magnitudes that an element can have; dots: {dots}"
        return [
            lines("codes", range(len(ticks)), ticks, y - 10, ticks, y + 10, "memory", 1.5),
            boxes("zero", [0], left, y - 11, 20, 22, "ink line", "0", 13, "zero", "what is too small goes here"),
            lines("base", [0], left + 26, y, left + self.WIDE, y, "muted", 1),
            texts("labels", labels, place(2.0 ** np.array(labels)), y + 22, powers, "muted", 12),
            spots("dots", range(now.size), x, high, 8, list(roles + " round"), who=self._who(blocks)),
            words("title", (left + self.WIDE, 290, title, "ink end")),
        ]

    def _along(self, size):
        return self.ruler.x(np.clip(size, *self.ruler.scales[0]))

    def say(self, blocks):
        return getattr(self, f"_say_{blocks.step}")(blocks)

    def _say_values(self, blocks):
        size, rest = _short(abs(blocks.values.ravel()[blocks.odd])), counted(blocks.values.size - 1, "value")
        return f"{rest} between 0.5 and 1, and one of {size}, in {counted(len(blocks.values), 'block')}."

    def _say_largest(self, blocks):
        if len(blocks.largest) == 1:
            return f"The largest of the block is {_short(blocks.largest[0])}."
        rest = np.delete(blocks.largest, blocks.hit).max()
        own = _short(blocks.largest[blocks.hit])
        return f"The largest of the outlier's block is {own}; of the others, {_short(rest)} at most."

    def _say_scale(self, blocks):
        scale, brings = _scale(blocks.scales[blocks.hit]), f"it brings {_short(blocks.largest[blocks.hit])}"
        to = f"{number(blocks.brought)}; the largest code is {_short(blocks.codes[-1])}"
        return f"Scale {scale}, {self.KINDS[blocks.kind]}: {brings} to {to}."

    def _say_divide(self, blocks):
        low = blocks.others(np.abs(blocks.divided)).min()
        goes = f"half of the smallest code is {number(blocks.half_code)}, and values up to that become 0"
        return f"Divided by the scale, the smallest is {number(low)}; {goes}."

    def _say_round(self, blocks):
        used = f"{counted(blocks.used, 'code')} of {len(blocks.codes)} in use, signs aside"
        return f"{counted(blocks.others_lost, 'value')} became 0. {used}."

    def _say_back(self, blocks):
        ratio = "exact" if np.isinf(blocks.others_snr_db) else f"{blocks.others_snr_db:.1f} dB"
        lost = f"{blocks.others_lost} of the {blocks.values.size - 1} ordinary values are lost"
        return f"Multiplied back: {lost}; their signal to noise is {ratio}."


def _short(value):
    """A value in at most five letters and a sign."""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.01 else 3
    text = f"{size:,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"−{text}" if value < 0 else text


def _scale(value):
    return "0" if not value else f"{value:.4g}" if value >= 1e-3 else f"{value:.2g}"


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
    LEFT, WIDE = 74, 640
    TOP, BOTTOM = 34, 250  # of the chart
    RULER = 376
    DEEP = 2**13  # how far below the largest sum the axis begins
    NAMED = 7  # codes in the window that carry their numbers

    def marks(self, summing):
        """`summing`: frames.numerics.Summing."""
        return [*self._chart(summing), *self._window(summing)]

    def _chart(self, summing):
        """Sums over the number of terms: powers of two on both axes, but an even one for sums of both signs."""
        most, across = summing.most or 1.0, (self.LEFT, self.LEFT + self.WIDE)
        least, levels = most / self.DEEP, [-most, 0.0, most]
        if not summing.signed:
            levels = [2.0**e for e in np.arange(np.ceil(np.log2(least)), np.log2(most) + 1e-9) if e % 4 == 0]
        x, y = (1, max(2, summing.length)), (-most, most) if summing.signed else (least, most)
        chart = Chart(across, (self.BOTTOM, self.TOP), x, y, log="x" if summing.signed else "xy")
        counts = 4 ** np.arange(0, summing.length.bit_length() / 2, dtype=int)
        zero, high = chart.y(0.0) if summing.signed else self.BOTTOM, chart.y(levels)
        sums, exacts = (one if summing.signed else np.maximum(one, least) for one in (summing.sums, summing.exacts))
        here = {"who": "the accumulator", "says": _written(summing.sum)}
        lefts, rights = [self.LEFT, self.LEFT], [self.LEFT, across[1]]
        keys = np.array([self.LEFT, self.LEFT + 90])
        return [
            lines("grid", range(len(levels)), self.LEFT, high, across[1], high, "muted faint", 1),
            lines("axes", range(2), lefts, [self.TOP, zero], rights, [self.BOTTOM, zero], "muted", 1),
            texts("levels", range(len(levels)), self.LEFT - 8, high, list(map(_written, levels)), "muted end", 12),
            texts("counts", counts, chart.x(counts), self.BOTTOM + 16, [f"{n:,}" for n in counts], "muted", 12),
            chart.line("exact", summing.numbers, exacts, "ink line dashed"),
            chart.line("own", summing.numbers, sums, "compute line", 3),
            chart.dots("dot", [0], summing.number, sums[-1], "compute round", 12, **here),
            lines("keys", range(2), keys, 14, keys + 26, 14, ("ink dashed", "compute"), [2, 3]),
            words(
                "names",
                (keys[0] + 34, 14, "exact"),
                (keys[1] + 34, 14, "rounded after every addition", "compute bold start"),
                (across[1], self.BOTTOM - 12, "terms", "muted end", 12),
            ),
        ]

    def _window(self, summing):
        """The codes around what is added, and where it goes."""
        left, right, y = self.LEFT, self.LEFT + self.WIDE, self.RULER
        at = Chart((left, right), (y, y), summing.window, (0, 1)).x
        codes = summing.near
        named = codes if len(codes) <= self.NAMED else codes[:: -(-len(codes) // self.NAMED)]
        before, wanted, held = (float(at(v)) for v in (summing.before, summing.wanted, summing.held))
        adds = f"{'−' if summing.term < 0 else '+'} {_written(abs(summing.term))}"
        last = f"last: {_written(summing.before)} {adds} = {_written(summing.wanted)} → {_written(summing.held)}"
        role, apart = "bad" if summing.stuck else "compute", len(codes) == 0
        return [
            boxes("crowd", [0] * apart, left, y - 9, self.WIDE, 18, "memory tint"),
            lines("ruler", [0], left, y, right, y, "muted", 1),
            lines("codes", list(map(str, codes)), at(codes), y - 11, at(codes), y + 11, "memory", 2),
            texts("values", list(map(str, named)), at(named), y + 34, list(map(_written, named)), "memory", 12),
            spots("before", [0], before, y, 12, "ink round", who="the accumulator before"),
            arrows("adds", [0], before, y - 26, wanted, y - 26, "ink", 2.5),
            spots("wanted", [0], wanted, y, 10, "compute line round", who="what is to be rounded"),
            arrows("rounds", [0] * (wanted != held), wanted, y + 16, held, y + 16, role, 2.5),
            words(
                "words",
                (left, y - 72, last, "bad bold start" if summing.stuck else "ink bold start"),
                ((before + wanted) / 2, y - 42, adds, "ink"),
                (left + self.WIDE / 2, y + 34, "codes closer than can be drawn" * apart, "memory", 12),
            ),
        ]

    def say(self, summing):
        told = f"off by {_written(abs(summing.off))}"
        if summing.off_share >= 0.001:
            told += f", {summing.off_share:.1%}".replace("%", " %")
        gone = " The last term was rounded away." if summing.stuck else ""
        found = f" instead of {_written(summing.exact)} ({told})" if summing.off else ", and that is exact"
        step = _written(summing.ulp) if summing.ulp >= 0.015625 else power(summing.ulp_exponent)
        first = f"{counted(summing.number, 'term')}: the sum is {_written(summing.sum)}{found}."
        return f"{first} Codes here are {step} apart.{gone}"


def _written(value):
    size = abs(value)
    whole = size >= 1000 and size == round(size)
    return signed(value, f"{size:,.0f}" if whole else f"{size:,.5g}" if size >= 1e-4 or not size else f"{size:.3g}")
