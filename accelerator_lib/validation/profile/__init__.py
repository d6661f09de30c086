"""Single kernels, timed alone: products, attention and collectives as serving frameworks run them, 109,000 rows.

law(row) says which law foretells a row, if any; estimate(row) what it says. Such a row states a time and its shape, and
as far as it knows them framework, version and kernel (`conditions`):

    gemm, weight_only    m, n, k, dtype (bf16, fp8, fp8_static, fp8_block, nvfp4, int8_wo, int4_wo, sq)
    attention            batch, isl (new tokens), step (cached before), heads, kv_heads, head_dim, window, kv_dtype
    decode_attention     the same for one new token
    collective           n_devices, message_bytes (or message_size, in elements of nccl_dtype)

Laws: products, attention, decode, exchange. Constants were fitted way by way (ways, fit), to data/kernel_times.yaml.
"""

from accelerator_lib.validation.profile import regions
from accelerator_lib.validation.profile.kinds import ALONE, law

__all__ = ["ALONE", "estimate", "law", "regions"]


def estimate(row, _=None):
    """Estimate of such a row, its interval included. Raises NotAvailable."""
    from accelerator_lib.validation.profile import single

    return single.estimate(row, law(row))
