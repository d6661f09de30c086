"""Counted: what a token of a training step is credited with, and what a chip executes and moves for it.

    credited    6 x parameters + 12 L d T           2 forward and 4 backward, and T x T scores, whole
    executed    6 x weights of the products + 2 x those computed again
                + 2 L d T (forward) + 5 L d T (backward) + 2 L d T if computed again      causal, tile by tile
    MFU, HFU = credited (HFU: and what is computed again) / (time x peak)

An attention that keeps the scores in memory executes 12 L d T, and moves them too. Tables that are looked up are
credited, and cost nothing. Sources: "PaLM", 2022, appendix B; "FlashAttention-2", 2023; Korthikanti et al., "Reducing
activation recomputation in large transformer models", 2022.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import OneOf, Single, Whole, checked
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.transformer import layer
from accelerator_lib.workload.work import Elementwise

# what is computed again in backward -> (share of the forward products, share of the forward attention)
AGAIN = {"none": (0.0, 0.0), "attention": (0.0, 1.0), "half": (0.5, 0.5), "full": (1.0, 1.0)}
ATTENTIONS = ("tiles", "whole")
SCORE_MOVES = 11  # of every score where they lie in memory: 4 forward (written, softmax, read), 7 backward
LOGIT_MOVES, LOGIT_BYTES = 6, 4  # written, softmax, read, each way; in fp32
ELEMENT = 2  # bytes
Context = Single(Whole(high=10**8))


@dataclass(frozen=True)
class Token:
    """Of one token: FLOP credited, FLOP executed by part, bytes moved outside the products."""

    credited: float
    again: float  # credited forward work that is done twice
    layers: float  # FLOP of the layers' products
    head: float
    scores: float  # FLOP of the products of attention
    moved: float  # bytes of norms, sums, activations, logits; and of scores, where they lie in memory

    executed = property(lambda self: self.layers + self.head + self.scores)
    hfu_over_mfu = property(lambda self: 1 + self.again / self.credited)  # what a hardware utilisation is larger by


@checked
def token(model: AModel, context_tokens: Context, again: OneOf(AGAIN) = "none", attention: OneOf(ATTENTIONS) = "tiles"):
    """Token of a sequence of so many tokens; of a mixture only the experts that it meets."""
    products, scores = AGAIN[again]
    works = tuple(layer(1, model.d_model, model.d_ff, model.kv_width).items())
    steps = {name: work for name, work in works if isinstance(work, Elementwise)}
    wide = ("gate", "up", "down")  # the products of an expert
    flops = (work.flops * (model.chosen if name in wide else 1) for name, work in works if name not in steps)
    forward = model.layers * sum(flops)
    full = 4 * model.layers * model.d_model * context_tokens  # FLOP of all scores, forward
    tiled = attention == "tiles"
    executed = full / 2 * (1 + 2.5 + scores) if tiled else full * (3 + scores)
    moved = model.layers * sum(work.bytes_moved() for work in steps.values()) * (3 + products)
    moved += LOGIT_MOVES * LOGIT_BYTES * model.vocab
    if not tiled:
        moved += SCORE_MOVES * ELEMENT * model.layers * model.heads * context_tokens
    head = 6 * model.vocab * model.d_model
    credited = 6 * model.active_params + 3 * full
    return Token(credited, products * forward + scores * full, (3 + products) * forward, head, executed, moved)
