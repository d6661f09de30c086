"""Calibration: integers laid over a distribution, with a scale alone or with a zero point as well.

    scale alone      codes -(2^(bits-1) - 1) to 2^(bits-1) - 1, the same range on both sides of zero
    zero point       codes 0 to 2^bits - 1 from the smallest to the largest value; one of them stands for 0 exactly

The ranges are read off sample data before the model is used: post-training quantisation (PTQ).
"""

from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, Switch, checked
from accelerator_lib.data import kept
from accelerator_lib.numerics.scales import affine_quantize, int_quantize, snr_db

SHAPES = ("weights", "after ReLU", "after GELU")
SIZE, BINS = 4096, 60
Shape, Bits = OneOf(SHAPES), Count(2, 8)


@dataclass(frozen=True, eq=False)
class Gridded:
    """Values, the integers that stand for them, and where each integer lies."""

    shape: str
    bits: int
    scale: float
    zero_point: int
    codes: np.ndarray  # all integers that there are
    used: np.ndarray  # whether a value is stored as it
    snr_db: float
    edges: np.ndarray  # of the histogram's bins
    counts: np.ndarray

    at = property(lambda self: self.scale * (self.codes - self.zero_point))  # the value that each integer stands for


@checked
def gridded(shape: Shape, bits: Bits, zero_point: Switch = False):
    """Gridded: sample values of a kind of tensor in integers, with the scale taken from their whole range."""
    x = sample(shape)
    if zero_point:
        stored, scale, zero = affine_quantize(x, bits)
        codes = np.arange(2**bits)
    else:
        (stored, scale), zero = int_quantize(x, bits), 0
        codes = np.arange(1 - 2 ** (bits - 1), 2 ** (bits - 1))
    most = np.abs(x).max()
    counts, edges = np.histogram(x, BINS, (-most, most))
    ratio = snr_db(x, scale * (stored - zero))
    return Gridded(shape, bits, scale, zero, codes, np.isin(codes, stored), ratio, edges, counts)


@checked
@kept
def sample(shape: Shape):
    """4,096 values, always the same ones: weights are normal, the others what an activation makes of normal inputs."""
    return _drawn(shape, 11, SIZE)


@checked
def zero_point_gains(shape: Shape, bits: Bits = 4, draws: Count(2, 512) = 64, size: Count(2, SIZE) = SIZE):
    """What a zero point brings [dB] to each of so many samples of that size, rising."""
    found = []
    for x in (_drawn(shape, seed, size) for seed in range(draws)):
        (plain, scale), (codes, step, zero) = int_quantize(x, bits), affine_quantize(x, bits)
        found.append(snr_db(x, step * (codes - zero)) - snr_db(x, scale * plain))
    return np.sort(found)


def _drawn(shape, seed, size):
    x = np.random.default_rng(seed).standard_normal(size)
    if shape == "after ReLU":
        x = np.maximum(x, 0)
    elif shape == "after GELU":
        x = x * np.array([(1 + erf(one / sqrt(2))) / 2 for one in x])
    return x
