"""Layers: how the FLOP of whole networks divide among their parts.

    projections = 2 x 4 d^2          per token and layer of a transformer: query, key, value, output
    mlp         = 2 x 3 d d_ff       gated: gate, up, down
    scores      = 4 T d              every token meets T tokens: scores, then the weighted sum

Softmax, norms and activations are left out, as is usual (their time is another matter: operators.py). No causal mask.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from accelerator_lib import data
from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import flag, number, one_of, whole
from accelerator_lib.workload import Conv


@dataclass(frozen=True)
class TransformerFlops:
    """FLOP of all layers for one pass over the tokens; scalars or arrays."""

    tokens: int
    projections: float
    mlp: float
    scores: float

    @property
    def total(self):
        return self.projections + self.mlp + self.scores

    @property
    def scores_share(self):
        """The part that grows with the square of the tokens, as a share of all."""
        return self.scores / self.total


def transformer(tokens, d_model=4096, mlp_ratio=2.6875, layers=32, training=False):
    """TransformerFlops of `layers` blocks, the gated MLP d_model x mlp_ratio wide; training is three passes."""
    tokens, width = whole("tokens", tokens, high=10**9), whole("d_model", d_model, high=10**6)
    hidden = np.round(width * number("mlp_ratio", mlp_ratio, low=0.01, high=100))
    passes = (3 if flag("training", training) else 1) * whole("layers", layers, high=10**5)
    return TransformerFlops(
        tokens,
        projections=passes * tokens * 8.0 * width**2,
        mlp=passes * tokens * 6.0 * width * hidden,
        scores=passes * 4.0 * tokens**2 * width,
    )


def crossover_tokens(d_model=4096, mlp_ratio=2.6875):
    """Tokens at which scores cost as much as all weight matrices of the block (no mask, no output head)."""
    width = whole("d_model", d_model, high=10**6)
    hidden = np.round(width * number("mlp_ratio", mlp_ratio, low=0.01, high=100))
    return (8.0 * width**2 + 6.0 * width * hidden) / (4.0 * width)


@dataclass(frozen=True)
class Stage:
    """One resolution of a vision network: FLOP, weights and output elements of its convolutions."""

    name: str
    flops: float
    weights: float
    activations: float


def stages(network="resnet-50", pixels=224):
    """The stages of a network of data/networks.yaml for images of pixels x pixels: what its layers need, summed.

    A stage is named by its resolution at 224 pixels; every layer's input is scaled and rounded up.
    """
    table = data.load("networks")["networks"]
    layers = table[one_of("network", network, table)]["layers"]
    scale = whole("pixels", pixels, low=32, high=4096) / 224
    found = {}
    for layer in layers:
        shape = {key: value for key, value in layer.items() if key not in ("name", "size", "times")}
        size = ceil(layer["size"] * scale)
        conv = Conv(batch=1, height=size, width=size, **shape)
        name = layer["name"].rpartition(", ")[2] if "px" in layer["name"] else "first"
        gemm, times = conv.gemm, layer["times"]
        weights, outputs = conv.groups * gemm.k * gemm.n, gemm.m * conv.out_channels
        sums = found.get(name, (0, 0, 0))
        found[name] = tuple(a + times * b for a, b in zip(sums, (conv.flops, weights, outputs), strict=True))
    return [Stage(name, *sums) for name, sums in found.items()]


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
