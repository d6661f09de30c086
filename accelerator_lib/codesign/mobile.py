"""Mobile: published networks for phones, and which to choose: a reward that weighs accuracy against time, and a front.
    reward = accuracy x (latency / target)^w      w = alpha up to the target, beta above it
    front  = what nothing else beats in both: more accurate and no slower, or faster and no worse
With alpha = beta the target only scales all rewards alike. Ignored: what training a candidate costs, spread of latency.
Facts: data/codesign.yaml; the reward: "MnasNet: Platform-Aware Neural Architecture Search for Mobile", 2018.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Given, Number, OneOf, Positive, Single, checked

PHONES = {"pixel1": "Pixel 1", "pixel2": "Pixel 2", "pixel3": "Pixel 3"}
DEVICES = {**PHONES, "pixel4-cpu": "the Pixel 4’s processor", "pixel4-edge-tpu": "the Edge TPU beside it"}
FORMATS = ("float", "int8")


@dataclass(frozen=True, eq=False)
class Network:  # one network: accuracy top-1 [%], multiply-adds of one image, {device: time of one image [ms]}
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
    more_work = property(lambda self: max(self.macs) / min(self.macs) - 1)  # larger over smaller, less one
    same_network = property(lambda self: self.names[0] == self.names[1])
    times = property(lambda self: max(self.seconds) / min(self.seconds))  # time of the slower over that of the faster
    longer = property(lambda self: self.times - 1)  # time of the slower over that of the faster, less one


@cache
def networks():
    """All published networks, as a tuple of Network, families together."""
    fields = "name", "family", "accuracy", "macs", "ms", "format"
    return tuple(Network(**{name: row[name] for name in fields}) for row in data.load("codesign")["networks"])


@checked
def measured(device: OneOf(DEVICES) = "pixel1", format: OneOf(FORMATS) = "float"):
    """Networks that were measured on a device in a format."""
    return tuple(one for one in networks() if one.format == format and device in one.ms)


EDGE_8_BIT = "MobileNet-EdgeTPU, 8 bit"
PAIRS = {  # (name, device) of each
    "two families": (("MobileNetV1", "pixel1"), ("NASNet-A", "pixel1")),
    "two small ones": (("MobileNetV3 small minimal", "pixel1"), ("MnasNet-A1 0.35, 224 px", "pixel1")),
    "one network, two machines": ((EDGE_8_BIT, "pixel4-edge-tpu"), (EDGE_8_BIT, "pixel4-cpu")),
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


ACROSS = {f"ms on {name}": phone for phone, name in PHONES.items()} | {"multiply-adds": "pixel1"}
Weight = Number(low=-10, high=0)


@checked
def nas_reward(accuracy: Positive, latency: Positive, target: Positive, w: Weight = -0.07, beta: Weight = None):
    """Reward in the unit of the accuracy; w: exponent up to the target, beta above it, else w, too. Arrays, too."""
    above = w if beta is None else beta
    ratio = np.asarray(latency) / target
    reward = accuracy * ratio ** np.where(ratio <= 1, w, above)
    return reward.item() if np.ndim(reward) == 0 else reward


def _points(value):
    try:
        points = np.asarray(value, float)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all() or len(points) > 10**6:
        raise ValueError(f"points must be up to a million pairs (large is good, small is good), not {described(value)}")
    return points


Points = Given("pairs (large is good, small is good)", _points)


@checked
def pareto(points: Points):
    """Indices of the points that no other beats: first large, second small; of equal ones the first stays."""
    order = np.lexsort((np.arange(len(points)), -points[:, 0], points[:, 1]))
    front, best = [], -np.inf
    for index in order:
        if points[index, 0] > best:
            front.append(int(index))
            best = points[index, 0]
    return front


@checked
def winning_ms(target: Single(Positive), w: Single(Weight) = -0.07, beta: Single(Weight) = None):
    """Time [ms] of the best by the reward on a Pixel 1."""
    return winner(target, w, beta).ms["pixel1"]


@checked
def winner(target: Single(Positive), w: Single(Weight) = -0.07, beta: Single(Weight) = None):
    """The Network with the best reward on a Pixel 1; of equals the faster."""
    rewards = {one: round(nas_reward(one.accuracy, one.ms["pixel1"], target, w, beta), 9) for one in measured()}
    return min(rewards, key=lambda one: (-rewards[one], one.ms["pixel1"]))
