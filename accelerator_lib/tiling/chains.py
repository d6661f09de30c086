"""Chains: element-wise steps one kernel each, or all in one.

apart   2 n b for each step: read, write
fused   2 n b once
"""

from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import flag, whole


def chain_bytes(n, ops, dtype="fp16", fused=False):
    """Traffic [byte] of `ops` element-wise steps on n elements: each reads and writes, or only the ends when fused."""
    passes = 1 if flag("fused", fused) else whole("ops", ops, high=10**6)
    whole("ops", ops, high=10**6)
    return 2 * whole("n", n) * passes * format_bytes(dtype)
