"""Exercises of chapter 7."""

import math
from functools import partial
from itertools import product

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, numbers, shown
from accelerator_course.exercises.codes import check_decode, check_store
from accelerator_course.exercises.decisions import chosen
from accelerator_course.exercises.slips import numerics as slips
from accelerator_lib.numerics import budget, quantize


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


def store(block):
    """The values of a block after MXFP4: E2M1 elements under one power of two."""
    largest = max(abs(value) for value in block)
    if not largest:
        return [0.0 for value in block]
    scale = 2.0 ** (math.floor(math.log2(largest)) - 2)
    return [quantize(value / scale, "e2m1") * scale for value in block]


def scaler(overflows):
    """(loss scale, steps skipped) after steps of which each overflowed (True) or not, by GradScaler's rule."""
    scale, clean, skipped = 65536.0, 0, 0
    for overflow in overflows:
        if overflow:
            scale, clean, skipped = scale / 2, 0, skipped + 1
        else:
            clean += 1
            if clean == 2000:
                scale, clean = scale * 2, 0
    return scale, skipped


def choose(parts, stored, limit):
    """A format for each part: the least noise of all choices of at most `limit` bytes; None where none fits.

    parts {name: (numbers, how often their noise counts)}, stored {format: (bits, noise)}.
    """
    best = None
    for choice in product(stored, repeat=len(parts)):
        pairs = [(part, stored[name]) for part, name in zip(parts.values(), choice, strict=True)]
        size = sum(numbers * bits / 8 for (numbers, _), (bits, _) in pairs)
        noise = sum(times * each for (_, times), (_, each) in pairs)
        if size <= limit and (best is None or noise < best[0]):
            best = noise, choice
    return best and best[1]


RUNS = {  # so many clean steps, then an overflow (0), and so on
    "2,000 clean steps, an overflow, 2,000 clean": (2000, 0, 2000),
    "1,999 clean steps, an overflow, 1,999 clean": (1999, 0, 1999),
    "five overflows": (0, 0, 0, 0, 0),
    "6,000 clean steps": (6000,),
    "5,999 clean steps": (5999,),
    "no step": (),
    "an overflow after 1,500 clean steps, three times": (1500, 0, 1500, 0, 1500, 0),
    "4,001 clean steps, two overflows, 2,000 clean": (4001, 0, 0, 2000),
}


def _check_scaler(function):
    for where, run in RUNS.items():
        overflows = [step for part in run for step in ([False] * part if part else [True])]
        doubled, skipped = sum(part // 2000 for part in run), run.count(0)  # whole stretches, counted without a step
        wants = {"the scale": 65536 * 2.0 ** (doubled - skipped), "the steps skipped": skipped}
        yield numbers(function, (overflows,), wants, where, "(scale, skipped)")
    return f"right for {len(RUNS)} runs: patient on the way up, quick on the way down."


def _decisions():
    """{what: (parts, stored, limit)}: a small one by hand, and one chip with a 70B model."""
    stored = {name: (budget.stored_bits(name), budget.noise(name)) for name in budget.STORED}
    free = budget.CHIP.capacity_bytes - budget.FREE_BYTES
    found = {"two parts of 8 numbers, 20 bytes": ({"weights": (8, 1), "cache": (8, 2)}, SMALL, 20)}
    for sequences, chips in ((32, 1), (8, 1), (64, 1), (128, 2), (32, 0.5)):
        sizes = budget.elements(sequences)
        parts = {part: (sizes[part], budget.COUNTS[part]) for part in budget.PARTS}
        limit = chips * free - 2 * sizes["rest"]
        found[f"{sequences} sequences, {limit / 1e9:.1f} GB"] = parts, stored, limit
    return found


SMALL = {"wide": (16, 0.01), "narrow": (4, 0.1)}


def searched(parts, stored, limit):
    """(least noise, whether any fits): all choices at once, as arrays."""
    places = np.indices((len(stored),) * len(parts)).reshape(len(parts), -1)
    bits, noise = np.array(list(stored.values())).T
    counts, times = np.array(list(parts.values())).T
    fits = (counts[:, None] * bits[places]).sum(axis=0) / 8 <= limit
    return (times[:, None] * noise[places]).sum(axis=0)[fits].min(initial=np.inf), bool(fits.any())


def _check_choose(function):
    for where, (parts, stored, limit) in _decisions().items():
        least, any_fits = searched(parts, stored, limit)
        judge = partial(_judge_choice, parts=parts, stored=stored, limit=limit, least=least, fits=any_fits, where=where)
        wanted = f"noise {least:.4g}" if any_fits else "None"
        call = lambda p=parts, s=stored, most=limit: function(dict(p), dict(s), most)  # noqa: E731
        yield case(where, wanted, call, judge)
    return "right, against every choice there is. Bits go where noise counts often and numbers are few."


def _judge_choice(got, parts, stored, limit, least, fits, where):
    if not fits:
        if got is not None:
            raise Wrong(f"For {where} nothing fits; return None, not {shown(got)}.")
        return
    got = chosen(where, got, **dict.fromkeys(parts, tuple(stored)))
    size = sum(parts[part][0] * stored[name][0] / 8 for part, name in zip(parts, got, strict=True))
    noise = sum(parts[part][1] * stored[name][1] for part, name in zip(parts, got, strict=True))
    if size > limit:
        raise Wrong(f"For {where} your choice {shown(got)} needs {size / limit:.4g} times the room.")
    if noise > least * (1 + 1e-9):
        raise Wrong(f"For {where} your choice {shown(got)} has a noise of {noise:.4g}; {least:.4g} is possible.")


EXERCISES = [
    Exercise(
        "07.1",
        "X7.1",
        "the number that a code stands for: sign, exponent field and fraction field, infinities and NaN included.",
        "Take the fields apart with // and %. Which power do codes with an exponent field of 0 have?",
        check_decode,
        decode,
        (
            slips.leading_one_always,
            slips.no_subnormals,
            slips.power_of_zero,
            slips.ieee_always,
            slips.last_code_read,
            slips.no_top,
            slips.sign_forgotten,
        ),
    ),
    Exercise(
        "07.2",
        "X7.2",
        "a list of what the values of one block become in MXFP4.",
        "math.frexp or math.log2 gives the exponent of the largest; numerics.quantize(x, 'e2m1') rounds and saturates.",
        check_store,
        store,
        (
            slips.scale_that_fits,
            slips.next_power,
            slips.exponent_alone,
            slips.not_back,
            slips.no_saturation,
            slips.cut_off,
            slips.ties_up,
            slips.ties_down,
        ),
    ),
    Exercise(
        "07.3",
        "X7.3",
        "(scale, skipped): the loss scale after a run, and how many steps were skipped.",
        "What resets the count of clean steps? There are two such things.",
        _check_scaler,
        scaler,
        (slips.counter_not_reset, slips.doubles_ever_after, slips.one_step_late, slips.skips_nothing),
    ),
    Exercise(
        "07.4",
        "X7.4",
        "a tuple with a format for each part: the least noise among all choices that fit, None where none does.",
        "There are few enough choices to try them all: itertools.product(stored, repeat=len(parts)).",
        _check_choose,
        choose,
        (slips.one_format_for_all, slips.noise_counted_once, slips.least_bytes, slips.bits_for_bytes, slips.first_fit),
    ),
]
