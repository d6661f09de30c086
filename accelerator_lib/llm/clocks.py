"""Clocks: how long a step of a server takes, and what that allows in the long run.

    step     = max( (2 P byte + (cached + new) KV) / bandwidth,
                    2 FLOP ((P - H) (new + half if a prompt is met) + H (decode + 1 if a prompt is met)) / (peak MFU) )
    capacity = batch / (output x (t + batch p / output))        t: decode step, p: a prompt; they take turns

P: the weights that are multiplied; H of them are the head, which only tokens that are continued need.
`half`: the tokens at which a step that also meets a prompt would reach half of its speed, all other work being free: an
overhead of prompt steps. Ignored: attention's own FLOP, caches that are read again for every piece of a prompt,
launches, sampling, the network.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.hardware import AChip, Format
from accelerator_lib.llm.counts import kv_bytes_per_token, table_weights, weights, weights_met
from accelerator_lib.llm.steps import Mfu, decode_step, prefill
from accelerator_lib.workload.models import AModel

Overhead = Single(Number(low=0, high=10**6, unit="tokens"))


@checked
def clock(model: AModel, chip: AChip, mfu: Single(Mfu) = 0.5, half_tokens: Overhead = 0, kv_dtype: Format = "bf16"):
    """A function of (prompt, decode, cached tokens) of one step that returns its time [s], weights in 16 bits."""
    read, kv, head = (
        2 * (weights(model) - table_weights(model)),
        kv_bytes_per_token(model, kv_dtype),
        table_weights(model),
    )
    body, rate, peak = weights_met(model) - head, chip.need("bytes_per_s"), chip.peak("bf16") * mfu

    def seconds(prompt, decode, cached):
        new = prompt + decode
        memory = (read + (cached + new) * kv) / rate
        met = body * (new + half_tokens) + head * (decode + 1) if prompt else (body + head) * decode
        compute = 2 * met / peak
        return memory if memory > compute else compute

    return seconds


@checked
def blocks_of(model: AModel, chip: AChip, block: Count(high=10**6) = 16, usable: Single(Number(0, 1)) = 0.9,
              kv_dtype: Format = "bf16"):  # fmt: skip
    """Blocks of `block` tokens in the memory that the weights (16 bits) leave; `usable`: share of the chip's memory."""
    room = usable * chip.need("capacity_bytes") - 2 * weights(model)
    return max(0, int(room // (block * kv_bytes_per_token(model, kv_dtype))))


@dataclass(frozen=True)
class Capacity:
    """What a server does in the long run."""

    requests_per_s: float
    seconds_per_token: float


@checked
def capacity(
    model: AModel, chip: AChip, prompt: Count(high=10**7), output: Count(high=10**7), batch: Count(high=10**5),
    mfu: Single(Mfu) = 0.5,
):  # fmt: skip
    """The Capacity with `batch` requests always running: prompts whole, between the decode steps of the others."""
    t = decode_step(model, chip, batch, prompt + output // 2).seconds
    _, p = prefill(model, chip, prompt, mfu=mfu)
    each = t + batch * p / output
    return Capacity(batch / (output * each), each)
