"""Transformer: how the FLOP of its blocks divide among their parts.

    projections = 2 x 4 d^2          per token and layer: query, key, value, output
    mlp         = 2 x 3 d d_ff       gated: gate, up, down
    scores      = 4 T d              every token meets T tokens: scores, then the weighted sum
    training    = 6 x parameters x tokens

Softmax, norms and activations are left out, as is usual (their time is another matter: profile.py). No causal mask.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import flag, real, whole
from accelerator_lib.workload.work import Elementwise, Gemm


def train_flops(params, tokens):
    """Work [FLOP] to train on so many tokens: 2 forward and 4 backward for each parameter and token."""
    return 6 * real("params", params) * real("tokens", tokens)


def layer(tokens, d_model=4096, d_ff=11008):
    """The work of one gated transformer layer as {name: work}; attention scores and softmax are left out.

    Seven products with weights (four projections, three in the MLP) and five element-wise steps.
    """
    square, wide = Gemm(tokens, d_model, d_model), Gemm(tokens, d_ff, d_model)
    norm = Elementwise(square.m * square.n, flops_per_element=5, reads=2)  # once for the mean square, once to scale
    add = Elementwise(square.m * square.n, reads=2)
    return {
        "query": square,
        "key": square,
        "value": square,
        "output": square,
        "gate": wide,
        "up": wide,
        "down": Gemm(tokens, d_model, d_ff),
        "attention norm": norm,
        "mlp norm": norm,
        "attention residual": add,
        "mlp residual": add,
        "activation": Elementwise(wide.m * wide.n, flops_per_element=5, reads=2),
    }


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


def flops(tokens, d_model=4096, mlp_ratio=2.6875, layers=32, training=False):
    """TransformerFlops of `layers` blocks, the gated MLP d_model x mlp_ratio wide; training is three passes."""
    tokens, width = whole("tokens", tokens, high=10**9), whole("d_model", d_model, high=10**6)
    hidden = np.round(width * real("mlp_ratio", mlp_ratio, low=0.01, high=100))
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
    hidden = np.round(width * real("mlp_ratio", mlp_ratio, low=0.01, high=100))
    return (8.0 * width**2 + 6.0 * width * hidden) / (4.0 * width)
