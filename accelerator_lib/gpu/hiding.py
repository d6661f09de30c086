"""Hiding latency: how many warps keep the memory busy.

warps to saturate memory = bandwidth x latency / (SMs x 32 x bytes a thread has under way)      (Little's law)
"""

import numpy as np

from accelerator_lib.gpu.simt import LANES
from accelerator_lib.inputs import real, whole


def warps_to_saturate(bytes_per_s, latency_seconds, sms, bytes_per_thread):
    """Warps on each SM that keep the memory busy, when every thread has so many bytes under way (Little's law)."""
    needed = real("bytes_per_s", bytes_per_s) * real("latency_seconds", latency_seconds, high=1e6)
    one = whole("sms", sms, high=10**6) * LANES * real("bytes_per_thread", bytes_per_thread, low=1e-3, high=1e6)
    return np.ceil(needed / one) if isinstance(needed / one, np.ndarray) else int(np.ceil(needed / one))


def bandwidth_share(bytes_per_s, latency_seconds, sms, bytes_per_thread, warps):
    """Share of the bandwidth that so many warps on each SM reach; scalars or arrays of warps."""
    needed = real("bytes_per_s", bytes_per_s) * real("latency_seconds", latency_seconds, high=1e6)
    held = (
        real("warps", warps, low=0)
        * whole("sms", sms, high=10**6)
        * LANES
        * real("bytes_per_thread", bytes_per_thread, low=1e-3, high=1e6)
    )
    return np.minimum(1, held / needed)
