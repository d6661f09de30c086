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


def stepped(master, scale, clean, gradient, skips=True, divided=True, stored=np.float32, resets=True, up=2, down=2):
    """One training step, with one thing changed."""
    found = gradient(master.astype(np.float16), scale)
    over = not np.isfinite(found).all()
    if not (over and skips):
        with np.errstate(over="ignore", invalid="ignore"):
            master = master - RATE * found.astype(np.float32) / (scale if divided else 1)
    master = master.astype(stored).astype(np.float32)
    if over:
        return master, scale / down, 0 if resets else clean
    return (master, scale * up, 0) if clean + 1 == PATIENCE else (master, scale, clean + 1)


updates_on_overflow = partial(stepped, skips=False)
not_divided = partial(stepped, divided=False)
master_in_fp16 = partial(stepped, stored=np.float16)
count_goes_on = partial(stepped, resets=False)
never_doubles = partial(stepped, up=1)
never_halves = partial(stepped, down=1)
