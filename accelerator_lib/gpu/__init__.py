"""GPU: what fits on one SM, how a launch fills the chip, what the lanes of a warp do and touch.

arch          published limits of an SM                grid          launches, waves
residency     blocks, warps and registers of one SM    scheduler     who issues, and what covers a wait
simt          a warp step by step, and in one line     language      what its kernels are written in
access        sectors, banks                           together      access, of many warps at once
sm            tensor cores, and the peak               library       the tile that a library takes
generations   who feeds the tensor cores, since Volta
"""

from accelerator_lib.gpu import access, generations, grid, library, scheduler, simt, sm
from accelerator_lib.gpu.access import bank_conflict, load_efficiency, sectors
from accelerator_lib.gpu.arch import limits
from accelerator_lib.gpu.grid import launch, waves
from accelerator_lib.gpu.residency import occupancy
from accelerator_lib.gpu.scheduler import bandwidth_share, warps_to_saturate
from accelerator_lib.gpu.simt import branch_efficiency, simt_cycles, simt_efficiency
