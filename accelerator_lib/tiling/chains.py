"""Chains: element-wise steps one kernel each, or all in one.

apart   2 n b for each step: read, write
fused   2 n b once
"""

from accelerator_lib.checks.signature import Switch, Whole, checked
from accelerator_lib.hardware import Format, format_bytes


@checked
def chain_bytes(n: Whole(), ops: Whole(high=10**6), dtype: Format = "fp16", fused: Switch = False):
    """Traffic [byte] of `ops` element-wise steps on n elements: each reads and writes, or only the ends when fused."""
    return 2 * n * (1 if fused else ops) * format_bytes(dtype)
