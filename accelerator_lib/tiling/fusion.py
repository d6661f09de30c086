"""Fusion: element-wise steps one after the other, each a kernel of its own, or all in one.

    apart   b n (2 ops + extra)        fused   b n (2 + extra)        bytes

A step reads its input and writes its output; `extra` further arrays, such as a residual, are read once in any case.
"""

from accelerator_lib.checks.signature import Switch, Whole, checked
from accelerator_lib.hardware import Format, format_bytes


@checked
def chain_bytes(
    n: Whole(), ops: Whole(high=10**6), dtype: Format = "fp16", fused: Switch = False, extra: Whole(low=0) = 0
):
    """Traffic [byte] of `ops` element-wise steps on n elements, which read `extra` further arrays of n elements."""
    return (2 * (1 if fused else ops) + extra) * n * format_bytes(dtype)
