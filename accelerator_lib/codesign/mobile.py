"""Mobile: published networks for phones: how accurate they are, how much they compute, how long they take.

    networks()     30 in float and two in 8 bit: accuracy, multiply-adds, ms on the phones that were measured
    twins()        pairs with nearly the same multiply-adds, and what they took
    agreement()    log-log correlation of multiply-adds and time on one phone

Latencies are those of one runtime of 2019 and 2020. Facts: data/codesign.yaml.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked

PHONES = {"pixel1": "Pixel 1", "pixel2": "Pixel 2", "pixel3": "Pixel 3"}
DEVICES = {**PHONES, "pixel4-cpu": "the Pixel 4’s processor", "pixel4-edge-tpu": "the Edge TPU beside it"}
FORMATS = ("float", "int8")


@dataclass(frozen=True, eq=False)
class Network:
    """One network: accuracy top-1 [%], multiply-adds of one image, {device: time of one image [ms]}."""

    name: str
    family: str
    accuracy: float | None
    macs: float
    ms: dict
    format: str = "float"


@dataclass(frozen=True)
class Twins:
    """Two runs with nearly the same multiply-adds: names, multiply-adds, times [s] and devices, of (one, other)."""

    names: tuple
    macs: tuple
    seconds: tuple
    devices: tuple

    @property
    def more_work(self):
        """Multiply-adds of the larger over those of the smaller, less one."""
        return max(self.macs) / min(self.macs) - 1

    @property
    def longer(self):
        """Time of the slower over that of the faster, less one."""
        return max(self.seconds) / min(self.seconds) - 1


@cache
def networks():
    """All published networks, as a tuple of Network, families together."""
    fields = "name", "family", "accuracy", "macs", "ms", "format"
    return tuple(Network(**{name: row[name] for name in fields}) for row in data.load("codesign")["networks"])


@checked
def measured(device: OneOf(DEVICES) = "pixel1", format: OneOf(FORMATS) = "float"):
    """Networks that were measured on a device in a format."""
    return tuple(one for one in networks() if one.format == format and device in one.ms)


PAIRS = {  # (name, device) of each
    "two families": (("MobileNetV1", "pixel1"), ("NASNet-A", "pixel1")),
    "two small ones": (("MobileNetV3 small minimal", "pixel1"), ("MnasNet-A1 0.35, 224 px", "pixel1")),
    "one network, two machines": (
        ("MobileNet-EdgeTPU, 8 bit", "pixel4-edge-tpu"),
        ("MobileNet-EdgeTPU, 8 bit", "pixel4-cpu"),
    ),
}


@checked
def twins(pair: OneOf(PAIRS) = "two families"):
    """Twins of a pair."""
    paper = {row["name"]: row for row in data.load("codesign")["paper_table"]}
    known = {one.name: {"macs": one.macs, "ms": one.ms} for one in networks()} | paper
    names, devices = zip(*PAIRS[pair], strict=True)
    macs = tuple(known[name]["macs"] for name in names)
    seconds = tuple(known[name]["ms"][device] / 1e3 for name, device in PAIRS[pair])
    return Twins(names, macs, seconds, tuple(DEVICES[device] for device in devices))


@checked
def agreement(device: OneOf(PHONES) = "pixel1"):
    """Correlation of log multiply-adds and log time over the float networks that were measured on a phone."""
    found = measured(device)
    return float(np.corrcoef(np.log([one.macs for one in found]), np.log([one.ms[device] for one in found]))[0, 1])
