"""Analog: currents add up in a wire for nothing, and then a converter must read the sum.

    energy of a MAC = input bits x slices x fJ of a step x 2^(ADC bits) / rows
    exact sums need   log2(rows) + 2 bits, where a cell holds 2 bits and inputs come bit by bit

A weight of 8 bits is four cells of 2, an input of 8 bits comes in 8 pulses: 32 conversions for each column of `rows`.
With fewer bits than exact, a converter rounds to coarser steps. `simulate` runs it on random numbers. Counted are the
converters alone: no cells, no drivers, no reference currents, no drift. Energy of a step: data/prices.yaml, converters.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib.signature import Count, Number, Share, Single, Whole, checked

INPUT_BITS, CELL_BITS, SLICES = 8, 2, 4  # of an input; of a cell; cells of a weight
COLUMNS, VECTORS = 16, 32  # of the simulation
Rows, Bits = Whole(1, 65_536), Number(low=1, high=24)
FemtoJoules = Number(low=0, high=1e6, unit="fJ")


@checked
def analog_pj(rows: Rows, adc_bits: Bits, fj_per_step: FemtoJoules):
    """Energy [pJ] of the converters for one 8-bit MAC; scalars or arrays."""
    return INPUT_BITS * SLICES * fj_per_step * 2.0**adc_bits / rows / 1000


@checked
def exact_bits(rows: Rows):
    """Bits of a converter that tells all sums of a column apart, `rows` a power of two; else not rounded."""
    return np.log2(rows) + CELL_BITS


@dataclass(frozen=True)
class Analog:
    """An array of `rows`, its converters, and what a run on random numbers found."""

    rows: int
    adc_bits: int
    exact_bits: float
    pj: float  # of a MAC
    spread: float
    wrong: float  # share of the results that are not the exact integer
    error: float  # rms of the error, relative to the spread of the exact results; 0: all exact
    sum: float  # one column's current, in steps of a cell
    read: float  # what the converter makes of it
    step: float  # of the converter

    @property
    def bits(self):
        """Effective bits of a result; None where all are exact."""
        return -np.log2(self.error) if self.error else None


@checked
def effective_bits(rows: Count(1, 4096), adc_bits: Count(1, 16), spread: Single(Share) = 0.0, seed: Count(0) = 0):
    """Effective bits of the sums, simulated; None where all are exact."""
    found = simulate(rows, adc_bits, 10.0, spread, seed)
    return None if found.bits is None else float(found.bits)


@checked
def simulate(
    rows: Count(1, 4096),
    adc_bits: Count(1, 16),
    fj_per_step: Single(FemtoJoules) = 10.0,
    spread: Single(Share) = 0.0,
    seed: Count(0) = 0,
):
    """Analog: random 8-bit inputs and weights through the array, cells off by `spread` (standard deviation)."""
    cells, weights, pulses, inputs = _numbers(rows, seed)
    if spread:
        cells = cells * (1 + spread * np.random.default_rng(seed + 1).standard_normal(cells.shape))
    sums = pulses @ cells  # [slice, input bit, vector, column]
    step = max(1.0, 2.0 ** (float(exact_bits(rows)) - adc_bits))
    read = step * np.clip(np.rint(sums / step), 0, 2**adc_bits - 1)
    scale = np.exp2(CELL_BITS * np.arange(SLICES)[:, None] + np.arange(INPUT_BITS))
    total = np.einsum("sb,sbvc->vc", scale, read)
    exact = inputs @ weights
    off = np.abs(total - exact)
    error = float(np.sqrt(np.mean(off**2)) / np.std(exact)) if np.any(off > 0.5) else 0.0
    pj = float(analog_pj(rows, adc_bits, fj_per_step))
    first = float(sums[0, 0, 0, 0]), float(read[0, 0, 0, 0])
    return Analog(rows, adc_bits, float(exact_bits(rows)), pj, spread, float(np.mean(off > 0.5)), error, *first, step)


@cache
def _numbers(rows, seed):
    """Weights cut into cells, inputs cut into pulses, and both whole."""
    draw = np.random.default_rng(seed)
    weights = draw.integers(0, 256, (rows, COLUMNS)).astype(float)
    inputs = draw.integers(0, 256, (VECTORS, rows)).astype(float)
    cells = np.stack([(weights // 4**s) % 4 for s in range(SLICES)])[:, None]
    pulses = np.stack([(inputs // 2**b) % 2 for b in range(INPUT_BITS)])[None]
    return cells, weights, pulses, inputs
