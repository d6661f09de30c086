"""Versions: one product of 4,096 x 4,096 x 4,096 (FP64, 18 cores) in seven versions, from Python to intrinsics.
Source: C. Leiserson et al., "There's plenty of room at the Top", Science, 2020, Table 1: seconds (rounded), speed-ups.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.workload import Gemm

EDGE = 4096


@dataclass(frozen=True)
class Version:  # Seconds, times the first version as published, GFLOP/s as published, the machine's peak
    name: str
    seconds: float
    speedup: float
    gflop_s: float
    peak_gflop_s: float
    flops_per_s = property(lambda self: Gemm(EDGE, EDGE, EDGE).flops / self.seconds)  # by the seconds
    peak_share = property(lambda self: self.gflop_s / self.peak_gflop_s)


def published():
    """The seven Versions, the slowest first."""
    found = []
    for _, row in sorted(data.published("software_ladder").items()):
        at, name = row["conditions"], row["workload"].partition(": ")[2]
        found.append(Version(name, row["value"], at["cumulative_speedup"], at["gflop_s"], at["peak_gflop_s"]))
    return tuple(found)


@checked
def gained(last: Count(1, 6) = 1):
    """How many times faster the last so many steps make it together."""
    found = published()
    return found[-1].speedup / found[-1 - last].speedup
