"""Speculation: a small model drafts tokens, the large one checks them all in one step.
    tokens of a round = (1 - a^(k + 1)) / (1 - a)          a: the share of tokens that is accepted, the same for each
A round drafts k tokens and ends at the first that is rejected, which is drawn again; if none is, one more comes.
Source: Leviathan et al., arXiv 2211.17192, 2023 (recalled; held against a simulation in the tests).
"""

import numpy as np

from accelerator_lib.checks.signature import Number, Share, Whole, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.llm.counts import Batch, Context
from accelerator_lib.llm.steps import Chips, decode_step
from accelerator_lib.workload.models import AModel

Drafted = Whole(high=64)


@checked
def tokens(acceptance: Share, drafted: Drafted):
    """Tokens that a round brings in the mean; scalars or arrays."""
    powers = np.asarray(acceptance, float)[..., None] ** np.arange(np.max(drafted) + 1)
    counted = np.where(np.arange(powers.shape[-1]) <= np.asarray(drafted)[..., None], powers, 0).sum(-1)
    return counted.item() if counted.ndim == 0 else counted


@checked
def speedup(
    model: AModel,
    draft: AModel,
    chip: AChip,
    batch: Batch,
    context: Context,
    acceptance: Share,
    drafted: Drafted,
    n_chips: Chips = 1,
    sum_seconds: Number(low=0, high=1, unit="s") = 0.0,
):
    """Tokens in a second with a draft model over those without; both on all n_chips, one after the other.
    The check reads weights and caches once, and computes drafted + 1 tokens for each user. `sum_seconds`: of an
    all-reduce between the chips, two in each layer of each model."""
    large, small = (decode_step(each, chip, batch, context, n_chips=n_chips) for each in (model, draft))
    talk, chat = (2 * each.layers * sum_seconds for each in (model, draft))
    check = np.maximum(large.memory_seconds, (drafted + 1) * large.compute_seconds) + talk
    found = tokens(acceptance, drafted) * (large.seconds + talk) / (drafted * (small.seconds + chat) + check)
    return found.item() if np.ndim(found) == 0 else found
