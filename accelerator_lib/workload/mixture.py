"""Mixture of experts: an MLP split into experts, of which every token picks a few.

    experts touched = E (1 - (1 - chosen / E)^T)      when T tokens pick at random

Few tokens wake many experts, and each expert works for few of them: that costs intensity.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.workload.models import model

MIXTRAL = model("mixtral-8x7b")


@dataclass(frozen=True)
class Experts:
    """An MLP split into experts, for a batch of tokens: work, weights touched, and the intensity that is left."""

    tokens: int
    flops: float
    touched: float  # expected number of experts that at least one token chose
    bytes_moved: float

    intensity = property(lambda self: self.flops / self.bytes_moved)


@checked
def experts(
    tokens: Whole(high=10**9),
    count: Whole(high=10**4) = MIXTRAL.experts,
    chosen: Whole(high=10**4) = MIXTRAL.chosen,
    d_model: Whole(high=10**6) = MIXTRAL.d_model,
    d_ff: Whole(high=10**7) = MIXTRAL.d_ff,
    dtype: Format = "bf16",
):
    """Experts of a gated MLP: every token picks `chosen` of `count` at random, so E(1 - (1 - chosen/E)^T) are read.

    count = chosen = 1 is an ordinary MLP. Routers are trained to spread tokens evenly: real batches touch a few more.
    """
    if np.any(chosen > count):
        raise ValueError(f"chosen = {chosen} must not exceed count = {count}: a token cannot pick an expert twice")
    touched = count * (1.0 - (1.0 - chosen / count) ** tokens)
    moved = format_bytes(dtype) * (touched * 3.0 * d_model * d_ff + 2.0 * tokens * d_model)
    return Experts(tokens, chosen * 6.0 * tokens * d_model * d_ff, touched, moved)
