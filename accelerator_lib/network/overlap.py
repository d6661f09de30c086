"""Overlap: data-parallel copies talk while they compute; what does not hide behind the arithmetic is waited for.
    forward    2 P T FLOP, backward 4 P T, at a share `mfu` of the peak; T tokens meet P active weights
    "ddp"      every copy holds all weights; backward hides an all-reduce of the gradients, 2 P bytes
    "fsdp"     weights are dealt out, too: forward hides an all-gather, backward another and a reduce-scatter
Both hide once T > peak x mfu / link (for many chips), whatever the dense model. Ignored: latency, the last bucket,
attention's arithmetic.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import BytesPerS, Number, OneOf, Single, Whole, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.network.links import ring_all_gather_seconds, ring_all_reduce_seconds
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.transformer import params

WAYS = ("ddp", "fsdp")
MFU = 0.4  # share of the peak at which training runs
Tokens, Gpus, Rate, Mfu = Whole(high=10**9), Whole(high=10**7), Single(BytesPerS), Single(Number(0.01, 1))


@dataclass(frozen=True)
class Step:  # seconds of a training step: arithmetic, messages behind it; numbers or arrays
    forward: float
    backward: float
    gathered: float  # talk that forward hides
    reduced: float  # talk that backward hides
    arithmetic = property(lambda self: self.forward + self.backward)
    talk = property(lambda self: self.gathered + self.reduced)
    backward_start = property(lambda self: self.forward + _beyond(self.gathered, self.forward))
    waited = property(lambda self: _beyond(self.gathered, self.forward) + _beyond(self.reduced, self.backward))
    seconds = property(lambda self: self.arithmetic + self.waited)
    efficiency = property(lambda self: self.arithmetic / self.seconds)  # share of the step that is arithmetic


def _beyond(talk, arithmetic):
    return (talk > arithmetic) * (talk - arithmetic)  # numbers and arrays alike


@checked
def one_step(
    model: AModel, chip: AChip, tokens: Tokens, gpus: Gpus, bytes_per_s: Rate, way: OneOf(WAYS) = "ddp", mfu: Mfu = MFU
):
    """Step of `tokens` on each of so many chips, whose links carry `bytes_per_s` one way; numbers or arrays."""
    weights, rate = params(model), chip.peak("bf16") * mfu
    forward = 2 * params(model, active=True) * tokens / rate
    if way == "ddp":
        return Step(forward, 2 * forward, 0.0, ring_all_reduce_seconds(2 * weights, gpus, bytes_per_s))
    gather = ring_all_gather_seconds(2 * weights, gpus, bytes_per_s)
    return Step(forward, 2 * forward, gather, 2 * gather)  # a reduce-scatter takes as long as an all-gather


@checked
def hiding_tokens(chip: AChip, bytes_per_s: BytesPerS, mfu: Mfu = MFU):
    """Tokens of a chip and step from which the talk of many copies hides, of any dense model."""
    return chip.peak("bf16") * mfu / bytes_per_s
