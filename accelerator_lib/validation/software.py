"""Software: one product of matrices, seven programs; what binds each of them on the same computer.

In C every multiply-add waits for a line of B (Little's law), on all cores until the memory is busy; where blocks fit
the caches, arithmetic binds: cores x lanes x fused multiply-add, as far as a program uses them. What an interpreter or
a virtual machine does beside, no model of the course foretells.
"""

import re

from accelerator_lib import roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.units import percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free, one
from accelerator_lib.workload import Gemm

FREE, BY_FAMILY = free("software_ladder")
LINE, IN_FLIGHT, LATENCY = 64, 10, 80e-9  # bytes; lines a core waits for at once, and how long (recalled: Haswell)
LANES, FUSED = 4, 2  # 256 bits of FP64; a multiply-add in one instruction
STEPS = (  # words -> (cores all, lanes used, fused), or "lines" where no cache line is used twice
    (r"intrinsic|blas|mkl|library", (True, True, True)),
    (r"vectori", (True, True, False)),
    (r"divide|block|tiled", (True, False, False)),
    (r"parallel", "all lines"),
    (r"\bc\b|c\+\+|fortran", "lines"),
)


def estimate(row, constants):
    """Estimate of a row of kind software_ladder [s]. Raises NotAvailable."""
    if row["metric"] != "runtime" or row["unit"] != "s":
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no runtime of a program")
    chip, stated = named(row["device"])[0], one(row, "peak_gflop_s")
    found = re.search(r"(\d+)\s*x\s*(\d+)\s*cores", row["device"])
    cores = int(found[1]) * int(found[2]) if found else 1
    peak = stated * 1e9 if isinstance(stated, (int, float)) and stated > 0 else chip.peak("fp64")
    rate, work = chip.need("bytes_per_s"), _product(row["workload"])
    bound = work.flops / peak
    said = row["workload"].partition(":")[2].lower()
    step = next((step for pattern, step in STEPS if re.search(pattern, said)), None)
    if step is None:
        raise NotAvailable(f"what {said.strip()[:40]!r} costs beside the arithmetic is not foretold by any model here")
    if isinstance(step, str):
        lines = IN_FLIGHT * LINE / LATENCY  # Little's law
        lines = min(lines * cores, rate) if step.startswith("all") else lines
        seconds = work.flops / float(roofline.attainable(2 / LINE, peak, lines))
        limit = "memory bandwidth" if lines == rate else "memory latency"
        why = f"Each multiply-add reads a cache line of its own, {LINE} bytes at {si(lines, 'B/s')}."
        return Estimate(seconds, bound, limit, why)
    (_, lanes, fused), share = step, constants("sustained")
    reach = peak / (1 if lanes else LANES) / (1 if fused else FUSED)
    why = f"Such code reaches {si(reach, 'FLOP/s')} of {si(peak, 'FLOP/s')} at most; {percent(share)} of it lasts."
    return Estimate(max(work.flops / (share * reach), bound), bound, "arithmetic", why)


def _product(workload):
    found = re.search(r"(\d+)\s*x\s*(\d+)\s*x\s*(\d+)", workload)
    if not found or not re.search(r"fp64|double", workload, re.IGNORECASE):
        raise NotAvailable(f"{workload[:60]!r} states no product of matrices in FP64")
    return Gemm(*map(int, found.groups()))
