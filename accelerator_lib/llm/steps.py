"""Steps: how long one step of a language model takes at least, by the roofline at datasheet peaks.

    decode   bytes = weights once + batch x context x KV bytes      FLOP = batch (2 P + 4 layers d context)
    prefill  bytes = weights once                  FLOP = 2 (P - H) T + 2 H + 2 layers d T (T + 1), or 4 layers d T^2
    seconds  max( FLOP / peak, bytes / bandwidth )

P: the weights that a token is multiplied with; H of them are the head, needed once a prompt. The table of inputs is
looked up: neither read nor multiplied. Of a mixture of experts a step reads those that its tokens meet (counts.py).
Causal attention: a token meets itself and those before it. passes.py counts the same, kernel by kernel.
Ignored: launches, kernels below the peak, talk between chips; queries that expand a compressed cache need more FLOP
than are counted here, so their time is a bound all the more.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Switch, checked
from accelerator_lib.hardware import AChip, Format, format_bytes
from accelerator_lib.llm.counts import Batch, Context, kv_bytes_per_token, table_weights, weights_met, weights_read
from accelerator_lib.workload.models import AModel

Chips = Count(high=10**5)
Mfu = Number(low=0.01, high=1)


@dataclass(frozen=True, eq=False)
class Step:
    """One decode step: a token for each of `batch` users. Arrays where batch or context are."""

    batch: int
    bytes_moved: float
    flops: float
    memory_seconds: float
    compute_seconds: float

    @property
    def seconds(self):
        """The slower of the two: the time between two tokens of a user [s]."""
        return _plain(np.maximum(self.memory_seconds, self.compute_seconds))

    @property
    def tokens_per_s(self):
        """Tokens of all users together [1/s]."""
        return self.batch / self.seconds

    @property
    def intensity(self):
        """FLOP for each byte moved."""
        return self.flops / self.bytes_moved

    @property
    def flops_per_s(self):
        return self.flops / self.seconds

    @property
    def bound(self):
        """ "memory" or "compute"."""
        return _plain(np.where(np.asarray(self.compute_seconds) >= self.memory_seconds, "compute", "memory"))


@checked
def decode_step(
    model: AModel, chip: AChip, batch: Batch, context: Context, weight_dtype: Format = "bf16",
    kv_dtype: Format = "bf16", math_dtype: Format = "bf16", n_chips: Chips = 1,
):  # fmt: skip
    """Step of `batch` users with `context` tokens [tokens] each in the cache, on n_chips that share all evenly.

    Raises NotAvailable for a format the chip lacks, or where its bandwidth is not published. It does not ask whether
    all that fits: max_batch does.
    """
    kv = batch * context * kv_bytes_per_token(model, kv_dtype)
    moved = weights_read(model, batch) * format_bytes(weight_dtype) + kv
    flops = batch * (2 * weights_met(model) + 4 * model.layers * model.d_model * context)
    rate, peak = n_chips * chip.need("bytes_per_s"), n_chips * chip.peak(math_dtype)
    return Step(batch, moved, flops, moved / rate, flops / peak)


@checked
def prefill(
    model: AModel, chip: AChip, tokens: Context, math_dtype: Format = "bf16", mfu: Mfu = 1, causal: Switch = True,
    n_chips: Chips = 1,
):  # fmt: skip
    """(FLOP, seconds) to process a prompt of so many tokens: the arithmetic at `mfu` x peak, or the weights' read.

    causal: a token meets itself and those before it, which halves the work of attention. Raises NotAvailable.
    """
    pairs, head = tokens * (tokens + 1) / 2 if causal else tokens * tokens, table_weights(model)
    flops = 2 * (weights_met(model) - head) * tokens + 2 * head + 4 * model.layers * model.d_model * pairs
    compute = flops / (n_chips * chip.peak(math_dtype) * mfu)
    memory = weights_read(model, tokens) * format_bytes(math_dtype) / (n_chips * chip.need("bytes_per_s"))
    return flops, _plain(np.maximum(compute, memory))


@checked
def critical_batch(model: AModel, chip: AChip, context: Context, dtype: Format = "bf16"):
    """Users from which the arithmetic of a decode step takes as long as its bytes; None where no number is enough.

    With every user the arithmetic grows, and so do the bytes: caches are not shared. Raises NotAvailable.
    """
    rate, peak = chip.need("bytes_per_s"), chip.peak(dtype)
    arithmetic = (2 * weights_met(model) + 4 * model.layers * model.d_model * context) / peak
    gap = arithmetic - context * kv_bytes_per_token(model, dtype) / rate  # of each user [s]
    if gap <= 0:
        return None
    batch = np.inf
    for _ in range(200):  # fewer users meet fewer experts; for a dense model the first round is the answer
        after = weights_read(model, min(max(batch, 1.0), 1e9)) * format_bytes(dtype) / rate / gap
        if after == batch:
            break
        batch = after
    return float(batch)


@checked
def most_tokens_per_s(model: AModel, chip: AChip, context: Context, kv_dtype: Format = "bf16", dtype: Format = "bf16"):
    """Tokens per second of a step, however many users: each brings arithmetic and a cache of its own."""
    arithmetic = (2 * weights_met(model) + 4 * model.layers * model.d_model * context) / chip.peak(dtype)
    return _plain(1 / np.maximum(arithmetic, context * kv_bytes_per_token(model, kv_dtype) / chip.need("bytes_per_s")))


def _plain(value):
    """A Python scalar where NumPy made a 0-d result of scalars."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value
