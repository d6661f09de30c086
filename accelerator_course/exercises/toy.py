"""The toy network of X7b: one layer whose gradients are tiny, trained in fp16 or without rounding."""

from functools import partial

import numpy as np

RATE, PATIENCE, FIRST = 2.0**8, 50, 2.0**36
STEPS, FEATURES, BATCH = 1500, 16, 32
SIZE = 2.0**-8  # of the inputs: what makes the gradients small


class Toy:
    """A model of one layer that learns to tell what made its data: the inputs are small, and so are its gradients."""

    def __init__(self, seed):
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
        """The same of scale x loss, as fp16 holds it."""
        with np.errstate(all="ignore"):
            return (scale * self.gradient(step, weights)).astype(np.float16)

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
