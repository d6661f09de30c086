"""Roofline: which limit binds a kernel, and what lies between the limit and a measured speed.

roof          ridge point, attainable rate, a kernel on a chip
utilization   MFU, MBU, Amdahl's law
losses        launches, waves, clocks, waiting
"""

from accelerator_lib.roofline import losses
from accelerator_lib.roofline.roof import (
    Placed,
    attainable,
    critical_batch,
    elementwise_seconds,
    place,
    ridge_of,
    ridge_point,
)
from accelerator_lib.roofline.utilization import amdahl, mbu, mfu

__all__ = [
    "Placed",
    "amdahl",
    "attainable",
    "critical_batch",
    "elementwise_seconds",
    "losses",
    "mbu",
    "mfu",
    "place",
    "ridge_of",
    "ridge_point",
]
