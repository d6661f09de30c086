"""Decode: one step of a language model whose matrices are cut over n chips that then add up their partial sums.
A chip reads one n-th of weights and caches (llm.decode_step); two all-reduces a layer, each of batch x width numbers of
2 bytes (links.py). Ignored: overlap of the two, launches, copies of the cache beyond the model's KV heads.
"""

from dataclasses import dataclass

from accelerator_lib import llm
from accelerator_lib.checks.signature import BytesPerS, Count, Single, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.network.links import Algorithm, StepSeconds, all_reduce_seconds
from accelerator_lib.workload.models import AModel

WAYS = (1, 2, 4, 8, 16, 32, 64)
ELEMENT = 2  # bytes of a partial sum
CONTEXT, LINK, STEP = 4096, 450e9, 2e-6  # tokens in the cache, B/s one way, s before a first byte


@dataclass(frozen=True)
class Token:  # one step on n chips, in seconds by part
    n: int
    read_seconds: float  # or arithmetic, where that is longer
    wire_seconds: float  # bytes on the links
    latency_seconds: float  # steps of the all-reduces
    fits: bool
    talk_seconds = property(lambda self: self.wire_seconds + self.latency_seconds)
    seconds = property(lambda self: self.read_seconds + self.talk_seconds)
    longer = property(lambda self: "reading" if self.read_seconds >= self.talk_seconds else "adding up")
    talk_share = property(lambda self: self.talk_seconds / self.seconds)  # share of the time that is talk


@checked
def token(
    model: AModel,
    chip: AChip,
    n: Count(high=10**5),
    batch: Count(high=10**6) = 1,
    context: Count(high=10**7) = CONTEXT,
    bytes_per_s: Single(BytesPerS) = LINK,
    step_seconds: Single(StepSeconds) = STEP,
    algorithm: Algorithm = "ring",
):
    """Token of a step with `batch` users on n chips, weights and caches in bf16. Raises NotAvailable."""
    read = llm.decode_step(model, chip, batch, context, n_chips=n).seconds
    moved, times = batch * model.d_model * ELEMENT, 2 * model.layers
    wire = times * all_reduce_seconds(moved, n, bytes_per_s, 0.0, algorithm)
    whole = times * all_reduce_seconds(moved, n, bytes_per_s, step_seconds, algorithm)
    fits = batch <= llm.max_batch(model, chip, context, n_chips=n)
    return Token(n, read, wire, whole - wire, fits)


@checked
def tokens(model: AModel, chip: AChip, *given, **more):
    """The Token of 1, 2, 4, ... 64 chips; takes what token takes after n."""
    return tuple(token(model, chip, n, *given, **more) for n in WAYS)
