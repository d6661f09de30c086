"""Counts: how many weights a language model has, from its shape.

params = layers (2 d^2 + 2 d kv_heads head_dim + 3 d d_ff + 2 d) + d + 2 vocabulary d
"""

from accelerator_lib.signature import checked
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.transformer import params


@checked
def param_count(model: AModel):
    """All weights of a model, or of that of an id: those of every expert. Raises NotAvailable."""
    return params(model)
