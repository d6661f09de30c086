"""Slips of the exercises of chapter 7b."""

from functools import partial

import numpy as np

from accelerator_course.exercises.lowbit import PATIENCE, RATE


def skips_nothing(overflows):
    return scaled(overflows)[0], 0


def scaled(overflows, patience=2000, resets=True, ever_after=False):
    """(scale, skipped), with one thing changed."""
    scale, clean, skipped = 65536.0, 0, 0
    for overflow in overflows:
        if overflow:
            scale, clean, skipped = scale / 2, 0 if resets else clean, skipped + 1
            continue
        clean += 1
        if clean >= patience:
            scale, clean = scale * 2, clean if ever_after else 0
    return scale, skipped


counter_not_reset = partial(scaled, resets=False)
doubles_ever_after = partial(scaled, ever_after=True)
one_step_late = partial(scaled, patience=2001)


def updates_on_overflow(master, scale, clean, gradient):
    found = gradient(master.astype(np.float16), scale)
    over = not np.isfinite(found).all()
    with np.errstate(invalid="ignore"):
        master = master - RATE * found.astype(np.float32) / scale
    return (master, scale / 2, 0) if over else _counted(master, scale, clean)


def master_in_fp16(master, scale, clean, gradient):
    master, scale, clean = _stepped(master, scale, clean, gradient)
    return master.astype(np.float16).astype(np.float32), scale, clean


def count_goes_on(master, scale, clean, gradient):
    before = clean
    master, scale, clean = _stepped(master, scale, clean, gradient)
    halved = clean == 0 and before + 1 != PATIENCE
    return master, scale, before if halved else clean


def never_doubles(master, scale, clean, gradient):
    master, new, clean = _stepped(master, scale, clean, gradient)
    return master, min(new, scale), clean


def never_halves(master, scale, clean, gradient):
    master, new, clean = _stepped(master, scale, clean, gradient)
    return master, max(new, scale), clean


def _stepped(master, scale, clean, gradient, divided=True):
    found = gradient(master.astype(np.float16), scale)
    if not np.isfinite(found).all():
        return master, scale / 2, 0
    with np.errstate(over="ignore", invalid="ignore"):
        return _counted(master - RATE * found.astype(np.float32) / (scale if divided else 1), scale, clean)


not_divided = partial(_stepped, divided=False)


def _counted(master, scale, clean):
    return (master, scale * 2, 0) if clean + 1 == PATIENCE else (master, scale, clean + 1)
