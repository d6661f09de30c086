"""Battery: edge devices at work in whole 8-bit numbers, until the battery is empty.

    TOPS/W = TOPS / watts       hours = watt-hours / watts       images = watt-hours x 3600 x TOPS/W / operations of one

Upper bounds: every unit works in every cycle, and the device alone draws power; screen, camera and radio come on top.
A device takes part if its dense INT8 peak and its power are published and the power is within the budget.
"""

from dataclasses import dataclass
from functools import cache

from accelerator_lib.checks.signature import Number, Single, Watts, checked
from accelerator_lib.design.zoo import Record, records
from accelerator_lib.workload import networks


@checked
def tops_per_watt(tops: Number(low=0), watts: Watts):
    """TOPS/W; scalars or arrays. Say which format, dense or sparse, and whose watts."""
    return tops / watts


@cache
def image_operations():
    """Operations that ResNet-50 does on one image: its convolutions (chapter 1), two for a multiply-accumulate."""
    return networks.stages("resnet-50").flops


@dataclass(frozen=True)
class Charged:
    """One device on one charge."""

    record: Record
    watts: float
    tops: float
    within: bool  # its power is within the budget
    seconds: float
    images: float

    @property
    def hours(self):
        return self.seconds / 3600

    @property
    def tops_per_watt(self):
        return self.tops / self.watts


@dataclass(frozen=True)
class Budget:
    """All that could be asked, the thriftiest first, and those whose power nobody published."""

    watt_hours: float
    watts: float
    image_operations: float
    rows: tuple
    silent: tuple

    def shares(self, name):
        """Hours or images of every row, as a share of the most that one within the budget has; 0 for the others."""
        most = max((getattr(row, name) for row in self.rows if row.within), default=1)
        return tuple(getattr(row, name) / most if row.within else 0.0 for row in self.rows)


@checked
def devices(
    watt_hours: Single(Number(low=0.01, high=1e5, unit="Wh")) = 15,
    watts: Single(Number(low=0.001, high=1000, unit="W")) = 15,
):
    """Budget of the edge devices: a battery of so many watt-hours, a device of at most so many watts."""
    edge = [row for row in records().values() if row.kind == "edge" or row.kind == "exotic"]
    known = [row for row in edge if row.peak("INT8")]
    parts = {}
    for row in known:  # of a part in both collections, the record with its power
        if row.part not in parts or (row.watts and not parts[row.part].watts):
            parts[row.part] = row
    rows = [_charged(row, watt_hours, watts) for row in parts.values() if row.watts]
    silent = tuple(row for row in parts.values() if not row.watts)
    rows.sort(key=lambda row: -row.tops_per_watt)
    return Budget(watt_hours, watts, image_operations(), tuple(rows), silent)


def _charged(row, watt_hours, watts):
    draws, operations = row.watts[1], row.peak("INT8")
    seconds = watt_hours * 3600 / draws
    return Charged(row, draws, operations / 1e12, draws <= watts, seconds, seconds * operations / image_operations())
