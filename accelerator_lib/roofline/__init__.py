"""Roofline: which limit binds a kernel, and what lies between the limit and a measured speed.

roof          ridge point, attainable rate, kernels on a chip, how many rows are enough
losses        launches, waves, clocks, waiting
utilization   MFU, MBU, Amdahl's law                             wall      peaks, bandwidths and ridges over the years
measured      published products under the roof, and how far a model typically is from what was measured
"""

from accelerator_lib.roofline import losses, wall
from accelerator_lib.roofline.measured import Products, products, typical, with_products
from accelerator_lib.roofline.roof import (
    Group,
    Placed,
    attainable,
    critical_batch,
    elementwise_seconds,
    place,
    place_all,
    ridge_of,
    ridge_point,
)
from accelerator_lib.roofline.utilization import amdahl, mbu, mfu

__all__ = [
    "Group",
    "Placed",
    "Products",
    "amdahl",
    "attainable",
    "critical_batch",
    "elementwise_seconds",
    "losses",
    "mbu",
    "mfu",
    "place",
    "place_all",
    "products",
    "ridge_of",
    "ridge_point",
    "typical",
    "wall",
    "with_products",
]
