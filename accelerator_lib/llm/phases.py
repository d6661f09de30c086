"""Phases: a prompt is read all at once, an answer is made token by token. Two places on one roofline.
limit     FLOP/byte -> (2 P + 4 layers d context) / (context x KV bytes)      however many users decode
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Single, checked
from accelerator_lib.hardware import FORMAT_BYTES, AChip, Format
from accelerator_lib.llm.counts import Batch, Context, of
from accelerator_lib.llm.room import held
from accelerator_lib.llm.steps import Mfu, Step, decode_step, prefill
from accelerator_lib.roofline.roof import binding
from accelerator_lib.workload.models import AModel


@dataclass(frozen=True, eq=False)
class Phases:  # prefill of a prompt, and a decode step with as much context, on the roof of one chip
    model: str
    chip: object
    dtype: str
    peak: float
    bandwidth: float
    context: int
    prefill: Step
    decode: Step
    most_intensity: float  # of a decode step, however many users
    fits: bool
    ridge_point = property(lambda self: self.peak / self.bandwidth)


@checked
def phases(model: AModel, chip: AChip, context: Context, users: Batch = 1, dtype: Format = "bf16"):
    """Phases of a prompt of `context` tokens and of `users` who have as much in the cache. Raises NotAvailable."""
    count, (flops, _) = of(model), prefill(model, chip, context, dtype)
    peak, bandwidth, moved = chip.peak(dtype), chip.need("bytes_per_s"), count.read(context) * FORMAT_BYTES[dtype]
    prompt = Step(1, moved, flops, moved / bandwidth, flops / peak)
    token = decode_step(model, chip, users, context, dtype, dtype, dtype)
    most = count.token_flops(context) / (count.kept(context) * count.kv_bytes(dtype))
    fits = held(model, chip, users, context, dtype, dtype).fits
    return Phases(model.name, chip, dtype, peak, bandwidth, context, prompt, token, most, fits)


@dataclass(frozen=True, eq=False)
class Answer:  # one request alone on a chip, and a second one that came with it and has to wait until the first is done
    prompt: int
    output: int
    first: float  # seconds to the first token
    gaps: np.ndarray  # seconds between one token and the next, output - 1 of them
    read_seconds: float  # the weights' read: no prompt is faster
    attention_share: float  # of the prompt's arithmetic
    fits: bool
    bound = property(lambda self: binding(memory=self.read_seconds, compute=self.first))
    weights_share = property(lambda self: 1 - self.attention_share)  # of the prompt's FLOP
    done = property(lambda self: self.first + float(self.gaps.sum()))  # seconds to the last token
    mean_gap = property(lambda self: float(self.gaps.mean()) if len(self.gaps) else None)  # [s]
    next_first = property(lambda self: self.done + self.first)  # seconds until the second user sees a first token
    times = property(lambda self: self.first + np.concatenate([[0], np.cumsum(self.gaps)]))  # of each token [s]


@checked
def answer(model: AModel, chip: AChip, prompt: Single(Context), output: Count(high=10**5), mfu: Single(Mfu) = 0.5):
    """Answer: the prompt at `mfu` of the peak, then a decode step for each further token. Raises NotAvailable."""
    count, (flops, first) = of(model), prefill(model, chip, prompt, "bf16", mfu)
    later = prompt + np.arange(1, output)
    gaps = np.atleast_1d(decode_step(model, chip, 1, later).seconds) if output > 1 else np.zeros(0)
    read = count.read(prompt) * FORMAT_BYTES["bf16"] / chip.need("bytes_per_s")
    attention = 1 - 2 * ((count.met - count.head) * prompt + count.head) / flops
    return Answer(prompt, output, first, gaps, read, attention, held(model, chip, 1, prompt + output).fits)
