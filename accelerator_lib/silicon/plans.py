"""Floor plans: units, memory and interfaces on one die, stacks of HBM beside it; at work, and the best of all.

    area     fixed + units x 3.4 mm2 + SRAM / 4.17 MB per mm2 + stacks x 8 mm2     at most the exposure field
    dollars  a good die, 5 % of its units spare + stacks + package
    seconds  max( FLOP / (units x 7.5 TFLOP/s), bytes / bandwidth )       one layer of M rows, bf16
    score    dollars x seconds: half the price is worth half the time

ASSUMPTIONS, in round numbers like an H100's: all constants below. Bytes are the least that any schedule moves with the
plan's SRAM (chapter 4). `cheapest` tries all plans at once.
"""

from dataclasses import dataclass
from functools import cache
from math import floor
from typing import NamedTuple

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Number, Positive, Record, Single, checked
from accelerator_lib.roofline.roof import binding
from accelerator_lib.silicon.hbm import PITCH_MM, hbm_bytes_per_s, hbm_sites
from accelerator_lib.silicon.ports import nodes
from accelerator_lib.silicon.sram import sram_bytes
from accelerator_lib.silicon.wafer import FIELD_MM, FIELD_MM2, dies_per_wafer
from accelerator_lib.silicon.yields import harvested_yield

UNIT_MM2, UNIT_FLOPS, SPARE = 3.4, 7.5e12, 0.05
FIXED_MM2, INTERFACE_MM2 = 150, 8  # links, control, host; one stack's interface
WAFER_USD, DEFECTS = 17000, 0.1
STACK_USD_PER_GB, PACKAGE_USD, MOUNT_USD = 17, 300, 75  # 272 dollars for 16 GB; mounting one stack
WIDE_MM, HIGH_MM = FIELD_MM
BYTES_PER_MM2 = sram_bytes(1, nodes()["N5"].bitcell_um2, 0.7)  # of SRAM on N5, cells on 70 % of it
LAYER = 8192  # inputs and outputs of the layer
UNITS, STORES = tuple(range(4, 205, 4)), (2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 400e6)  # what `cheapest` tries

Room, GB, One = Single(Number(0, 10_000)), Single(Number(1, 1000)), Single(Positive)
Rows, Pins = Count(high=10**6), Count(high=10**5)
Mm = Single(Number(1, 100, unit="mm"))


@dataclass(frozen=True)
@checked
class Plan:
    """A floor plan: units (spare ones among them), bytes of SRAM, stacks of so many GB at a rate of each pin."""

    units: Count(high=2000)
    sram_bytes: Single(Number(1e5, 1e11, unit="B"))
    stacks: Count(high=64)
    stack_gb: GB = 16
    gbit_per_pin: One = 5.2
    pins: Pins = 1024
    pitch_mm: Mm = PITCH_MM

    @property
    def parts(self):
        """{part: area [mm²]}."""
        units, store = self.units * UNIT_MM2, self.sram_bytes / BYTES_PER_MM2
        return {"units": units, "SRAM": store, "interfaces": self.stacks * INTERFACE_MM2, "fixed": FIXED_MM2}

    area_mm2 = property(lambda self: sum(self.parts.values()))
    # stacks for which its two long edges have room, at most 33 mm each
    sites = property(lambda self: int(hbm_sites(HIGH_MM, self.pitch_mm)))
    # sites without a stack; below zero, stacks without a site
    free_sites = property(lambda self: self.sites - self.stacks)
    fits_field = property(lambda self: self.area_mm2 <= FIELD_MM2)  # whether one exposure can print the die

    @property
    def problem(self):
        """Why it cannot be built; empty where it can."""
        if not self.fits_field:
            return f"{self.area_mm2:,.0f} mm² do not fit the exposure field of {FIELD_MM2} mm²"
        if self.free_sites < 0:
            return f"the two edges have room for {self.sites} stacks"
        return ""

    @property
    def size_mm(self):
        """(width, height): the height holds the stacks of a side, and is at least what a die of that area needs."""
        side = -(-self.stacks // 2) * self.pitch_mm
        high = min(HIGH_MM, max(side, (self.area_mm2 * HIGH_MM / WIDE_MM) ** 0.5))
        return self.area_mm2 / high, high

    working = property(lambda self: self.units - floor(self.units * SPARE))  # units that are sold

    @property
    def usd(self):
        """{part: dollars} of a good one."""
        memory, package = self.stacks * (self.stack_gb * STACK_USD_PER_GB), PACKAGE_USD + MOUNT_USD * self.stacks
        return {"die": die_usd(self.units, self.area_mm2), "HBM": memory, "package": package}

    total_usd = property(lambda self: sum(self.usd.values()))
    flops_per_s = property(lambda self: self.working * UNIT_FLOPS)
    bytes_per_s = property(lambda self: float(hbm_bytes_per_s(self.stacks, self.gbit_per_pin, self.pins)))
    capacity_bytes = property(lambda self: self.stacks * self.stack_gb * 1e9)


def die_usd(units, area_mm2):
    """Dollars of a good die of which so many units, a twentieth of them spare, are a part; areas may be an array."""
    good = harvested_yield(area_mm2, DEFECTS, units, floor(units * SPARE), UNIT_MM2)
    return WAFER_USD / (np.floor(dies_per_wafer(area_mm2)) * good)


@dataclass(frozen=True)
class Served:
    """A plan at work on one layer of so many rows."""

    plan: Plan
    rows: int
    arithmetic_seconds: float
    memory_seconds: float

    # what sets the pace: "memory" or "compute"
    bound = property(lambda self: binding(compute=self.arithmetic_seconds, memory=self.memory_seconds))
    seconds = property(lambda self: max(self.arithmetic_seconds, self.memory_seconds))
    usd_seconds = property(lambda self: self.plan.total_usd * self.seconds)  # dollars x seconds: what is least is best

    def times(self, best):
        """How many times the dollars x seconds of another Served."""
        return self.usd_seconds / best.usd_seconds


@checked
def serve(plan: Record(Plan), m: Rows):
    """Served of a layer of 8,192 x 8,192 in bf16, m rows of inputs; `plan.problem` says if it cannot be built."""
    flops, (moved,) = _work(m, (plan.sram_bytes,))
    return Served(plan, m, flops / plan.flops_per_s, float(moved) / plan.bytes_per_s)


@checked
def cheapest(
    m: Rows, floor_gb: Room = 0, stack_gb: GB = 16, gbit_per_pin: One = 5.2, pins: Pins = 1024, pitch_mm: Mm = PITCH_MM
):
    """The Served with the fewest dollars x seconds of all that can be built and hold floor_gb. Raises NotAvailable."""
    sites = int(hbm_sites(HIGH_MM, pitch_mm))
    stacks = np.array([n for n in range(1, sites + 1) if n * stack_gb >= floor_gb])
    if not len(stacks):
        raise NotAvailable(f"{sites} stacks of {stack_gb:g} GB, for which there is room, do not hold {floor_gb:g} GB.")
    usd, working = _dies(sites)  # [stacks, units, stores]
    beside = PACKAGE_USD + stacks * (MOUNT_USD + stack_gb * STACK_USD_PER_GB)
    usd = usd[stacks - 1] + beside[:, None, None]
    flops, moved = _work(m, STORES)
    arithmetic = flops / (working * UNIT_FLOPS)
    memory = moved[None, :] / np.asarray(hbm_bytes_per_s(stacks, gbit_per_pin, pins))[:, None]
    score = usd * np.maximum(arithmetic[None, :, None], memory[:, None, :])
    i, j, k = np.unravel_index(int(np.argmin(score)), score.shape)
    return serve(Plan(UNITS[j], STORES[k], int(stacks[i]), stack_gb, gbit_per_pin, pins, pitch_mm), m)


class Placed(NamedTuple):
    """Stacks of a chip that wants as many as it can have, and which budget ends first."""

    stacks: int
    budget: str  # "edge" or "dollars"
    other: int  # stacks that the other budget allows


@checked
def most_stacks(edge_mm: One, pitch_mm: One, dollars: One, each_usd: One):
    """Placed along two edges of a die, with so many dollars for stacks."""
    sites, paid = 2 * floor(edge_mm / pitch_mm), floor(dollars / each_usd)
    return Placed(min(sites, paid), "edge" if sites <= paid else "dollars", max(sites, paid))


def _work(m, stores):
    """(FLOP of the layer, the least bytes that it moves with each of so many bytes of SRAM)."""
    from accelerator_lib.tiling import io_lower_bound_words  # only where a plan works: both take a while to load
    from accelerator_lib.workload import Gemm

    gemm = Gemm(m, LAYER, LAYER)
    return gemm.flops, 2 * np.array([float(io_lower_bound_words(gemm, store / 2)) for store in stores])


@cache
def _dies(sites):
    """(dollars of a good die [stacks, units, stores], infinite where it is too large; working units [units])."""
    spare = np.array([floor(units * SPARE) for units in UNITS])
    beside = FIXED_MM2 + np.arange(1, sites + 1)[:, None] * INTERFACE_MM2 + np.array(STORES) / BYTES_PER_MM2
    areas = [units * UNIT_MM2 + beside for units in UNITS]  # each [stacks, stores]
    usd = [die_usd(units, area) for units, area in zip(UNITS, areas, strict=True)]
    return np.where(np.stack(areas, 1) <= FIELD_MM2, np.stack(usd, 1), np.inf), np.array(UNITS) - spare
