"""Exercises of chapter 7."""

import importlib.util
import math
from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.numerics import FORMATS, quantize


def check_decode(function):
    """Cases of all codes of E5M2 and E4M3, against ml_dtypes; where it is not installed, the course's own formats."""
    judges = "ml_dtypes" if importlib.util.find_spec("ml_dtypes") else "the formats of this chapter"
    kinds = (("E5M2", 5, 2, "ieee", "e5m2"), ("E4M3", 4, 3, "fn", "e4m3fn"))
    for name, exponent, fraction, flavor, dtype in kinds:
        known = every_code(dtype)
        low, top = 2**fraction, 2 ** (exponent + fraction) - 2**fraction
        parts = {"zero": (0, 1), "normal": (low, top), "subnormal": (1, low), "top": (top, 128), "negative": (128, 256)}
        for part, span in parts.items():
            call = lambda span=span, rest=(exponent, fraction, flavor): [function(c, *rest) for c in range(*span)]  # noqa: E731
            judge = partial(_judge_codes, known=known, first=span[0], name=name)
            yield case(f"{name}, {part} codes", shown(known[slice(*span)]), call, judge)
    return f"right for all 512 codes, as {judges} {'has' if judges == 'ml_dtypes' else 'have'} them."


def every_code(name):
    """The values of the 256 codes of e5m2 or e4m3fn."""
    codes = np.arange(256, dtype=np.uint8)
    if importlib.util.find_spec("ml_dtypes"):
        import ml_dtypes

        return codes.view(getattr(ml_dtypes, f"float8_{name}")).astype(float).tolist()
    form = FORMATS[name[:4]]
    above = [form._magnitude(code) if code <= form.max_code else math.nan for code in range(128)]
    above[form.max_code + 1] = math.inf if form.flavor == "ieee" else math.nan
    return above + [-value for value in above]


def _judge_codes(got, known, first, name):
    for code, value in enumerate(got, first):
        want = known[code]
        number = isinstance(value, (int, float, np.number, np.ndarray)) and not np.ndim(value)
        if not number or not (value == want or (value != value and want != want)):
            raise Wrong(f"{name}, code {code:08b}: it stands for {shown(want)}, not {shown(value)}.")


CODES = {name: [float(v) for v in FORMATS[name].values() if v >= 0] for name in ("e2m1", "e4m3")}


def drawn(seed):
    """A hidden block of 16 or 32 numbers of one size, one of them perhaps larger."""
    random = np.random.default_rng(seed)
    values = random.standard_normal(int(random.choice((16, 32)))) * 2.0 ** random.integers(-3, 5)
    values[3] *= random.choice((1, 1, 20))
    return values.tolist()


BLOCKS = {
    "zeros": [0.0] * 4,
    "the codes of FP4": [6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.0],
    "ties": [6.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0],
    "largest 7": [7.0, 5.2, 0.3, 0.2],
    "negatives": [-100.0, 40.0, -9.0, -0.6],
    **{f"hidden block {n}": drawn(seed) for n, seed in enumerate((31, 47, 59), 1)},
}
RULES = ("power of two", "E4M3")


def nearest(block, element, rule):
    """A block by search: the power of two by doubling and halving, or the nearest E4M3 number; then all codes."""
    codes, most = np.array(CODES[element]), max(map(abs, block))
    if not most:
        return list(block)
    scale = 1.0
    if rule == "power of two":
        while most > codes[-1] * scale:
            scale *= 2
        while most <= codes[-1] * scale / 2:
            scale /= 2
    else:
        scales = np.array(CODES["e4m3"])
        scale = float(scales[_closest(scales, most / codes[-1])])
    return [math.copysign(float(codes[_closest(codes, abs(value) / scale)]) * scale, value) for value in block]


def _closest(codes, value):
    off = np.abs(codes - value)
    return min(np.flatnonzero(off == off.min()), key=lambda place: place % 2)


def check_block(function):
    """Cases of blocks by hand and of hidden ones, in both elements under both kinds of scale."""
    for name, block in BLOCKS.items():
        for element in CODES:
            for rule in RULES:
                wants, where = nearest(block, element, rule), f"{name}, {element}, {rule}"
                call = partial(function, list(block), element, rule)
                yield case(f"{where}, {shown(block)}", shown(wants), call, partial(_judge_block, wants, where))
    return f"right for {len(BLOCKS)} blocks in both elements under both scales. No power of two clipped a number."


def _judge_block(wants, where, got):
    if not isinstance(got, (list, tuple, np.ndarray)) or len(got) != len(wants):
        raise Wrong(f"For {where}: return a list of {len(wants)} values; you returned {shown(got)}.")
    for place, (mine, want) in enumerate(zip(got, wants, strict=True)):
        if not abs(float(mine) - want) <= 1e-12 * abs(want):
            raise Wrong(f"For {where}: value {place} becomes {shown(want)}, not {shown(float(mine))}.")


def decode(code, exponent_bits, mantissa_bits, flavor):
    """The number that a code stands for; flavor "ieee" or "fn"."""
    sign = -1.0 if code >> (exponent_bits + mantissa_bits) else 1.0
    field, fraction = (code >> mantissa_bits) % 2**exponent_bits, code % 2**mantissa_bits
    top, last = field == 2**exponent_bits - 1, fraction == 2**mantissa_bits - 1
    if top and flavor == "ieee":
        return math.nan if fraction else sign * math.inf
    if top and last:
        return math.nan
    bias = 2 ** (exponent_bits - 1) - 1
    leading, power = (1, field - bias) if field else (0, 1 - bias)
    return sign * (leading + fraction / 2**mantissa_bits) * 2.0**power


def stored_block(values, element, rule):
    """What the values of a block become: elements under one scale, a power of two or an E4M3 number."""
    codes, largest = CODES[element], max(abs(value) for value in values)
    if not largest:
        return [0.0 for value in values]
    exact = largest / codes[-1]
    scale = quantize(exact, "e4m3") if rule == "E4M3" else 2.0 ** math.ceil(math.log2(exact))
    found = []
    for value in values:
        place = min(range(len(codes)), key=lambda i: (abs(codes[i] - abs(value) / scale), i % 2))
        found.append(math.copysign(codes[place] * scale, value))
    return found


EXERCISES = [Exercise("07.1", check_decode, decode), Exercise("07.5", check_block, stored_block)]
