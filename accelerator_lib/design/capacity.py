"""Capacity: how many chips hold a model, and how much arithmetic a watt buys.

chips = weights x bytes of one / memory of a chip, rounded up          TOPS/W = TOPS / watts
"""

from math import ceil

from accelerator_lib.checks.signature import Bytes, Number, Positive, Single, Watts, checked


@checked
def chips_for_weights(
    weights: Single(Positive), element_bytes: Single(Number(low=0.01, high=64)), memory: Single(Bytes)
):
    """Chips of so many bytes of memory that hold so many weights; caches and activations not counted."""
    return ceil(weights * element_bytes / memory)


@checked
def tops_per_watt(tops: Number(low=0), watts: Watts):
    """TOPS/W; scalars or arrays. Say which format, dense or sparse, and whose watts."""
    return tops / watts
