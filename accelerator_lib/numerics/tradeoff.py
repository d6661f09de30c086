"""Trade-off: signal to noise of numbers that are stored in few bits; where to clip; cures for loud channels.

Floats lose the same share of every number that is in range: 13.5 + 6.02 x fraction bits dB. Integers lose the same
amount, so one large number costs all the others.

    SmoothQuant     x / s, w s        s = largest of the channel^alpha / largest of its weights^(1 - alpha)
    rotation        x R, R^T w        R of +1 and -1 over 8 (Hadamard): every new channel has a part of each old one

Sources: G. Xiao et al., "SmoothQuant", 2023; T. Dettmers et al., "LLM.int8()", 2022, and "QLoRA", 2023 (NF4, as
bitsandbytes has it); S. Ashkboos et al., "QuaRot", 2024; Z. Liu et al., "KIVI", 2024 (keys by channel).
"""

from functools import reduce
from statistics import NormalDist

import numpy as np

from accelerator_lib.checks.signature import Count, Number, OneOf, Share, Single, checked
from accelerator_lib.data import frozen, kept
from accelerator_lib.numerics.formats import ELEMENTS, Format
from accelerator_lib.numerics.scales import SCALE_BITS, block_quantize, snr_db


class NormalFloat(Format):
    """NF4: 0, seven quantiles of a bell curve below and eight above, out to -1 and 1; a value goes to the nearest."""

    max = 1.0

    def values(self):
        last = 1 - (1 / 32 + 1 / 30) / 2  # beyond it half a share is left, of 16 or of 15: their mean
        below, above = (np.array([*map(NormalDist().inv_cdf, np.linspace(0.5, last, n))]) for n in (8, 9))
        return np.concatenate([-below[:0:-1], above]) / above[-1]

    def quantize(self, x):
        levels = self.values()
        return levels[np.searchsorted((levels[1:] + levels[:-1]) / 2, x)]


SIZE, CHANNELS, LOUD, TIMES = 2**12, 1024, 32, 20.0
BITS = frozen({name: form.max_code.bit_length() + 1 for name, form in ELEMENTS.items()} | {"nf4": 4})
STORED = frozen({name: form for name, form in ELEMENTS.items() if BITS[name] <= 8} | {"nf4": NormalFloat(1, 3)})
DISTRIBUTIONS = ("normal", "Laplace", "t3", "outlier channels")  # t3: three degrees of freedom, heavy tails
POWERS = dict(zip(DISTRIBUTIONS, (1.0, 2.0, 3.0, 1 + (TIMES**2 - 1) / LOUD), strict=True))  # their mean square
Distribution, Element, Scale = OneOf(DISTRIBUTIONS), OneOf(STORED), OneOf(SCALE_BITS)
Block, Bits, Short, Draws, Seed = Count(8, 1024), Count(2, 8), Count(2, 16), Count(2, 512), Count(0, 2**31)
WIDEST, CELLS, TAIL = 64.0, 64, np.log(1e7)  # of a clip [σ]; points of an integral for a step; how far behind the clip


def _drawn(distribution, seed):
    """4 rows of 1,024 numbers."""
    draw, shape = np.random.default_rng(seed), (SIZE // CHANNELS, CHANNELS)
    if distribution == "Laplace":
        return draw.laplace(size=shape)
    if distribution == "t3":
        return draw.standard_t(3, shape)
    loud = np.where(np.arange(CHANNELS) % LOUD == LOUD // 2, TIMES, 1.0)
    return draw.standard_normal(shape) * (loud if distribution == "outlier channels" else 1.0)


@checked
def drawn_db(element: Element, block: Block, scale: Scale, distribution: Distribution = "normal", draws: Draws = 64):
    """SNR [dB] of so many samples of 4,096 numbers, rising: their mean stands for all such numbers."""
    samples = [_drawn(distribution, seed) for seed in range(draws)]
    return np.sort([snr_db(x, block_quantize(x, STORED[element], block, scale)) for x in samples])


@checked
def clipped(clip: Single(Number(0.5, WIDEST)), bits: Bits = 4, distribution: Distribution = "normal"):
    """{"rounding", "clipping", "together"}: what integers lose of the power of all such numbers, the scale taken from
    `clip` standard deviations σ."""
    steps, sigma = 2 ** (bits - 1) - 1, POWERS[distribution] ** 0.5
    edge = clip * sigma
    step, points = edge / steps, CELLS * 2 * steps
    x = (np.arange(points) + 0.5) * edge / points
    rounding = np.sum((x - np.rint(x / step) * step) ** 2 * _density(distribution, x)) * edge / points
    log_x = (np.arange(4096) + 0.5) * TAIL / 4096
    x = edge * np.exp(log_x)
    clipping = np.sum((x - edge) ** 2 * _density(distribution, x) * x) * TAIL / 4096
    lost = {"rounding": 2 * rounding / sigma**2, "clipping": 2 * clipping / sigma**2}
    return {**{name: float(share) for name, share in lost.items()}, "together": float(sum(lost.values()))}


def _density(distribution, x):
    """Of such numbers at x > 0, on one side of zero."""
    if distribution == "Laplace":
        return np.exp(-x) / 2
    if distribution == "t3":
        return 2 / (np.pi * 3**0.5 * (1 + x**2 / 3) ** 2)
    loud = 1 / LOUD if distribution == "outlier channels" else 0.0
    return ((1 - loud) * np.exp(-(x**2) / 2) + loud / TIMES * np.exp(-((x / TIMES) ** 2) / 2)) / (2 * np.pi) ** 0.5


CURES = (
    "none",
    "a scale for each row",
    "a scale for each channel",
    "SmoothQuant",
    "16 bits for loud channels",
    "rotation",
)
ROTATION = frozen(reduce(np.kron, [np.array([[1, 1], [1, -1]])] * 6) / 8)  # of 64 channels, and its own inverse
APART = 6.0  # a channel with a larger magnitude stays in 16 bits, as in LLM.int8()
Cure, Times, Alpha = OneOf(CURES), Single(Number(1, 1000)), Single(Share)


@checked
def cured(
    cure: Cure, bits: Short = 8, weight_bits: Short = 8, times: Times = TIMES, alpha: Alpha = 0.6, seed: Seed = 3
):
    """(SNR [dB] of a product, share of its inputs that became 0): 128 x 64 inputs, three channels of them loud, and
    64 x 32 weights, both in integers. One scale for all inputs, unless the cure has more, and one for the weights of
    each output; `alpha` is SmoothQuant's."""
    x, w = _product(float(times), seed)
    exact, apart = x @ w, np.zeros(len(w), bool)
    if cure == "SmoothQuant":
        stretch = np.abs(x).max(axis=0) ** alpha / np.abs(w).max(axis=1) ** (1 - alpha)
        x, w = x / stretch, w * stretch[:, None]
    elif cure == "rotation":
        x, w = x @ ROTATION, ROTATION @ w
    elif cure == "16 bits for loud channels":
        apart = np.abs(x).max(axis=0) > APART
    short = _integers(x[:, ~apart], bits, {"a scale for each row": 1, "a scale for each channel": 0}.get(cure))
    loud, theirs = (one.astype(np.float16).astype(float) for one in (x[:, apart], w[apart]))
    found = short @ _integers(w[~apart], weight_bits, 0) + loud @ theirs
    return snr_db(exact, found), float(np.mean(short == 0))


@kept
def _product(times, seed):
    draw = np.random.default_rng(seed)
    x, w = draw.standard_normal((128, 64)), draw.standard_normal((64, 32))
    return x * np.where(np.isin(np.arange(64), (5, 23, 42)), times, 1.0), w


def _integers(x, bits, axis):
    """Integers with one scale, or one for each row (axis 1) or column (axis 0), as numbers again."""
    scale = np.abs(x).max(axis=axis, keepdims=True) / (2 ** (bits - 1) - 1)
    return np.rint(x / scale) * scale
