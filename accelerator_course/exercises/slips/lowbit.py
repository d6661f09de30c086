"""Slips of the exercises of chapter 7b."""

import numpy as np

from accelerator_course.exercises.toy import PATIENCE, RATE


def counter_not_reset(overflows):
    """Your count of clean steps goes on after an overflow. It begins again: 1,999 clean steps before it do not help."""
    return scaled(overflows, resets=False)


def doubles_ever_after(overflows):
    """After 2,000 clean steps you double in every further one. Doubling, too, begins the count anew."""
    return scaled(overflows, ever_after=True)


def one_step_late(overflows):
    """You double a step too late: the 2,000th clean step in a row doubles the scale."""
    return scaled(overflows, patience=2001)


def skips_nothing(overflows):
    """You count no step as skipped. In every step with an overflow the weights stay as they are."""
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


def updates_on_overflow(master, scale, clean, gradient):
    """You update on an overflow: infinity or NaN enters every weight. Leave the weights as they are in that step."""
    found = gradient(master.astype(np.float16), scale)
    over = not np.isfinite(found).all()
    with np.errstate(invalid="ignore"):
        master = master - RATE * found.astype(np.float32) / scale
    return (master, scale / 2, 0) if over else _counted(master, scale, clean)


def not_divided(master, scale, clean, gradient):
    """You do not divide by the loss scale: the gradient is that of scale x loss."""
    return _stepped(master, scale, clean, gradient, divided=False)


def master_in_fp16(master, scale, clean, gradient):
    """You keep the master weights in fp16: small updates are rounded away. Keep them in FP32, and round a copy."""
    master, scale, clean = _stepped(master, scale, clean, gradient)
    return master.astype(np.float16).astype(np.float32), scale, clean


def count_goes_on(master, scale, clean, gradient):
    """Your count of clean steps goes on after an overflow. It begins again: clean steps count in a row."""
    before = clean
    master, scale, clean = _stepped(master, scale, clean, gradient)
    halved = clean == 0 and before + 1 != PATIENCE
    return master, scale, before if halved else clean


def never_doubles(master, scale, clean, gradient):
    """Your scale never grows. After so many clean steps in a row it doubles."""
    master, new, clean = _stepped(master, scale, clean, gradient)
    return master, min(new, scale), clean


def never_halves(master, scale, clean, gradient):
    """You skip the step and keep the scale, so the next steps overflow as well. Halve it."""
    master, new, clean = _stepped(master, scale, clean, gradient)
    return master, max(new, scale), clean


def _stepped(master, scale, clean, gradient, divided=True):
    found = gradient(master.astype(np.float16), scale)
    if not np.isfinite(found).all():
        return master, scale / 2, 0
    with np.errstate(over="ignore", invalid="ignore"):
        return _counted(master - RATE * found.astype(np.float32) / (scale if divided else 1), scale, clean)


def _counted(master, scale, clean):
    return (master, scale * 2, 0) if clean + 1 == PATIENCE else (master, scale, clean + 1)
