"""Capacity: what a model needs, and how many chips of each kind hold it.
    needed = parameters x bits / 8 + batch x context x bytes of keys and values of a token (in 16 bits)
    chips  = needed / memory of one, rounded up
Ignored: activations, the runtime, pieces that are not full, copies that a split needs. A wafer counts as one chip.
"""

from dataclasses import dataclass
from math import ceil

from accelerator_lib.checks.signature import Bytes, Count, Number, NumberOf, Positive, Single, Whole, checked
from accelerator_lib.design.zoo import Record, records
from accelerator_lib.workload.models import AModel

KINDS = "groq-lpu", "ipu-gc200", "orin-nano-8gb", "l4", "wse-3", "a100-80gb-sxm", "h200-sxm", "m2-ultra", "b300"
Size, Users = Single(Bytes), Single(Whole(low=0, high=10**6))
BITS = (16, 8, 4)
Bits = NumberOf(BITS, "(of a weight)")


@checked
def chips_for_weights(weights: Single(Positive), element_bytes: Single(Number(low=0.01, high=64)), memory: Size):
    """Chips of so many bytes of memory that hold so many weights; caches and activations not counted."""
    return ceil(weights * element_bytes / memory)


@checked
def chips_for(weight_bytes: Size, users: Users, each_bytes: Size, memory: Size):
    """Chips of so many bytes that hold weights and, for each user, a cache."""
    return ceil((weight_bytes + users * each_bytes) / memory)


@dataclass(frozen=True)
class Holding:  # one kind of chip: those that hold the weights alone, and those that hold the caches as well
    record: Record
    for_weights: int
    for_all: int
    on_die = property(lambda self: self.record.kind == "sram")  # whether its memory lies on the die


@dataclass(frozen=True)
class Needed:  # bytes that a model needs, and the Holding of each kind of chip, the smallest memory first
    name: str
    bits: int
    weight_bytes: float
    cache_bytes: float
    chips: tuple
    needed_bytes = property(lambda self: self.weight_bytes + self.cache_bytes)


@checked
def needed(model: AModel = "llama-2-70b", bits: Bits = 16, context: Single(Count(high=10**7)) = 4096, batch: Users = 0):
    """Needed of a model: `batch` requests of `context` tokens; 0 for the weights alone."""
    from accelerator_lib.llm.counts import kv_bytes_per_token, of, param_count  # the chapter takes a while to load

    weights = param_count(model) * bits / 8
    cache = float(batch * of(model).kept(context) * kv_bytes_per_token(model))
    known = sorted((records()[id] for id in KINDS), key=lambda row: row.memory_bytes)
    chips = [Holding(row, *(ceil(size / row.memory_bytes) for size in (weights, weights + cache))) for row in known]
    return Needed(model.name, bits, weights, cache, tuple(chips))
