"""Sparsity: weights that are zero need not be stored, nor multiplied, if the hardware can skip them.

    2:4     of every four neighbours two are kept, each with 2 bits that say where it stood
    bytes kept = 1/2 + 1 / bits of the dense ones
Source: NVIDIA A100 architecture whitepaper, 2020.
"""

from accelerator_lib.checks.signature import Number, checked

GROUP, KEPT, INDEX_BITS = 4, 2, 2


@checked
def sparse_bytes_ratio(bits: Number(low=1, high=64)):
    """Bytes of a 2:4 sparse matrix, places included, over those of the dense one."""
    return (KEPT * bits + KEPT * INDEX_BITS) / (GROUP * bits)
