"""Exercises of chapter 7b."""

from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, numbers, shown

RATE, PATIENCE, FIRST = 2.0**8, 50, 2.0**36
STEPS, FEATURES, BATCH = 1500, 16, 32
SIZE = 2.0**-8  # of the inputs: what makes the gradients small


class Toy:
    """A model of one layer that learns to tell what made its data: the inputs are small, and so are its gradients."""

    def __init__(self, seed):
        self.rounded = True  # whether gradients were asked for weights in fp16 alone
        draw = np.random.default_rng(seed)
        self.truth = draw.standard_normal(FEATURES)
        self.inputs = SIZE * draw.standard_normal((STEPS, BATCH, FEATURES))
        self.wants = self.inputs @ self.truth + 0.1 * SIZE * draw.standard_normal((STEPS, BATCH))
        self.first = (0.1 * draw.standard_normal(FEATURES)).astype(np.float32)

    def gradient(self, step, weights):
        """Of the mean of (error squared) / 2 in one batch, in double precision."""
        x = self.inputs[step]
        return x.T @ (x @ np.asarray(weights, float) - self.wants[step]) / BATCH

    def in_fp16(self, step, weights, scale):
        """The same of scale x loss, as fp16 holds it; in every other step what is too large is NaN, as inf - inf is."""
        self.rounded &= np.array_equal(weights, np.float16(weights), equal_nan=True)
        found = np.float16(scale * self.gradient(step, weights))
        return found + 0 * found if step % 2 else found

    def loss(self, weights):
        return float(np.mean((self.inputs @ np.asarray(weights, float) - self.wants) ** 2) / SIZE**2)


def reference(toy):
    """(loss, steps skipped, last scale) without any rounding; a gradient beyond fp16 skips its step."""
    weights, power, since, skipped = toy.first.astype(float), int(np.log2(FIRST)), 0, 0
    for step in range(STEPS):
        found = toy.gradient(step, weights)
        if np.abs(found).max() * 2.0**power >= 65520:
            power, since, skipped = power - 1, 0, skipped + 1
            continue
        weights, since = weights - RATE * found, since + 1
        if since % PATIENCE == 0:
            power += 1
    return toy.loss(weights), skipped, 2.0**power


def played(function, toy):
    """(loss, steps skipped, last scale) of a learner's steps."""
    master, scale, clean, skipped = toy.first.copy(), FIRST, 0, 0
    with np.errstate(all="ignore"):  # what overflows is what this is about
        for step in range(STEPS):
            before = np.array(master, copy=True)
            master, scale, clean = function(master, scale, clean, partial(toy.in_fp16, step))
            skipped += bool(np.array_equal(before, master))
        return toy.loss(master), skipped, scale


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


def train_step(master, scale, clean, gradient):
    """(master weights, loss scale, clean steps) after one step; gradient(weights, scale) is fp16, of scale x loss."""
    found = gradient(master.astype(np.float16), scale)
    if not np.isfinite(found).all():
        return master, scale / 2, 0
    master = master - RATE * found.astype(np.float32) / scale
    clean = clean + 1
    return (master, scale * 2, 0) if clean == PATIENCE else (master, scale, clean)


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


SEEDS = (3, 14, 25)


def _check_train_step(function):
    for number, seed in enumerate(SEEDS, 1):
        toy = Toy(seed)
        wants, where = reference(toy), f"hidden run {number}"

        def judge(got, wants=wants, where=where, toy=toy):
            loss, skipped, scale = got
            if abs(skipped - wants[1]) > 1:  # the last bit of a gradient may decide
                raise Wrong(f"For {where}: {skipped} of {STEPS} steps left the weights as they were, not {wants[1]}.")
            if not wants[2] / 2 <= scale <= wants[2] * 2:
                raise Wrong(f"For {where}: the loss scale ends at {shown(scale)}, not {shown(wants[2])}.")
            if not loss <= 1.02 * wants[0]:
                raise Wrong(f"For {where}: the loss ends at {shown(loss)}; in FP32 at {shown(wants[0])}.")
            if not toy.rounded:
                raise Wrong(f"For {where}: the gradient was asked for weights that are not in fp16.")

        told = f"loss {wants[0]:.4g}, {wants[1]} skipped, scale {wants[2]:,.0f}"
        yield case(where, told, partial(played, function, toy), judge)
    return f"right for {len(SEEDS)} runs of {STEPS} steps: the loss is that of FP32."


EXERCISES = [Exercise("07.3", _check_scaler, scaler), Exercise("07b.1", _check_train_step, train_step)]
