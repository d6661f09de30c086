"""Checks of chapter 7 on codes and blocks: X7.1 and X7.2, with their keys."""

import importlib.util
import math
from functools import partial

import numpy as np

from accelerator_course.exercises.cases import Wrong, case, shown


def check_decode(function):
    """Cases of all codes of E5M2 and E4M3, against ml_dtypes; where it is not installed, the course's own formats."""
    judges = "ml_dtypes" if importlib.util.find_spec("ml_dtypes") else "the formats of this chapter"
    kinds = (("E5M2", 5, 2, "ieee", "e5m2"), ("E4M3", 4, 3, "fn", "e4m3fn"))
    for name, exponent, fraction, flavor, dtype in kinds:
        known = every_code(dtype)
        low, top = 2**fraction, 2 ** (exponent + fraction) - 2**fraction
        parts = {"zero": (0, 1), "normal": (low, top), "subnormal": (1, low), "top": (top, 128), "negative": (128, 256)}
        for part, span in parts.items():
            where = f"{name}, {part} codes"
            judge = partial(_judge_codes, known=known, first=span[0], name=name)
            call = lambda span=span, rest=(exponent, fraction, flavor): [function(c, *rest) for c in range(*span)]  # noqa: E731
            yield case(where, shown(known[slice(*span)]), call, judge)
    return f"right for all 512 codes, as {judges} {'has' if judges == 'ml_dtypes' else 'have'} them."


def every_code(name):
    """The values of the 256 codes of e5m2 or e4m3fn."""
    codes = np.arange(256, dtype=np.uint8)
    if importlib.util.find_spec("ml_dtypes"):
        import ml_dtypes

        return codes.view(getattr(ml_dtypes, f"float8_{name}")).astype(float).tolist()
    from accelerator_lib.numerics import FORMATS

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


BLOCKS = {
    "zeros": [0.0] * 4,
    "the codes themselves": [6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.0],
    "ties": [4.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5],
    "largest 7.9": [7.9, 5.2, 0.3, 0.2],
    "negatives": [-100.0, 40.0, -9.0, -0.6],
    "small ones": [3e-5, -1e-5, 2e-6],
    **{f"seeded tensor {n}": np.random.default_rng(n).standard_normal(32).tolist() for n in (1, 2, 3)},
}


def nearest(block):
    """MXFP4 by search: the scale by doubling and halving, each element by trying all codes, the even one in a tie."""
    codes, scale, most = (0, 0.5, 1, 1.5, 2, 3, 4, 6), 1.0, max(map(abs, block))
    while most and most >= 8 * scale:
        scale *= 2
    while most and most < 4 * scale:
        scale /= 2
    found = []
    for value in block:
        best = min(range(8), key=lambda i: (abs(codes[i] - abs(value) / scale), i % 2))
        found.append(math.copysign(codes[best] * scale, value))
    return found


def check_store(function):
    """Cases of blocks by hand and of seeded ones, and of one that is stored twice."""
    for name, block in BLOCKS.items():
        wants = nearest(block)
        where = f"{name}, {shown(block)}"
        judge = partial(_judge_block, wants=wants, where=name)
        yield case(where, shown(wants), lambda block=block: function(list(block)), judge)
    once = nearest(BLOCKS["seeded tensor 1"])
    judge = partial(_judge_block, wants=once, where="stored twice")
    yield case("stored twice", "the same as once", lambda: function(list(once)), judge, lambda _: "its values")
    return f"right for {len(BLOCKS)} blocks, and what was stored once stays as it is."


def _judge_block(got, wants, where):
    if not isinstance(got, (list, tuple, np.ndarray)) or len(got) != len(wants):
        raise Wrong(f"For {where}: return a list of {len(wants)} values; you returned {shown(got)}.")
    for place, (mine, want) in enumerate(zip(got, wants, strict=True)):
        if not abs(float(mine) - want) <= 1e-12 * abs(want):
            raise Wrong(f"For {where}: value {place} becomes {shown(want)}, not {shown(float(mine))}.")
