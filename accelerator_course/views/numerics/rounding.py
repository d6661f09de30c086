"""A number becomes a code, bit by bit; a block with its scale; a sum that is rounded after every addition."""

import numpy as np

from accelerator_course.views.kit import Chart, spots, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, power, signed

LEFT, WIDE = 22, 696
LIT = "muted", "compute bold"  # of a step that is not reached, or now


class Rounding(Stage):
    """A number becomes a code: bits, exponent, guard and sticky, rounding, carry, code.

    >>> view, cases = Rounding(), ((0.3, "fp16"), (2**-25, "fp16"), (465, "e4m3"))
    >>> third, tie, large = (list(frames.numerics.convert_steps(*case)) for case in cases)
    >>> view.show(third[3]), view.show(third[5]), view.show(tie[2]), view.show(large[4])
    """

    size, noun = (740, 462), "step"
    BIT, SLOTS, SIDE, HIGH = 20.5, 34, 19, 24  # pitch and number of the number's boxes; of a box
    ROW, CODE, AXIS, LINE, ENDS = 62, 356, 158, 262, (210, 530)  # of the bits, the code, exponents; between two codes
    TRACK = ("the number", "exponent", "cut", "round", "carry", "code")

    def marks(self, state):  # frames.numerics.Conversion
        form, place = state.format, np.arange(6)
        yield words("number", (LEFT, 16, f"{_number(state.x)} = {_scientific(state)}", "ink bold start", 15))
        yield words("form", (718, 16, f"1 + {form.exponent_bits} + {form.mantissa_bits} bits", "muted end"))
        yield texts("track", place, 84 + 118 * place, 450, self.TRACK, pick(LIT, place == state.done))
        # The exponents that the format has, and where the number's is
        form, y, chart = state.format, self.AXIS, Chart((LEFT, LEFT + WIDE), (0, 1), (-36, 24), (0, 1), inside=True)
        low, high, (least, most) = form.min_exponent, form.max_exponent, chart.scales[0]
        *ends, at = chart.x([form.lowest_exponent - 0.5, low - 0.5, high + 0.5, state.exponent])
        left = "◂ " * (low < least) + signed(low)
        right = signed(high) + " ▸" * (high > most)
        meets = "overflow" if state.too_large else f"shift by {state.shift}" if state.shift else "in range"
        if state.digits != "0" and not (state.too_large or state.shift):
            meets += f"; {signed(state.exponent)} + {form.bias} = {state.field}"
        says, start, reached = f"{signed(state.exponent)}: {meets}", at < 380, state.done >= 1
        there = "bad bold" if state.too_large else "other bold" if state.shift else "memory bold"
        fate = (at - 6, y + 50, says, f"{there} start") if start else (at + 6, y + 50, says, f"{there} end")
        roles, kinds = ("other tint dashed", "memory tint"), ["subnormal numbers", "normal numbers"]
        yield boxes("range", range(2), ends[:2], y, np.diff(ends), 14, roles, who=kinds)
        low_end, high_end = ends[1] + 4, ends[2] + (-4 if high - low > 3 else 24)
        sides = (low_end, y + 28, left, "memory start", 12), (high_end, y + 28, right, "memory end", 12)
        yield words("exponents", (LEFT, y - 16, "exponents that the format has", "muted start"), *sides)
        yield spots("here", [0] * reached, at, y + 7, 12, "compute round", who="the number", says=says)
        yield words("fate", *[fate] * reached)
        # The places that the format has, and those of guard and sticky
        m, y = form.mantissa_bits, self.ROW - 14
        if not state.done:
            yield words("labels", (LEFT, y, "its bits", "muted start"))
        else:
            x, sticky = self._slot(np.arange(m + 2)), state.done >= 2 and self.SLOTS - m - 2 >= 4
            roles = ["ink line dashed", *["memory line"] * m, "compute line"]
            yield boxes("frame", range(m + 2), x, self.ROW, self.SIDE, self.HIGH, roles)
            yield words(
                "labels",
                (LEFT + self.BIT / 2 * (m + 1), y, "kept" * (m > 3), "memory bold"),
                (x[m + 1] + self.BIT / 2, y, "guard", "compute bold"),
                (x[m + 1] + self.BIT * 2.3, y, f"sticky: {int(state.sticky)}" * sticky, "other bold start"),
            )
        yield from self._between(state) if state.done >= 3 and not state.too_large else []
        # The number's own bits; after the carry, the rounded ones, which at last fall into the code
        done, m, shift = state.done, state.format.mantissa_bits, state.shift if state.done else 0
        count = max(len(state.digits) + shift, m + 2 if done else 0)
        slots = np.arange(min(self.SLOTS, count))
        shown, roles = ("0" * shift + state.digits).ljust(len(slots), "0"), ["muted tint"] * len(slots)
        if done >= 2:
            roles = ["ink line", *["memory tint"] * m, "compute tint bold", *["other tint"] * self.SLOTS][: len(slots)]
        if done >= 4:
            before, shown, slots = shown, state.rounded[: m + 1], slots[: m + 1]
            changed = [a != b for a, b in zip(before, shown, strict=False)]
            roles = ["ink line", *["compute tint bold" if one else "memory tint" for one in changed[1:]]]
        x, y = self._slot(slots), np.full(len(slots), float(self.ROW))
        if done == 5:
            fraction = 1 + state.format.exponent_bits
            shown = shown[0] + state.code[fraction:]
            x[1:], y[1:] = self._at(state)[fraction:], self.CODE
        low = max(state.exponent, state.format.min_exponent)
        says = [f"place {slot}: worth {power(low - slot)}" for slot in slots]
        digits = [f"{shown[0]}.", *shown[1 : len(slots)]]
        who = ["the leading bit", *[f"fraction bit {slot}" for slot in slots[1:]]]
        more = "…" if done < 4 and len(state.digits) + shift > self.SLOTS else ""
        yield boxes("bits", slots - shift, x, y, self.SIDE, self.HIGH, roles, digits, 14, who, says)
        yield words("more", (self._slot(self.SLOTS) + 8, self.ROW + 12, more, "muted", 14))
        yield from self._code(state)

    def _slot(self, number):
        return LEFT + self.BIT * np.asarray(number)

    def _between(self, state):
        """The two codes around the number, and to which it goes."""
        (left, right), y, exact = self.ENDS, self.LINE, state.cut_off == 0
        at, end = left + (right - left) * state.cut_off, right if state.up else left
        low, high = (f"{'−' if state.negative else ''}{one:.8g}" for one in (state.below, state.above))
        part = "a tie" if state.mode == "even" and state.cut_off == 0.5 else f"{state.cut_off:.3g} of a step"
        yield lines("between", [0], left, y, right, y, "muted", 2)
        yield lines("codes", range(2), self.ENDS, y - 8, self.ENDS, y + 8, "memory", 3)
        yield arrows("goes", [0] * (not exact), at, y - 9, end, y - 9, "compute", 2.5)
        yield spots("place", [0], at, y, 10, "compute round", who="the number", says=part)
        sides = (left - 12, y, low, "memory bold end"), (right + 12, y, high, "memory bold start")
        yield words("neighbours", *sides, ((left + right) / 2, y + 22, "exact" if exact else part, "ink"))

    def _at(self, state):
        """Left edges of the boxes of a code: sign, exponent, fraction, with gaps between."""
        place = np.arange(state.format.bits)
        gaps = (place > 0) + 1 * (place > state.format.exponent_bits)
        return self._slot(place) + (60 if len(place) < 20 else 18) * gaps

    def _code(self, state):
        form, x, y, e = state.format, self._at(state), self.CODE, 1 + state.format.exponent_bits
        roles = ["muted line", *["other line"] * (e - 1), *["memory line"] * form.mantissa_bits]
        slots = boxes("slots", range(form.bits), x, y, self.SIDE, self.HIGH, roles)
        said = [
            (LEFT, y - 16, f"code of {form.bits} bits", "muted start"),
            (LEFT - 1.5, y + 38, "sign", "muted start"),
            (x[1], y + 38, "exponent", "other bold start"),
            (x[min(e, len(x) - 1)], y + 38, "fraction" * (form.mantissa_bits > 0), "memory bold start"),
        ]
        if state.done < 5:
            return [slots, words("fields", *said)]
        sign, field = "negative" if state.negative else "positive", f"holds {int(state.code[1:e], 2)}"
        hover = {"who": ["sign", *["exponent field"] * (e - 1)], "says": [sign, *[field] * (e - 1)]}
        looks, off = ["muted tint", *["other tint"] * (e - 1)], f", {_off(state)}" if np.isfinite(state.value) else ""
        said.append((LEFT, y + 66, f"= {_full(state.value)}{off}", "ink bold start", 15))
        stored = boxes("stored", range(e), x[:e], y, self.SIDE, self.HIGH, looks, list(state.code[:e]), 14, **hover)
        return [slots, stored, words("fields", *said)]

    def say(self, state):
        form, m, e, part = state.format, state.format.mantissa_bits, 1 + state.format.exponent_bits, state.cut_off
        own, way, value = signed(state.exponent), "up" if state.up else "down", _full(state.value)
        match state.step:
            case "number":
                digits = state.digits[:14] + ("…" if len(state.digits) > 14 else "")
                point = f"{'−' if state.negative else ''}{digits[0]}.{digits[1:] or '0'}"
                return f"{_number(state.x)} is {_scientific(state)}, in binary {point} × {power(state.exponent)}."
            case "exponent":
                span = f"{signed(form.min_exponent)} to {signed(form.max_exponent)}"
                if state.digits == "0":
                    return "Zero has no leading one: all its bits are 0."
                if state.too_large:
                    return f"Exponent {own} is above {signed(form.max_exponent)}, the highest: overflow."
                if state.shift:
                    moves = f"the bits move {counted(state.shift, 'place')} to the right"
                    return f"Exponent {own} is below the range {span}: {moves}. The number is subnormal."
                field = f"{own} + {signed(form.bias)} = {state.field}"
                return f"Exponent {own} is within the range {span}: no shift. With the bias, {field}."
            case "cut":
                behind = "there is a 1 behind it" if state.sticky else "nothing but zeros behind it"
                kept = f"{counted(m, 'fraction bit')} stay{'s' * (m == 1)}"
                return f"{kept}. Guard bit {state.guard}, sticky {int(state.sticky)}: {behind}."
            case "round":
                if not part:
                    return "Nothing is cut off: no rounding."
                if state.mode == "zero":
                    return f"Towards zero: {part:.3g} of a step is cut off, whatever it is."
                if state.mode == "stochastic":
                    chance = f"up with a chance of {percent(part)}"
                    return f"{part:.3g} of a step is cut off: {chance}. This draw says {way}."
                if part == 0.5:
                    last = f"The last kept bit is {state.kept[-1]}"
                    return f"Exactly half a step: a tie. {last}, so the even code lies {way}."
                return f"{part:.3g} of a step is cut off, {'more' if state.up else 'less'} than half: {way}."
            case "carry":
                if state.beyond:
                    end = "it becomes infinity" if np.isinf(state.value) else "it saturates"
                    end = "the code is NaN" if np.isnan(state.value) else end
                    return f"Beyond {_full(form.max)}, the largest number: {end}."
                if not state.up:
                    return "Nothing is added: the kept bits stay."
                end = ", and the carry runs through all bits: the exponent rises by one" if state.carries else ""
                return f"One is added in the last place{end}."
            case "code":
                fields = " ".join(part for part in (state.code[0], state.code[1:e], state.code[e:]) if part)
                off = f", {_off(state).replace('exactly', 'exactly the number')}" if np.isfinite(state.value) else ""
                return f"{fields} stands for {value}{off}."


def _off(state):
    if not state.error_ulp:
        return "exactly"
    return f"off by {'more than a step' if state.error_ulp > 1 else f'{state.error_ulp:.3g} of a step (ulp)'}"


def _number(value):
    return signed(value, f"{abs(value):,.0f}" if abs(value) >= 1e4 else f"{abs(value):.5g}")


def _full(value):
    """A number in at most twelve digits; infinity and NaN by name."""
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "infinity" if value > 0 else "−infinity"
    return signed(value, f"{abs(value):,.0f}" if abs(value) >= 1e4 and value == int(value) else f"{abs(value):.12g}")


def _scientific(state):
    if not state.x:
        return "0"
    return f"{'−' if state.negative else ''}{state.significand:.5g} × {power(state.exponent)}"


class OneOutlier(Stage):
    """One outlier among values in blocks: the largest sets the scale; all are divided by it, rounded, multiplied back.

    >>> view = OneOutlier()
    >>> runs = [list(frames.numerics.block_steps(numerics.outlier(100.0, n), e, b, s)) for n, e, b, s in
    ...         ((32, "e2m1", 32, "e8m0"), (32, "int4", 8, "fp32"), (128, "e4m3", 128, "e4m3"))]
    >>> view.show(runs[0][0]), view.show(runs[0][4]), view.show(runs[1][3]), view.show(runs[2][5])
    """

    size, noun = (740, 470), "step"
    HEAD = 20  # what a row needs above it for the words on its block
    TWO_LINES = 44  # pixels that a cell needs for what it was, below what it is
    TRACK = ("values", "largest", "scale", "divide", "round", "back")

    def marks(self, blocks):  # frames.numerics.Blocks
        who = ["the outlier" if i == blocks.odd else f"value {i + 1}" for i in range(blocks.values.size)]
        place = np.arange(6)
        track = texts("track", place, 70 + 120 * place, 456, self.TRACK, pick(LIT, place == blocks.done))
        # The values in rows, few of them large enough to be read on a phone; above each block what is known of it
        count, across, done = blocks.values.size, 8 if blocks.values.size <= 32 else 16, blocks.done
        key, side = range(count), WIDE / across
        row, col = np.divmod(np.arange(count), across)
        above = row // max(1, blocks.block // across) + 1  # rows of words so far
        high = min(58.0, (262 - self.HEAD * above[-1]) / (count // across))
        x, y, first = LEFT + side * col, 8 + self.HEAD * above + high * row, np.arange(0, count, blocks.block)
        edge = np.argmax(np.abs(blocks.values), axis=1) + first
        largest, lost = np.isin(key, edge) & (done >= 1), blocks.lost.ravel() & (done >= 4)
        roles = np.where(lost, "bad tint dashed", np.where(largest, "compute tint bold", "memory tint"))
        before, now = blocks.values.ravel(), [_short(value) for value in blocks.now.ravel()]
        says = [f"{a:.4g}, in the end {b:.4g}" for a, b in zip(before, blocks.back.ravel(), strict=True)]
        room = done >= 3 and high >= self.TWO_LINES
        middle, line, few = x + side / 2 - 1, y + high / 2, count * room
        look, once = ("ink bold", 12) if room else ("ink", 12.5), [_short(value) for value in before[:few]]
        heads = [f"scale {_scale(one)}" for one in blocks.scales]
        if done < 2:
            heads = [f"largest {_short(one)}" if done else f"block {i}" for i, one in enumerate(blocks.largest, 1)]
        yield boxes("cells", key, x, y, side - 2, high - 2, list(roles), "", 12.5, who, says)
        yield texts("now", key, middle, line - 1 - 8 * room, now, *look)
        yield texts("once", range(few), middle[:few], line[:few] + 11, once, "muted", 12)
        yield texts("heads", range(len(first)), x[first], y[first] - 10, heads, f"{LIT[done > 0]} start")
        # Codes as ticks on a logarithmic ruler; the values over it, moved by the scale, then to the nearest code
        y, place = 400, Chart((LEFT + 40, LEFT + WIDE), (0, 1), (2.0**-11, 2.0**11), (0, 1), log="x", inside=True).x
        now = np.abs(blocks.stored if blocks.done >= 4 else blocks.now).ravel()
        x = np.where(now == 0, LEFT + 10, place(np.where(now == 0, 1.0, now)))
        ticks = place(blocks.codes[blocks.codes > 0])
        lost, labels = blocks.lost.ravel() & (blocks.done >= 4), np.arange(-8, 9, 4)
        roles = np.where(np.arange(now.size) == blocks.odd, "compute", np.where(lost, "bad line", "memory"))
        high = y - 22 - 70 * (np.arange(now.size) * 0.618 % 1)
        powers = ["1/256", "1/16", "1", "16", "256"]
        dots = "the values" if blocks.done < 3 else "values / scale" if blocks.done == 3 else "the stored elements"
        title = f"ticks: the magnitudes that an element can have; dots: {dots}"
        yield lines("codes", range(len(ticks)), ticks, y - 10, ticks, y + 10, "memory", 1.5)
        yield boxes("zero", [0], LEFT, y - 11, 20, 22, "ink line", "0", 13, "zero", "what is too small goes here")
        yield lines("base", [0], LEFT + 26, y, LEFT + WIDE, y, "muted", 1)
        yield texts("labels", labels, place(2.0**labels), y + 22, powers, "muted", 12)
        yield spots("dots", range(now.size), x, high, 8, [f"{role} round" for role in roles], who=who)
        yield words("title", (LEFT + WIDE, 290, title, "ink end"))
        yield track

    def say(self, blocks):
        count, hit = blocks.values.size, blocks.hit
        match blocks.step:
            case "values":
                size = _short(abs(blocks.values.ravel()[blocks.odd]))
                where = counted(len(blocks.values), "block")
                return f"{counted(count - 1, 'value')} between 0.5 and 1, and one of {size}, in {where}."
            case "largest":
                if len(blocks.largest) == 1:
                    return f"The largest of the block is {_short(blocks.largest[0])}."
                own, rest = _short(blocks.largest[hit]), _short(np.delete(blocks.largest, hit).max())
                return f"The largest of the outlier's block is {own}; of the others, {rest} at most."
            case "scale":
                scale, brings = _scale(blocks.scales[hit]), f"it brings {_short(blocks.largest[hit])}"
                to = f"{number(blocks.brought)}; the largest code is {_short(blocks.codes[-1])}"
                kind = "a power of two" if blocks.kind.startswith("e8m0") else f"stored in {blocks.kind.upper()}"
                return f"Scale {scale}, {kind}: {brings} to {to}."
            case "divide":
                low = blocks.others(np.abs(blocks.divided)).min()
                goes = f"half of the smallest code is {number(blocks.half_code)}, and values up to that become 0"
                return f"Divided by the scale, the smallest is {number(low)}; {goes}."
            case "round":
                used = f"{counted(blocks.used, 'code')} of {len(blocks.codes)} in use, signs aside"
                return f"{counted(blocks.others_lost, 'value')} became 0. {used}."
            case "back":
                ratio = "exact" if np.isinf(blocks.others_snr_db) else f"{blocks.others_snr_db:.1f} dB"
                lost = f"{blocks.others_lost} of the {count - 1} ordinary values are lost"
                return f"Multiplied back: {lost}; their signal to noise is {ratio}."


def _short(value):
    """A value in at most five letters and a sign."""
    size = abs(value)
    text = f"{size:,.{0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.01 else 3}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"−{text}" if value < 0 else text


def _scale(value):
    return "0" if not value else f"{value:.4g}" if value >= 1e-3 else f"{value:.2g}"


class RunningSum(Stage):
    """A running sum: beside the exact one, over the number of terms; below, the codes around it and the last addition.

    >>> view, ones = RunningSum(), list(frames.numerics.sum_steps(np.ones(600), "bf16"))
    >>> view.show(ones[0]), view.show(ones[-1])
    >>> both = list(frames.numerics.sum_steps(numerics.terms("products of both signs", 600), "e4m3", 8))
    >>> view.show(both[-1]), view.show(list(frames.numerics.sum_steps(np.ones(600), "fp32"))[30])
    """

    size, noun = (740, 440), "state"
    ENDS, TOP, FLOOR, RULER = (74, 714), 34, 250, 376  # of the chart, and of the codes below it
    DEEP = 2**13  # how far below the largest sum the axis begins
    NAMED = 7  # codes in the window that carry their numbers

    def marks(self, summing):  # frames.numerics.Summing
        # Sums over the number of terms: powers of two on both axes, but an even one for sums of both signs
        most, (left, right), floor = summing.most or 1.0, self.ENDS, self.FLOOR
        least, levels = most / self.DEEP, [-most, 0.0, most]
        if not summing.signed:
            levels = [2.0**e for e in np.arange(np.ceil(np.log2(least)), np.log2(most) + 1e-9) if e % 4 == 0]
        x, y = (1, max(2, summing.length)), (-most, most) if summing.signed else (least, most)
        chart = Chart(self.ENDS, (floor, self.TOP), x, y, log="x" if summing.signed else "xy")
        counts = 4 ** np.arange(0, summing.length.bit_length() / 2, dtype=int)
        zero = chart.y(0.0) if summing.signed else floor
        sums, exacts = (one if summing.signed else np.maximum(one, least) for one in (summing.sums, summing.exacts))
        here, keys = {"who": "the accumulator", "says": _written(summing.sum)}, np.array([left, left + 90])
        yield from chart.axes(y=levels, y_words=map(_written, levels))
        yield lines("axes", range(2), left, [self.TOP, zero], [left, right], [floor, zero], "muted", 1)
        yield texts("counts", counts, chart.x(counts), floor + 16, [f"{n:,}" for n in counts], "muted", 12)
        yield chart.line("exact", summing.numbers, exacts, "ink line dashed")
        yield chart.line("own", summing.numbers, sums, "compute line", 3)
        yield chart.dots("dot", [0], summing.number, sums[-1], "compute round", 12, **here)
        yield lines("keys", range(2), keys, 14, keys + 26, 14, ("ink dashed", "compute"), [2, 3])
        rounded = keys[1] + 34, 14, "rounded after every addition", "compute bold start"
        yield words("names", (keys[0] + 34, 14, "exact"), rounded, (right, floor - 12, "terms", "muted end", 12))
        # The codes around what is added, and where it goes
        (left, right), y, codes = self.ENDS, self.RULER, summing.near
        at = Chart(self.ENDS, (y, y), summing.window, (0, 1)).x
        named = codes if len(codes) <= self.NAMED else codes[:: -(-len(codes) // self.NAMED)]
        before, wanted, held = (float(at(v)) for v in (summing.before, summing.wanted, summing.held))
        digits = max(5, summing.format.mantissa_bits // 3 + 3)  # neighbouring codes are told apart
        *names, begun, due, kept = (_written(v, digits) for v in (*named, summing.before, summing.wanted, summing.held))
        adds = f"{'−' if summing.term < 0 else '+'} {_written(abs(summing.term))}"
        last = f"last: {begun} {adds} = {due} → {kept}"
        role, apart = "bad" if summing.stuck else "compute", len(codes) == 0
        yield boxes("crowd", [0] * apart, left, y - 9, right - left, 18, "memory tint")
        yield lines("ruler", [0], left, y, right, y, "muted", 1)
        yield lines("codes", list(map(str, codes)), at(codes), y - 11, at(codes), y + 11, "memory", 2)
        yield texts("values", list(map(str, named)), at(named), y + 34, names, "memory", 12)
        yield spots("before", [0], before, y, 12, "ink round", who="the accumulator before")
        yield arrows("adds", [0], before, y - 26, wanted, y - 26, "ink", 2.5)
        yield spots("wanted", [0], wanted, y, 10, "compute line round", who="what is to be rounded")
        yield arrows("rounds", [0] * (wanted != held), wanted, y + 16, held, y + 16, role, 2.5)
        yield words(
            "words",
            (left, y - 72, last, "bad bold start" if summing.stuck else "ink bold start"),
            ((before + wanted) / 2, y - 42, adds, "ink"),
            ((left + right) / 2, y + 34, "codes closer than can be drawn" * apart, "memory", 12),
        )

    def say(self, summing):
        text = f"off by {_written(abs(summing.off))}"
        if summing.off_share >= 0.001:
            text += f", {summing.off_share:.1%}".replace("%", " %")
        found = f" instead of {_written(summing.exact)} ({text})" if summing.off else ", and that is exact"
        step = _written(summing.ulp) if summing.ulp >= 0.015625 else power(summing.ulp_exponent)
        first = f"{counted(summing.number, 'term')}: the sum is {_written(summing.sum)}{found}."
        return f"{first} Codes here are {step} apart.{' The last term was rounded away.' * summing.stuck}"


def _written(value, digits=5):
    size = abs(value)
    form = ",.0f" if size >= 1000 and size == round(size) else f",.{digits}g" if size >= 1e-4 or not size else ".3g"
    return signed(value, format(size, form))
