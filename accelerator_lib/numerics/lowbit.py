"""Low-bit training: a small network learns a spiral while its numbers have few bits.

    forward    every product meets inputs and weights rounded to the forward format
    backward   the gradient of a layer's output, times the loss scale, is rounded to the backward format
    update     momentum and weights in FP32, or the weights kept in bf16; a step with an overflow is skipped

A format is three numbers that JAX takes as data: one compiled program serves them all. Products add up in FP32. The
input of a layer that is kept for the backward pass is the rounded one, as in hardware. Ignored: gradients of weights
are not rounded. Loss scaling: P. Micikevicius et al., "Mixed precision training", 2018.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from accelerator_lib.checks.signature import Count, Flag, Number, OneOf, Single, checked
from accelerator_lib.data import frozen, kept
from accelerator_lib.numerics.formats import ELEMENTS
from accelerator_lib.numerics.lowbit_steps import ARMS, IN_JAX, IN_NUMPY
from accelerator_lib.recorded import GET, here, jax, tell

POINTS, TURNS, NOISE, INNER = 4096, 1.25, 0.15, 0.1
SIZES = (3, 64, 64, 64, 3)
STEPS, BATCH, EVERY = 300, 512, 10
WIDTH, SHOWN = max(SIZES), 240
PULLS = -20, 20  # octaves of updates against half a code that are told apart
GRID = 32  # points of the map along an edge, from -1 to 1
WEIGHTS = ("fp32", "bf16", "bf16 stochastic")
TRAINED = frozen({name: form for name, form in ELEMENTS.items() if name != "tf32"})
Trained = OneOf(TRAINED)


@checked
def spiral(points: Count(1, 10**6) = POINTS):
    """(inputs [points, 3], arms [points]): x, y and a one; three arms of 1.25 turns, radius 0.1 to 1."""
    draw = np.random.default_rng(0)
    radius, arm = draw.uniform(INNER, 1, points), draw.integers(0, ARMS, points)
    angle = 2 * np.pi * (arm / ARMS + TURNS * radius) + NOISE * draw.standard_normal(points)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.ones(points)], 1).astype(np.float32), arm


@dataclass(frozen=True, eq=False)
class Training:
    """What happened by a step of a run: one entry a step, and the map that the network draws now [GRID, GRID]."""

    losses: np.ndarray
    skipped: np.ndarray  # True where a gradient overflowed and the step was not made
    zero_share: np.ndarray  # of the gradients that are not zero, those that the format makes so
    scales: np.ndarray  # the loss scale of each step
    arms: np.ndarray  # to which arm the network counts each point of the map
    points: tuple  # some of what is learned: inputs and arms
    pulls: np.ndarray  # of the weights, so many by the octave of their update against half a code (PULLS)
    planned: int = STEPS

    step = property(lambda self: len(self.losses))
    # the share of the weights whose update is less than half a code of the format that they are kept in
    standing = property(lambda self: float(self.pulls[: -PULLS[0]].sum() / max(1, self.pulls.sum())))
    # mean of the last tenth of all 300 steps, or of what there is; the loss of guessing before the first
    loss = property(lambda self: float(self.losses[-STEPS // EVERY :].mean()) if self.step else float(np.log(ARMS)))
    # mean share of the gradients that were lost, over the same steps
    zeros = property(lambda self: float(self.zero_share[-STEPS // EVERY :].mean()) if self.step else 0.0)
    # mean share of the gradients that were lost, over all steps so far
    lost_share = property(lambda self: float(self.zero_share.mean()) if self.step else 0.0)

    @property
    def course(self):
        """Of every ten steps: (mean loss, mean share of gradients lost, steps skipped, loss scale)."""
        tens = [one.reshape(-1, EVERY) for one in (self.losses, self.zero_share, self.skipped, self.scales)]
        return tens[0].mean(axis=1), tens[1].mean(axis=1), tens[2].sum(axis=1), tens[3][:, 0]

    scale = property(lambda self: float(self.scales[-1]) if self.step else None)  # the loss scale of the last step
    # the power of two that it is
    scale_exponent = property(lambda self: int(np.log2(self.scale)) if self.step else None)


@checked
def watch(
    forward: Trained = "fp32",
    backward: Trained = "fp32",
    loss_scale: Single(Number(low=2.0**-10, high=2.0**40)) = 1.0,
    dynamic: Flag() = False,
    per_tensor: Flag() = False,
    weights: OneOf(WEIGHTS) = "fp32",
    rate: Single(Number(low=1e-6, high=1.0)) = 0.05,
    seed: Count(0, 2**31) = 0,
):
    """Yield a Training before the first step and after every ten of 300; the next ten are computed when asked for.
    dynamic: the loss scale begins there, is halved by an overflow and doubled after 50 clean steps. per_tensor: a power
    of two brings the largest number of each tensor near the largest of the format. What has run once is kept."""
    if not here():
        tell(f"JAX is not here: NumPy trains the same network. {GET}.")
    run = _run(forward, backward, float(loss_scale), dynamic, per_tensor, weights, rate, seed)
    return (run.at(part) for part in range(STEPS // EVERY + 1))


@checked
def train(*settings, **named):
    """The Training of a whole run of `watch`: .losses .skipped .zero_share .scales, one entry for each of 300 steps."""
    *_, last = watch(*settings, **named)
    return last


def together(rate: float = 0.003):
    """Yield {kind of weights: Training}: the same network, FP32 products, its weights kept in three ways."""
    runs = {kind: watch(weights=kind, rate=rate) for kind in WEIGHTS}
    return (dict(zip(runs, states, strict=True)) for states in zip(*runs.values(), strict=True))


class Run:
    """A run that goes on when it is asked to; what it has found stays."""

    def __init__(self, forward, backward, loss_scale, dynamic, per_tensor, weights, rate, seed):
        draw = np.random.default_rng(seed)
        first = _layers(draw)
        self.batches = draw.integers(0, POINTS, (STEPS, BATCH))
        self.draw = draw if weights == "bf16 stochastic" else None
        how = (_traced(TRAINED[forward]), _traced(TRAINED[backward]), per_tensor, dynamic)
        self.how = (*how, np.int32(WEIGHTS.index(weights)), np.float32(rate))
        self.now = (first, np.zeros_like(first), np.float32(loss_scale), np.int32(0))
        self.fraction = 23 if weights == "fp32" else 7
        self.parts, self.found = [], [_state([np.zeros(0)] * 4, _map(first), self._pulls())]

    def at(self, part):
        """The Training after so many times ten steps."""
        while len(self.found) <= part:
            self._go_on()
        return self.found[part]

    def _go_on(self):
        inputs, arms = _data()
        chosen = self.batches[EVERY * len(self.parts) : EVERY * (len(self.parts) + 1)]
        noise = np.broadcast_to(np.float32(0), (EVERY, *self.now[0].shape))
        if self.draw is not None:
            noise = self.draw.random(noise.shape, np.float32)
        batches = (inputs[chosen], arms[chosen], noise)
        now = jax.device_put(self.now) if here() else self.now  # else the first ten would be compiled for themselves
        self.now, told, drawn = _program()(now, batches, _places(), self.how)
        self.parts.append([np.asarray(one) for one in told])
        told = [np.concatenate(column) for column in zip(*self.parts, strict=True)]
        self.found.append(_state(told, drawn, self._pulls()))

    def _pulls(self):
        """How many weights there are by the octave of the next update against half a code."""
        weights, speed = (np.abs(np.asarray(one, float)) for one in self.now[:2])
        there = (weights > 0) & (speed > 0)
        half = 2.0 ** (np.frexp(weights[there])[1] - 2 - self.fraction)
        octaves = np.log2(float(self.how[5]) * speed[there] / half)
        return np.histogram(octaves.clip(PULLS[0], PULLS[1] - 0.5), np.arange(PULLS[0], PULLS[1] + 1))[0]


_run = lru_cache(maxsize=48)(Run)


def _layers(draw):
    """First weights [layers, WIDTH, WIDTH], He's normal ones; a layer that is narrower is filled up with zeros."""
    made = np.zeros((len(SIZES) - 1, WIDTH, WIDTH), np.float32)
    for layer, (n, m) in zip(made, pairwise(SIZES), strict=True):
        layer[:n, :m] = draw.standard_normal((n, m)) * np.sqrt(2 / n)
    return made


def _state(told, drawn, pulls):
    inputs, arms = _data()
    losses, skipped, zeros, scales = told
    told = (losses, skipped.astype(bool), zeros, scales)
    drawn = np.array(drawn, np.uint8).reshape(GRID, GRID)
    return frozen(Training(*told, drawn, (inputs[:SHOWN, :2], arms[:SHOWN]), pulls))


def _map(weights):
    """The map before the first step, by NumPy: nothing has to be compiled for the first picture."""
    rows = _places().reshape(GRID, GRID, WIDTH)  # a line of places is a product too small to be worth a second thread
    for layer in weights[:-1]:
        rows = np.maximum(rows @ layer, 0)
    return (rows @ weights[-1])[..., :ARMS].argmax(axis=-1)


@kept
def _data():
    """The spiral as the first layer takes it."""
    inputs, arms = spiral()
    return _wide(inputs), arms


@kept
def _places():
    """The points of the map as inputs: row by row from the top, y upwards."""
    line = np.linspace(-1, 1, GRID, dtype=np.float32)
    x, y = np.meshgrid(line, line[::-1])
    return _wide(np.stack([x.ravel(), y.ravel(), np.ones(GRID * GRID, np.float32)], 1))


def _wide(inputs):
    return np.pad(inputs, ((0, 0), (0, WIDTH - inputs.shape[1])))


def _traced(form):
    """(fraction bits, least exponent, largest number) of a Format, as data for JAX; 23 bits round nothing."""
    largest = min(form.max, float(np.finfo(np.float32).max))
    return np.int32(form.mantissa_bits), np.int32(form.min_exponent), np.float32(largest)


@cache
def _program():
    """Ten steps as one compiled program for every setting: (state, batches, places, how) -> state, told, map."""
    return jax.jit(IN_JAX.ten_steps) if here() else IN_NUMPY.ten_steps
