"""Roofline: which limit binds a kernel, and what lies between the limit and a measured speed.

roof          ridge point, attainable rate, kernels on a chip, how many rows are enough
losses        launches, waiting
utilization   MFU, MBU, Amdahl's law
measured      published products under the roof, and how far a model typically is from what was measured
"""

from accelerator_lib.roofline import losses
from accelerator_lib.roofline.measured import Products, products, typical
from accelerator_lib.roofline.roof import (
    Group,
    Placed,
    attainable,
    critical_batch,
    elementwise_seconds,
    limit,
    place,
    place_all,
    ridge_of,
    ridge_point,
)
from accelerator_lib.roofline.utilization import amdahl, gauges, mbu, mfu
