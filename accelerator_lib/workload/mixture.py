"""Mixture of experts: an MLP split into experts, of which every token picks a few.

    experts touched = E (1 - (1 - chosen / E)^T)      when T tokens pick at random

Few tokens wake many experts, and each expert works for few of them: that costs intensity.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import whole


@dataclass(frozen=True)
class Experts:
    """An MLP split into experts, for a batch of tokens: work, weights touched, and the intensity that is left."""

    tokens: int
    flops: float
    touched: float  # expected number of experts that at least one token chose
    bytes_moved: float

    @property
    def intensity(self):
        return self.flops / self.bytes_moved


def experts(tokens, count=8, chosen=2, d_model=4096, d_ff=14336, dtype="bf16"):
    """Experts of a gated MLP: every token picks `chosen` of `count` at random, so E(1 - (1 - chosen/E)^T) are read.

    count = chosen = 1 is an ordinary MLP. Routers are trained to spread tokens evenly: real batches touch a few more.
    """
    tokens, count = whole("tokens", tokens, high=10**9), whole("count", count, high=10**4)
    chosen = whole("chosen", chosen, high=10**4)
    if np.any(chosen > count):
        raise ValueError(f"chosen = {chosen} must not exceed count = {count}: a token cannot pick an expert twice")
    width, hidden = whole("d_model", d_model, high=10**6), whole("d_ff", d_ff, high=10**7)
    touched = count * (1.0 - (1.0 - chosen / count) ** tokens)
    size = format_bytes(dtype)
    moved = size * (touched * 3.0 * width * hidden + 2.0 * tokens * width)
    return Experts(tokens, chosen * 6.0 * tokens * width * hidden, touched, moved)
