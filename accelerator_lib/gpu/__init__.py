"""GPU: what fits on one SM, how a launch fills the chip, what the lanes of a warp do and touch.

residency     blocks, warps and registers of one SM    grid          launches, waves
hiding        warps that hide the latency              scheduler     who issues in each cycle
simt          warps that diverge                       access        sectors, banks
sm            the parts of an SM, in numbers
"""

from accelerator_lib.gpu import access, scheduler, simt, sm
from accelerator_lib.gpu.access import bank_conflict, load_efficiency, sectors
from accelerator_lib.gpu.grid import launch, waves
from accelerator_lib.gpu.hiding import bandwidth_share, warps_to_saturate
from accelerator_lib.gpu.residency import limits, occupancy, occupancy_map
from accelerator_lib.gpu.simt import branch_efficiency, simt_cycles, simt_efficiency

__all__ = [
    "access",
    "bandwidth_share",
    "bank_conflict",
    "branch_efficiency",
    "launch",
    "limits",
    "load_efficiency",
    "occupancy",
    "occupancy_map",
    "scheduler",
    "sectors",
    "simt",
    "simt_cycles",
    "simt_efficiency",
    "sm",
    "warps_to_saturate",
    "waves",
]
