"""A number becomes a code: its bits in boxes that shift, are cut, rounded, carried and stored."""

import numpy as np

from accelerator_course.views.numerics.formats import fate, power, say, scientific, short, signed, ulps, written
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts

LEFT, BIT, SLOTS = 22, 20.5, 34  # the boxes of the number
ROW, CODE = 62, 356  # top of the number's bits, and of the code's
HIGH = 24
AXIS, AXIS_LOW, AXIS_HIGH = 158, -36, 24  # the exponents
LINE, ENDS = 262, (210, 530)  # the line between two codes
NAMES = ("number", "exponent", "cut", "round", "carry", "code")
TRACK = ("the number", "exponent", "cut", "round", "carry", "code")


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

    def marks(self, state):
        """`state`: frames.numerics.Conversion."""
        done = NAMES.index(state.step)
        found = [*self._head(state, done), *self._exponent(state, done), *self._frame(state, done)]
        if done >= 3 and not state.too_large:
            found += self._between(state)
        return [*found, *self._bits(state, done), *self._code(state, done)]

    def _head(self, state, done):
        form = state.format
        kind = f"1 + {form.exponent_bits} + {form.mantissa_bits} bits"
        roles = ["compute bold" if place == done else "muted" for place in range(6)]
        return [
            texts("number", [0], LEFT, 16, f"{written(state.x)} = {scientific(state)}", "ink bold start", 15),
            texts("kind", [0], 718, 16, kind, "muted end", 13),
            texts("track", range(6), LEFT + 62 + 118 * np.arange(6), 450, TRACK, roles, 13),
        ]

    def _frame(self, state, done):
        """The places that the format has, and those of guard and sticky."""
        m = state.format.mantissa_bits
        if not done:
            return [texts("labels", ["bits"], LEFT, ROW - 14, "its bits", "muted start", 13)]
        x = LEFT + BIT * np.arange(m + 2)
        roles = ["ink line dashed", *["memory line"] * m, "compute line"]
        labels, places, looks = ["guard"], [x[m + 1] + BIT / 2], ["compute bold"]
        if m > 3:
            labels, places, looks = ["kept", *labels], [x[0] + BIT * (m + 1) / 2, *places], ["memory bold", *looks]
        if done >= 2 and SLOTS - m - 2 >= 4:
            labels, places, looks = (
                [*labels, f"sticky: {int(state.sticky)}"], [*places, x[m + 1] + BIT * 2.3], [*looks, "other bold start"]
            )  # fmt: skip
        return [
            boxes("frame", range(m + 2), x, ROW, BIT - 1.5, HIGH, roles),
            texts("labels", labels, places, ROW - 14, labels, looks, 13),
        ]

    def _bits(self, state, done):
        """The number's own bits; after the carry, the rounded ones, which at last fall into the code."""
        m, shift = state.format.mantissa_bits, state.shift if done else 0
        slots = np.arange(min(SLOTS, max(len(state.digits) + shift, m + 2) if done else len(state.digits)))
        shown = "0" * shift + state.digits
        shown += "0" * max(0, len(slots) - len(shown))
        x, y = LEFT + BIT * slots, np.full(len(slots), float(ROW))
        roles = [self._role(slot, m, done) for slot in slots]
        if done >= 4:
            slots, x, y = slots[: m + 1], x[: m + 1], y[: m + 1]
            old, shown = shown, state.rounded[: m + 1]
            roles = [
                "ink line" if not slot else "compute tint bold" if old[slot] != shown[slot] else "memory tint"
                for slot in slots
            ]
        if done == 5:
            x, y, shown = x.copy(), y.copy(), shown[0] + state.code[1 + state.format.exponent_bits :]
            x[1:], y[1:] = self._at(state)[1 + state.format.exponent_bits :], CODE
        says = [f"place {slot}: worth {power(max(state.exponent, state.format.min_exponent) - slot)}" for slot in slots]
        more = "…" if done < 4 and len(state.digits) + shift > SLOTS else ""
        digits = [f"{shown[0]}.", *shown[1 : len(slots)]]
        who = ["the leading bit", *[f"fraction bit {slot}" for slot in slots[1:]]]
        return [
            boxes("bits", slots - shift, x, y, BIT - 1.5, HIGH, roles, digits, 14, who, says),
            texts("more", [0], LEFT + BIT * SLOTS + 8, ROW + 12, more, "muted", 14),
        ]

    @staticmethod
    def _role(slot, m, done):
        if done < 2:
            return "muted tint"
        if slot == m + 1:
            return "compute tint bold"
        return "other tint" if slot > m + 1 else "memory tint" if slot else "ink line"

    def _exponent(self, state, done):
        """The exponents that the format has, and where the number's is."""
        form, at = state.format, _along(state.exponent)
        low, high = form.min_exponent, form.max_exponent
        ends = [_along(low - form.mantissa_bits - 0.5), _along(low - 0.5), _along(high + 0.5)]
        found = [
            boxes(
                "range", range(2), ends[:2], AXIS, [ends[1] - ends[0], ends[2] - ends[1]], 14,
                ["other tint dashed", "memory tint"], who=["subnormal numbers", "normal numbers"],
            ),
            texts("exponents", [0], LEFT, AXIS - 16, "exponents that the format has", "muted start", 13),
            texts(
                "ends", range(2), [ends[1] + 4, ends[2] - 4 if high - low > 3 else ends[2] + 24], AXIS + 28,
                [f"◂ {signed(low)}" if low < AXIS_LOW else signed(low),
                 f"{signed(high)} ▸" if high > AXIS_HIGH else signed(high)],
                ["memory start", "memory end"], 12,
            ),
        ]  # fmt: skip
        if done >= 1:
            told = f"{signed(state.exponent)}: {fate(state)}"
            side = "start" if at < 380 else "end"
            there = "bad bold" if state.too_large else "other bold" if state.shift else "memory bold"
            found += [
                boxes("here", [0], at - 6, AXIS + 1, 12, 12, "compute round", who="the number", says=told),
                texts("fate", [0], at - 6 if side == "start" else at + 6, AXIS + 50, told, f"{there} {side}", 13),
            ]
        return found

    def _between(self, state):
        """The two codes around the number, and to which it goes."""
        left, right = ENDS
        at, end = left + (right - left) * state.cut_off, right if state.up else left
        sign = "−" if state.negative else ""
        names = [f"{sign}{end:.8g}" for end in (state.below, state.above)]
        told = "a tie" if state.mode == "even" and state.cut_off == 0.5 else f"{state.cut_off:.3g} of a step"
        exact = state.cut_off == 0
        move = [] if exact else [arrows("goes", [0], at, LINE - 9, end, LINE - 9, "compute", 2.5)]
        return [
            lines("between", [0], left, LINE, right, LINE, "muted", 2),
            lines("codes", range(2), ENDS, LINE - 8, ENDS, LINE + 8, "memory", 3),
            texts(
                "neighbours",
                range(2),
                [left - 12, right + 12],
                LINE,
                names,
                ["memory bold end", "memory bold start"],
                13,
            ),
            *move,
            boxes("place", [0], at - 5, LINE - 5, 10, 10, "compute round", who="the number", says=told),
            texts("part", [0], (left + right) / 2, LINE + 22, "exact" if exact else told, "ink", 13),
        ]

    @staticmethod
    def _at(state):
        """Left edges of the boxes of a code: sign, exponent, fraction, with gaps between."""
        bits = state.format.bits
        gap = (60 if bits < 20 else 18) * (
            (np.arange(bits) > 0) + (np.arange(bits) > state.format.exponent_bits).astype(int)
        )
        return LEFT + BIT * np.arange(bits) + gap

    def _code(self, state, done):
        form, x = state.format, self._at(state)
        e = 1 + form.exponent_bits
        names, middles = ["sign"], [LEFT - 1.5]
        names += ["exponent", *["fraction"] * (form.mantissa_bits > 0)]
        middles += [x[1], *[x[min(e, len(x) - 1)]] * (form.mantissa_bits > 0)]
        roles = {"sign": "muted start", "exponent": "other bold start", "fraction": "memory bold start"}
        found = [
            boxes(
                "slots", range(form.bits), x, CODE, BIT - 1.5, HIGH,
                ["muted line", *["other line"] * form.exponent_bits, *["memory line"] * form.mantissa_bits],
            ),
            texts("fields", names, middles, CODE + 38, names, [roles[name] for name in names], 13),
            texts("heading", [0], LEFT, CODE - 16, f"code of {form.bits} bits", "muted start", 13),
        ]  # fmt: skip
        if done == 5:
            who = ["sign", *["exponent field"] * form.exponent_bits]
            field = int(state.code[1:e], 2)
            says = ["negative" if state.negative else "positive", *[f"holds {field}"] * form.exponent_bits]
            told = f"= {short(state.value)}"
            found += [
                boxes(
                    "stored", range(e), x[:e], CODE, BIT - 1.5, HIGH,
                    ["muted tint", *["other tint"] * form.exponent_bits], list(state.code[:e]), 14, who, says,
                ),
                texts("value", [0], LEFT, CODE + 66, told + self._off(state), "ink bold start", 15),
            ]  # fmt: skip
        return found

    @staticmethod
    def _off(state):
        if not np.isfinite(state.value):
            return ""
        return ", exactly" if state.error_ulp == 0 else f", off by {ulps(state)}"

    def say(self, state):
        return say(state)


def _along(exponent):
    share = (min(max(exponent, AXIS_LOW), AXIS_HIGH) - AXIS_LOW) / (AXIS_HIGH - AXIS_LOW)
    return LEFT + share * 696
