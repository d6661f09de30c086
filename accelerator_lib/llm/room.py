"""Room: how many users a chip's memory holds, and how much of what is set aside for their caches is used.
largest batch   floor( (usable x capacity - weights) / (context x KV bytes of a token) )
in use          tokens / slots set aside: max_len for every request, in one piece, or blocks as its tokens fill them
"""

from dataclasses import dataclass, replace

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable, whole
from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.hardware import FORMAT_BYTES, AChip, Format
from accelerator_lib.llm.counts import Batch, Context, of
from accelerator_lib.workload.models import AModel

Usable, Chips = Number(low=0.01, high=1), Count(high=10**5)


@dataclass(frozen=True)
class Held:  # what lies in the memory of n_chips [bytes]: the weights once, a cache for each user
    weights_bytes: float
    kv_bytes: float
    capacity_bytes: float
    usable: float
    batch: int
    n_chips: int = 1
    needed_bytes = property(lambda self: self.weights_bytes + self.kv_bytes)
    user_bytes = property(lambda self: self.kv_bytes / self.batch)  # the cache of one user
    kv_share = property(lambda self: self.kv_bytes / self.needed_bytes)  # the caches' share of what is needed
    kv_of_capacity = property(lambda self: self.kv_bytes / self.capacity_bytes)  # the caches' share of all memory
    room_bytes = property(lambda self: self.usable * self.capacity_bytes)  # the rest: activations, the runtime, holes
    fits = property(lambda self: self.needed_bytes <= self.room_bytes)
    most = property(lambda self: max(0, int((self.room_bytes - self.weights_bytes) // self.user_bytes)))
    inside = property(lambda self: min(self.most, self.batch))  # users who have room, of those who are here


@checked
def held(
    model: AModel,
    chip: AChip,
    batch: Batch,
    context: Context,
    weight_dtype: Format = "bf16",
    kv_dtype: Format = "bf16",
    n_chips: Chips = 1,
    usable: Single(Usable) = 0.9,
):
    """Held: weights, and caches of `batch` users with `context` tokens each. Raises NotAvailable."""
    capacity, count = n_chips * chip.need("capacity_bytes"), of(model)
    kv = batch * count.kept(context) * count.kv_bytes(kv_dtype)
    return Held(count.weights * FORMAT_BYTES[weight_dtype], kv, capacity, usable, batch, n_chips)


@checked
def max_batch(
    model: AModel,
    chip: AChip,
    context: Single(Context),
    dtype: Format = "bf16",
    usable: Single(Usable) = 0.9,
    weight_dtype: Format = None,
    kv_dtype: Format = None,
    n_chips: Chips = 1,
):
    """The most users whose caches fit beside the weights in the `usable` share; or 0. Raises NotAvailable."""
    return held(model, chip, 1, context, weight_dtype or dtype, kv_dtype or dtype, n_chips, usable).most


@checked
def with_kv(model: AModel, heads: Count(high=4096) = None, latent: Count(high=10**6) = None):
    """The model with so many KV heads, or a latent of so many elements. Raises ValueError, NotAvailable."""
    if latent is not None:
        return replace(model, kv_latent=latent)
    if heads is None or heads == model.kv_heads:
        return model
    if model.kv_width is None:
        raise NotAvailable(f"keys and values of {model.name} are compressed: it has no number of KV heads to change")
    if model.heads % heads:
        raise ValueError(f"{model.heads} query heads cannot be divided evenly among {heads} KV heads")
    return replace(model, kv_heads=heads)


@checked
def kv_utilization(lengths, max_len: Count(high=10**9) = 2048, block: Count(high=10**9) = None):
    """Share of the slots set aside that hold a token: max_len for each request, or whole blocks. Raises ValueError."""
    tokens = _lengths(lengths)
    if block is not None:
        return float(tokens.sum() / (np.ceil(tokens / block) * block).sum())
    if tokens.max() > max_len:
        longest = f"{tokens.max():g}"
        raise ValueError(f"lengths: a request of {longest} tokens is longer than the {max_len:,} set aside for it")
    return float(tokens.sum() / (max_len * len(tokens)))


@checked
def used_places(first: Count(high=10**7), second: Count(high=10**7), page: Count(high=10**7)):
    """Places in the whole pages of two requests."""
    return sum(-(-tokens // page) * page for tokens in (first, second))


def _lengths(lengths):
    tokens = np.atleast_1d(whole("lengths", lengths, 1, 10**9))
    if not tokens.size:
        raise ValueError("lengths must hold the tokens of at least one request; it is empty")
    return tokens


@dataclass(frozen=True)
class Board:  # tokens of each request, and the slots set aside for it both ways
    lengths: tuple
    reserved: int
    block: int
    slots: int  # tokens for which the memory has room
    kept = property(lambda self: tuple(min(tokens, self.reserved) for tokens in self.lengths))  # of each request
    blocks = property(lambda self: tuple(-(-tokens // self.block) for tokens in self.lengths))  # blocks of each request
    cut = property(lambda self: sum(tokens > self.reserved for tokens in self.lengths))  # longer ones
    reserved_share = property(lambda self: sum(self.kept) / (self.reserved * len(self.lengths)))
    block_share = property(lambda self: sum(self.lengths) / (sum(self.blocks) * self.block))

    @property
    def users(self):
        """Requests of this mix that the memory holds: (in one piece each, in blocks)."""
        many = len(self.lengths)
        return self.slots // self.reserved, self.slots // self.block * many // sum(self.blocks)


@checked
def board(lengths, reserved: Count(high=10**7) = 2048, block: Count(high=10**7) = 16, slots: Count(low=0) = 0):
    """Board of requests with so many tokens each. Raises ValueError and TypeError."""
    return Board(tuple(int(one) for one in _lengths(lengths)), reserved, block, slots)
