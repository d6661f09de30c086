"""Inside a tensor core: FP8 products are aligned, cut and added 32 at a time, with the sum so far among them.

    step = 2^(largest exponent - fraction bits)      of the 32 products and the sum
    sum  = all of them, each cut to a multiple of the step, and the result cut to as many fraction bits

13 fraction bits give the errors that one H100 and one H200 had on average, at every length up to 4,096 that was tried
(data.kernels.timed("rounding")): never promoted in cuBLAS's fast mode, promoted every 128 terms in the other. Longer
sums the library splits in two or three, which add up so each. Sources: "SageAttention2", 2024 (8 exponent
and 13 fraction bits); "DeepSeek-V3 technical report", 2024 (promotion every 128); N. Higham, "Accuracy and stability of
numerical algorithms", 2002 (from memory): n u is never passed, and sqrt(n) u is usual where errors have random signs.
"""

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.numerics.formats import FORMATS, quantize

GROUP, PROMOTED, LONGEST = 32, 128, 4096  # terms
DOTS = 64  # products of two vectors over which errors are averaged


@checked
def dots(mean: Single(Number(low=-16, high=16)) = 1.0, seed: Count(0) = 1):
    """Products [DOTS, LONGEST] of E4M3 numbers that were drawn around this mean with a spread of 1."""
    a, b = quantize(np.random.default_rng(seed).normal(mean, 1, (2, DOTS, LONGEST)), FORMATS["e4m3"])
    return a * b


def added(sums, products, fraction_bits):
    """The sums [n] after a group of products [n, GROUP], as the unit has them."""
    aligned = np.concatenate([products, sums[:, None]], axis=1)
    step = np.ldexp(1.0, np.frexp(np.abs(aligned).max(axis=1))[1] - 1 - fraction_bits)[:, None]
    whole = (np.trunc(aligned / step) * step).sum(axis=1)
    step = np.ldexp(1.0, np.frexp(whole)[1] - 1 - fraction_bits)
    return np.trunc(whole / step) * step


@data.kept
def errors(fraction_bits=13, mean=1.0):
    """{terms: (never promoted, promoted)}: the typical error of a sum, as a share of the magnitudes that it adds up."""
    products = dots(mean)
    exact, sizes = products.cumsum(axis=1), np.abs(products).cumsum(axis=1)
    running, promoted, found = np.zeros((2, DOTS)), np.zeros(DOTS), {}
    for end in range(GROUP, LONGEST + 1, GROUP):
        group = np.tile(products[:, end - GROUP : end], (2, 1))
        running = added(running.ravel(), group, fraction_bits).reshape(2, DOTS)
        off = np.abs([running[0], promoted + running[1]] - exact[:, end - 1])
        found[end] = tuple((off.mean(axis=1) / sizes[:, end - 1].mean()).tolist())
        if end % PROMOTED == 0:
            promoted, running[1] = promoted + running[1], 0.0
    return found
