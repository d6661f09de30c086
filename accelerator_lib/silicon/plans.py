"""Floor plans: units, memory and interfaces on one die, stacks of HBM beside it.

    area     fixed + units x 3.4 mm2 + SRAM / 4.17 MB per mm2 + stacks x 8 mm2     at most the exposure field
    dollars  a good die, 5 % of its units spare + stacks + package

ASSUMPTIONS, in round numbers like an H100's: all constants below. A small die may be long and narrow, so that its
edges hold the stacks. What a plan does with a layer: tradeoff.py.
"""

from dataclasses import dataclass
from functools import cache
from math import floor

from accelerator_lib.checks.signature import Count, Number, Positive, Single, checked
from accelerator_lib.silicon.hbm import PITCH_MM, hbm_bytes_per_s, hbm_sites
from accelerator_lib.silicon.package import FIELD_MM2
from accelerator_lib.silicon.ports import nodes
from accelerator_lib.silicon.sram import sram_bytes
from accelerator_lib.silicon.wafer import FIELD_MM, dies_per_wafer
from accelerator_lib.silicon.yields import harvested_yield

UNIT_MM2, UNIT_FLOPS, SPARE = 3.4, 7.5e12, 0.05
FIXED_MM2, INTERFACE_MM2 = 150, 8  # links, control, host; one stack's interface
WAFER_USD, DEFECTS = 17000, 0.1
STACK_USD_PER_GB, PACKAGE_USD, MOUNT_USD = 17, 300, 75  # 272 dollars for 16 GB; mounting one stack
WIDE_MM, HIGH_MM = FIELD_MM


@cache
def store_bytes_per_mm2():
    """Bytes of SRAM on a square millimetre of N5, cells on 70 % of it."""
    return float(sram_bytes(1, nodes()["N5"].bitcell_um2, 0.7))


@dataclass(frozen=True)
@checked
class Plan:
    """A floor plan: units (spare ones among them), bytes of SRAM, stacks of so many GB at a rate of each pin."""

    units: Count(high=2000)
    sram_bytes: Single(Number(1e5, 1e11, unit="B"))
    stacks: Count(high=64)
    stack_gb: Single(Number(1, 1000)) = 16
    gbit_per_pin: Single(Positive) = 5.2
    pins: Count(high=10**5) = 1024
    pitch_mm: Single(Number(1, 100, unit="mm")) = PITCH_MM

    @property
    def parts(self):
        """{part: area [mm²]}."""
        return {
            "units": self.units * UNIT_MM2,
            "SRAM": self.sram_bytes / store_bytes_per_mm2(),
            "interfaces": self.stacks * INTERFACE_MM2,
            "fixed": FIXED_MM2,
        }

    @property
    def area_mm2(self):
        return sum(self.parts.values())

    @property
    def sites(self):
        """Stacks for which its two long edges have room, at most 33 mm each."""
        return int(hbm_sites(HIGH_MM, self.pitch_mm))

    @property
    def problem(self):
        """Why it cannot be built; empty where it can."""
        if self.area_mm2 > FIELD_MM2:
            return f"{self.area_mm2:,.0f} mm² do not fit the exposure field of {FIELD_MM2} mm²"
        if self.stacks > self.sites:
            return f"the two edges have room for {self.sites} stacks"
        return ""

    @property
    def size_mm(self):
        """(width, height): the height holds the stacks of a side, and is at least what a die of that area needs."""
        side = -(-self.stacks // 2) * self.pitch_mm
        high = min(HIGH_MM, max(side, (self.area_mm2 * HIGH_MM / WIDE_MM) ** 0.5))
        return self.area_mm2 / high, high

    @property
    def working(self):
        """Units that are sold."""
        return self.units - floor(self.units * SPARE)

    @property
    def usd(self):
        """{part: dollars} of a good one."""
        memory = self.stacks * (self.stack_gb * STACK_USD_PER_GB)
        return {
            "die": die_usd(self.units, self.area_mm2),
            "HBM": memory,
            "package": PACKAGE_USD + MOUNT_USD * self.stacks,
        }

    @property
    def total_usd(self):
        return sum(self.usd.values())

    @property
    def flops_per_s(self):
        return self.working * UNIT_FLOPS

    @property
    def bytes_per_s(self):
        return float(hbm_bytes_per_s(self.stacks, self.gbit_per_pin, self.pins))

    @property
    def capacity_bytes(self):
        return self.stacks * self.stack_gb * 1e9


@cache
def die_usd(units, area_mm2):
    """Dollars of a good die of which so many units, a twentieth of them spare, are a part."""
    good = harvested_yield(area_mm2, DEFECTS, units, floor(units * SPARE), UNIT_MM2)
    return WAFER_USD / (floor(dies_per_wafer(area_mm2)) * good)
