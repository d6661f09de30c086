"""Transformer: how the FLOP of its blocks divide among their parts.

    projections = 2 x 4 d^2          per token and layer: query, key, value, output
    mlp         = 2 x 3 d d_ff       gated: gate, up, down
    scores      = 4 T d              every token meets T tokens: scores, then the weighted sum

Sums over the same products. Softmax, norms and activations have no FLOP here (their time: profile.py). No causal mask.
Where no shape is given it is that of Llama 2 7B.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Number, Positive, Switch, Whole, checked
from accelerator_lib.workload.models import AModel, model
from accelerator_lib.workload.work import Elementwise, Gemm

LLAMA = model("llama-2-7b")
Tokens, Width, Ratio = Whole(high=10**9), Whole(high=10**6), Number(low=0.01, high=100)


@checked
def train_flops(params: Positive, tokens: Positive):
    """Work [FLOP] to train on so many tokens: 2 forward and 4 backward for each parameter and token."""
    return 6 * params * tokens


@checked
def projections(tokens: Whole(), d_model: Whole() = LLAMA.d_model, kv_width: Whole() = None):
    """The four products of attention with weights, by name; keys and values may be narrower (kv_width)."""
    square, narrow = Gemm(tokens, d_model, d_model), Gemm(tokens, d_model if kv_width is None else kv_width, d_model)
    return {"query": square, "key": narrow, "value": narrow, "output": square}


@checked
def mlp(tokens: Whole(), d_model: Whole() = LLAMA.d_model, d_ff: Whole() = LLAMA.d_ff):
    """The three products of a gated MLP, by name."""
    wide = Gemm(tokens, d_ff, d_model)
    return {"gate": wide, "up": wide, "down": Gemm(tokens, d_model, d_ff)}


@checked
def scores(tokens: Whole(), d_model: Whole() = LLAMA.d_model):
    """The two products of attention whose matrices are both data, all heads as one: every token meets every other."""
    return {"scores": Gemm(tokens, tokens, d_model), "weighted sum": Gemm(tokens, d_model, tokens)}


@checked
def layer(tokens: Whole(), d_model: Whole() = LLAMA.d_model, d_ff: Whole() = LLAMA.d_ff, kv_width: Whole() = None):
    """The work of one layer as {name: work}: seven products with weights, five element-wise steps.
    Attention scores and softmax are left out."""
    norm = Elementwise(tokens * d_model, flops_per_element=5, reads=2)  # once for the mean square, once to scale
    add = Elementwise(tokens * d_model, reads=2)
    activation = Elementwise(tokens * d_ff, flops_per_element=5, reads=2)
    steps = {"attention norm": norm, "mlp norm": norm, "attention residual": add, "mlp residual": add}
    return {**projections(tokens, d_model, kv_width), **mlp(tokens, d_model, d_ff), **steps, "activation": activation}


@dataclass(frozen=True)
class TransformerFlops:
    """FLOP of all layers for one pass over the tokens; scalars or arrays."""

    tokens: int
    projections: float
    mlp: float
    scores: float

    total = property(lambda self: self.projections + self.mlp + self.scores)
    # the part that grows with the square of the tokens, as a share of all
    scores_share = property(lambda self: self.scores / self.total)


@checked
def flops(
    tokens: Tokens,
    d_model: Width = LLAMA.d_model,
    mlp_ratio: Ratio = LLAMA.mlp_ratio,
    layers: Whole(high=10**5) = LLAMA.layers,
    training: Switch = False,
):
    """TransformerFlops of `layers` blocks, the gated MLP d_model x mlp_ratio wide; training is three passes."""
    parts = projections(tokens, d_model), mlp(tokens, d_model, _wide(d_model, mlp_ratio)), scores(tokens, d_model)
    passes = (3 if training else 1) * layers
    return TransformerFlops(tokens, *(passes * added(part) for part in parts))


@checked
def crossover_tokens(d_model: Width = LLAMA.d_model, mlp_ratio: Ratio = LLAMA.mlp_ratio):
    """Tokens at which scores cost as much as all weight matrices of the block (no mask, no output head)."""
    weights = added(projections(1, d_model)) + added(mlp(1, d_model, _wide(d_model, mlp_ratio)))  # of each token
    return weights / added(scores(1, d_model))  # of each pair of tokens


@checked
def params(model: AModel, active: Switch = False):
    """Weights of a model, counted from its shape; `active`: those that one token meets. Raises NotAvailable."""
    if model.kv_width is None and not model.latent:
        raise NotAvailable(f"keys and values of {model.name} are compressed: its weights do not follow from its widths")
    width, sparse = model.d_model, model.layers - model.dense_layers
    expert = 3 * width * model.d_ff + model.expert_vectors  # as in mlp
    router = model.experts * width if model.experts > 1 else 0
    experts = (model.chosen if active else model.experts) * expert + router + 3 * width * model.shared_d_ff
    dense = model.dense_layers * 3 * width * (model.dense_d_ff or 0)
    vectors = (2 * model.layers + 1) * width if model.vectors is None else model.vectors
    tables = (1 if model.tied_embeddings else 2) * model.vocab * width
    return model.layers * attention(model) + sparse * experts + dense + vectors + tables


def attention(model):
    """Weights of the attention of one layer: as in projections, or those around a latent."""
    if not model.latent:
        return 2 * model.d_model * (model.attention_width + model.kv_width)
    q, plain, turned, value = model.latent
    wide, kept = model.heads * (plain + turned), model.kv_latent - turned  # what expands to keys and values
    queries = q * (model.d_model + wide) if q else model.d_model * wide
    expanded = model.heads * (kept * (plain + value) + value * model.d_model)
    return queries + model.d_model * model.kv_latent + expanded


def added(part):
    """FLOP of all works of a part together."""
    return sum(work.flops for work in part.values())


def _wide(d_model, mlp_ratio):
    """Width of an MLP that is so many times as wide as the model: a whole number of elements."""
    return np.maximum(np.round(d_model * mlp_ratio), 1.0)
