"""Counts: what follows from the shape of a language model alone.
    params   = layers (2 d^2 + 2 d kv_heads head_dim + experts 3 d d_ff + 2 d) + d + 2 vocabulary d
    KV bytes = 2 layers kv_heads head_dim x bytes of an element      of each token: its keys and its values
    experts  = E (1 - (1 - k / E)^B)                                 that B tokens meet, if each picks k of E evenly
A compressed cache (multi-head latent attention) keeps one vector for each token and layer; its model's total counts.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Switch, Whole, checked
from accelerator_lib.hardware import FORMAT_BYTES, Format
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.transformer import params

Batch, Context = Whole(high=10**9), Whole(high=10**8)


@dataclass(frozen=True)
class Counts:  # weights of a model and elements of its cache, counted once: `of(model)`
    weights: float  # all that are stored; published where the count does not cover the model
    active: float  # those that one token meets
    head: int  # the output head: each of the vocabulary as wide as the model
    table: int  # the table of inputs, of which a token looks up one row; 0 where it is the head too
    expert: int  # an expert of every layer that has several; 0 without
    experts: int
    chosen: int
    cached: int  # elements that a token leaves in the cache
    wide: int  # layers x width: FLOP of attention for a pair of tokens are four times that
    written: int  # the same where a token is made: a latent is met whole, as nothing cached is expanded again
    windowed: float = 0.0  # share of the cache whose layers keep `window` tokens only
    window: int = 0
    met = property(lambda self: self.active - self.table)  # weights that a token is multiplied with, head included

    def read(self, tokens):
        """Weights that a step over so many tokens reads: all but the table; of a mixture the experts met."""
        missed = self.experts * (1 - self.chosen / self.experts) ** tokens if self.expert else 0
        return self.weights - self.table - missed * self.expert

    def kv_bytes(self, dtype):
        """Bytes that a token leaves in the cache."""
        return self.cached * FORMAT_BYTES[dtype]

    def kept(self, context):
        """Tokens that layers keep of so many, in the mean: all, but where they have a window."""
        return context - self.windowed * np.maximum(context - self.window, 0) if self.windowed else context

    def token_flops(self, context):
        """FLOP of one token that is made behind `context` others."""
        return 2 * self.met + 4 * self.written * self.kept(context)

    def prompt_flops(self, tokens, pairs):
        """FLOP of a prompt, of whose tokens so many pairs meet; only its last token goes through the head."""
        beyond = np.maximum(tokens - self.window, 0) if self.windowed else 0  # pairs that are too far apart
        pairs = pairs - self.windowed * beyond * (beyond + 1) / 2
        return 2 * (self.met - self.head) * tokens + 2 * self.head + 4 * self.wide * pairs


@lru_cache(1024)
def of(model):
    """Counts of a Model."""
    try:
        weights, active = params(model), params(model, active=True)
    except NotAvailable:
        weights, active = model.params, model.active_params
    each = 3 * model.d_model * model.d_ff + model.expert_vectors
    several = (model.layers - model.dense_layers) * each if model.experts > 1 else 0
    cached = model.layers * (model.kv_latent or 2 * model.kv_width)
    wide = written = model.layers * model.attention_width
    if model.latent:  # scores over what has a position and what has none, sums over values; or both over the latent
        wide = model.layers * model.heads * sum(model.latent[1:]) // 2
        written = model.layers * model.heads * (2 * model.kv_latent - model.latent[2]) // 2
    head = model.vocab * model.d_model
    table, window = 0 if model.tied_embeddings else head, (model.windowed_layers / model.layers, model.window or 0)
    return Counts(weights, active, head, table, several, model.experts, model.chosen, cached, wide, written, *window)


@checked
def param_count(model: AModel, active: Switch = False):
    """All weights of a model, or of that of an id; `active`: those that one token meets. Raises NotAvailable."""
    return params(model, active)


@checked
def kv_bytes_per_token(model: AModel, dtype: Format = "bf16"):
    """Bytes that a token leaves in the cache: keys and values of all layers, or the latent that stands for both."""
    return of(model).kv_bytes(dtype)


@checked
def experts_read(experts: Whole(high=10**5), active: Whole(high=10**5), batch: Batch):
    """Experts of a layer that a step reads, in the mean, of tokens that pick evenly. Arrays, too. Raises ValueError."""
    if np.any(np.asarray(active) > experts):
        raise ValueError(f"a token cannot pick {active} of {experts} experts; active must be at most experts")
    return experts * (1 - (1 - active / experts) ** batch)
