"""A number becomes a code: its bits in boxes that shift, are cut, rounded, carried and stored."""

import numpy as np

from accelerator_course.views.kit import rows, spots, words
from accelerator_course.views.numerics.written import power, short, signed
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import counted, percent


class Rounding(Stage):
    """A number becomes a code: bits, exponent, guard and sticky, rounding, carry, code.

    >>> from accelerator_course.frames.numerics import convert_steps
    >>> view = Rounding()
    >>> cases = (0.3, "fp16"), (2**-25, "fp16"), (465, "e4m3")
    >>> third, tie, large = (list(convert_steps(*case)) for case in cases)
    >>> view.show(third[0])
    >>> view.show(third[3])
    >>> view.show(third[5])
    >>> view.show(tie[2])
    >>> view.show(large[4])
    >>> view.show(list(convert_steps(-0.7, "bf16", "stochastic"))[3])
    """

    size, noun = (740, 462), "step"
    LEFT, BIT, SLOTS = 22, 20.5, 34  # the boxes of the number
    ROW, CODE = 62, 356  # top of the number's bits, and of the code's
    SIDE, HIGH = 19, 24  # of a bit
    AXIS, EXPONENTS = 158, (-36, 24)
    LINE, ENDS = 262, (210, 530)  # the line between two codes
    TRACK = ("the number", "exponent", "cut", "round", "carry", "code")

    def marks(self, state):
        """`state`: frames.numerics.Conversion."""
        found = [*self._head(state), *self._exponent(state), *self._frame(state)]
        if state.done >= 3 and not state.too_large:
            found += self._between(state)
        return [*found, *self._bits(state), *self._code(state)]

    def _head(self, state):
        form = state.format
        roles = ["compute bold" if place == state.done else "muted" for place in range(6)]
        return [
            words(
                "number",
                (self.LEFT, 16, f"{_number(state.x)} = {_scientific(state)}", "ink bold start", 15),
                (718, 16, f"1 + {form.exponent_bits} + {form.mantissa_bits} bits", "muted end"),
            ),
            texts("track", range(6), rows(self.LEFT + 62, 118, 6), 450, self.TRACK, roles),
        ]

    def _slot(self, number):
        return self.LEFT + self.BIT * np.asarray(number)

    def _frame(self, state):
        """The places that the format has, and those of guard and sticky."""
        m, y, middle = state.format.mantissa_bits, self.ROW - 14, self.BIT / 2
        if not state.done:
            return [words("labels", (self.LEFT, y, "its bits", "muted start"))]
        x, sticky = self._slot(np.arange(m + 2)), state.done >= 2 and self.SLOTS - m - 2 >= 4
        roles = ["ink line dashed", *["memory line"] * m, "compute line"]
        return [
            boxes("frame", range(m + 2), x, self.ROW, self.SIDE, self.HIGH, roles),
            words(
                "labels",
                (self.LEFT + middle * (m + 1), y, "kept" * (m > 3), "memory bold"),
                (x[m + 1] + middle, y, "guard", "compute bold"),
                (x[m + 1] + self.BIT * 2.3, y, f"sticky: {int(state.sticky)}" * sticky, "other bold start"),
            ),
        ]

    def _bits(self, state):
        """The number's own bits; after the carry, the rounded ones, which at last fall into the code."""
        done, m, shift = state.done, state.format.mantissa_bits, state.shift if state.done else 0
        count = max(len(state.digits) + shift, m + 2) if done else len(state.digits)
        slots = np.arange(min(self.SLOTS, count))
        shown = ("0" * shift + state.digits).ljust(len(slots), "0")
        roles = [self._role(slot, m, done) for slot in slots]
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
        return [
            boxes("bits", slots - shift, x, y, self.SIDE, self.HIGH, roles, digits, 14, who, says),
            words("more", (self._slot(self.SLOTS) + 8, self.ROW + 12, more, "muted", 14)),
        ]

    @staticmethod
    def _role(slot, m, done):
        if done < 2:
            return "muted tint"
        if slot == m + 1:
            return "compute tint bold"
        return "other tint" if slot > m + 1 else "memory tint" if slot else "ink line"

    def _along(self, exponent):
        low, high = self.EXPONENTS
        return self.LEFT + 696 * (np.clip(exponent, low, high) - low) / (high - low)

    def _exponent(self, state):
        """The exponents that the format has, and where the number's is."""
        form, y = state.format, self.AXIS
        low, high = form.min_exponent, form.max_exponent
        ends, names = self._along([form.lowest_exponent - 0.5, low - 0.5, high + 0.5]), (signed(low), signed(high))
        roles, kinds = ("other tint dashed", "memory tint"), ["subnormal numbers", "normal numbers"]
        left = f"◂ {names[0]}" if low < self.EXPONENTS[0] else names[0]
        right = f"{names[1]} ▸" if high > self.EXPONENTS[1] else names[1]
        found = [
            boxes("range", range(2), ends[:2], y, np.diff(ends), 14, roles, who=kinds),
            words(
                "exponents",
                (self.LEFT, y - 16, "exponents that the format has", "muted start"),
                (ends[1] + 4, y + 28, left, "memory start", 12),
                (ends[2] + (-4 if high - low > 3 else 24), y + 28, right, "memory end", 12),
            ),
        ]
        if state.done >= 1:
            at, says = float(self._along(state.exponent)), f"{signed(state.exponent)}: {_fate(state)}"
            start = at < 380
            there = "bad bold" if state.too_large else "other bold" if state.shift else "memory bold"
            found += [
                spots("here", [0], at, y + 7, 12, "compute round", who="the number", says=says),
                words("fate", (at - 6 if start else at + 6, y + 50, says, f"{there} {'start' if start else 'end'}")),
            ]
        return found

    def _between(self, state):
        """The two codes around the number, and to which it goes."""
        (left, right), y = self.ENDS, self.LINE
        at, end = left + (right - left) * state.cut_off, right if state.up else left
        low, high = (f"{'−' if state.negative else ''}{one:.8g}" for one in (state.below, state.above))
        part = "a tie" if state.mode == "even" and state.cut_off == 0.5 else f"{state.cut_off:.3g} of a step"
        exact = state.cut_off == 0
        return [
            lines("between", [0], left, y, right, y, "muted", 2),
            lines("codes", range(2), self.ENDS, y - 8, self.ENDS, y + 8, "memory", 3),
            arrows("goes", [0] * (not exact), at, y - 9, end, y - 9, "compute", 2.5),
            spots("place", [0], at, y, 10, "compute round", who="the number", says=part),
            words(
                "neighbours",
                (left - 12, y, low, "memory bold end"),
                (right + 12, y, high, "memory bold start"),
                ((left + right) / 2, y + 22, "exact" if exact else part, "ink"),
            ),
        ]

    def _at(self, state):
        """Left edges of the boxes of a code: sign, exponent, fraction, with gaps between."""
        place = np.arange(state.format.bits)
        gaps = (place > 0) + 1 * (place > state.format.exponent_bits)
        return self._slot(place) + (60 if len(place) < 20 else 18) * gaps

    def _code(self, state):
        form, x, y = state.format, self._at(state), self.CODE
        e = 1 + form.exponent_bits
        roles = ["muted line", *["other line"] * form.exponent_bits, *["memory line"] * form.mantissa_bits]
        found = [
            boxes("slots", range(form.bits), x, y, self.SIDE, self.HIGH, roles),
            words(
                "fields",
                (self.LEFT, y - 16, f"code of {form.bits} bits", "muted start"),
                (self.LEFT - 1.5, y + 38, "sign", "muted start"),
                (x[1], y + 38, "exponent", "other bold start"),
                (x[min(e, len(x) - 1)], y + 38, "fraction" * (form.mantissa_bits > 0), "memory bold start"),
            ),
        ]
        if state.done == 5:
            sign, field = "negative" if state.negative else "positive", f"holds {int(state.code[1:e], 2)}"
            who, says = (["sign", *["exponent field"] * (e - 1)], [sign, *[field] * (e - 1)])
            roles, off = (
                ["muted tint", *["other tint"] * (e - 1)],
                f", {_off(state)}" if np.isfinite(state.value) else "",
            )
            found += [
                boxes("stored", range(e), x[:e], y, self.SIDE, self.HIGH, roles, list(state.code[:e]), 14, who, says),
                words("value", (self.LEFT, y + 66, f"= {short(state.value)}{off}", "ink bold start", 15)),
            ]
        return found

    def say(self, state):
        return getattr(self, f"_say_{state.step}")(state)

    def _say_number(self, state):
        digits = state.digits[:14] + ("…" if len(state.digits) > 14 else "")
        point = f"{'−' if state.negative else ''}{digits[0]}.{digits[1:] or '0'}"
        return f"{_number(state.x)} is {_scientific(state)}, in binary {point} × {power(state.exponent)}."

    def _say_exponent(self, state):
        form = state.format
        own, span = signed(state.exponent), f"{signed(form.min_exponent)} to {signed(form.max_exponent)}"
        if state.digits == "0":
            return "Zero has no leading one: all its bits are 0."
        if state.too_large:
            return f"Exponent {own} is above {signed(form.max_exponent)}, the highest: overflow."
        if state.shift:
            places = counted(state.shift, "place")
            return f"Exponent {own} is below {span}: the bits move {places} to the right. The number is subnormal."
        field = f"{own} + {signed(form.bias)} = {state.field}"
        return f"Exponent {own} is within {span}: no shift. With the bias, {field}."

    def _say_cut(self, state):
        m = state.format.mantissa_bits
        behind = "there is a 1 behind it" if state.sticky else "nothing but zeros behind it"
        kept = f"{counted(m, 'fraction bit')} stay{'s' * (m == 1)}"
        return f"{kept}. Guard bit {state.guard}, sticky {int(state.sticky)}: {behind}."

    def _say_round(self, state):
        part, way = state.cut_off, "up" if state.up else "down"
        if not part:
            return "Nothing is cut off: no rounding."
        if state.mode == "zero":
            return f"Towards zero: {part:.3g} of a step is cut off, whatever it is."
        if state.mode == "stochastic":
            return f"{part:.3g} of a step is cut off: up with a chance of {percent(part)}. This draw says {way}."
        if part == 0.5:
            return f"Exactly half a step: a tie. The last kept bit is {state.kept[-1]}, so the even code lies {way}."
        return f"{part:.3g} of a step is cut off, {'more' if state.up else 'less'} than half: {way}."

    def _say_carry(self, state):
        if state.beyond:
            end = "it becomes infinity" if np.isinf(state.value) else "it saturates"
            end = "the code is NaN" if np.isnan(state.value) else end
            return f"Beyond {short(state.format.max)}, the largest number: {end}."
        if not state.up:
            return "Nothing is added: the kept bits stay."
        if state.carries:
            return "One is added in the last place, and the carry runs through all bits: the exponent rises by one."
        return "One is added in the last place."

    def _say_code(self, state):
        e = 1 + state.format.exponent_bits
        fields = " ".join(part for part in (state.code[0], state.code[1:e], state.code[e:]) if part)
        if not np.isfinite(state.value):
            return f"{fields} stands for {short(state.value)}."
        off = _off(state).replace("exactly", "exactly the number")
        return f"{fields} stands for {short(state.value)}, {off}."


def _off(state):
    if not state.error_ulp:
        return "exactly"
    return f"off by {'more than a step' if state.error_ulp > 1 else f'{state.error_ulp:.3g} of a step (ulp)'}"


def _fate(state):
    if state.too_large:
        return "overflow"
    if state.shift:
        return f"shift by {state.shift}"
    if state.digits == "0":
        return "in range"
    return f"in range; {signed(state.exponent)} + {state.format.bias} = {state.field}"


def _number(value):
    return signed(value, f"{abs(value):,.0f}" if abs(value) >= 1e4 else f"{abs(value):.5g}")


def _scientific(state):
    if not state.x:
        return "0"
    return f"{'−' if state.negative else ''}{state.significand:.5g} × {power(state.exponent)}"
