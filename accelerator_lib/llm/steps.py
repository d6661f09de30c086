"""Steps: how long one step of a language model takes at least, by the roofline at datasheet peaks.
    decode   bytes = weights once + batch x context x KV bytes      FLOP = batch (2 P + 4 layers d context)
    prefill  bytes = weights once                  FLOP = 2 (P - H) T + 2 H + 2 layers d T (T + 1), or 4 layers d T^2
    seconds  max( FLOP / peak, bytes / bandwidth )
P: the weights that a token is multiplied with; H of them are the head, needed once a prompt. Of a mixture of experts a
step reads those that its tokens meet. Ignored: launches, kernels below the peak, talk between chips; queries that
expand a compressed cache, so their time is a bound all the more.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, Switch, checked
from accelerator_lib.hardware import FORMAT_BYTES, AChip, Format
from accelerator_lib.llm.counts import Batch, Context, of
from accelerator_lib.roofline.roof import binding, plain
from accelerator_lib.workload.models import AModel

Chips = Count(high=10**5)
Mfu = Number(low=0.01, high=1)


@dataclass(frozen=True, eq=False)
class Step:
    """One step: a token for each of `batch` users; bytes and FLOP take their times at once. Numbers or arrays."""

    batch: int
    bytes_moved: float
    flops: float
    memory_seconds: float
    compute_seconds: float
    seconds = property(lambda self: plain(np.maximum(self.memory_seconds, self.compute_seconds)))  # the slower [s]
    shorter = property(lambda self: plain(np.minimum(self.memory_seconds, self.compute_seconds)))  # what hides [s]
    bound = property(lambda self: binding(compute=self.compute_seconds, memory=self.memory_seconds))
    tokens_per_s = property(lambda self: self.batch / self.seconds)  # tokens of all users together [1/s]
    intensity = property(lambda self: self.flops / self.bytes_moved)  # FLOP for each byte moved
    flops_per_s = property(lambda self: self.flops / self.seconds)


@checked
def decode_step(
    model: AModel,
    chip: AChip,
    batch: Batch,
    context: Context,
    weight_dtype: Format = "bf16",
    kv_dtype: Format = "bf16",
    math_dtype: Format = "bf16",
    n_chips: Chips = 1,
):
    """Step of `batch` users with `context` tokens each, on n_chips that share it, fit or not. Raises NotAvailable."""
    count = of(model)
    moved = count.read(batch) * FORMAT_BYTES[weight_dtype] + batch * count.kept(context) * count.kv_bytes(kv_dtype)
    flops = batch * count.token_flops(context)
    rate, peak = n_chips * chip.need("bytes_per_s"), n_chips * chip.peak(math_dtype)
    return Step(batch, moved, flops, moved / rate, flops / peak)


@checked
def prefill(
    model: AModel,
    chip: AChip,
    tokens: Context,
    math_dtype: Format = "bf16",
    mfu: Mfu = 1,
    causal: Switch = True,
    n_chips: Chips = 1,
):
    """(FLOP, s) of a prompt, at `mfu` x peak or the weights' read; causal halves attention. Raises NotAvailable."""
    count = of(model)
    flops = count.prompt_flops(tokens, tokens * (tokens + 1) / 2 if causal else tokens * tokens)
    compute = flops / (n_chips * chip.peak(math_dtype) * mfu)
    memory = count.read(tokens) * FORMAT_BYTES[math_dtype] / (n_chips * chip.need("bytes_per_s"))
    return flops, plain(np.maximum(compute, memory))


@checked
def critical_batch(model: AModel, chip: AChip, context: Single(Context), dtype: Format = "bf16"):
    """Users from which a decode step's arithmetic takes as long as its bytes; or None. Raises NotAvailable."""
    rate, count = chip.need("bytes_per_s"), of(model)
    arithmetic = count.token_flops(context) / chip.peak(dtype)
    gap = arithmetic - count.kept(context) * count.kv_bytes(dtype) / rate  # of each user [s]
    if gap <= 0:
        return None
    batch = np.inf
    for _ in range(200):  # fewer users meet fewer experts; for a dense model the first round is the answer
        after = count.read(min(max(batch, 1.0), 1e9)) * FORMAT_BYTES[dtype] / rate / gap
        if after == batch:
            break
        batch = after
    return float(batch)


@checked
def most_tokens_per_s(model: AModel, chip: AChip, context: Context, kv_dtype: Format = "bf16", dtype: Format = "bf16"):
    """Tokens per second of a step, however many users: each brings arithmetic and a cache of its own."""
    count = of(model)
    arithmetic = count.token_flops(context) / chip.peak(dtype)
    return plain(1 / np.maximum(arithmetic, count.kept(context) * count.kv_bytes(kv_dtype) / chip.need("bytes_per_s")))


@dataclass(frozen=True, eq=False)
class Reading:  # one decode step as what is read: the weights once, a cache for each user
    users: int
    context: int
    weights_seconds: float
    cache_seconds: float  # of one user
    weights_bytes: float
    cache_bytes: float  # of one user
    step: Step
    alone: Step
    memory_seconds = property(lambda self: self.step.memory_seconds)  # until all is read [s]
    bytes_moved = property(lambda self: self.step.bytes_moved)
    user_tokens_per_s = property(lambda self: 1 / self.step.seconds)  # tokens of each user [1/s]
    longer = property(lambda self: self.step.seconds / self.alone.seconds)  # over a step of one user alone
    more = property(lambda self: self.longer - 1)  # by which share the step is longer than one user's


@checked
def read(model: AModel, chip: AChip, users: Count(high=10**6), context: Count(high=10**8)):
    """Reading of a step of so many users with `context` tokens each in bf16. Raises NotAvailable."""
    rate, count = chip.need("bytes_per_s"), of(model)
    weights, cache = count.read(users) * FORMAT_BYTES["bf16"], count.kept(context) * count.kv_bytes("bf16")
    step, alone = (decode_step(model, chip, many, context) for many in (users, 1))
    return Reading(users, context, weights / rate, cache / rate, weights, cache, step, alone)
