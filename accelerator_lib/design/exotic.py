"""Exotic: products by currents that add up, judged by the converters that must read the sums.
    energy of a MAC = input bits x slices x fJ of a step x 2^(ADC bits) / rows
    every possible sum needs log2(rows) + 2 bits, where a cell holds 2 bits and inputs come bit by bit
A weight of 8 bits is four cells, an input 8 pulses: 32 conversions for each column of `rows`. A converter's range spans
every possible sum, or the mean of a trial run and 4 standard deviations. Not counted: cells, drivers, drift.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib.checks.signature import Count, Number, OneOf, Share, Single, Whole, checked
from accelerator_lib.energy.costs import access_pj, mac_pj

WEIGHTS = "sram_32kb"  # where a weight is read from
INPUT_BITS, CELL_BITS, SLICES = 8, 2, 4  # of an input; of a cell; cells of a weight
COLUMNS, VECTORS = 16, 32  # of the simulation
RANGES = ("every possible sum", "what occurs")
WIDE = 4  # standard deviations on both sides of the mean: of normal sums one in 16,000 lies beyond
DRAWN = ("uniform", "bell-shaped weights, ReLU inputs")  # 0 to 255; or normal, the inputs with their negatives at 0
WEIGHT_STD, INPUT_STD, OFFSET = 32, 64, 128  # of the bell, in steps; a cell holds no negative, so weights are shifted
Rows, Bits = Whole(1, 65_536), Number(low=1, high=24)
FemtoJoules = Number(low=0, high=1e6, unit="fJ")


@checked
def digital_pj(reads: Number(low=0, high=1) = 0.0):
    """Energy [pJ] of an INT8 multiply-accumulate with an INT32 sum; `reads`: weights read from SRAM for each MAC."""
    return mac_pj("int8", accumulator="int32") + reads * access_pj(1, WEIGHTS)


@checked
def analog_pj(rows: Rows, adc_bits: Bits, fj_per_step: FemtoJoules):
    """Energy [pJ] of the converters for one 8-bit MAC; scalars or arrays."""
    return INPUT_BITS * SLICES * fj_per_step * 2.0**adc_bits / rows / 1000


@checked
def exact_bits(rows: Rows):
    """Bits of a converter that tells all possible sums of a column apart, `rows` a power of two; else not rounded."""
    return np.log2(rows) + CELL_BITS


@dataclass(frozen=True)
class Analog:  # an array of `rows`, its converters, and what a run on random numbers found
    rows: int
    adc_bits: int
    exact_bits: float
    pj: float  # of a MAC
    spread: float
    wrong: float  # share of the results that are not the exact integer
    error: float  # rms of the error, relative to the spread of the exact results; 0: all exact
    sum: float  # one column's current, in steps of a cell
    read: float  # what the converter makes of it
    step: float  # of the converter, there
    low: float  # where its range begins
    bits = property(lambda self: max(float(-np.log2(self.error)), 0.0) if self.error else None)  # None: all exact
    most = property(lambda self: 2.0**CELL_BITS * self.rows)  # the largest sum that the scale shows, in steps of a cell
    steps = property(lambda self: int(min(self.most / self.step, 2**self.adc_bits - 1)))  # up to there


@checked
def simulate(
    rows: Count(1, 4096),
    adc_bits: Count(1, 16),
    fj_per_step: Single(FemtoJoules) = 10.0,
    spread: Single(Share) = 0.0,
    seed: Count(0) = 0,
    spans: OneOf(RANGES) = RANGES[0],
    drawn: OneOf(DRAWN) = DRAWN[0],
):
    """Analog: random 8-bit inputs and weights through the array, cells off by `spread` (standard deviation)."""
    cells, weights, pulses, inputs, trial = _numbers(rows, seed, drawn)
    if spread:
        cells = cells * (1 + spread * np.random.default_rng(seed + 1).standard_normal(cells.shape))
    sums = pulses @ cells  # [slice, input bit, vector, column]
    if spans == RANGES[0]:
        low = np.zeros((SLICES, INPUT_BITS, 1, 1))  # where the converter's range begins
        step = np.full_like(low, max(1.0, 2.0 ** (float(exact_bits(rows)) - adc_bits)))  # at least a cell's
    else:
        mean, std = (function((2, 3), keepdims=True) for function in ((trial @ cells).mean, (trial @ cells).std))
        low, step = np.floor(np.maximum(mean - WIDE * std, 0)), np.maximum(1.0, 2 * WIDE * std / (2**adc_bits - 1))
    read = low + step * np.clip(np.rint((sums - low) / step), 0, 2**adc_bits - 1)
    scale = np.exp2(CELL_BITS * np.arange(SLICES)[:, None] + np.arange(INPUT_BITS))
    shift = OFFSET * (drawn != DRAWN[0])
    total = np.einsum("sb,sbvc->vc", scale, read) - shift * inputs.sum(1)[:, None]
    exact = inputs @ (weights - shift)
    off = np.abs(total - exact)
    error = float(np.sqrt(np.mean(off**2)) / np.std(exact)) if np.any(off > 0.5) else 0.0
    pj = float(analog_pj(rows, adc_bits, fj_per_step))
    first = (float(sums[0, 0, 0, 0]), float(read[0, 0, 0, 0]), float(step[0, 0, 0, 0]), float(low[0, 0, 0, 0]))
    return Analog(rows, adc_bits, float(exact_bits(rows)), pj, spread, float(np.mean(off > 0.5)), error, *first)


@cache
def _numbers(rows, seed, drawn):
    draw = np.random.default_rng(seed)
    if drawn == DRAWN[0]:
        weights = draw.integers(0, 256, (rows, COLUMNS)).astype(float)
        inputs, trial = (draw.integers(0, 256, (VECTORS, rows)).astype(float) for _ in range(2))
    else:
        bell = WEIGHT_STD * draw.standard_normal((rows, COLUMNS))
        weights = np.clip(np.rint(bell) + OFFSET, 0, 255)
        inputs, trial = (np.clip(np.rint(INPUT_STD * draw.standard_normal((VECTORS, rows))), 0, 255) for _ in range(2))
    cells = np.stack([(weights // 4**s) % 4 for s in range(SLICES)])[:, None]
    pulses, tried = (np.stack([(one // 2**b) % 2 for b in range(INPUT_BITS)])[None] for one in (inputs, trial))
    return cells, weights, pulses, inputs, tried
