"""Eager: attention one step after the other, each a kernel that reads and writes all scores of all heads.

    traffic = bytes of the scores x passes, and the operands once        backward: 2.5 times forward

A fused softmax scales, masks and normalises in one pass. Backward: five products where forward has two, and a gradient
beside what was kept for each of the other steps.
"""

from accelerator_lib.checks.signature import OneOf, Switch, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.tiling.attention import Batch, Heads, Tokens, Width

PASSES = ("forward", "backward", "forward+backward")
BACKWARD = 2.5  # products of the backward pass for each of the forward pass
# reads and writes of the scores; the mask is read as well, and dropout writes its own
STEPS = {"product Q K": 1, "scale": 2, "mask": 3, "softmax": 2, "dropout": 2.5, "product P V": 1}


@checked
def steps(fused: Switch = False, masked: Switch = False, dropout: Switch = False):
    """{step: passes over the scores} of forward attention, as kernels that are launched."""
    left_out = {name for name, there in (("mask", masked and not fused), ("dropout", dropout)) if not there}
    left_out |= {"scale"} if fused else set()
    return {name: passes for name, passes in STEPS.items() if name not in left_out}


@checked
def share_of(which: OneOf(PASSES) = "forward"):
    """Work of a pass as a multiple of the forward pass: 1, 2.5 or 3.5."""
    return {"forward": 1.0, "backward": BACKWARD, "forward+backward": 1 + BACKWARD}[which]


@checked
def eager_bytes(
    tokens: Tokens,
    head_dim: Width,
    heads: Heads = 1,
    batch: Batch = 1,
    dtype: Format = "fp16",
    which: OneOf(PASSES) = "forward",
    fused: Switch = False,
    masked: Switch = False,
    dropout: Switch = False,
):
    """Traffic [byte] of attention step by step."""
    row = heads * batch * tokens * format_bytes(dtype)  # one number for every token
    return row * (tokens * sum(steps(fused, masked, dropout).values()) + 4 * head_dim) * share_of(which)
