"""A ladder: one matrix product in seven versions of a program, from Python to intrinsics, on the same computer.

4,096 x 4,096 x 4,096 in FP64 on 18 cores, measured. Source: C. Leiserson et al., "There's plenty of room at the Top",
Science, 2020, Table 1. What is printed there are seconds (rounded) and speed-ups over the first version.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.workload import Gemm

EDGE = 4096


@dataclass(frozen=True)
class Rung:
    """One version: seconds, times the first version as published, GFLOP/s as published, the machine's peak."""

    name: str
    seconds: float
    speedup: float
    gflop_s: float
    peak_gflop_s: float

    @property
    def flops_per_s(self):
        """By the seconds: the work is known."""
        return Gemm(EDGE, EDGE, EDGE).flops / self.seconds

    @property
    def peak_share(self):
        return self.gflop_s / self.peak_gflop_s


@dataclass(frozen=True)
class Climb:
    """So many rungs of the ladder are climbed."""

    rungs: tuple
    climbed: int

    @property
    def here(self):
        return self.rungs[self.climbed - 1]

    @property
    def step(self):
        """How many times faster than the rung below, by the published speed-ups; None on the first."""
        return self.here.speedup / self.rungs[self.climbed - 2].speedup if self.climbed > 1 else None


def rungs():
    """The seven Rungs, the slowest first."""
    rows = [row for _, row in sorted(data.published("software_ladder").items())]
    made = ((row, row["conditions"]) for row in rows)
    return tuple(
        Rung(
            row["workload"].partition(": ")[2],
            row["value"],
            at["cumulative_speedup"],
            at["gflop_s"],
            at["peak_gflop_s"],
        )
        for row, at in made
    )


@checked
def climb(to: Count(1, 7) = 7):
    """Yield a Climb on each of the first so many rungs."""
    found = rungs()
    return (Climb(found, place) for place in range(1, to + 1))


@checked
def gained(last: Count(1, 6) = 1):
    """How many times faster the last so many steps make it together."""
    found = rungs()
    return found[-1].speedup / found[-1 - last].speedup
