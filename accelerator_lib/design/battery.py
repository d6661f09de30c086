"""Battery: edge devices at work in whole 8-bit numbers, until the battery is empty.

    hours  = watt-hours / watts            images  = watt-hours x 3600 x TOPS/W / operations of an image

Upper bounds: every unit works in every cycle, and the device alone draws power; screen, camera and radio come on top.
A device takes part if its dense INT8 peak and its power are published and the power is within the budget.
"""

from dataclasses import dataclass
from functools import cache

from accelerator_lib.checks.signature import Number, Single, checked
from accelerator_lib.design.capacity import tops_per_watt
from accelerator_lib.design.zoo import Record, records
from accelerator_lib.workload import networks


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
    hours: float
    images: float

    @property
    def tops_per_watt(self):
        return tops_per_watt(self.tops, self.watts)


@dataclass(frozen=True)
class Budget:
    """All that could be asked, the thriftiest first, and those whose power nobody published."""

    watt_hours: float
    watts: float
    image_operations: float
    rows: tuple
    silent: tuple


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
    return Budget(
        watt_hours, watts, image_operations(), tuple(sorted(rows, key=lambda row: -row.tops_per_watt)), silent
    )


def _charged(row, watt_hours, watts):
    draws, tops = row.watts[1], row.peak("INT8") / 1e12
    images = watt_hours * 3600 * tops_per_watt(tops, draws) * 1e12 / image_operations()
    return Charged(row, draws, tops, draws <= watts, watt_hours / draws, images)
