"""Roofline: which limit binds a kernel, and what lies between the limit and a measured speed.

roof          ridge point, attainable rate, a kernel on a chip        group     several kernels on one chip
batch         how many rows are enough                                losses    launches, waves, clocks, waiting
utilization   MFU, MBU, Amdahl's law                             wall      peaks, bandwidths and ridges over the years
"""

from accelerator_lib.roofline import losses, wall
from accelerator_lib.roofline.batch import critical_batch
from accelerator_lib.roofline.group import Group, place_all
from accelerator_lib.roofline.roof import Placed, attainable, elementwise_seconds, place, ridge_of, ridge_point
from accelerator_lib.roofline.utilization import amdahl, mbu, mfu

__all__ = [
    "Group",
    "Placed",
    "amdahl",
    "attainable",
    "critical_batch",
    "elementwise_seconds",
    "losses",
    "mbu",
    "mfu",
    "place",
    "place_all",
    "ridge_of",
    "ridge_point",
    "wall",
]
