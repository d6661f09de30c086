"""Hiding latency: how many warps keep the memory busy.

warps to saturate memory = bandwidth x latency / (SMs x 32 x bytes a thread has under way)      (Little's law)
"""

import numpy as np

from accelerator_lib.checks.signature import BytesPerS, NonNegative, Number, Whole, checked
from accelerator_lib.gpu.arch import WARP_LANES

Latency = Number(high=1e6, unit="s")
Sms = Whole(high=10**6)
UnderWay = Number(low=1e-3, high=1e6, unit="B")


@checked
def warps_to_saturate(bytes_per_s: BytesPerS, latency_seconds: Latency, sms: Sms, bytes_per_thread: UnderWay):
    """Warps on each SM that keep the memory busy, when every thread has so many bytes under way (Little's law)."""
    warps = np.ceil(bytes_per_s * latency_seconds / (sms * WARP_LANES * bytes_per_thread))
    return warps if np.ndim(warps) else int(warps)


@checked
def bandwidth_share(
    bytes_per_s: BytesPerS, latency_seconds: Latency, sms: Sms, bytes_per_thread: UnderWay, warps: NonNegative
):
    """Share of the bandwidth that so many warps on each SM reach; scalars or arrays of warps."""
    return np.minimum(1, warps * sms * WARP_LANES * bytes_per_thread / (bytes_per_s * latency_seconds))
