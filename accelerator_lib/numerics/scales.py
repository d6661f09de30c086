"""Scales: numbers of few bits, stretched to where the data are; one scale a tensor, or one for each block.

    integers    q = round(x / scale),  scale = largest / (2^(bits - 1) - 1)
    affine      q = round(x / scale) + zero point: the whole range between the smallest and the largest number
    blocks      q = round(x / scale of the block), x' = q x scale

A scale is stored in few bits, too: `e8m0` is a power of two (MXFP4, MXFP8), rounded down as OCP suggests, or `up`, so
that nothing is clipped; `e4m3` eight bits under one FP32 scale of the tensor (NVFP4). Sources: OCP Microscaling Formats
1.0; NVIDIA, "Introducing NVFP4", 2025; A. Mishra et al., "Recipes for pre-training LLMs with MXFP8", 2025.
"""

import numpy as np

from accelerator_lib.checks.signature import Count, NonNegative, Number, OneOf, Positive, Single, Whole, checked
from accelerator_lib.data import frozen
from accelerator_lib.numerics.formats import FORMATS, OfFormat, Reals, quantize

SCALE_BITS = frozen({"e8m0": 8, "e8m0 up": 8, "e4m3": 8, "fp16": 16, "fp32": 32})
Squared = Number(low=-1e100, high=1e100, loose=True)  # numbers whose squares can be added up
ODD = 5  # which of the values of `outlier` is one
LEAST, MOST = -127, 127  # powers of two that an e8m0 scale can be


@checked
def int_quantize(x: Reals, bits: Count(2, 16), largest: Single(Positive) = None):
    """(integers, scale): nearest multiples of one scale, -(2^(bits-1) - 1) to 2^(bits-1) - 1; zero stays zero.
    What lies beyond `largest` (where it is not given, the largest magnitude of x) is clipped."""
    steps = 2 ** (bits - 1) - 1
    most = float(np.max(np.abs(x), initial=0.0)) if largest is None else largest
    scale = most / steps if most else 1.0
    return np.clip(np.rint(np.asarray(x) / scale), -steps, steps).astype(int), scale


@checked
def affine_quantize(x: Reals, bits: Count(2, 16), low: Single(Reals) = None, high: Single(Reals) = None):
    """(integers, scale, zero_point): 0 to 2^bits - 1 over the range of x, widened so that 0 is in it.
    x is near scale x (integers - zero_point), and 0 exactly so. With `low` and `high`, what lies outside is clipped."""
    x, steps = np.asarray(x), 2**bits - 1
    low = min(0.0, float(np.min(x, initial=0.0)) if low is None else low)
    high = max(0.0, float(np.max(x, initial=0.0)) if high is None else high)
    scale = (high - low) / steps or 1.0
    zero_point = int(np.rint(-low / scale))
    return np.clip(np.rint(x / scale) + zero_point, 0, steps).astype(int), scale, zero_point


HOW = ("with a zero point", "with a scale alone")


@checked
def codes_in_reach(low: Single(Reals), high: Single(Reals), bits: Count(2, 16), how: OneOf(HOW)):
    """How many integer codes stand for values between `low` and `high`, 0 among them."""
    ends = np.array([low, high])
    stored = affine_quantize(ends, bits)[0] if how == HOW[0] else int_quantize(ends, bits)[0]
    return int(stored[1] - stored[0] + 1)


@checked
def bits_per_element(element_bits: Whole(1, 64), block: Whole(), scale_bits: Whole(0, 64)):
    """Stored bits of an element, its share of the block's scale included."""
    return element_bits + scale_bits / block


@checked
def mx_block_scale(largest: Number(low=1e-30, high=1e300), element_max_exponent: Whole(-127, 127)):
    """The power of two that brings the largest magnitude of a block to the element's largest exponent, or below."""
    return _power(largest, element_max_exponent)


def _power(largest, element_max_exponent):
    return 2.0 ** np.clip(np.frexp(largest)[1] - 1 - element_max_exponent, LEAST, MOST)


Moderate = Number(low=-1e30, high=1e30, loose=True)  # the largest of a block is a magnitude of its own


@checked
def block_quantize(x: Moderate, element: OfFormat, block: Count(1, 2**20), scale: OneOf(SCALE_BITS)):
    """x after it was stored as blocks along its last axis: elements of a Format, a scale for each; a last one may be
    shorter."""
    values = np.atleast_1d(np.asarray(x, float))
    length = values.shape[-1]
    padded = np.zeros((*values.shape[:-1], -(-length // block) * block))
    padded[..., :length] = values
    blocks = padded.reshape(*values.shape[:-1], -1, block)
    scales = block_scales(np.abs(blocks).max(axis=-1), element, scale)[..., None]
    stored = element.quantize(np.divide(blocks, scales, out=np.zeros_like(blocks), where=scales > 0)) * scales
    found = stored.reshape(padded.shape)[..., :length]
    return found if np.ndim(x) else float(found[0])


@checked
def block_scales(largest: NonNegative, element: OfFormat, scale: OneOf(SCALE_BITS)):
    """The stored scale of each block from its largest magnitude (all blocks of the tensor together); 0 for zeros."""
    largest = np.asarray(largest, float)
    if scale.startswith("e8m0"):
        power = np.where(largest > 0, _power(largest, element.max_exponent), 0.0)
        return power * (1 + (scale == "e8m0 up") * (largest > power * element.max))
    wanted, stored = largest / element.max, FORMATS[scale]
    if scale != "e4m3":
        return quantize(wanted, stored)
    tensor = quantize(float(wanted.max(initial=0.0)) / stored.max, FORMATS["fp32"]) or 1.0
    return quantize(wanted / tensor, stored) * tensor


@checked
def snr_db(x: Squared, y: Squared):
    """Signal to noise in dB: 10 log10(sum of x^2 / sum of (x - y)^2). Raises ValueError where one of them is 0."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if x.shape != y.shape:
        raise ValueError(f"x and y must have one shape; got {x.shape} and {y.shape}")
    ratio = ratio_db(x, y)
    if abs(ratio) == np.inf:
        raise ValueError("x holds no signal: every number is 0" if ratio < 0 else "y is x itself: nothing was lost")
    return ratio


def ratio_db(x, y):
    """The same of arrays, infinite where nothing was lost, minus infinity where x holds nothing."""
    signal, noise = float(np.sum(x**2)), float(np.sum((x - y) ** 2))
    if not signal:
        return -np.inf
    return float(10 * np.log10(signal / noise)) if noise else np.inf


@checked
def lost_beside(size: Single(Reals), block: Count(8, 1024), element: OfFormat, scale: OneOf(SCALE_BITS)):
    """How many of a block's ordinary values become 0 beside one outlier."""
    kept = np.delete(block_quantize(outlier(size, block), element, block, scale), ODD)
    return int((kept == 0).sum())


@checked
def outlier(size: Single(Reals), count: Count(ODD + 1, 1024), seed: Count(0) = 7):
    """So many values of both signs with magnitudes of 0.5 to 1, one of which is replaced by `size`."""
    rng = np.random.default_rng(seed)
    values = rng.choice([-1.0, 1.0], count) * rng.uniform(0.5, 1.0, count)
    values[ODD] = size
    return values
