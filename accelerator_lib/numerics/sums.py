"""Running sums: an accumulator of few bits rounds after every addition, and stops when a term is less than half a step.

    sum = round(sum + term)        ones stop at 2^(fraction bits + 1): 1 is half a step there, ties go to even codes

Promotion adds every `chunk` terms up in FP32 and begins again at zero. Terms enter unrounded, as the products of a
matrix unit do. HOPPER_FP8 is what Hopper's tensor cores keep of a sum of FP8 products, of which they add 32 at a time,
here one after the other. Sources: "DeepSeek-V3 technical report", 2024, sections 3.3.2 and 3.5.2 (about 14 bits,
promotion every 128 terms); "SageAttention2", 2024 (8 exponent and 13 fraction bits).
"""

from math import floor, frexp, ldexp

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.numerics.formats import FORMATS, Format, Mode, OfFormat, Reals, drawn, quantize

HOPPER_FP8 = Format(8, 13)
DRAWS = 4096  # taken from the generator at once


@checked
def accumulate(terms: Reals, format: OfFormat, chunk: Count(1, 2**20) = None, mode: Mode = "even", rng=None):
    """Yield the sum after every term, promoted and running part together; `chunk` None never promotes.
    Stochastic rounding draws from `rng`, a seeded one where none is given."""
    add, promote = _rounder(format, mode, rng), _rounder(FORMATS["fp32"], "even", None)
    promoted = running = 0.0
    for number, term in enumerate(np.ravel(terms).tolist(), 1):
        running = add(running + term)
        if chunk and number % chunk == 0:
            promoted, running = promote(promoted + running), 0.0
        yield promoted + running


@checked
def sum_of_ones(count: Count(1, 2**20), format: OfFormat, chunk: Count(1, 2**20) = None):
    """What an accumulator holds after so many ones, rounded to the nearest after each."""
    held = 0.0
    for now in accumulate(np.ones(count), format, chunk):
        if chunk is None and now == held:  # from here on a one changes nothing
            break
        held = now
    return held


def _rounder(format, mode, rng):
    """quantize for one number at a time, in a fiftieth of the time; saturating."""
    least, fraction, most = format.min_exponent, format.mantissa_bits, format.max
    draws = _draws(rng) if mode == "stochastic" else None

    def rounded(x):
        up = fraction - max(frexp(x)[1] - 1, least)
        steps = ldexp(abs(x), up)
        whole = round(steps) if mode == "even" else floor(steps + next(draws) if draws else steps)
        size = min(ldexp(whole, -up), most)
        return size if x >= 0 else -size

    return rounded


def _draws(rng):
    rng = np.random.default_rng(0) if rng is None else rng
    while True:
        yield from drawn(rng, DRAWS).tolist()


TERMS = ("ones", "products of one sign", "products of both signs")


@checked
def terms(kind: OneOf(TERMS), length: Count(1, 2**20), seed: Count(0) = 7):
    """Terms to add up: ones, or products of two normal numbers, with or without their sign."""
    if kind == "ones":
        return np.ones(length)
    a, b = quantize(np.random.default_rng(seed).standard_normal((2, length)), FORMATS["bf16"])
    return np.abs(a * b) if kind == "products of one sign" else a * b
