"""Passes: new tokens through all layers once, kernel by kernel: what moves, what is computed, how long it takes.
    attention   the cache read once; unfused: a score is 20 bytes of traffic (out, in and out for the softmax, rounded,
                in), caches are read by each group's every head, and what a mask hides is computed too
    seconds     max(bytes / rate, FLOP / peak) of the weights, then of attention, and a bit for each layer
The head works for the last token of a sequence alone. Rates are those reached, which is for the caller to say.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Bytes, Number, Single, Switch, Whole, checked
from accelerator_lib.hardware import FORMAT_BYTES, Format
from accelerator_lib.llm.counts import Batch, of
from accelerator_lib.workload.models import AModel

SCORE_BYTES = 20  # 4 out of the product, 4 + 4 softmax, 4 + 2 rounded to 16 bits, 2 into the product
Tokens, Kept = Whole(high=10**8), Single(Number(low=0, high=1e14))


@dataclass(frozen=True)
class Work:  # one pass: bytes and FLOP of the products with weights, and of attention
    layers: int
    tokens: float  # new ones, of all sequences
    weight_bytes: float
    weight_flops: float
    attention_bytes: float
    attention_flops: float
    bytes_moved = property(lambda self: self.weight_bytes + self.attention_bytes)
    flops = property(lambda self: self.weight_flops + self.attention_flops)

    def seconds(self, bytes_per_s, flops_per_s, layer_seconds=0.0, attention_bytes_per_s=None):
        """Time [s] at rates that are reached, the kernels one after another."""
        read = attention_bytes_per_s or bytes_per_s
        weights_take = max(self.weight_bytes / bytes_per_s, self.weight_flops / flops_per_s)
        attention_takes = max(self.attention_bytes / read, self.attention_flops / flops_per_s)
        return weights_take + attention_takes + self.layers * layer_seconds

    def least_seconds(self, bytes_per_s, flops_per_s):
        """Time [s] that no order of kernels can beat: all bytes, or all FLOP."""
        return max(self.bytes_moved / bytes_per_s, self.flops / flops_per_s)


@checked
def work(
    model: AModel,
    new: Tokens,
    batch: Batch = 1,
    cached: Single(Number(low=0, high=1e8, unit="tokens")) = 0,
    weight_dtype: Format = "bf16",
    kv_dtype: Format = "bf16",
    stored_bytes: Single(Bytes) = None,
    fused: Switch = True,
):
    """Work of `new` tokens for each of `batch` sequences that have `cached` tokens each.
    stored_bytes: all weights as they are stored, where the format alone does not tell (scales of groups).
    Raises NotAvailable, UnknownName, ValueError."""
    count, tokens = of(model), new * batch
    each = FORMAT_BYTES[weight_dtype] if stored_bytes is None else stored_bytes / count.weights
    past = new * cached + (new * (new + 1) / 2 if fused else new * new)  # pairs of tokens of a sequence that meet
    cache = batch * count.kept(cached + new) * count.kv_bytes(kv_dtype)
    if not fused:
        cache *= 1 if model.kv_width is None else model.heads / model.kv_heads
        cache += SCORE_BYTES * model.layers * model.heads * batch * past
    flops = 2 * (count.met - count.head) * tokens + 2 * count.head * batch
    return Work(model.layers, tokens, each * count.read(tokens), flops, cache, 4 * count.wide * batch * past)


@checked
def in_step(model: AModel, prompt: Kept = 0, decode: Kept = 0, cached: Kept = 0, pairs: Kept = None):
    """Work of a server's step in 16 bits: `prompt` new tokens of prompts, and one for each of `decode` users.
    pairs: of a token and one that it meets; None: one prompt whole, and `cached` tokens of those users."""
    count, tokens = of(model), prompt + decode
    flops = 2 * (count.met - count.head) * tokens + 2 * count.head * (decode + (prompt > 0))
    pairs = prompt * (prompt + 1) / 2 + cached + decode if pairs is None else pairs
    cache = (cached + tokens) * count.kv_bytes("bf16")
    return Work(model.layers, tokens, 2 * count.read(tokens), flops, cache, 4 * count.wide * pairs)
