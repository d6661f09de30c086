"""Counts: what follows from the shape of a language model alone.

    params   = layers (2 d^2 + 2 d kv_heads head_dim + experts 3 d d_ff + 2 d) + d + 2 vocabulary d
    KV bytes = 2 layers kv_heads head_dim x bytes of an element      of each token: its keys and its values
    experts  = E (1 - (1 - k / E)^B)                                 that B tokens meet, if each picks k of E evenly

A compressed cache (multi-head latent attention) keeps one vector for each token and layer in place of keys and values.
The formula for parameters does not cover such a model; where its weights are moved, the published total counts.
"""

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Number, Switch, Whole, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.transformer import params

Batch, Context = Whole(high=10**9), Whole(high=10**8)


@checked
def param_count(model: AModel, active: Switch = False):
    """All weights of a model, or of that of an id; `active`: those that one token meets. Raises NotAvailable."""
    return params(model, active)


@checked
def kv_bytes_per_token(model: AModel, dtype: Format = "bf16"):
    """Bytes that a token leaves in the cache: keys and values of all layers, or the latent that stands for both."""
    elements = model.kv_latent or 2 * model.kv_width
    return model.layers * elements * format_bytes(dtype)


@checked
def experts_read(experts: Whole(high=10**5), active: Whole(high=10**5), batch: Batch):
    """Experts of a layer that a step reads, in the mean: each of `batch` tokens picks `active` of them, evenly.

    Scalars or arrays. Raises ValueError where more are picked than there are.
    """
    if np.any(np.asarray(active) > experts):
        raise ValueError(f"a token cannot pick {active} of {experts} experts; active must be at most experts")
    return experts * (1 - (1 - active / experts) ** batch)


@checked
def weights(model: AModel):
    """Weights of a model: counted from its shape, or its published total where the count does not cover it."""
    try:
        return params(model)
    except NotAvailable:
        return model.params


@checked
def active_weights(model: AModel):
    """Weights that one token meets: counted, or the published number where the count does not cover it."""
    try:
        return params(model, active=True)
    except NotAvailable:
        return model.active_params


@checked
def weights_met(model: AModel):
    """Weights that a token which is made is multiplied with, head included: all it meets but the table of inputs."""
    return active_weights(model) - table_weights(model)


@checked
def table_weights(model: AModel):
    """Weights of the table of inputs, of which a token looks up one row; the output head has as many, and is read."""
    return model.vocab * model.d_model


@checked
def weights_read(model: AModel, tokens: Number(low=1, high=1e9) = 1):
    """Weights that a step over so many tokens reads: all but the table of inputs; of a mixture the experts met."""
    if model.experts == 1:
        return weights(model) - table_weights(model)
    expert = (model.layers - model.dense_layers) * 3 * model.d_model * model.d_ff
    missed = model.experts * (1 - model.chosen / model.experts) ** tokens
    return weights(model) - table_weights(model) - missed * expert
