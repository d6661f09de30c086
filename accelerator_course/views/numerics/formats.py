"""What is said about a conversion, step by step; and how numbers are written in it."""

import numpy as np

from accelerator_lib.units import percent

RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def say(state):
    """One sentence on the step that a Conversion has come to."""
    return SAID[state.step](state)


def ulps(state):
    return "more than a step" if state.error_ulp > 1 else f"{state.error_ulp:.3g} of a step (ulp)"


def fate(state):
    if state.too_large:
        return "overflow"
    if state.shift:
        return f"shift by {state.shift}"
    bias, own = state.format.bias, state.exponent
    return "in range" if state.digits == "0" else f"in range; {signed(own)} + {bias} = {own + bias}"


def signed(number):
    return f"−{-number}" if number < 0 else f"{number}"


def power(exponent):
    """A power of two: 2⁻²⁵."""
    return "2" + str(exponent).translate(RAISED)


def short(value):
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "infinity" if value > 0 else "−infinity"
    text = f"{abs(value):,.0f}" if abs(value) >= 1e4 and value == int(value) else f"{abs(value):.12g}"
    return f"−{text}" if value < 0 else text


def written(value):
    text = f"{abs(value):,.0f}" if abs(value) >= 1e4 else f"{abs(value):.5g}"
    return f"−{text}" if value < 0 else text


def scientific(state):
    if not state.x:
        return "0"
    return f"{'−' if state.negative else ''}{abs(state.x) / 2.0**state.exponent:.5g} × {power(state.exponent)}"


def _number(state):
    digits = state.digits[:14] + ("…" if len(state.digits) > 14 else "")
    sign = "−" if state.negative else ""
    point = f"{digits[0]}.{digits[1:] or '0'}"
    return f"{written(state.x)} is {scientific(state)}, in binary {sign}{point} × {power(state.exponent)}."


def _exponent(state):
    form = state.format
    span = f"{signed(form.min_exponent)} to {signed(form.max_exponent)}"
    if state.digits == "0":
        return "Zero has no leading one: all its bits are 0."
    if state.too_large:
        return f"Exponent {signed(state.exponent)} is above {signed(form.max_exponent)}, the highest: overflow."
    if state.shift:
        places = f"{state.shift} place{'s' * (state.shift > 1)}"
        low = f"Exponent {signed(state.exponent)} is below {span}"
        return f"{low}: the bits go {places} to the right. A subnormal number."
    field = f"{signed(state.exponent)} + {signed(form.bias)} = {state.exponent + form.bias}"
    return f"Exponent {signed(state.exponent)} is within {span}: no shift. With the bias, {field}."


def _cut(state):
    m = state.format.mantissa_bits
    behind = "there is a 1 behind it" if state.sticky else "nothing but zeros behind it"
    kept = f"{m} fraction bit{'s' * (m != 1)} stay{'s' * (m == 1)}"
    return f"{kept}. Guard bit {state.guard}, sticky {int(state.sticky)}: {behind}."


def _round(state):
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


def _carry(state):
    if state.beyond:
        end = {True: "it becomes infinity", False: "it saturates"}[bool(np.isinf(state.value))]
        end = "the code is NaN" if np.isnan(state.value) else end
        return f"Beyond {short(state.format.max)}, the largest number: {end}."
    if not state.up:
        return "Nothing is added: the kept bits stay."
    if state.carries:
        return "One is added in the last place, and the carry runs through all bits: the exponent rises by one."
    return "One is added in the last place."


def _code(state):
    e = 1 + state.format.exponent_bits
    fields = " ".join(part for part in (state.code[0], state.code[1:e], state.code[e:]) if part)
    if not np.isfinite(state.value):
        return f"{fields} stands for {short(state.value)}."
    off = "exactly the number" if state.error_ulp == 0 else f"off by {ulps(state)}"
    return f"{fields} stands for {short(state.value)}, {off}."


SAID = {
    "number": _number,
    "exponent": _exponent,
    "cut": _cut,
    "round": _round,
    "carry": _carry,
    "code": _code,
}
