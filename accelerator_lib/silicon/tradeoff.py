"""Trade-off: dollars and seconds of a floor plan at work, and the plan for which their product is least.

    seconds  max( FLOP / (units x 7.5 TFLOP/s), bytes / bandwidth )       one layer of M rows, bf16
    score    dollars x seconds: half the price is worth half the time

Bytes are the least that any schedule moves with the plan's SRAM (chapter 4). `cheapest` tries all plans at once, with
the yield written out for arrays; a plan's own dollars come from silicon.harvested_yield (plans.py).
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Number, Positive, Single, checked
from accelerator_lib.silicon import plans
from accelerator_lib.silicon.hbm import PITCH_MM, hbm_bytes_per_s, hbm_sites
from accelerator_lib.silicon.package import FIELD_MM2
from accelerator_lib.silicon.plans import Plan
from accelerator_lib.silicon.wafer import dies_per_wafer
from accelerator_lib.silicon.yields import densities

LAYER = 8192  # inputs and outputs of the layer
UNITS, STORES = tuple(range(4, 205, 4)), (2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 400e6)  # what `cheapest` tries


@dataclass(frozen=True)
class Served:
    """A plan at work on one layer of so many rows."""

    plan: Plan
    rows: int
    arithmetic_seconds: float
    memory_seconds: float

    @property
    def seconds(self):
        return max(self.arithmetic_seconds, self.memory_seconds)

    @property
    def usd_seconds(self):
        """Dollars x seconds: what is least is best."""
        return self.plan.total_usd * self.seconds


@checked
def serve(plan, m: Count(high=10**6)):
    """Served of a layer of 8,192 x 8,192 in bf16, m rows of inputs; `plan.problem` says if it cannot be built."""
    if not isinstance(plan, Plan):
        raise TypeError(f"plan must be a Plan, not {type(plan).__name__}")
    flops, (moved,) = _work(m, (plan.sram_bytes,))
    return Served(plan, m, flops / plan.flops_per_s, float(moved) / plan.bytes_per_s)


@checked
def cheapest(
    m: Count(high=10**6), floor_gb: Single(Number(0, 10_000)) = 0, stack_gb: Single(Number(1, 1000)) = 16,
    gbit_per_pin: Single(Positive) = 5.2, pins: Count(high=10**5) = 1024,
    pitch_mm: Single(Number(1, 100, unit="mm")) = PITCH_MM,
):  # fmt: skip
    """The Served with the fewest dollars x seconds of all that can be built and hold floor_gb. Raises NotAvailable."""
    sites = int(hbm_sites(plans.HIGH_MM, pitch_mm))
    stacks = np.array([n for n in range(1, sites + 1) if n * stack_gb >= floor_gb])
    if not len(stacks):
        raise NotAvailable(f"{sites} stacks of {stack_gb:g} GB, for which there is room, do not hold {floor_gb:g} GB.")
    usd, working = _dies(sites)  # [stacks, units, stores]
    usd = (
        usd[stacks - 1]
        + (plans.PACKAGE_USD + stacks * (plans.MOUNT_USD + stack_gb * plans.STACK_USD_PER_GB))[:, None, None]
    )
    flops, moved = _work(m, STORES)
    arithmetic = flops / (working * plans.UNIT_FLOPS)
    memory = moved[None, :] / np.asarray(hbm_bytes_per_s(stacks, gbit_per_pin, pins))[:, None]
    score = usd * np.maximum(arithmetic[None, :, None], memory[:, None, :])
    i, j, k = np.unravel_index(int(np.argmin(score)), score.shape)
    return serve(Plan(UNITS[j], STORES[k], int(stacks[i]), stack_gb, gbit_per_pin, pins, pitch_mm), m)


def _work(m, stores):
    """(FLOP of the layer, the least bytes that it moves with each of so many bytes of SRAM)."""
    from accelerator_lib.tiling import io_lower_bound_words  # only where a plan works: both take a while to load
    from accelerator_lib.workload import Gemm

    gemm = Gemm(m, LAYER, LAYER)
    return gemm.flops, 2 * np.array([float(io_lower_bound_words(gemm, store / 2)) for store in stores])


@cache
def _dies(sites):
    """(dollars of a good die [stacks, units, stores], infinite where it is too large; working units [units])."""
    units, stacks, stores = np.array(UNITS), np.arange(1, sites + 1), np.array(STORES)
    spare = np.floor(units * plans.SPARE).astype(int)
    outside = (
        plans.FIXED_MM2 + stacks[:, None] * plans.INTERFACE_MM2 + stores / plans.store_bytes_per_mm2()
    )  # [stacks, stores]
    area = outside[:, None, :] + (units * plans.UNIT_MM2)[:, None]
    factors, weights = densities("murphy")
    density = factors * plans.DEFECTS / 100
    good = np.exp(-density * plans.UNIT_MM2)  # of one unit
    term = good ** units[:, None]
    few = term.copy()  # P(at most `spare` bad units) [units, densities]
    for k in range(1, spare.max() + 1):
        term = term * ((units - k + 1) / k)[:, None] * (1 / good - 1)
        few += np.where((k <= spare)[:, None], term, 0)
    share = np.einsum("skd,ud->suk", np.exp(-outside[..., None] * density), few * weights)
    usd = plans.WAFER_USD / (np.floor(dies_per_wafer(area)) * share)
    return np.where(area <= FIELD_MM2, usd, np.inf), units - spare
